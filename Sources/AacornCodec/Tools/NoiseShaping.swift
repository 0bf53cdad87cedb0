import AacornSignal

/// Temporal noise shaping: prediction along frequency (ISO/IEC 14496-3, 4.6.9).
///
/// The quantization noise follows the signal's envelope in time.
///
/// There is one filter per long window. The prediction error is quantized instead of the lines. The
/// decoder's all-pole filter shapes the noise to the envelope that the filter describes. It also
/// carries noise on to the lines that follow, so it must run from quiet lines to loud ones.
struct NoiseShaping: Sendable {
  /// The filter as coded; empty without noise shaping.
  private(set) var filters: [NoiseShapingFilter] = []
  /// The quantized reflection coefficients, as coded.
  private(set) var coefficients: [Int8] = []

  var isActive: Bool { !filters.isEmpty }

  /// The fields of the stream.
  var tools: StreamTools {
    StreamTools(filters: isActive ? filters : nil, coefficients: coefficients)
  }

  static let maximumOrder = 12
  /// The frequency in hertz below which nothing is filtered.
  ///
  /// There the ear follows the fine structure itself.
  static let lowestFrequency = 1_500
  /// The minimum ratio of the largest sub-block energy to the mean.
  ///
  /// Below it a filter costs more quality than it gives, above all in the pulses of voices and low
  /// tones.
  static let crestGate: Float = 4
  private static let resolution = 4

  private var predictor = [Float](repeating: 0, count: maximumOrder + 1)
  private var filtered = [Float](repeating: 0, count: 1024)

  init() {
    filters.reserveCapacity(1)
    coefficients.reserveCapacity(Self.maximumOrder)
  }

  /// Prepares a frame without a filter.
  mutating func clear() { filters.removeAll(keepingCapacity: true) }

  /// Copies another channel's filter, so that M/S can still join two similar spectra.
  mutating func adopt(_ other: NoiseShaping) {
    clear()
    filters.append(contentsOf: other.filters)
    coefficients.removeAll(keepingCapacity: true)
    coefficients.append(contentsOf: other.coefficients)
    for i in 0...Self.maximumOrder { predictor[i] = other.predictor[i] }
  }

  /// Designs a filter from an autocorrelation (13 values).
  ///
  /// Returns the gain of the filter, or 0 if it is not worth sending. `length` is the number of
  /// bands that the filter extends down from the top of the window. A downward filter predicts lines
  /// from those above them; the autocorrelation is the same.
  mutating func design(
    autocorrelation: [Float], minimumGain: Float, length: Int, isDownward: Bool
  ) -> Float {
    clear()
    guard autocorrelation[0] > 0 else { return 0 }
    var error = autocorrelation[0]
    coefficients.removeAll(keepingCapacity: true)
    for i in 0...Self.maximumOrder { predictor[i] = 0 }
    predictor[0] = 1
    var order = 0
    for m in 1...Self.maximumOrder {
      var sum = autocorrelation[m]
      for i in 1..<m { sum += predictor[i] * autocorrelation[m - i] }
      let ideal = -sum / error
      guard ideal > -1 && ideal < 1 else { break }
      // Continuing with the quantized value lets later coefficients compensate for earlier
      // rounding.
      let index = Self.quantize(ideal)
      let value = Self.dequantize(index)
      coefficients.append(Int8(truncatingIfNeeded: index))
      if index != 0 { order = m }
      Self.stepUp(&predictor, order: m, reflection: value)
      error *= 1 - value * value
      if error <= 0 { break }
    }
    while coefficients.count > order { coefficients.removeLast() }
    guard order > 0, autocorrelation[0] > minimumGain * error else { return 0 }
    filters.append(
      NoiseShapingFilter(
        window: 0, length: length, order: order, isDownward: isDownward,
        resolution: Self.resolution,
        firstCoefficient: 0))
    return autocorrelation[0] / error
  }

  private static func stepUp(_ a: inout [Float], order m: Int, reflection k: Float) {
    var i = 1
    var j = m - 1
    while i < j {
      let (x, y) = (a[i], a[j])
      a[i] = x + k * y
      a[j] = y + k * x
      i += 1
      j -= 1
    }
    if i == j { a[i] += k * a[i] }
    a[m] = k
  }

  /// Returns the index of a reflection coefficient: round(asin k·(2^(b−1) ∓ ½)·2/π).
  ///
  /// Found by comparison with all values.
  private static func quantize(_ k: Float) -> Int {
    var best = 0
    var distance = Float.infinity
    for index in -8...7 {
      let difference = abs(dequantize(index) - k)
      if difference < distance {
        distance = difference
        best = index
      }
    }
    return best
  }

  private static func dequantize(_ index: Int) -> Float {
    Float(NoiseShapingFilter.reflection(index, resolution: resolution))
  }

  /// Replaces lines `range` by their prediction errors.
  mutating func filter(_ lines: inout [Float], range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= min(lines.count, filtered.count))
    guard let filter = filters.first else { return }
    unsafe Self.filter(
      lines, in: range, predictor: predictor, order: filter.order, isDownward: filter.isDownward,
      into: &filtered)
    for n in range { swap(&lines[n], &filtered[n]) }
  }

  private static func filter(
    _ lines: UnsafePointer<Float>, in range: Range<Int>, predictor: UnsafePointer<Float>,
    order: Int, isDownward: Bool, into filtered: UnsafeMutablePointer<Float>
  ) {
    // The distance from a line to the previous one in the direction of the filter.
    let previous = isDownward ? 1 : -1
    // The first lines have fewer predecessors than the filter uses.
    let edge = min(order, range.count)
    let inner =
      isDownward
      ? range.lowerBound..<range.upperBound - edge : range.lowerBound + edge..<range.upperBound
    var n = range.lowerBound
    while n < range.upperBound {
      if n >= inner.lowerBound && n &+ 4 <= inner.upperBound {
        var sum = unsafe lines.lanes(n)
        for i in 1...order { unsafe sum += lines.lanes(n &+ previous &* i) * predictor[i] }
        unsafe filtered.store(sum, n)
        n &+= 4
      } else {
        var sum = unsafe lines[n]
        for i in 1...order {
          let source = n &+ previous &* i
          if range.contains(source) { unsafe sum += predictor[i] * lines[source] }
        }
        unsafe filtered[n] = sum
        n &+= 1
      }
    }
  }

  /// Restores the lines that the last call of `filter` replaced.
  mutating func restore(_ lines: inout [Float], range: Range<Int>) {
    for n in range { lines[n] = filtered[n] }
  }

  /// Adds the autocorrelation of lines, each divided by its band's level, to `sums` (13 values).
  static func addAutocorrelation(
    _ lines: [Float], energy: [Float], layout: BandLayout, bands: Range<Int>,
    scratch: inout [Float], into sums: inout [Float]
  ) {
    let start = layout.offsets[bands.lowerBound]
    let end = layout.offsets[bands.upperBound]
    precondition(end <= lines.count && end + 16 <= scratch.count && start >= 0)
    for band in bands {
      // Levels are smoothed over neighbors, so that a single loud band does not mask the others.
      let near = max(bands.lowerBound, band - 1)...min(bands.upperBound - 1, band + 1)
      var level: Float = 1
      var width: Float = 0
      for other in near {
        level += energy[other]
        width += Float(layout.offsets[other + 1] - layout.offsets[other])
      }
      let weight = (width / level).squareRoot()
      for n in layout.offsets[band]..<layout.offsets[band + 1] { scratch[n] = lines[n] * weight }
    }
    for n in end..<end + 16 { scratch[n] = 0 }
    for lag in 0...maximumOrder {
      sums[lag] += unsafe correlation(scratch, from: start, to: end, lag: lag)
    }
  }

  private static func correlation(
    _ x: UnsafePointer<Float>, from start: Int, to end: Int, lag: Int
  ) -> Float {
    var sum = Lanes.zero
    var n = start
    while n < end {
      sum += unsafe x.lanes(n) * x.lanes(n &+ lag)
      n &+= 4
    }
    return sum.total
  }
}
