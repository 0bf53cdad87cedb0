import TestSignals
import Testing

@testable import AacornCodec

/// Prediction of object type Main, compared with the formulas of 4.6.6.
@Suite struct BackwardPredictorTests {
  private static let offsets = ScaleFactorBands(rateIndex: 4).long

  /// The predictor of one line in the steps of 4.6.6.3, with 16-bit values.
  private struct Reference {
    var r: [Float] = [0, 0]
    var correlations: [Float] = [0, 0]
    var variances: [Float] = [1, 1]

    static func truncated(_ x: Float) -> Float {
      Float(bitPattern: x.bitPattern & 0xFFFF_0000)
    }

    /// Rounds to the nearest value, and ties away from zero.
    static func rounded(_ x: Float) -> Float {
      truncated(Float(bitPattern: x.bitPattern + 0x8000))
    }

    /// Rounds to the nearest value, and ties to even.
    static func even(_ x: Float) -> Float {
      let rest = x.bitPattern & 0xFFFF
      let isUp = rest > 0x8000 || rest == 0x8000 && x.bitPattern & 0x10000 != 0
      return truncated(Float(bitPattern: x.bitPattern + (isUp ? 0x10000 : 0)))
    }

    mutating func predict(_ residual: Float, isUsed: Bool) -> Float {
      let (a, alpha): (Float, Float) = (61.0 / 64, 29.0 / 32)
      let k = (0..<2).map {
        variances[$0] > 1 ? correlations[$0] * Self.even(a / variances[$0]) : 0
      }
      let estimate = k[0] * r[0] + k[1] * r[1]
      let value = isUsed ? residual + Self.rounded(estimate) : residual
      let errors = [value, value - k[0] * r[0]]
      for m in 0..<2 {
        correlations[m] = Self.truncated(alpha * correlations[m] + r[m] * errors[m])
        variances[m] = Self.truncated(
          alpha * variances[m] + 0.5 * (r[m] * r[m] + errors[m] * errors[m]))
      }
      r = [Self.truncated(a * value), Self.truncated(a * (r[0] - k[0] * value))]
      return value
    }
  }

  @Test func everyLineFollowsTheFormulasToTheLastBit() {
    var random = SeededNumbers(seed: 1)
    let count = Self.offsets[40]
    var predictor = BackwardPredictor(lineCount: count)
    var references = [Reference](repeating: Reference(), count: count)
    for frame in 0..<120 {
      var window = WindowInfo(frame == 50 ? .eightShort : .onlyLong, bands: 13)
      if !window.isShort { window.bandsPerGroup = 45 }
      if frame % 9 != 8 && !window.isShort {
        var prediction = BackwardPrediction()
        prediction.bands = UInt64.random(in: 0..<1 << 40, using: &random)
        prediction.resetGroup = frame % 4 == 0 ? Int.random(in: 0...31, using: &random) : 0
        window.backwardPrediction = prediction
      }
      // Tones, which are predictable, and noise.
      var lines = (0..<1024).map { line in
        frame % 5 == 4 ? 0 : Float.random(in: -900...900, using: &random) + Float(line % 3 * 400)
      }
      var exact = lines
      if window.isShort {
        references = references.map { _ in Reference() }
      } else {
        for line in 0..<count {
          let band = Self.offsets.firstIndex { $0 > line } ?? 0
          let isUsed = (window.backwardPrediction?.bands ?? 0) >> UInt64(band - 1) & 1 != 0
          exact[line] = references[line].predict(lines[line], isUsed: isUsed)
        }
        if let group = window.backwardPrediction?.resetGroup, (1...30).contains(group) {
          for line in 0..<count where line % 30 == group - 1 { references[line] = Reference() }
        }
      }
      predictor.apply(window, offsets: Self.offsets, to: &lines)
      #expect(lines == exact, "frame \(frame)")
    }
  }

  @Test func resetClearsAllState() {
    var predictor = BackwardPredictor(lineCount: 672)
    var window = WindowInfo(.onlyLong, bands: 40)
    window.backwardPrediction = BackwardPrediction()
    window.backwardPrediction?.bands = (1 << 40) - 1
    for _ in 0..<9 {
      var lines = [Float](repeating: 1000, count: 1024)
      predictor.apply(window, offsets: Self.offsets, to: &lines)
    }
    predictor.reset()
    var lines = [Float](repeating: 0, count: 1024)
    predictor.apply(window, offsets: Self.offsets, to: &lines)
    #expect(lines.allSatisfy { $0 == 0 })
  }

  /// Extremely loud lines must not become infinite inside the predictors.
  @Test func extremeFramesDoNotAffectLaterFrames() {
    var random = SeededNumbers(seed: 3)
    var core = CoreDecoder(.test(.main), channelCount: 1)
    for unit in 0..<200 {
      var window = WindowInfo(.onlyLong, bands: 45)
      window.backwardPrediction = BackwardPrediction()
      window.backwardPrediction?.bands = .max >> 24
      let isNoise = unit % 3 == 1
      var channel = ParsedChannel(
        window, codebook: isNoise ? Codebook.noise : Codebook.escape,
        scaleFactor: isNoise ? 7000 : 255, largest: 8191, using: &random)
      if unit >= 100 { channel.codebooks = channel.codebooks.map { _ in 0 } }
      var block = ParsedBlock()
      block.add(.single, [channel])
      core.decode(&block, firstChannels: [0], unit: unit)
      #expect(core.channels[0].samples.allSatisfy { $0.magnitude < 0x1p60 })
    }
  }
}
