/// Converts interleaved samples from one rate to another.
///
/// Pass blocks of any size to `process` and end with `flush`. The output depends only on the
/// samples, not on their division into blocks, and is bit-identical on every platform. The filter's
/// delay is removed: an impulse at time t is output at time t, and n input frames result in exactly
/// ⌈n · out / in⌉ output frames. Up to 0.9 of the lower Nyquist frequency the response is flat; all
/// aliases and images are at least 110 dB down.
///
///     input ──► planar history of each channel ──► dot products with filter rows ──► output
///
/// Infinite and NaN input counts as silence, so that it cannot spread. Equal rates pass the samples
/// through unchanged.
public struct Resampler: Sendable {
  /// The range of supported rates, in hertz.
  public static let supportedRates = 1000...768_000

  /// The input rate in frames per second.
  public let inputRate: Int
  /// The output rate in frames per second.
  public let outputRate: Int
  /// The number of channels.
  public let channelCount: Int

  private let filter: ResamplerFilter
  /// One output lasts `wholeStep + fractionStep / fractionCount` input samples.
  private let wholeStep: Int
  private let fractionStep: Int
  private let fractionCount: Int

  private var history: SampleHistory
  /// The next output's offset past the center of its taps, in units of 1 / `fractionCount`.
  private var fraction = 0
  /// The coefficients interpolated between two rows.
  private var blend: [Float]

  /// Creates a resampler of 1…64 channels between two rates of `supportedRates`.
  public init(from inputRate: Int, to outputRate: Int, channelCount: Int) throws(PCMError) {
    try Self.check(inputRate, outputRate, channelCount: channelCount)
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.channelCount = channelCount
    let divisor = inputRate.greatestCommonDivisor(with: outputRate)
    fractionCount = outputRate / divisor
    wholeStep = inputRate / outputRate
    fractionStep = inputRate / divisor % fractionCount
    filter = ResamplerFilter(
      inputRate: inputRate, outputRate: outputRate, fractionCount: fractionCount)
    history = SampleHistory(channelCount: channelCount, tapCount: filter.tapCount)
    blend = Array(repeating: 0, count: filter.tapCount)
  }

  /// Appends the output frames that the whole frames of the input complete.
  ///
  /// An incomplete frame at the end is ignored.
  public mutating func process(_ input: Span<Float>, into output: inout [Float]) {
    if inputRate == outputRate {
      for index in 0..<input.count / channelCount * channelCount {
        output.append(input[index].isFinite ? input[index] : 0)
      }
      return
    }
    var frame = 0
    while history.store(input, from: &frame) { produce(into: &output) }
  }

  /// Appends the output frames that the whole frames of the input complete.
  ///
  /// An incomplete frame at the end is ignored.
  public mutating func process(_ input: [Float], into output: inout [Float]) {
    process(input.span, into: &output)
  }

  /// Appends the remaining output, as if silence followed, and resets the resampler.
  public mutating func flush(into output: inout [Float]) {
    guard inputRate != outputRate else { return }
    process(history.trailingSilence.span, into: &output)
    history.clear()
    fraction = 0
  }

  private mutating func produce(into output: inout [Float]) {
    let coefficients = filter.coefficients
    while history.isReady {
      if filter.isInterpolated {
        // At most 768,000 · 1025, so a 32-bit Int suffices.
        let position = fraction * filter.rowsPerSample
        let row = position / fractionCount
        let weight = Float(position % fractionCount) / Float(fractionCount)
        DotProduct.interpolate(coefficients.span, row: row, weight: weight, into: &blend)
        history.filter(blend.span, into: &output)
      } else {
        history.filter(coefficients.span, from: fraction * filter.tapCount, into: &output)
      }
      history.start += wholeStep
      fraction += fractionStep
      if fraction >= fractionCount {
        fraction -= fractionCount
        history.start += 1
      }
    }
  }

  /// Checks the arguments of a resampler.
  static func check(_ rates: Int..., channelCount: Int) throws(PCMError) {
    for rate in rates where !supportedRates.contains(rate) { throw .unsupportedSampleRate(rate) }
    guard channelCount >= 1 && channelCount <= 64 else {
      throw .unsupportedChannelCount(channelCount)
    }
  }
}

/// The latest input of a resampler, with a section for each channel.
///
///     a channel:  [ half − 1 zeros │ frames … │ free ]
///                   ▲ start                     ▲ filled
struct SampleHistory: Sendable {
  private let channelCount: Int
  private let tapCount: Int
  /// The number of frames for which there is room.
  private let capacity: Int
  /// The samples, channel after channel; those of channel c start at c · capacity.
  private var samples: [Float]
  /// The number of frames in use, counted from the start of the section.
  private var filled: Int
  /// The first frame that is still needed: the first tap of the next output.
  ///
  /// One step is far shorter than the filter, so this never exceeds `filled`.
  var start = 0

  /// Creates a history for a filter of `tapCount` taps.
  init(channelCount: Int, tapCount: Int) {
    self.channelCount = channelCount
    self.tapCount = tapCount
    // Additional room for at least the filter's span, so that frames are rarely moved to the front.
    capacity = tapCount + max(tapCount, 4096)
    samples = Array(repeating: 0, count: channelCount * capacity)
    filled = tapCount / 2 - 1
  }

  /// Whether the stored frames suffice for the next output.
  var isReady: Bool { start + tapCount <= filled }

  /// The interleaved zeros that complete the remaining outputs.
  ///
  /// An output at time t needs the input up to ⌊t⌋ + half. So `half` zeros after n samples complete
  /// exactly the outputs with t < n.
  var trailingSilence: [Float] { [Float](repeating: 0, count: tapCount / 2 * channelCount) }

  /// Stores whole frames of interleaved input from `first` on, up to the free room.
  ///
  /// Infinite and NaN samples become silence. Advances `first`; returns false if there are no more
  /// frames. Before the next call, the caller must use all taps that are ready.
  mutating func store(_ input: Span<Float>, from first: inout Int) -> Bool {
    let remaining = input.count / channelCount - first
    guard remaining > 0 else { return false }
    if filled == capacity { moveToFront() }
    let count = min(remaining, capacity - filled)
    for channel in 0..<channelCount {
      var source = first * channelCount + channel
      let target = channel * capacity + filled
      for index in target..<target + count {
        samples[index] = input[source].isFinite ? input[source] : 0
        source += channelCount
      }
    }
    filled += count
    first += count
    return true
  }

  /// Appends a frame of output: the taps of each channel times the coefficients from `first` on.
  @inline(__always)
  func filter(_ coefficients: Span<Float>, from first: Int = 0, into output: inout [Float]) {
    for channel in 0..<channelCount {
      output.append(
        DotProduct.of(
          samples.span, at: channel * capacity + start, coefficients, at: first, count: tapCount))
    }
  }

  /// Makes room by dropping the frames before `start`.
  private mutating func moveToFront() {
    let kept = filled - start
    for channel in 0..<channelCount {
      let base = channel * capacity
      for index in base..<base + kept { samples[index] = samples[index + start] }
    }
    filled = kept
    start = 0
  }

  /// Clears everything.
  mutating func clear() {
    for index in 0..<samples.count { samples[index] = 0 }
    filled = tapCount / 2 - 1
    start = 0
  }
}
