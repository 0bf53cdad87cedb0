import Foundation
import Testing

@testable import AacornCodec

/// The search for scale factors, compared with an exhaustive search.
@Suite struct ScaleFactorSearchTests {
  static let tables = CodeTables()

  static func frame(
    _ layout: BandLayout, seed: UInt32, amplitude: (Int) -> Double, threshold: (Int) -> Double
  ) -> ChannelFrame {
    var noise = NoiseGenerator(state: seed)
    var frame = ChannelFrame()
    for band in 0..<layout.bandCount {
      for line in layout.offsets[band]..<layout.offsets[band + 1] {
        frame.lines[line] = Float(amplitude(band) * noise.next())
      }
      frame.codebooks[band] = Codebook.smallest
      frame.threshold[band] = Float(threshold(band))
    }
    frame.measure(layout)
    return frame
  }

  static func layout(_ offsets: [Int]) -> BandLayout {
    var layout = BandLayout()
    layout.setWindow(WindowInfo(.onlyLong, bands: offsets.count - 1), windowOffsets: offsets)
    return layout
  }

  static func chosen(
    _ frame: ChannelFrame, _ layout: BandLayout, searchReach: Int, level: Float = 0,
    after others: [ChannelFrame] = []
  ) -> ChannelFrame {
    var search = ScaleFactorSearch(searchReach: searchReach)
    for other in others { choose(other, layout, level: level + 1, &search) }
    return choose(frame, layout, level: level, &search)
  }

  @discardableResult
  static func choose(
    _ frame: ChannelFrame, _ layout: BandLayout, level: Float, _ search: inout ScaleFactorSearch
  ) -> ChannelFrame {
    var (frame, demand) = (frame, DemandModel())
    search.prepare(&frame, layout, demand: &demand)
    search.choose(&frame, layout, level: level, with: tables)
    frame.quantize(layout, tables)
    return frame
  }

  struct Band {
    let lines: [Double]
    let threshold: Double

    init(_ frame: ChannelFrame, _ layout: BandLayout, _ band: Int) {
      lines = frame.lines[layout.offsets[band]..<layout.offsets[band + 1]].map { Double(abs($0)) }
      threshold = Double(frame.threshold[band])
    }

    var energy: Double { lines.reduce(0) { $0 + $1 * $1 } }
    var rootSum: Double { lines.reduce(0) { $0 + $1.squareRoot() } }
    var relevantLines: Double { rootSum / pow(energy / Double(lines.count), 0.25) }

    /// The closed form (3GPP TS 26.403, 5.6), before rounding.
    func closedForm(level: Double) -> Double {
      100 + 8.0 / 3 * (log2(6.75 * threshold) - log2(rootSum) + level)
    }

    func quantized(_ factor: Int) -> [Int] {
      let step = pow(2, -3.0 / 16 * Double(factor - 100))
      return lines.map { Int(pow($0, 0.75) * step + 0.4054) }
    }

    func decoded(_ factor: Int) -> [Double] {
      quantized(factor).map { ReferenceSpectrum.dequantize($0, factor) }
    }

    func noise(_ factor: Int) -> Double {
      zip(lines, decoded(factor)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }

    /// The bits of the lines in the cheaper of the two codebooks that fit them.
    func bits(_ factor: Int) -> Double {
      let values = quantized(factor)
      let largest = Int32(values.max() ?? 0)
      guard largest > 0 else { return 0 }
      let first = Codebook.first(magnitude: largest)
      let costs = (first...min(first + 1, 11)).map { book in
        let length = book <= 4 ? 4 : 2
        return stride(from: 0, to: values.count, by: length).reduce(0) { sum, start in
          let tuple = values[start..<start + length].map { Int32($0) }
          return sum + NoiselessCodingTests.signSpread(tuple, book: book).mean
        }
      }
      return Double(costs.min() ?? 0)
    }

    /// The cost of a scale factor: bits + nl/(2 ln 2) · (D + 0.8·(E − Ê)²/E)/T.
    func cost(_ factor: Int, level: Double) -> Double {
      let gap = energy - decoded(factor).reduce(0) { $0 + $1 * $1 }
      let weight = relevantLines / (2 * log(2)) / threshold * pow(2, -level)
      return bits(factor) + weight * (noise(factor) + 0.8 * gap * gap / energy)
    }
  }

  static func steps(_ factors: [Int]) -> Double {
    zip(factors, factors.dropFirst()).reduce(0) { sum, pair in
      let step = pair.1 - pair.0
      return abs(step) > 60 ? .infinity : sum + Double(ScaleFactorBook.code.bitCount(of: step))
    }
  }

  @Test(arguments: [
    (searchReach: 1, bands: 5), (searchReach: 2, bands: 4), (searchReach: 3, bands: 3),
  ])
  func thePathIsTheCheapestOfAll(_ size: (searchReach: Int, bands: Int)) throws {
    let layout = Self.layout(Array(stride(from: 0, through: 8 * size.bands, by: 8)))
    var (checked, better) = (0, 0)
    for seed in 1...8 as ClosedRange<UInt32> {
      // Bands as different as in a spectrum with gaps, all of them worth coding.
      let amplitudes = (0..<size.bands).map { pow(10, 2 + Double((Int(seed) * 7 + $0 * 5) % 4)) }
      let frame = Self.frame(
        layout, seed: seed, amplitude: { amplitudes[$0] },
        threshold: { amplitudes[$0] * amplitudes[$0] / 12 })
      let level = Double(Int(seed) % 3) - 1
      let bands = (0..<size.bands).map { Band(frame, layout, $0) }
      let exact = bands.map { $0.closedForm(level: level) + 0.5 }
      // Near a rounding threshold, both results are valid.
      if exact.contains(where: { abs($0 - $0.rounded()) < 2e-3 }) { continue }
      let centers = exact.map { Int($0.rounded(.down)) }
      let costs = zip(bands, centers).map { band, center in
        (-size.searchReach...size.searchReach).map { band.cost(center + $0, level: level) }
      }
      var (least, closed) = (Double.infinity, Double.infinity)
      let width = 2 * size.searchReach + 1
      var path = [Int](repeating: 0, count: size.bands)
      for number in 0..<Int(pow(Double(width), Double(size.bands))) {
        var rest = number
        for band in path.indices {
          path[band] = rest % width
          rest /= width
        }
        let factors = path.indices.map { centers[$0] + path[$0] - size.searchReach }
        let price = path.indices.reduce(Self.steps(factors)) { $0 + costs[$1][path[$1]] }
        least = min(least, price)
        if path.allSatisfy({ $0 == size.searchReach }) { closed = price }
      }
      let found = Self.chosen(frame, layout, searchReach: size.searchReach, level: Float(level))
      let isSpectral = found.codebooks[..<size.bands].allSatisfy { $0 != Codebook.zero }
      #expect(isSpectral)
      let factors = found.scaleFactors[..<size.bands].map { Int($0) }
      let price = zip(bands, factors).reduce(Self.steps(factors)) {
        $0 + $1.0.cost($1.1, level: level)
      }
      #expect(price <= least + 0.01 + least * 1e-3, "seed \(seed): \(price) and not \(least)")
      #expect(price <= closed + 0.01)
      if price < closed - 0.5 { better += 1 }
      checked += 1
    }
    #expect(checked >= 6 && better >= 3, "\(checked), \(better)")
  }

  /// The scale factors are near the closed form, and the noise is near the allowed level.
  @Test(arguments: [0, 1, 3], [-2, 0, 1.5])
  func noiseMatchesAllowedLevel(searchReach: Int, level: Double) {
    let layout = SpectralToolsTests.layout()
    let frame = Self.frame(
      layout, seed: 12, amplitude: { 3e5 / Double($0 + 1) }, threshold: { 1e5 / Double($0 + 1) })
    let found = Self.chosen(frame, layout, searchReach: searchReach, level: Float(level))
    var sum = 0.0
    for index in 0..<layout.bandCount {
      let band = Band(frame, layout, index)
      let factor = Int(found.scaleFactors[index])
      let distance = Double(factor) - band.closedForm(level: level)
      if searchReach == 0 {
        #expect(distance > -2.51 && distance < 1.01, "band \(index): \(distance)")
      } else {
        #expect(abs(distance) < Double(searchReach) + 0.51, "band \(index): \(distance)")
      }
      sum += log2(band.noise(factor) / (band.threshold * pow(2, level)))
    }
    let mean = sum / Double(layout.bandCount)
    #expect(abs(mean) < 1, "\(mean) octaves")
  }

  /// Adjacent bands with levels from almost zero to beyond full scale.
  @Test(arguments: [0, 1, 2, 3], [(1e-4, 1e2), (1e-2, 1.0), (1e2, 1e-6), (1e9, 1e3)])
  func chosenScaleFactorsAreEncodable(searchReach: Int, thresholds: (even: Double, odd: Double)) {
    let layout = SpectralToolsTests.layout()
    let powers = [7.4, 0.3, 5, -2, 6.5, 1]
    let frame = Self.frame(
      layout, seed: 30, amplitude: { pow(10, powers[$0 % 6]) },
      threshold: { $0 % 2 == 0 ? thresholds.even : thresholds.odd })
    for level in [-12, 0, 20] as [Float] {
      let found = Self.chosen(frame, layout, searchReach: searchReach, level: level)
      let coded = (0..<layout.bandCount).filter { found.codebooks[$0] != Codebook.zero }
      let factors = coded.map { Int(found.scaleFactors[$0]) }
      #expect(factors.allSatisfy { (0...255).contains($0) })
      #expect(zip(factors, factors.dropFirst()).allSatisfy { abs($0 - $1) <= 60 }, "\(factors)")
      #expect(found.quantized.allSatisfy { abs($0) <= 8191 })
      // Coded bands are not silent.
      #expect(coded.allSatisfy { found.magnitude[$0] > 0 })
    }
    let finest = Self.chosen(frame, layout, searchReach: searchReach, level: -12)
    #expect(finest.codebooks.contains { $0 != Codebook.zero })
  }

  @Test(arguments: [0, 1, 3])
  func searchIsIndependentOfPreviousSearches(searchReach: Int) {
    let layout = SpectralToolsTests.layout()
    let frame = Self.frame(
      layout, seed: 1, amplitude: { 1e5 / Double($0 + 1) }, threshold: { 1e4 / Double($0 + 1) })
    let loud = Self.frame(layout, seed: 2, amplitude: { _ in 1e7 }, threshold: { _ in 10 })
    let silent = Self.frame(layout, seed: 3, amplitude: { _ in 0 }, threshold: { _ in 10 })
    let alone = Self.chosen(frame, layout, searchReach: searchReach)
    let after = Self.chosen(frame, layout, searchReach: searchReach, after: [loud, silent, loud])
    #expect(alone.scaleFactors == after.scaleFactors && alone.codebooks == after.codebooks)
    #expect(alone.quantized == after.quantized && alone.quantized.contains { $0 != 0 })
  }

  @Test(arguments: [0, 1, 3])
  func moreNoiseTakesFewerBits(searchReach: Int) {
    let layout = SpectralToolsTests.layout()
    let frame = Self.frame(
      layout, seed: 9, amplitude: { 1e5 / Double($0 + 1) }, threshold: { 1e5 / Double($0 + 1) })
    var sectioning = Sectioning()
    var last = Int.max
    for level in stride(from: -6, through: 12, by: 2) as StrideThrough<Float> {
      var found = Self.chosen(frame, layout, searchReach: searchReach, level: level)
      let bits = found.divideIntoSections(layout, by: &sectioning, with: Self.tables)
      #expect(bits < last, "level \(level)")
      last = bits
    }
  }

  @Test(arguments: [0, 1, 3])
  func silenceNoiseAndDirectionsGetNoScaleFactors(searchReach: Int) {
    let layout = SpectralToolsTests.layout()
    var frame = Self.frame(
      layout, seed: 4, amplitude: { $0 % 5 == 1 ? 0 : 4000 }, threshold: { _ in 4e4 })
    for (band, book) in zip([20, 22, 24], Codebook.withoutLines) {
      frame.codebooks[band] = book
      frame.scaleFactors[band] = 33
    }
    let found = Self.chosen(frame, layout, searchReach: searchReach)
    for band in 0..<layout.bandCount {
      if [20, 22, 24].contains(band) {
        #expect(found.codebooks[band] == frame.codebooks[band] && found.scaleFactors[band] == 33)
      } else {
        #expect((found.codebooks[band] == Codebook.zero) == (band % 5 == 1), "band \(band)")
      }
    }
  }

  /// A band is skipped if silence costs less than the best scale factor.
  @Test(arguments: [1, 3])
  func searchDropsOnlyBandsNotWorthTheirBits(searchReach: Int) throws {
    let layout = Self.layout(Array(stride(from: 0, through: 320, by: 8)))
    // From far below the threshold to well above it.
    let frame = Self.frame(
      layout, seed: 19, amplitude: { _ in 1000 }, threshold: { pow(2, 27 - Double($0) / 2) })
    let found = Self.chosen(frame, layout, searchReach: searchReach)
    var (left, sent) = (0, 0)
    for index in 0..<layout.bandCount {
      let band = Band(frame, layout, index)
      let exact = band.closedForm(level: 0) + 0.5
      if abs(exact - exact.rounded()) < 2e-3 { continue }
      let center = Int(exact.rounded(.down))
      let candidates = (center - searchReach...center + searchReach)
      let best = try #require(candidates.map { band.cost($0, level: 0) }.min())
      let silence = 2.5 * band.relevantLines / (2 * log(2)) * band.energy / band.threshold
      if abs(best + 3 - silence) < 0.05 { continue }
      let isFinestSilent = band.bits(center - searchReach) == 0
      if best + 3 >= silence || isFinestSilent {
        #expect(found.codebooks[index] == Codebook.zero, "band \(index)")
        left += 1
      } else if candidates.allSatisfy({ band.bits($0) > 0 }) {
        #expect(found.codebooks[index] != Codebook.zero, "band \(index)")
        sent += 1
      }
    }
    #expect(left > 3 && sent > 10, "\(left), \(sent)")
  }
}
