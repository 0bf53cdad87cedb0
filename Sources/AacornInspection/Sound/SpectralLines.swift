import AacornCodec
import AacornSignal

/// The spectral lines of one channel in one block, as a decoder would transform them.
///
/// Only the noise is approximate (ISO/IEC 14496-3, 4.6.1 to 4.6.9 without prediction).
struct SpectralLines: Sendable {
  /// The lines of each window, one window after another.
  private(set) var lines = [Float](repeating: 0, count: 1024)
  /// The 4/3rd power of every quantized magnitude below `tableLength`.
  private let powers: [Float]

  private static let tableLength = 256

  init() {
    var powers: [Float] = [0]
    powers.reserveCapacity(Self.tableLength)
    for magnitude in 1..<Self.tableLength { powers.append(Self.power(Float(magnitude))) }
    self.powers = powers
  }

  private static func power(_ magnitude: Float) -> Float {
    ElementaryFunctions.exp2(ElementaryFunctions.log2(magnitude) * (4 / 3))
  }

  /// The sum of the squares of all lines.
  var energy: Float {
    // Four interleaved sums, which the compiler can vectorize.
    var sums = SIMD4<Float>.zero
    var index = 0
    while index < 1024 {
      let four = SIMD4(lines[index], lines[index + 1], lines[index + 2], lines[index + 3])
      sums += four * four
      index += 4
    }
    return sums[0] + sums[1] + sums[2] + sums[3]
  }

  /// Loads the lines of a channel from its parsed stream.
  mutating func load(_ channel: ParsedChannel, offsets: [Int]) {
    for index in 0..<1024 { lines[index] = 0 }
    let powers = powers
    Self.forEachBand(&lines, channel, offsets) { lines, index, range in
      switch channel.codebooks[index] {
      case Codebook.zero, Codebook.intensityInPhase, Codebook.intensityOutOfPhase: break
      case Codebook.noise:
        Self.fill(&lines, range, energyExponent: channel.scaleFactors[index])
      default:
        let gain = ElementaryFunctions.exp2((Float(channel.scaleFactors[index]) - 100) / 4)
        for line in range where channel.spectrum[line] != 0 {
          let quantized = channel.spectrum[line]
          let magnitude = Int(quantized.magnitude)
          let power =
            magnitude < Self.tableLength ? powers[magnitude] : Self.power(Float(magnitude))
          lines[line] = quantized < 0 ? -power * gain : power * gain
        }
      }
    }
  }

  /// Calls `body` for all transmitted bands, window by window.
  private static func forEachBand(
    _ lines: inout [Float], _ channel: ParsedChannel, _ offsets: [Int],
    _ body: (_ lines: inout [Float], _ index: Int, _ range: Range<Int>) -> Void
  ) {
    let window = channel.window
    let windowLength = offsets[offsets.count - 1]
    var firstWindow = 0
    for group in 0..<window.groupCount {
      let end = firstWindow + Int(window.groupLengths[group])
      for band in 0..<window.bandsPerGroup {
        let index = group * window.bandsPerGroup + band
        guard index < channel.codebooks.count, index < channel.scaleFactors.count else { return }
        for number in firstWindow..<end {
          let origin = number * windowLength
          body(&lines, index, origin + offsets[band]..<origin + offsets[band + 1])
        }
      }
      firstWindow = end
    }
  }

  /// Fills a band with noise of the energy in the stream (4.6.13): constant magnitude, with
  /// pseudorandom signs.
  private static func fill(_ lines: inout [Float], _ range: Range<Int>, energyExponent: Int16) {
    let energy = ElementaryFunctions.exp2(Float(energyExponent) / 2)
    let magnitude = (energy / Float(range.count)).squareRoot()
    var state = UInt32(truncatingIfNeeded: range.lowerBound) &* 2_654_435_761
    for line in range {
      state = state &* 1_664_525 &+ 1_013_904_223
      lines[line] = state >> 31 == 0 ? magnitude : -magnitude
    }
  }

  /// Computes left and right for the bands of a pair that are coded as mid and side, or as
  /// intensity stereo (4.6.8).
  static func separate(
    _ left: inout SpectralLines, _ right: inout SpectralLines, first: ParsedChannel,
    second: ParsedChannel, offsets: [Int]
  ) {
    let flags = first.midSideFlags
    forEachBand(&right.lines, second, offsets) { lines, index, range in
      let isMidSide = index < flags.count && flags[index]
      switch second.codebooks[index] {
      case Codebook.intensityInPhase, Codebook.intensityOutOfPhase:
        var gain = ElementaryFunctions.exp2(Float(second.scaleFactors[index]) / -4)
        if (second.codebooks[index] == Codebook.intensityOutOfPhase) != isMidSide { gain = -gain }
        for line in range { lines[line] = left.lines[line] * gain }
      case Codebook.noise: break
      default:
        guard isMidSide, index < first.codebooks.count,
          first.codebooks[index] != Codebook.noise
        else { break }
        for line in range {
          let (middle, side) = (left.lines[line], lines[line])
          left.lines[line] = middle + side
          lines[line] = middle - side
        }
      }
    }
  }

  /// Undoes temporal noise shaping (4.6.9).
  ///
  /// - Parameters:
  ///   - channel: The parsed channel.
  ///   - offsets: The bands of a window.
  ///   - limit: The number of bands that filters may reach.
  mutating func shape(_ channel: ParsedChannel, offsets: [Int], limit: Int) {
    let bandCount = min(channel.window.bandsPerGroup, limit)
    let windowLength = offsets[offsets.count - 1]
    var window = -1
    var top = 0
    for filter in channel.noiseShapingFilters {
      if filter.window != window {
        window = filter.window
        top = offsets.count - 1
      }
      let bottom = max(0, top - filter.length)
      let origin = window * windowLength
      let range = origin + offsets[min(bottom, bandCount)]..<origin + offsets[min(top, bandCount)]
      top = bottom
      if filter.order == 0 || range.isEmpty { continue }
      run(Self.predictor(filter, channel.noiseShapingCoefficients), filter.isDownward, range)
    }
  }

  /// Applies the all-pole filter.
  private mutating func run(_ predictor: [Float], _ isDownward: Bool, _ range: Range<Int>) {
    let step = isDownward ? -1 : 1
    var line = isDownward ? range.upperBound - 1 : range.lowerBound
    for done in 0..<range.count {
      var value = lines[line]
      for lag in 1...max(1, min(done, predictor.count)) where lag <= done {
        value -= predictor[lag - 1] * lines[line - lag * step]
      }
      // Far above any real signal; damage must not cause runaway values.
      lines[line] = value > -1e15 && value < 1e15 ? value : 0
      line += step
    }
  }

  /// Converts the reflection coefficients of a filter to prediction coefficients.
  private static func predictor(
    _ filter: NoiseShapingFilter, _ indices: [Int8]
  ) -> [Float] {
    var predictor: [Float] = []
    predictor.reserveCapacity(filter.order)
    let steps = Double(1 << (filter.resolution - 1))
    for number in 0..<filter.order {
      let index = Double(indices[filter.firstCoefficient + number])
      // The angle in units of π, and its sine.
      let turn = index.magnitude / (index < 0 ? 2 * steps + 1 : 2 * steps - 1)
      let sine = Float(ElementaryFunctions.sinCosPi(turn).sin)
      let reflection = index < 0 ? -sine : sine
      var next = predictor
      for lag in 0..<number { next[lag] += reflection * predictor[number - 1 - lag] }
      next.append(reflection)
      predictor = next
    }
    return predictor
  }
}
