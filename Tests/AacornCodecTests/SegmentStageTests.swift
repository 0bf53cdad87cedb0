import Testing

@testable import AacornCodec

/// Each stage depends only on the `lookBack` frames before a segment.
@Suite struct SegmentStageTests {
  /// Window sequences depend only on the attacks in the last `lookBack` frames, for any earlier
  /// attacks.
  @Test func windowsFollowFromTheLastAttacks() {
    let frameCount = BlockSwitching.lookBack + 1
    for past in 0..<32 {
      for recent in 0..<1 << frameCount {
        var old = BlockSwitching()
        var new = BlockSwitching()
        for frame in 0..<5 { old.advance(attackInNextFrame: past >> frame & 1 == 1) }
        for frame in 0..<frameCount {
          if frame == BlockSwitching.lookBack {
            old.begin(atFrame: 512)
            new.begin(atFrame: 512)
          }
          old.advance(attackInNextFrame: recent >> frame & 1 == 1)
          new.advance(attackInNextFrame: recent >> frame & 1 == 1)
        }
        #expect(old.sequence == new.sequence, "\(past), \(recent)")
      }
    }
  }

  @Test(arguments: [0.0001, 0.01, 0.9])
  func hearingFollowsFromTheLastFrames(amplitude: Double) {
    let (model, offsets) = PsychoacousticsTests.model(4, isShort: false)
    var layout = BandLayout()
    layout.setWindow(WindowInfo(.onlyLong, bands: model.bandCount), windowOffsets: offsets)
    var old = Psychoacoustics()
    var new = Psychoacoustics()
    for seed in 1...4 as ClosedRange<UInt32> {
      old.analyze(Self.spectrum(seed, amplitude), layout, by: model)
    }
    for frame in 0...Psychoacoustics.lookBack {
      if frame == Psychoacoustics.lookBack {
        old.begin(atFrame: 512)
        new.begin(atFrame: 512)
      }
      let lines = Self.spectrum(UInt32(10 + frame), frame == 0 ? 0.02 : 0.3)
      old.analyze(lines, layout, by: model)
      new.analyze(lines, layout, by: model)
    }
    #expect(old.threshold.prefix(layout.bandCount) == new.threshold.prefix(layout.bandCount))
    #expect(old.energy.prefix(layout.bandCount) == new.energy.prefix(layout.bandCount))
  }

  private static func spectrum(_ seed: UInt32, _ amplitude: Double) -> [Float] {
    Signals.noise(1024, amplitude: amplitude, seed: seed).map { $0 * 32_768 }
  }
}
