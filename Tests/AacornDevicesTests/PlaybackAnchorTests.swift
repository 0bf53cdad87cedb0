import Testing

@testable import AacornDevices

/// Which frame is heard when, as a device's thread notes it.
struct PlaybackAnchorTests {
  /// How long 60 frames last at 48 kHz, in nanoseconds.
  private let step: Int64 = 1_250_000
  private let start: Int64 = 1_000_000_000
  private let feed = PlaybackFeed(
    PlaybackFormat(sampleRate: 48000, channelCount: 1), frameCapacity: 4800)

  private func write(_ count: Int) {
    let samples = [Float](repeating: 0.5, count: count)
    let written = feed.write(samples.span)
    #expect(written == count)
  }

  /// Has a block of 60 frames read, which sounds at the `index`th step.
  private func read(_ index: Int64, _ anchor: PlaybackAnchor) {
    var block = [Float](repeating: 0, count: 60)
    let count = unsafe feed.read(frameCount: 60, into: &block)
    anchor.note(count, of: 60, soundsAt: start + index * step)
  }

  private func heard(_ index: Int64) -> Int? { feed.heardFrame(at: start + index * step) }

  @Test func heardFrameMovesWithTheBlocks() {
    let anchor = PlaybackAnchor(feed)
    #expect(heard(0) == nil)
    write(180)
    for index: Int64 in 0..<3 { read(index, anchor) }
    #expect(heard(0) == 0)
    #expect(heard(1) == 60)
    #expect(heard(3) == 180)
  }

  @Test func pauseHoldsTheFrameAfterTheLastOneHeard() {
    let anchor = PlaybackAnchor(feed)
    write(180)
    read(0, anchor)
    read(1, anchor)
    feed.isPaused = true
    for index: Int64 in 2..<6 { read(index, anchor) }
    // What was taken before the pause is still heard.
    #expect(heard(1) == 60)
    #expect(heard(2) == 120)
    #expect(heard(6) == 120)
    feed.isPaused = false
    read(6, anchor)
    #expect(heard(7) == 180)
  }

  @Test func framesDroppedByAJumpAreNotHeard() {
    let anchor = PlaybackAnchor(feed)
    write(120)
    read(0, anchor)
    feed.discard()
    write(60)
    read(1, anchor)
    #expect(heard(1) == 120)
    #expect(heard(2) == 180)
  }
}
