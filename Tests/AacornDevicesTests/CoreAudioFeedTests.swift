import Testing

@testable import AacornDevices

@Suite struct CoreAudioFeedTests {
  private let sink = CaptureSink()
  private let gate = DeviceGate()

  private func makeFeed(_ events: [DeviceEvent] = []) throws -> CoreAudioFeed {
    let format = CoreAudioFormat(
      hardwareRate: 48_000, hardwareChannelCount: 2, wantedChannelCount: nil,
      isVoiceProcessed: false)
    return CoreAudioFeed(try #require(format), sink: sink, gate: gate, events: events)
  }

  private func give(
    _ feed: CoreAudioFeed, frameCount: Int, of wanted: Int? = nil, count: Double? = nil,
    time: Int64? = nil
  ) {
    let samples = (0..<frameCount * 2).map { Float($0) / 1024 }
    unsafe samples.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe feed.take(
        start, frameCount: frameCount, of: wanted ?? frameCount, count: count, time: time)
    }
  }

  private func read() -> (block: CaptureBlock, samples: [Float])? {
    var samples: [Float] = []
    guard let block = sink.read(into: &samples, milliseconds: 0) else { return nil }
    return (block, samples)
  }

  @Test func aBlockArrivesWithItsSamplesAndItsTime() throws {
    let feed = try makeFeed()
    give(feed, frameCount: 3, count: 0, time: 77)
    let (block, samples) = try #require(read())
    #expect(samples == [0, 1, 2, 3, 4, 5].map { $0 / 1024 })
    #expect((block.frameCount, block.channelCount, block.sampleRate) == (3, 2, 48_000))
    #expect(block.time == 77)
    #expect(block.isTimeReliable)
    #expect(feed.hasDelivered)
  }

  @Test func blockWithoutHostTimeIsUnreliable() throws {
    let feed = try makeFeed()
    give(feed, frameCount: 480)
    #expect(read()?.block.isTimeReliable == false)
  }

  @Test func aShortBlockBringsOnlyWhatIsThere() throws {
    let feed = try makeFeed()
    give(feed, frameCount: 500, of: 512, count: 0, time: 1_000_000_000)
    give(feed, frameCount: 512, count: 512, time: 1_000_000_000 + 512 * 1_000_000_000 / 48_000)
    #expect(read()?.samples.count == 1000)
    let second = try #require(read())
    #expect(second.block.lostFrameCount == 12)
    #expect(second.block.lossCause == .overrun)
    // Also for a device without a sample counter.
    give(feed, frameCount: 500, of: 512)
    give(feed, frameCount: 512)
    #expect(read()?.block.lostFrameCount == 0)
    #expect(read()?.block.lostFrameCount == 12)
  }

  @Test func unrenderedBlocksAreReportedAsLossOnce() throws {
    let feed = try makeFeed()
    feed.fail(frameCount: 512, status: CoreAudioStatus(-10_863))
    feed.recordOversizedBlock(frameCount: 9000)
    #expect(!feed.hasDelivered)
    #expect(feed.neededFrameCount == 9000)
    #expect(feed.failure == CoreAudioStatus(-10_863))
    give(feed, frameCount: 512, time: 1_000_000_000)
    #expect(read()?.block.lostFrameCount == 9512)
    give(feed, frameCount: 512, time: 1_010_666_666)
    #expect(read()?.block.lostFrameCount == 0)
  }

  @Test func nothingPassesAShutGate() throws {
    let feed = try makeFeed([.resumed])
    gate.close()
    give(feed, frameCount: 10, time: 5)
    #expect(read() == nil)
    #expect(!feed.hasDelivered)
  }
}
