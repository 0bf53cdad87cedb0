/// Computes the spectral lines of a frame's channels (ISO/IEC 14496-3, 4.6.1 to 4.6.3, 4.6.8, 4.6.9
/// and 4.6.13).
///
/// These steps do not depend on earlier frames. The decoder adds prediction, coupling and the
/// filter bank. The inspector measures levels without these.
package struct LineDecoder: Sendable {
  let bands: ScaleFactorBands
  private let dequantizer = Dequantizer()
  var shaping = NoiseShapingSynthesis()

  package init(_ reader: FrameReader) { bands = reader.reader.bands }

  /// The number of lines of a channel.
  package var lineCount: Int { bands.long[bands.long.count - 1] }

  /// Returns the line offsets of the bands in a window of the channel, including the end.
  func offsets(_ parsed: ParsedChannel) -> [Int] {
    bands.offsets(isShort: parsed.window.isShort)
  }

  /// Returns the maximum number of bands for the channel's noise shaping filters.
  func shapingLimit(_ parsed: ParsedChannel) -> Int {
    bands.noiseShapingLimit(isShort: parsed.window.isShort)
  }

  /// Writes a channel's dequantized lines, with noise.
  ///
  /// - Parameters:
  ///   - parsed: The content of the channel.
  ///   - unit: The number of previous frames, which seeds the noise.
  ///   - channel: The number of the channel, which seeds the noise.
  ///   - lines: The lines of the channel.
  func reconstruct(
    _ parsed: ParsedChannel, unit: Int, channel: Int, into lines: inout [Float]
  ) {
    reconstruct(parsed, unit: unit, channel: channel, first: channel, shared: [], into: &lines)
  }

  /// Writes the lines of a pair, whose channels have the numbers `channel` and `channel + 1`, up to
  /// M/S.
  func reconstructPair(
    _ first: ParsedChannel, _ second: ParsedChannel, unit: Int, channel: Int, left: inout [Float],
    right: inout [Float]
  ) {
    reconstruct(first, unit: unit, channel: channel, into: &left)
    reconstruct(
      second, unit: unit, channel: channel + 1, first: channel, shared: first.midSideFlags,
      into: &right)
    MidSide.undo(first, second, offsets: offsets(first), left: &left, right: &right)
  }

  private func reconstruct(
    _ parsed: ParsedChannel, unit: Int, channel: Int, first: Int, shared: [Bool],
    into lines: inout [Float]
  ) {
    let offsets = offsets(parsed)
    dequantizer.apply(parsed, offsets: offsets, into: &lines)
    NoiseSubstitution.undo(
      parsed, offsets: offsets, unit: unit, channel: channel, first: first, shared: shared,
      into: &lines)
  }

  /// Fills the intensity bands of a pair's right channel.
  func fillIntensity(
    _ first: ParsedChannel, _ second: ParsedChannel, of element: ParsedElement, left: [Float],
    right: inout [Float]
  ) {
    guard element.hasCommonWindow else { return }
    Intensity.undo(
      first, second, mask: element.midSideMask, offsets: offsets(first), left: left, right: &right)
  }

  /// Undoes noise shaping.
  mutating func shape(_ parsed: ParsedChannel, _ lines: inout [Float]) {
    shaping.apply(
      .synthesis, parsed, offsets: offsets(parsed), bandLimit: shapingLimit(parsed), to: &lines)
  }
}

extension LineDecoder {
  /// Writes the lines of an element with one or two channels, without prediction and coupling.
  ///
  /// - Parameters:
  ///   - block: The content of the frame, with its spectrum.
  ///   - element: An element of the block.
  ///   - unit: The number of previous frames, which seeds the noise.
  ///   - left: The lines of the first channel, ``lineCount`` of them.
  ///   - right: The lines of the second channel.
  package mutating func decode(
    _ block: ParsedBlock, _ element: ParsedElement, unit: Int, left: inout [Float],
    right: inout [Float]
  ) {
    let channel = element.firstChannel
    var first = block.channelPool[channel]
    first.addPulses()
    if element.channelCount == 2 {
      var second = block.channelPool[channel + 1]
      second.addPulses()
      reconstructPair(first, second, unit: unit, channel: channel, left: &left, right: &right)
      fillIntensity(first, second, of: element, left: left, right: &right)
      shape(second, &right)
      right.zeroInvalidLines()
    } else {
      reconstruct(first, unit: unit, channel: channel, into: &left)
    }
    shape(first, &left)
    left.zeroInvalidLines()
  }
}

extension ParsedChannel {
  /// Adds the pulses to the quantized lines (4.6.3.3); a line that is zero becomes negative.
  mutating func addPulses() {
    for pulse in pulses {
      let value = spectrum[pulse.line]
      let amplitude = Int16(truncatingIfNeeded: pulse.amplitude)
      spectrum[pulse.line] = value > 0 ? value + amplitude : value - amplitude
    }
  }
}
