import TestSignals
import Testing

@testable import AacornCodec

/// Prediction of object type LTP, compared with its definition (4.6.7).
@Suite struct LongTermPredictorTests {
  private static let gains = [
    0.570829, 0.696616, 0.813004, 0.911304, 0.984900, 1.067894, 1.194601, 1.369533,
  ]

  /// Compares frames of tones from the core with the definition, applied to the core's previous
  /// frames.
  @Test(arguments: [1024, 960], [1, 100, 959, 1024, 1500, 1919, 2047])
  func linesFollowTheDefinition(frameLength: Int, lag: Int) throws {
    var random = SeededNumbers(seed: 1)
    let configuration = AudioSpecificConfig.test(.longTermPrediction, frameLength: frameLength)
    let offsets = ScaleFactorBands(
      try #require(SamplingFrequency(hertz: 44_100)), frameLength: frameLength
    ).long
    var core = CoreDecoder(configuration, channelCount: 1)
    var reference = ReferenceFilterBank(frameLength: frameLength)
    var history = [Double](repeating: 0, count: 3 * frameLength)
    var previousShape = WindowShape.sine
    let sequences: [WindowSequence] = [
      .onlyLong, .onlyLong, .longStart, .eightShort, .longStop, .onlyLong,
    ]
    for (unit, sequence) in sequences.enumerated() {
      var window = WindowInfo(
        sequence, unit % 2 == 0 ? .sine : .kaiserBesselDerived,
        bands: sequence == .eightShort ? 12 : 40)
      var prediction = LongTermPrediction()
      prediction.lag = lag
      prediction.gainIndex = unit % 8
      prediction.bands = 0b1011_1111_0110_1111
      if !window.isShort { window.longTermPrediction = prediction }
      let channel = ParsedChannel(
        window, scaleFactor: 112, frameLength: frameLength, using: &random)
      var spectrum = ReferenceSpectrum(
        channel,
        offsets: window.isShort
          ? ScaleFactorBands(rateIndex: 4).short.map { $0 * frameLength / 1024 } : offsets,
        noiseShapingLimit: 0)
      if window.isShort { spectrum.lines = [] }
      if !window.isShort {
        let slopes = Self.slopes(sequence, previousShape, window.shape, frameLength)
        let estimate = (0..<2 * frameLength).map { n in
          let index = 2 * frameLength - min(lag, 2 * frameLength) + n
          return index < 3 * frameLength && n < min(lag, 2 * frameLength) + frameLength
            ? history[index] * Self.gains[unit % 8] * slopes[n] : 0
        }
        let lines = ReferenceTransform.forward(estimate)
        for band in 0..<40 where prediction.bands >> UInt64(band) & 1 != 0 {
          for line in offsets[band]..<offsets[band + 1] { spectrum.lines[line] += lines[line] }
        }
      }
      var block = ParsedBlock()
      block.add(.single, [channel])
      core.decode(&block, firstChannels: [0], unit: unit)
      if window.isShort { spectrum.lines = core.channels[0].lines.map(Double.init) }
      #expect(Likeness.worst(core.channels[0].lines, spectrum.lines) < 1e-5, "unit \(unit)")
      let samples = reference.synthesise(spectrum.lines, window: window)
      #expect(Likeness.worst(core.channels[0].samples, samples) < 1e-5, "unit \(unit)")
      // The history ends with the windowed second half of the last block, which is the output for a
      // following silent frame.
      var ahead = reference
      let tail = ahead.synthesise(
        [Double](repeating: 0, count: frameLength), window: WindowInfo(.onlyLong, bands: 0))
      history = Array(history[frameLength..<2 * frameLength]) + samples + tail
      previousShape = window.shape
    }
  }

  private static func slopes(
    _ sequence: WindowSequence, _ before: WindowShape, _ shape: WindowShape, _ length: Int
  ) -> [Double] {
    let table = WindowTable(frameLength: length)
    let left = sequence.hasShortLeftSlope ? table.steep(before) : table.long(before)
    let right = sequence.hasShortRightSlope ? table.steep(shape) : table.long(shape)
    return left.map(Double.init) + right.reversed().map(Double.init)
  }

  /// A gain above one in every frame.
  @Test func endlessPredictionStaysFinite() {
    var random = SeededNumbers(seed: 2)
    var core = CoreDecoder(.test(.longTermPrediction), channelCount: 1)
    for unit in 0..<1500 {
      var window = WindowInfo(.onlyLong, bands: 40)
      var prediction = LongTermPrediction()
      prediction.lag = 1024
      prediction.gainIndex = 7
      prediction.bands = .max >> 24
      window.longTermPrediction = prediction
      var channel = ParsedChannel(window, scaleFactor: 140, using: &random)
      if unit > 2 { channel.codebooks = channel.codebooks.map { _ in 0 } }
      var block = ParsedBlock()
      block.add(.single, [channel])
      core.decode(&block, firstChannels: [0], unit: unit)
    }
    #expect(core.channels[0].samples.allSatisfy { $0.magnitude < 1e7 })
  }
}
