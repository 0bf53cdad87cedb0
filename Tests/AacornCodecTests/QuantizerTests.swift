import AacornSignal
import Foundation
import Testing

@testable import AacornCodec

@Suite struct QuantizerTests {
  static let tables = CodeTables()

  static func companded(_ x: Double) -> Float { Float(pow(abs(x), 0.75)) }

  /// Returns a channel's quantized lines in one band of eight lines at this scale factor.
  static func quantized(_ lines: [Double], scaleFactor: Int) -> [Int32] {
    var layout = BandLayout()
    layout.setWindow(WindowInfo(.onlyLong, bands: 1), windowOffsets: [0, 8])
    var frame = ChannelFrame()
    for (n, line) in lines.enumerated() { frame.lines[n] = Float(line) }
    frame.measure(layout)
    frame.codebooks[0] = Codebook.smallest
    frame.scaleFactors[0] = Int32(scaleFactor)
    frame.quantize(layout, tables)
    #expect(frame.magnitude[0] == frame.quantized[..<8].map(abs).max())
    return Array(frame.quantized[..<8])
  }

  @Test func linesQuantizeWithTheirSigns() throws {
    for item in try CodecVectors.load().quantizer {
      let found = Self.quantized([item.x, 0, -item.x, 0, item.x, 0, 0, 0], scaleFactor: item.sf)
      let q = Int32(item.q)
      #expect(found == [q, 0, -q, 0, q, 0, 0, 0], "\(item.x) at \(item.sf)")
    }
  }

  /// q = ⌊|x|^¾·2^(−3/16·(sf−100)) + 0.4054⌋, except near thresholds, where rounding decides.
  @Test func magnitudesFollowTheFormula() {
    var noise = NoiseGenerator(state: 4)
    var checked = 0
    for _ in 0..<50_000 {
      let factor = 100 + Int(noise.next() * 60)
      let x = pow(10, 3 + 3 * noise.next())
      let exact = pow(x, 0.75) * pow(2, -3.0 / 16 * Double(factor - 100)) + 0.4054
      guard exact < 8191, abs(exact - exact.rounded()) > 1e-3 else { continue }
      let magnitude = Quantizer.magnitude(Self.companded(x), Self.tables.quantizerSteps[factor])
      #expect(Int(magnitude) == Int(exact.rounded(.down)))
      checked += 1
    }
    #expect(checked > 20_000)
  }

  @Test func tablesFollowTheirFormulas() {
    for factor in 0..<256 {
      let step = pow(2, Double(factor - 100) / 4)
      #expect(abs(Double(Self.tables.decoderSteps[factor]) / step - 1) < 2e-6)
      #expect(abs(Double(Self.tables.quantizerSteps[factor]) * pow(step, 0.75) - 1) < 2e-6)
    }
    #expect(Self.tables.powers.count == 8192)
    for q in 0..<8192 {
      let exact = pow(Double(q), 4.0 / 3)
      #expect(abs(Double(Self.tables.powers[q]) - exact) <= exact * 6e-8)
    }
  }

  @Test func theLowestScaleFactorKeepsTheLimitAndTheOneBelowIsNearIt() {
    for exponent in stride(from: -5.0, through: 8.0, by: 0.037) {
      let peak = Self.companded(pow(10, exponent))
      // Four bands at a time, with increasing levels.
      let peaks = Lanes(peak, peak * 1.3, peak * 2.9, peak * 8)
      let factors = Quantizer.lowestScaleFactors(logPeaks: ElementaryFunctions.log2(peaks))
      for lane in 0..<4 {
        let lowest = Int(factors[lane])
        #expect((0..<256).contains(lowest))
        #expect(Quantizer.magnitude(peaks[lane], Self.tables.quantizerSteps[lowest]) <= 8191)
        if lowest > 0 {
          let finer = Quantizer.magnitude(peaks[lane], Self.tables.quantizerSteps[lowest - 1])
          #expect(finer > 8191 * 85 / 100)
        }
      }
    }
  }

  /// The predicted bits and noise of a candidate equal those of coding it, averaged over signs.
  @Test func candidatesCostAndErrAsMeasured() {
    var noise = NoiseGenerator(state: 9)
    for amplitude in [3.0, 30, 300, 4000, 60_000, 2_000_000] {
      var checked = 0
      let lines = (0..<16).map { _ in Float(amplitude * noise.next()) }
      let companded = lines.map { Self.companded(Double($0)) }
      for factor in stride(from: 76, through: 176, by: 4) {
        let step = Self.tables.quantizerSteps[factor]
        let magnitude = companded.map { Quantizer.magnitude($0, step) }.max() ?? 0
        guard magnitude > 0, magnitude <= 8191 else { continue }
        var scratch = [UInt32](repeating: 0, count: 16)
        let found = unsafe Self.measure(
          lines: lines, companded: companded, 16, magnitude: magnitude, factor: factor,
          scratch: &scratch)
        var exact = 0.0
        for (line, value) in zip(lines, scratch) {
          let error = abs(Double(line)) - ReferenceSpectrum.dequantize(Int(value), factor)
          exact += error * error
        }
        for (value, root) in zip(scratch, companded) {
          #expect(Int32(value) == Quantizer.magnitude(root, step))
        }
        #expect(abs(Double(found.noise) - exact) <= 0.01 * exact + 1e-3)
        let first = Codebook.first(magnitude: magnitude)
        let magnitudes = scratch.map(Int32.init)
        let costs = (first...min(first + 1, 11)).map { book in
          let length = book <= 4 ? 4 : 2
          return stride(from: 0, to: 16, by: length).reduce(0) { sum, start in
            let tuple = Array(magnitudes[start..<start + length])
            return sum + NoiselessCodingTests.signSpread(tuple, book: book).mean
          }
        }
        #expect(Int(found.bits) == costs.min())
        checked += 1
      }
      #expect(checked > 0, "\(amplitude)")
    }
  }

  private static func measure(
    lines: UnsafePointer<Float>, companded: UnsafePointer<Float>, _ count: Int, magnitude: Int32,
    factor: Int, scratch: UnsafeMutablePointer<UInt32>
  ) -> (bits: Float, noise: Float, energy: Float) {
    let band = unsafe CandidateKernels.Band(lines: lines, companded: companded, count: count)
    return unsafe Self.tables.costs.withUnsafeBufferPointer { costs in
      unsafe Self.tables.powers.withUnsafeBufferPointer { powers in
        guard let costs = costs.baseAddress, let powers = powers.baseAddress else {
          return (0, 0, 0)
        }
        return unsafe CandidateKernels.measure(
          band, magnitude: magnitude, step: Self.tables.quantizerSteps[factor],
          decoderStep: Self.tables.decoderSteps[factor],
          CandidateKernels.Tables(costs: costs, powers: powers), scratch: scratch)
      }
    }
  }

  @Test func bandStatisticsAreSumsOverTheBand() {
    var layout = BandLayout()
    layout.setWindow(WindowInfo(.onlyLong, bands: 3), windowOffsets: [0, 4, 12, 20])
    let lines = NoiseGenerator.floats(amplitude: 10_000, seed: 21)
    var frame = ChannelFrame()
    frame.lines = lines
    frame.measure(layout)
    let statistics = frame.statistics
    for band in 0..<3 {
      let range = layout.offsets[band]..<layout.offsets[band + 1]
      let values = lines[range].map { abs(Double($0)) }
      let energy = values.reduce(0) { $0 + $1 * $1 }
      let root = values.reduce(0) { $0 + $1.squareRoot() }
      #expect(abs(Double(statistics.energy[band]) / energy - 1) < 1e-5)
      // √|x| is computed with the square of an inverse fourth root, which doubles the root's
      // relative error. |x|^¾ below uses the root once.
      #expect(abs(Double(statistics.rootSum[band]) / root - 1) < 3.1e-5)
      let peak = statistics.companded[range].max()
      #expect(statistics.peak[band] == peak)
      for (index, value) in zip(range, values) {
        #expect(abs(Double(statistics.companded[index]) / pow(value, 0.75) - 1) < 1.6e-5)
      }
    }
  }
}
