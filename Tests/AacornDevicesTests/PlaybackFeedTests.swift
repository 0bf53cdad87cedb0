import AacornDevices
import AacornSystem
import Simulation
import SoundRigs
import Testing

/// The buffer between a player and a device.
@Suite(.simulated(seeds: 4)) struct PlaybackFeedTests {
  private static func feed(
    sampleRate: Int = 48_000, channels: Int = 2, capacity: Int = 64
  ) -> PlaybackFeed {
    PlaybackFeed(
      PlaybackFormat(sampleRate: sampleRate, channelCount: channels), frameCapacity: capacity)
  }

  /// Numbered frames.
  private static func signal(_ frames: Range<Int>, channels: Int = 2) -> [Float] {
    frames.flatMap { frame in
      (0..<channels).map { CounterSignal.value(frame: frame, channel: $0) }
    }
  }

  @discardableResult
  private static func write(
    _ frames: Range<Int>, into feed: PlaybackFeed
  ) -> Int {
    let samples = signal(frames, channels: feed.format.channelCount)
    return feed.write(array: samples)
  }

  private static func read(
    _ frameCount: Int, from feed: PlaybackFeed
  ) -> (samples: [Float], count: Int) {
    var samples = [Float](repeating: .nan, count: frameCount * feed.format.channelCount)
    let count = unsafe samples.withUnsafeMutableBufferPointer { unsafe feed.read(into: $0) }
    return (samples, count)
  }

  @Test func feedReturnsWrittenFramesInOrderAndCountsThem() {
    let feed = Self.feed()
    #expect(feed.freeFrameCount == 64 && feed.isDrained)
    #expect(Self.write(0..<30, into: feed) == 30)
    #expect(feed.freeFrameCount == 34 && feed.waitingFrameCount == 30 && !feed.isDrained)
    let (first, count) = Self.read(20, from: feed)
    #expect(count == 20 && first == Self.signal(0..<20))
    #expect(feed.consumedFrameCount == 20 && feed.waitingFrameCount == 10)
    // Only the whole frames that fit.
    #expect(Self.write(30..<130, into: feed) == 54)
    #expect(Self.write(84..<85, into: feed) == 0)
    #expect(Self.read(64, from: feed).samples == Self.signal(20..<84))
    #expect(feed.isDrained && feed.underrunCount == 0)
    let half: [Float] = [1, 2, 3]
    #expect(feed.write(array: half) == 1)
    #expect(Self.read(1, from: feed).samples == [1, 2])
  }

  @Test func missingFramesAreSilenceAndCountAfterFirstSample() {
    let feed = Self.feed()
    let (before, none) = Self.read(8, from: feed)
    #expect(none == 0 && before == [Float](repeating: 0, count: 16))
    #expect(feed.underrunCount == 0, "Playback had not started.")
    Self.write(1..<6, into: feed)
    #expect(Self.read(5, from: feed).count == 5)
    Self.write(6..<9, into: feed)
    let (torn, some) = Self.read(8, from: feed)
    #expect(some == 3 && torn == Self.signal(6..<9) + [Float](repeating: 0, count: 10))
    #expect(feed.underrunCount == 1 && feed.missingFrameCount == 5)
    feed.pauseWriting()
    #expect(Self.read(8, from: feed).count == 0)
    #expect(feed.underrunCount == 1, "The audio has ended.")
    feed.resumeWriting()
    #expect(Self.read(8, from: feed).count == 0)
    #expect(feed.underrunCount == 2 && feed.missingFrameCount == 13)
    feed.countUnderrun(missingFrameCount: 7)
    #expect(feed.underrunCount == 3 && feed.missingFrameCount == 20)
  }

  @Test func bufferWithPartialFrameEndsInSilence() {
    let feed = Self.feed()
    Self.write(1..<6, into: feed)
    var samples = [Float](repeating: .nan, count: 7)
    let count = unsafe samples.withUnsafeMutableBufferPointer { unsafe feed.read(into: $0) }
    #expect(count == 3 && samples == Self.signal(1..<4) + [0])
    #expect(feed.consumedFrameCount == 3 && feed.underrunCount == 0)
  }

  @Test func soundAfterASilenceStartsAtItsFirstFrame() {
    let feed = Self.feed(sampleRate: 1000, channels: 1)
    Self.write(0..<10, into: feed)
    #expect(Self.read(15, from: feed).count == 10)
    // A read of no frames does not end the silence.
    var sample: Float = 1
    let count = unsafe withUnsafeMutablePointer(to: &sample) {
      unsafe feed.read(into: UnsafeMutableBufferPointer(start: $0, count: 0))
    }
    #expect(count == 0 && sample == 1)
    Self.write(10..<20, into: feed)
    #expect(Self.read(10, from: feed).count == 10)
    feed.recordPresentation(frame: 10, soundsAt: 1_000_000_000)
    #expect(feed.playedFrame(at: 990_000_000) == 10)
    #expect(feed.playedFrame(at: 1_005_000_000) == 15)
  }

  @Test func inAPauseWhatWasWrittenStays() {
    let feed = Self.feed()
    Self.write(1..<21, into: feed)
    #expect(Self.read(10, from: feed).count == 10)
    feed.isPaused = true
    #expect(Self.read(10, from: feed).samples == [Float](repeating: 0, count: 20))
    #expect(feed.waitingFrameCount == 10 && feed.underrunCount == 0)
    feed.isPaused = false
    #expect(Self.read(10, from: feed).samples == Self.signal(11..<21))
    #expect(feed.underrunCount == 0)
  }

  @Test func discardedFramesAreSkippedAndStillNumbered() {
    let feed = Self.feed()
    Self.write(0..<30, into: feed)
    #expect(Self.read(10, from: feed).count == 10)
    feed.discard()
    #expect(feed.isDrained)
    Self.write(30..<50, into: feed)
    #expect(feed.waitingFrameCount == 20)
    #expect(Self.read(5, from: feed).samples == Self.signal(30..<35))
    #expect(feed.consumedFrameCount == 35)
    feed.discard()
    feed.isPaused = true
    // Also in a pause, so that there is room for the next frames.
    #expect(Self.read(1, from: feed).count == 0)
    #expect(feed.freeFrameCount == 64 && feed.consumedFrameCount == 50)
  }

  @Test func eventsArriveInOrderAndWakeThePlayer() {
    let feed = Self.feed()
    #expect(feed.nextEvent() == nil)
    #expect(!feed.waitForDevice(milliseconds: 0))
    feed.notify(.deviceLost)
    feed.notify(.deviceReturned)
    #expect(feed.waitForDevice(milliseconds: TestTimeout.milliseconds))
    #expect(feed.nextEvent() == .deviceLost)
    #expect(feed.nextEvent() == .deviceReturned)
    #expect(feed.nextEvent() == nil)
    // A client that never reads events does not block the device.
    let count = (0..<1000).filter { _ in feed.notify(.suspended) }.count
    #expect(count == 64)
  }

  @Test func playedFrameFollowsClockUpToConsumedFrames() {
    let feed = Self.feed(sampleRate: 1000, channels: 1, capacity: 256)
    let millisecond: Int64 = 1_000_000
    #expect(feed.playedFrame(at: 0) == nil)
    Self.write(0..<100, into: feed)
    #expect(Self.read(50, from: feed).count == 50)
    #expect(feed.playedFrame(at: 0) == nil, "The presentation time has not been recorded.")
    feed.recordPresentation(frame: 0, soundsAt: 1000 * millisecond)
    #expect(feed.playedFrame(at: 900 * millisecond) == 0)
    #expect(feed.playedFrame(at: 1010 * millisecond) == 10)
    #expect(feed.playedFrame(at: 1060 * millisecond) == 50)
    #expect(feed.playedFrame(at: .max) == 50 && feed.playedFrame(at: 0) == 0)
    // When a pause begins, the frames already read are still played; then the position stays.
    feed.isPaused = true
    #expect(feed.playedFrame(at: 1049 * millisecond) == 49)
    #expect(feed.playedFrame(at: 3000 * millisecond) == 50)
    feed.isPaused = false
    #expect(Self.read(80, from: feed).count == 50)
    feed.recordPresentation(frame: 50, soundsAt: 3100 * millisecond)
    #expect(feed.playedFrame(at: 3101 * millisecond) == 51)
    #expect(feed.playedFrame(at: 9000 * millisecond) == 100)
    // After silence, playback continues with the first new frame.
    Self.write(100..<110, into: feed)
    #expect(Self.read(10, from: feed).count == 10)
    feed.recordPresentation(frame: 100, soundsAt: 9100 * millisecond)
    #expect(feed.playedFrame(at: 9050 * millisecond) == 100)
    #expect(feed.playedFrame(at: 9104 * millisecond) == 104)
  }

  @Test func aTimeOfZeroIsATime() {
    let feed = Self.feed(sampleRate: 1000, channels: 1)
    Self.write(0..<10, into: feed)
    #expect(Self.read(10, from: feed).count == 10)
    feed.recordPresentation(frame: 0, soundsAt: 0)
    #expect(feed.playedFrame(at: 4_000_000) == 4)
  }

  @Test(.realTime) func twoThreadsLoseAndExchangeNothing() throws {
    let total = 200_000
    let feed = Self.feed(capacity: 500)
    let player = try #require(
      WorkerThread("test") {
        var next = 0
        while next < total {
          let end = min(total, next + 1 + next % 301)
          let count = Self.write(next..<end, into: feed)
          next += count
          if count == 0 && !feed.waitForDevice(milliseconds: TestTimeout.milliseconds) { return }
        }
      })
    var taken = 0
    var wrong = 0
    var missing = 0
    let deadline = System.seconds + TestTimeout.seconds
    while taken < total && System.seconds < deadline {
      let frameCount = 1 + taken % 127
      let isUnderWay = taken > 0
      let (samples, count) = Self.read(frameCount, from: feed)
      if samples.prefix(2 * count) != Self.signal(taken..<taken + count)[...] { wrong += 1 }
      if samples.dropFirst(2 * count).contains(where: { $0 != 0 }) { wrong += 1 }
      if isUnderWay { missing += frameCount - count }
      taken += count
    }
    player.join()
    #expect(taken == total && wrong == 0)
    #expect(feed.missingFrameCount == missing)
    #expect(feed.consumedFrameCount == total && feed.isDrained)
  }
}
