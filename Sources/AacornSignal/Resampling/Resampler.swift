/// Converts interleaved samples from one rate to another.
///
/// Feed it blocks of any size with `process` and end with `flush`. The output depends only on the
/// samples, not on how they were cut into blocks, and is bit-identical on every platform. The
/// filter's delay is removed: an impulse at time t comes out at time t, and n input frames give
/// exactly ⌈n · out / in⌉ output frames. Up to 0.9 of the lower Nyquist frequency the response is
/// flat; all aliases and images are at least 110 dB down.
///
///     input ──► planar history of each channel ──► dot products with filter rows ──► output
///
///     history of a channel:  [ half − 1 zeros │ input … │ free ]
///                              ▲ start: first tap of the next output      ▲ filled
///
/// Infinite and NaN input counts as silence, so that it cannot spread. Equal rates pass the samples
/// through unchanged.
public struct Resampler: Sendable {
  /// The rates that can be converted between, in hertz.
  public static let supportedRates = 1000...768_000

  /// Frames per second going in.
  public let inputRate: Int
  /// Frames per second coming out.
  public let outputRate: Int
  /// The number of channels.
  public let channelCount: Int

  private let filter: ResamplerFilter
  /// One output lasts `wholeStep + fractionStep / fractionCount` input samples.
  private let wholeStep: Int
  private let fractionStep: Int
  private let fractionCount: Int

  private var history: [Float]
  /// Frames the history has room for.
  private let capacity: Int
  private var filled: Int
  private var start = 0
  /// The next output's offset past the center of its taps, in units of 1 / `fractionCount`.
  private var fraction = 0
  /// Coefficients interpolated between two rows.
  private var blend: [Float]

  /// A resampler of 1…64 channels between two rates of `supportedRates`.
  public init(from inputRate: Int, to outputRate: Int, channelCount: Int) throws(PCMError) {
    guard Self.supportedRates.contains(inputRate) else { throw .unsupportedSampleRate(inputRate) }
    guard Self.supportedRates.contains(outputRate) else {
      throw .unsupportedSampleRate(outputRate)
    }
    guard channelCount >= 1 && channelCount <= 64 else {
      throw .unsupportedChannelCount(channelCount)
    }
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.channelCount = channelCount
    let divisor = Self.greatestCommonDivisor(inputRate, outputRate)
    fractionCount = outputRate / divisor
    wholeStep = inputRate / outputRate
    fractionStep = inputRate / divisor % fractionCount
    filter = ResamplerFilter(
      inputRate: inputRate, outputRate: outputRate, fractionCount: fractionCount)
    // Room for as many frames again as the filter spans, so that moving them to the front stays
    // cheap.
    capacity = filter.tapCount + max(filter.tapCount, 4096)
    history = Array(repeating: 0, count: capacity * channelCount)
    filled = filter.tapCount / 2 - 1
    blend = Array(repeating: 0, count: filter.tapCount)
  }

  /// Takes whole interleaved frames and appends the output frames that can be computed so far; an incomplete
  /// frame at the end is ignored.
  public mutating func process(_ input: Span<Float>, into output: inout [Float]) {
    let frameCount = input.count / channelCount
    if inputRate == outputRate {
      for index in 0..<frameCount * channelCount { output.append(Self.finite(input[index])) }
      return
    }
    var frame = 0
    while frame < frameCount {
      let count = min(frameCount - frame, capacity - filled)
      store(input, from: frame, count: count)
      frame += count
      produce(into: &output)
      if filled == capacity { moveToFront() }
    }
  }

  /// Takes whole interleaved frames and appends the output frames that can be computed so far; an incomplete
  /// frame at the end is ignored.
  public mutating func process(_ input: [Float], into output: inout [Float]) {
    process(input.span, into: &output)
  }

  /// Appends what is left, as if silence followed, and gets ready for another stream.
  public mutating func flush(into output: inout [Float]) {
    guard inputRate != outputRate else { return }
    // An output at time t needs the input up to ⌊t⌋ + half. With `half` zeros after n samples these
    // are exactly the outputs with t < n.
    let silence = [Float](repeating: 0, count: filter.tapCount / 2 * channelCount)
    process(silence.span, into: &output)
    for index in 0..<history.count { history[index] = 0 }
    filled = filter.tapCount / 2 - 1
    start = 0
    fraction = 0
  }

  private mutating func store(_ input: Span<Float>, from first: Int, count: Int) {
    for channel in 0..<channelCount {
      var source = first * channelCount + channel
      let target = channel * capacity + filled
      for index in target..<target + count {
        history[index] = Self.finite(input[source])
        source += channelCount
      }
    }
    filled += count
  }

  private mutating func produce(into output: inout [Float]) {
    let tapCount = filter.tapCount
    let coefficients = filter.coefficients
    while start + tapCount <= filled {
      if filter.isInterpolated {
        // At most 768,000 · 1025, so a 32-bit Int will do.
        let position = fraction * filter.rowsPerSample
        let row = position / fractionCount
        let weight = Float(position % fractionCount) / Float(fractionCount)
        DotProduct.interpolate(coefficients.span, row: row, weight: weight, into: &blend)
        for channel in 0..<channelCount {
          output.append(
            DotProduct.of(
              history.span, at: channel * capacity + start, blend.span, at: 0, count: tapCount))
        }
      } else {
        for channel in 0..<channelCount {
          output.append(
            DotProduct.of(
              history.span, at: channel * capacity + start,
              coefficients.span, at: fraction * tapCount, count: tapCount))
        }
      }
      start += wholeStep
      fraction += fractionStep
      if fraction >= fractionCount {
        fraction -= fractionCount
        start += 1
      }
    }
  }

  /// Drops the frames that no later output needs.
  private mutating func moveToFront() {
    // One step is far shorter than the filter, so `start` never runs ahead of `filled`.
    let kept = filled - start
    for channel in 0..<channelCount {
      let base = channel * capacity
      for index in base..<base + kept { history[index] = history[index + start] }
    }
    filled = kept
    start = 0
  }

  private static func finite(_ sample: Float) -> Float { sample.isFinite ? sample : 0 }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
