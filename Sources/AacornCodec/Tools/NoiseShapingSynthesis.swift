/// The decoder's part of temporal noise shaping (ISO/IEC 14496-3, 4.6.9).
///
/// An all-pole filter over the lines shapes the quantization noise to the envelope in time that the
/// filter describes.
///
/// Filters with a large gain amplify every rounding error, so this is computed in doubles.
struct NoiseShapingSynthesis: Sendable {
  /// The maximum order, which filters of object type Main reach.
  private static let maximumOrder = 20

  /// The reflection coefficients of indices −8…7 at a resolution of 4 bits, then of −4…3 at 3.
  private let reflections: [Double]
  private var predictor = [Double](repeating: 0, count: maximumOrder + 1)
  /// The lines of one filter, after zeros for the coefficients of the maximum order.
  private var values = [Double](repeating: 0, count: maximumOrder + 1024)

  init() {
    reflections =
      (-8...7).map { NoiseShapingFilter.reflection($0, resolution: 4) }
      + (-4...3).map { NoiseShapingFilter.reflection($0, resolution: 3) }
  }

  /// The operation of the filters.
  enum Direction {
    /// Restores the lines from the prediction error.
    case synthesis
    /// Computes the prediction error of lines, which long-term prediction needs.
    case analysis
  }

  /// Filters the lines of a channel.
  ///
  /// Filters are listed from the top of each window downward, and extend to at most `bandLimit`
  /// bands (4.6.9.4); `offsets` are the line offsets of the bands, including the end.
  mutating func apply(
    _ direction: Direction, _ channel: ParsedChannel, offsets: [Int], bandLimit: Int,
    to lines: inout [Float]
  ) {
    guard !channel.noiseShapingFilters.isEmpty else { return }
    let bandCount = offsets.count - 1
    let limit = min(bandLimit, channel.window.bandsPerGroup)
    var window = -1
    var top = bandCount
    for filter in channel.noiseShapingFilters {
      if filter.window != window {
        window = filter.window
        top = bandCount
      }
      let bottom = max(0, top - filter.length)
      let origin = window * offsets[bandCount]
      let range = origin + offsets[min(bottom, limit)]..<origin + offsets[min(top, limit)]
      top = bottom
      guard filter.order > 0, !range.isEmpty else { continue }
      setPredictor(filter, channel.noiseShapingCoefficients)
      precondition(range.upperBound <= lines.count && range.count <= 1024)
      precondition(filter.order <= Self.maximumOrder)
      let (start, step) =
        filter.isDownward ? (range.upperBound - 1, -1) : (range.lowerBound, 1)
      switch direction {
      case .synthesis:
        unsafe Self.synthesize(
          &lines, from: start, by: step, count: range.count, predictor: predictor,
          order: filter.order, values: &values)
      case .analysis:
        unsafe Self.analyze(
          &lines, from: start, by: step, count: range.count, predictor: predictor,
          order: filter.order, values: &values)
      }
    }
  }

  /// Converts reflection coefficients to predictor coefficients, one order after the other.
  private mutating func setPredictor(_ filter: NoiseShapingFilter, _ indices: [Int8]) {
    predictor[0] = 1
    for m in 1...filter.order {
      let index = Int(indices[filter.firstCoefficient + m - 1])
      let k = reflections[filter.resolution == 4 ? index + 8 : index + 20]
      var (i, j) = (1, m - 1)
      while i <= j {
        let (x, y) = (predictor[i], predictor[j])
        predictor[i] = x + k * y
        predictor[j] = y + k * x
        i += 1
        j -= 1
      }
      predictor[m] = k
    }
  }

  /// Computes y[n] = x[n] − Σ a[i]·y[n−i], from a state of zeros.
  private static func synthesize(
    _ lines: UnsafeMutablePointer<Float>, from start: Int, by step: Int, count: Int,
    predictor: UnsafePointer<Double>, order: Int, values: UnsafeMutablePointer<Double>
  ) {
    let values = unsafe values + maximumOrder
    var index = start
    for n in 0..<count {
      var value = unsafe Double(lines[index])
      for i in 1...order { unsafe value -= predictor[i] * values[n &- i] }
      unsafe values[n] = value
      unsafe lines[index] = Float(value)
      index &+= step
    }
  }

  /// Computes y[n] = x[n] + Σ a[i]·x[n−i], from a state of zeros.
  private static func analyze(
    _ lines: UnsafeMutablePointer<Float>, from start: Int, by step: Int, count: Int,
    predictor: UnsafePointer<Double>, order: Int, values: UnsafeMutablePointer<Double>
  ) {
    let values = unsafe values + maximumOrder
    var index = start
    for n in 0..<count {
      unsafe values[n] = Double(lines[index])
      var value = unsafe values[n]
      for i in 1...order { unsafe value += predictor[i] * values[n &- i] }
      unsafe lines[index] = Float(value)
      index &+= step
    }
  }
}
