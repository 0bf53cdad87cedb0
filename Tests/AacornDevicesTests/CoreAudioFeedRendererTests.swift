import AacornSystem
import Testing

@testable import AacornDevices

@Suite struct CoreAudioFeedRendererTests {
  private let gate = DeviceGate()
  private let feed = PlaybackFeed(
    PlaybackFormat(sampleRate: 48_000, channelCount: 2), frameCapacity: 16_384)

  private func makeRenderer(
    to channelCount: Int = 2, latency: Int64 = 0, lead: Int64 = 0,
    events: [DeviceEvent] = []
  ) -> CoreAudioFeedRenderer {
    CoreAudioFeedRenderer(
      feed, to: CoreAudioChannels(of: feed.format, to: channelCount), latency: latency, lead: lead,
      gate: gate, events: events)
  }

  /// Writes numbered samples, starting with 1.
  private func write(frameCount: Int) -> [Float] {
    let samples = (0..<frameCount * 2).map { Float($0 + 1) / 65_536 }
    #expect(feed.write(array: samples) == frameCount)
    return samples
  }

  @Test func aBlockGetsWhatIsNextAndSilenceAfterThat() {
    let samples = write(frameCount: 700)
    let renderer = makeRenderer()
    let first = renderer.block(frameCount: 512, channelCount: 2)
    #expect(first.samples == Array(samples.prefix(1024)))
    #expect(first.isAudible)
    #expect(feed.underrunCount == 0)
    let second = renderer.block(frameCount: 512, channelCount: 2)
    #expect(second.samples == Array(samples.suffix(376)) + [Float](repeating: 0, count: 648))
    #expect(second.isAudible)
    #expect(feed.underrunCount == 1)
    #expect(feed.missingFrameCount == 324)
    let third = renderer.block(frameCount: 512, channelCount: 2)
    #expect(third.samples.allSatisfy { $0 == 0 })
    #expect(!third.isAudible)
    #expect(renderer.progress == 3)
  }

  @Test func aFrameSoundsOnceItHasPassedTheDevice() {
    _ = write(frameCount: 960)
    let renderer = makeRenderer(latency: 5_000_000)
    // Far enough in the future for any machine.
    let time = System.nanoseconds + 1_000_000_000_000
    _ = renderer.block(
      frameCount: 480, channelCount: 2,
      stamp: CoreAudioSoundClock.PresentationStamp(ticks: 1, time: time))
    #expect(feed.playedFrame(at: time) == 0)
    #expect(feed.playedFrame(at: time + 5_000_000) == 0)
    #expect(feed.playedFrame(at: time + 10_000_000) == 240)
    #expect(feed.playedFrame(at: time + 60_000_000) == 480)
    // A second block of the same cycle follows the first, later by the increase of the latency.
    renderer.update(latency: 7_000_000)
    _ = renderer.block(
      frameCount: 480, channelCount: 2,
      stamp: CoreAudioSoundClock.PresentationStamp(ticks: 1, time: time))
    #expect(feed.playedFrame(at: time + 17_000_000) == 480)
    #expect(feed.playedFrame(at: time + 22_000_000) == 720)
  }

  @Test func withoutATimestampItSoundsSoLongAfterItWasAskedFor() {
    _ = write(frameCount: 480)
    let renderer = makeRenderer(latency: 5_000_000, lead: 20_000_000)
    let before = System.nanoseconds
    _ = renderer.block(frameCount: 480, channelCount: 2)
    let after = System.nanoseconds
    #expect(feed.playedFrame(at: before + 25_000_000) == 0)
    #expect(feed.playedFrame(at: after + 25_000_000 + 10_000_000) == 480)
  }

  @Test func framesSkippedByDeviceCountAsUnderrun() {
    _ = write(frameCount: 2048)
    let renderer = makeRenderer()
    let start = System.nanoseconds + 1_000_000_000
    func ask(frame: Int) {
      let time = start + Int64(frame) * 1_000_000_000 / 48_000
      _ = renderer.block(
        frameCount: 512, channelCount: 2, count: Double(frame),
        stamp: CoreAudioSoundClock.PresentationStamp(ticks: UInt64(frame + 1), time: time))
    }
    ask(frame: 0)
    ask(frame: 512)
    #expect(feed.underrunCount == 0)
    ask(frame: 1024 + 1536)
    #expect(feed.underrunCount == 1)
    #expect(feed.missingFrameCount == 1536)
    // A pause is not an underrun.
    feed.isPaused = true
    ask(frame: 3072)
    ask(frame: 3584 + 512)
    #expect(feed.underrunCount == 1)
  }

  @Test func nothingPassesAShutGate() {
    _ = write(frameCount: 480)
    let renderer = makeRenderer(events: [.deviceReturned])
    gate.close()
    let (samples, isAudible) = renderer.block(frameCount: 480, channelCount: 2)
    #expect(samples.allSatisfy { $0 == 0 })
    #expect(!isAudible)
    #expect(feed.consumedFrameCount == 0)
    #expect(feed.nextEvent() == nil)
    #expect(!renderer.hasDelivered)
  }

  @Test func aBlockOfAnyLengthIsMixed() {
    let samples = write(frameCount: 10_000)
    let renderer = makeRenderer(to: 1)
    let block = renderer.block(frameCount: 10_000, channelCount: 1).samples
    let means: [Float] = (0..<10_000).map { (samples[2 * $0] + samples[2 * $0 + 1]) / 2 }
    #expect(block == means)
    #expect(feed.underrunCount == 0)
  }
}

@Suite struct CoreAudioSoundClockTests {
  private typealias PresentationStamp = CoreAudioSoundClock.PresentationStamp

  @Test func theSameTimestampAgainIsTheSameCycle() {
    var clock = CoreAudioSoundClock(sampleRate: 48_000, lead: 7)
    _ = clock.time(ofNext: 480, PresentationStamp(ticks: 9, time: 5_000_000), now: 0)
    #expect(
      clock.time(ofNext: 240, PresentationStamp(ticks: 9, time: 5_000_001), now: 0) == 15_000_000)
    #expect(
      clock.time(ofNext: 240, PresentationStamp(ticks: 9, time: 5_000_002), now: 0) == 20_000_000)
    #expect(
      clock.time(ofNext: 240, PresentationStamp(ticks: 10, time: 25_000_007), now: 0) == 25_000_007)
  }

  @Test func presentationTimeIsAtLeastRequestTime() {
    var clock = CoreAudioSoundClock(sampleRate: 48_000, lead: 7)
    #expect(clock.time(ofNext: 480, PresentationStamp(ticks: 1, time: 10), now: 1000) == 1000)
  }

  @Test func withoutATimestampTheLeadCounts() {
    var clock = CoreAudioSoundClock(sampleRate: 48_000, lead: 7)
    #expect(clock.time(ofNext: 480, nil, now: 1000) == 1007)
    #expect(clock.time(ofNext: 480, nil, now: 2000) == 2007)
  }
}

@Suite struct CoreAudioLatencyTests {
  @Test func latencySplitsAtTheTimestamp() {
    let latency = CoreAudioLatency(device: 48, stream: 96, safetyOffset: 24, block: 480)
    #expect(latency.afterTimestamp(sampleRate: 48_000) == 3_000_000)
    #expect(latency.beforeTimestamp(sampleRate: 48_000) == 10_500_000)
  }

  @Test func invalidNumbersAreHarmless() {
    let latency = CoreAudioLatency(device: .max, stream: .max, safetyOffset: .max, block: .max)
    #expect(latency.afterTimestamp(sampleRate: 1) > 0)
    #expect(latency.beforeTimestamp(sampleRate: 1) > 0)
    #expect(latency.afterTimestamp(sampleRate: 0) == 0)
    #expect(latency.beforeTimestamp(sampleRate: -1) == 0)
  }
}

extension CoreAudioFeedRenderer {
  /// Fills a block that contained noise; returns the block and whether it is audible.
  fileprivate func block(
    frameCount: Int, channelCount: Int, count: Double? = nil,
    stamp: CoreAudioSoundClock.PresentationStamp? = nil
  ) -> (samples: [Float], isAudible: Bool) {
    var samples = [Float](repeating: 99, count: max(1, frameCount * channelCount))
    let isAudible = unsafe samples.withUnsafeMutableBufferPointer { buffer -> Bool in
      guard let start = buffer.baseAddress else { return false }
      return unsafe fill(start, frameCount: frameCount, count: count, stamp: stamp)
    }
    return (samples, isAudible)
  }
}
