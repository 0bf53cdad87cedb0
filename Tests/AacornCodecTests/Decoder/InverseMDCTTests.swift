import TestSignals
import Testing

@testable import AacornCodec

/// The inverse transform and the overlap of windows, compared with their formulas.
@Suite struct InverseMDCTTests {
  /// Decoders overlap windows of any sequence and shape, even in an invalid order.
  @Test(arguments: [1024, 960])
  func anyWindowsMayFollowAnyOthers(frameLength: Int) throws {
    let sequences: [WindowSequence] = [.onlyLong, .longStart, .eightShort, .longStop]
    var random = SeededNumbers(seed: 3)
    var reference = ReferenceFilterBank(frameLength: frameLength)
    let table = WindowTable(frameLength: frameLength)
    var transform = InverseMDCT(frameLength: frameLength)
    var channel = ChannelDecoder(frameLength: frameLength, predictor: nil, longTerm: nil)
    var terms = [Float](repeating: 0, count: frameLength)
    for frame in 0..<60 {
      // All pairs of sequences in the first frames, then random ones.
      let sequence =
        frame < 32
        ? sequences[frame % 2 == 0 ? frame / 8 : frame / 2 % 4]
        : try #require(sequences.randomElement(using: &random))
      let shape: WindowShape = Bool.random(using: &random) ? .sine : .kaiserBesselDerived
      let window = WindowInfo(sequence, shape, bands: 0)
      let isSilent = frame % 7 == 6
      for n in 0..<frameLength {
        channel.lines[n] = isSilent ? 0 : Float.random(in: -9000...9000, using: &random)
      }
      let exact = reference.synthesise(channel.lines.map(Double.init), window: window)
      channel.synthesize(window, &transform, table, &terms)
      if isSilent { continue }
      #expect(Likeness.worst(channel.samples, exact) < 3e-6, "frame \(frame)")
    }
  }

  @Test(arguments: [WindowSequence.onlyLong, .longStart, .eightShort])
  func nothingRemainsAfterAReset(sequence: WindowSequence) {
    let table = WindowTable()
    var transform = InverseMDCT(frameLength: 1024)
    var terms = [Float](repeating: 0, count: 1024)
    var channel = ChannelDecoder(frameLength: 1024, predictor: nil, longTerm: nil)
    for n in 0..<1024 { channel.lines[n] = 1000 }
    let window = WindowInfo(sequence, .kaiserBesselDerived, bands: 0)
    channel.synthesize(window, &transform, table, &terms)
    channel.reset()
    channel.synthesize(WindowInfo(.onlyLong, bands: 0), &transform, table, &terms)
    #expect(channel.samples.allSatisfy { $0 == 0 })
  }
}
