/// A resampler with an adjustable ratio, for clocks that drift apart.
///
/// Two clocks with the same nominal rate differ by up to a few hundred parts per million, and the
/// difference drifts. `partsPerMillion` is the excess of output samples over the nominal rates. A
/// change takes effect with the next output and does not shift any sample in time: positions
/// continue and only their spacing changes, so nothing clicks.
///
///     position of output k + 1  =  position of output k + in / out / (1 + parts · 10^−6)
///
/// Positions are counted in 2^−64 input samples, and the spacing is rounded up to that unit. So no
/// drift accumulates in a lifetime, and n frames at one setting result in exactly ⌈n · out / in ·
/// (1 + parts · 10^−6)⌉ frames. The filter is ``Resampler``'s, with coefficients interpolated
/// between rows: flat up to 0.9 of the lower Nyquist frequency, images at least 110 dB down. All
/// samples pass through it even at equal rates.
public struct VariableResampler: Sendable {
  /// The maximum change of the ratio in either direction, in parts per million.
  public static let maximumPartsPerMillion = 1000.0

  /// The nominal input rate in frames per second.
  public let inputRate: Int
  /// The nominal output rate in frames per second.
  public let outputRate: Int
  /// The number of channels.
  public let channelCount: Int

  /// The excess of output samples over the nominal rates, in parts per million.
  ///
  /// The value is clamped to the maximum and rounded to thousandths.
  public var partsPerMillion: Double = 0 {
    didSet {
      let limit = Self.maximumPartsPerMillion
      partsPerMillion = partsPerMillion.isNaN ? 0 : min(max(partsPerMillion, -limit), limit)
      step = Self.step(from: inputRate, to: outputRate, partsPerMillion: partsPerMillion)
    }
  }

  private let filter: ResamplerFilter
  private var history: SampleHistory
  /// The spacing of outputs, in input samples.
  private var step: (whole: Int, fraction: UInt64)
  /// The next output's offset past the center of its taps, in 2^−64 input samples.
  private var fraction: UInt64 = 0
  /// The coefficients interpolated between two rows.
  private var blend: [Float]

  /// Creates a resampler of 1…64 channels between two rates of `Resampler.supportedRates`.
  public init(from inputRate: Int, to outputRate: Int, channelCount: Int) throws(PCMError) {
    try Resampler.check(inputRate, outputRate, channelCount: channelCount)
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.channelCount = channelCount
    // The offsets are too many for a table, so the filter interpolates between rows.
    filter = ResamplerFilter(inputRate: inputRate, outputRate: outputRate, fractionCount: .max)
    history = SampleHistory(channelCount: channelCount, tapCount: filter.tapCount)
    blend = Array(repeating: 0, count: filter.tapCount)
    step = Self.step(from: inputRate, to: outputRate, partsPerMillion: 0)
  }

  /// Appends the output frames that the whole frames of the input complete.
  ///
  /// An incomplete frame at the end is ignored.
  public mutating func process(_ input: Span<Float>, into output: inout [Float]) {
    var frame = 0
    while history.store(input, from: &frame) { produce(into: &output) }
  }

  /// Appends the remaining output, as if silence followed, and resets the resampler.
  ///
  /// The ratio setting is kept.
  public mutating func flush(into output: inout [Float]) {
    process(history.trailingSilence.span, into: &output)
    history.clear()
    fraction = 0
  }

  private mutating func produce(into output: inout [Float]) {
    let coefficients = filter.coefficients
    while history.isReady {
      // 32 bits of the offset determine row and weight; more would not matter in a Float.
      let rowPosition = (fraction >> 32) &* UInt64(filter.rowsPerSample)
      let weight = Float(UInt32(truncatingIfNeeded: rowPosition) >> 8) * 0x1p-24
      DotProduct.interpolate(
        coefficients.span, row: Int(rowPosition >> 32), weight: weight, into: &blend)
      history.filter(blend.span, into: &output)
      let (sum, isCarried) = fraction.addingReportingOverflow(step.fraction)
      fraction = sum
      history.start += step.whole + (isCarried ? 1 : 0)
    }
  }

  /// Returns in / out / (1 + parts · 10^−6), rounded up to 2^−64.
  private static func step(
    from inputRate: Int, to outputRate: Int, partsPerMillion: Double
  ) -> (whole: Int, fraction: UInt64) {
    let billionths = Int64(partsPerMillion * 1000 + (partsPerMillion < 0 ? -0.5 : 0.5))
    let numerator = Int64(inputRate) * 1_000_000_000
    let denominator = Int64(outputRate) * (1_000_000_000 + billionths)
    // Numerator and denominator are below 2^50, so doubling a remainder does not overflow.
    var remainder = numerator % denominator
    var fraction: UInt64 = 0
    for _ in 0..<64 {
      remainder *= 2
      fraction *= 2
      if remainder >= denominator {
        remainder -= denominator
        fraction += 1
      }
    }
    if remainder > 0 { fraction += 1 }
    return (Int(numerator / denominator), fraction)
  }
}
