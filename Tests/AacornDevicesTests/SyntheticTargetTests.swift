import AacornDevices
import AacornSystem
import Simulation
import SoundRigs
import Testing

/// An output without a device.
@Suite(.simulated(seeds: 4)) struct SyntheticTargetTests {
  private static let millisecond: Int64 = 1_000_000

  private static func signal(_ frames: Range<Int>) -> [Float] {
    frames.flatMap { frame in (0..<2).map { CounterSignal.value(frame: frame, channel: $0) } }
  }

  @Test func aFeedWithoutRateChannelsAndFramesHasOneOfEach() {
    let feed = PlaybackFeed(PlaybackFormat(sampleRate: 0, channelCount: -1), frameCapacity: 0)
    #expect(feed.format == PlaybackFormat(sampleRate: 1, channelCount: 1))
    #expect(feed.freeFrameCount >= 1)
  }

  @Test func theSilentOutputPlaysInRealTime() throws {
    let system = try DeviceSystems.system(.synthetic, for: .playback)
    #expect(try system.devices(for: .playback).map(\.id) == ["null"])
    #expect(!DeviceSystems.all.contains(where: { $0.backend == .synthetic }))
    #expect(throws: DeviceError.unknownDevice(id: "loud", backend: .synthetic)) {
      try system.makeTarget(PlaybackRequest(device: .pinned(id: "loud")))
    }
    let target = try system.makeTarget(
      PlaybackRequest(device: .pinned(id: "null"), latency: .milliseconds(20)))
    #expect(target.device?.id == "null" && target.device?.isDefault == true)
    let format = try target.preferredFormat()
    #expect(format.sampleRate == 48_000 && format.channelCount == 2)
    let feed = PlaybackFeed(format, frameCapacity: 8192)
    let signal = Self.signal(0..<4800)
    #expect(feed.write(array: signal) == 4800)
    feed.pauseWriting()
    let start = System.nanoseconds
    try target.start(feed)
    #expect(throws: DeviceError.self) { try target.start(feed) }
    #expect(eventually { feed.playedFrame(at: System.nanoseconds) == 4800 })
    // The last block is read after 90 ms, and audible 20 ms later.
    #expect(System.nanoseconds - start >= 119 * Self.millisecond)
    #expect(feed.underrunCount == 0)
    target.stop()
    target.stop()
    feed.resumeWriting()
    try target.start(feed)
    target.stop()
  }
}
