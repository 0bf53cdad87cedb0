import TestSignals
import Testing

@testable import AacornCodec

/// The inverse transform and the overlap of windows, compared with their formulas.
@Suite struct InverseMDCTTests {
  /// Unfolds the two halves of `terms` into all samples: h, −hᵣ, −lᵣ, −l.
  private static func unfold(_ terms: ArraySlice<Float>) -> [Float] {
    let low = terms.prefix(terms.count / 2)
    let high = terms.suffix(terms.count / 2)
    return high + high.reversed().map { -$0 } + low.reversed().map { -$0 } + low.map { -$0 }
  }

  @Test(arguments: [1024, 960])
  func longWindowsFollowTheFormula(frameLength: Int) {
    var random = SeededNumbers(seed: 1)
    let lines = (0..<frameLength).map { _ in Float.random(in: -9000...9000, using: &random) }
    var transform = InverseMDCT(frameLength: frameLength)
    var terms = [Float](repeating: 0, count: frameLength)
    transform.long(lines, into: &terms)
    let exact = ReferenceTransform.inverse(lines.map(Double.init))
    #expect(Likeness.worst(Self.unfold(terms[...]), exact) < 2e-6)
  }

  @Test(arguments: [1024, 960])
  func shortWindowsFollowTheFormula(frameLength: Int) {
    var random = SeededNumbers(seed: 2)
    let count = frameLength / 8
    let lines = (0..<frameLength).map { _ in Float.random(in: -9000...9000, using: &random) }
    var transform = InverseMDCT(frameLength: frameLength)
    var terms = [Float](repeating: 0, count: frameLength)
    transform.short(lines, into: &terms)
    for window in 0..<8 {
      let range = window * count..<(window + 1) * count
      let exact = ReferenceTransform.inverse(lines[range].map(Double.init))
      #expect(Likeness.worst(Self.unfold(terms[range]), exact) < 2e-6)
    }
  }

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
      channel.synthesize(window, with: &transform, table: table, terms: &terms)
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
    channel.synthesize(window, with: &transform, table: table, terms: &terms)
    channel.reset()
    channel.synthesize(
      WindowInfo(.onlyLong, bands: 0), with: &transform, table: table, terms: &terms)
    #expect(channel.samples.allSatisfy { $0 == 0 })
  }

  /// The tail that long-term prediction needs is the windowed second half; reading it changes no
  /// state.
  @Test(arguments: [WindowSequence.onlyLong, .longStart, .eightShort, .longStop])
  func tailIsWindowedSecondHalf(sequence: WindowSequence) {
    var random = SeededNumbers(seed: 4)
    let table = WindowTable()
    var transform = InverseMDCT(frameLength: 1024)
    var terms = [Float](repeating: 0, count: 1024)
    var tail = terms
    var looked = ChannelDecoder(frameLength: 1024, predictor: nil, longTerm: nil)
    var reference = ReferenceFilterBank(frameLength: 1024)
    for n in 0..<1024 { looked.lines[n] = Float.random(in: -9000...9000, using: &random) }
    let window = WindowInfo(sequence, .kaiserBesselDerived, bands: 0)
    _ = reference.synthesise(looked.lines.map(Double.init), window: window)
    looked.synthesize(window, with: &transform, table: table, terms: &terms)
    var other = looked
    looked.overlap.tail(table, into: &tail)
    let silence = [Double](repeating: 0, count: 1024)
    let half = reference.synthesise(silence, window: WindowInfo(.onlyLong, bands: 0))
    #expect(Likeness.worst(tail, half) < 3e-6)
    looked.synthesize(
      WindowInfo(.longStop, bands: 0), with: &transform, table: table, terms: &terms)
    other.synthesize(WindowInfo(.longStop, bands: 0), with: &transform, table: table, terms: &terms)
    #expect(looked.samples == other.samples)
  }
}
