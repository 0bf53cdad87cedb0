import AacornDevices
import AacornSignal
import AacornSystem
import SoundRigs
import Testing

/// Playback on real servers, one per test: the monitor of an output delivers the played frames.
@Suite(.serialized, .tags(.smoke))
struct PulseAudioPlaybackTests {
  private static func target(
    _ server: PulseServer, pinned id: String? = nil, latency: Duration = .milliseconds(200)
  ) throws -> PulseAudioTarget {
    let choice = id.map { PlaybackRequest.DeviceChoice.pinned(id: $0) } ?? .followingDefault
    return try PulseAudioTarget(
      PlaybackRequest(device: choice, latency: latency), server: server.address)
  }

  private static func monitor(_ server: PulseServer, of sink: String) throws -> PulseAudioSource {
    try PulseAudioSource(
      CaptureRequest(device: .pinned(id: "\(sink).monitor")), server: server.address)
  }

  /// A feed with room for most of a minute that contains the numbered frames.
  private static func feed(_ frames: Range<Int> = 1..<1_440_001) -> PlaybackFeed {
    let feed = PlaybackFeed(
      PlaybackFormat(sampleRate: 48_000, channelCount: 2), frameCapacity: 1 << 21)
    write(frames, into: feed)
    return feed
  }

  private static func write(_ frames: Range<Int>, into feed: PlaybackFeed) {
    var samples: [Float] = []
    samples.reserveCapacity(2 * frames.count)
    for frame in frames {
      samples.append(Float(PulseAudioRun.counter(frame, 0)) * 0x1p-15)
      samples.append(Float(PulseAudioRun.counter(frame, 1)) * 0x1p-15)
    }
    #expect(feed.write(array: samples) == frames.count)
  }

  /// Reads events until one is `event`; returns whether it arrived.
  private static func receives(
    _ event: PlaybackEvent, from feed: PlaybackFeed, _ events: inout [PlaybackEvent]
  ) -> Bool {
    eventually {
      while let next = feed.nextEvent() { events.append(next) }
      return events.contains(event)
    }
  }

  /// Whether numbered frames arrive from a monitor.
  private static func isAudible(_ server: PulseServer, on sink: String) throws -> Bool {
    var run = PulseAudioRun()
    let source = try monitor(server, of: sink)
    try source.start(run.sink)
    defer { source.stop() }
    return run.read { $0.hasReached(1) }
  }

  @Test func pulseTargetPlaysEveryFrameOnceInOrder() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker", format: "float32le")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.monitor(server, of: "speaker")
    try source.start(run.sink)
    defer { source.stop() }
    let frames = 1..<48_001
    let feed = Self.feed(frames)
    feed.pauseWriting()
    let target = try Self.target(server)
    try target.start(feed)
    defer { target.stop() }
    #expect(target.device?.id == "speaker" && target.device?.isDefault == true)
    #expect(run.read { $0.hasReached(48_000) })
    source.stop()
    run.readRest()
    let captured = run.counters()
    #expect(captured.filter { $0 != 0 } == Array(frames))
    // If the machine delayed the target's thread, silence was inserted.
    if feed.underrunCount == 0, let start = captured.firstIndex(of: 1) {
      #expect(Array(captured[start...].prefix(frames.count)) == Array(frames))
    } else {
      print("The server ran out of samples \(feed.underrunCount) times.")
    }
    #expect(eventually { feed.playedFrame(at: System.nanoseconds) == 48_000 })
    #expect(feed.nextEvent() == nil && feed.missingFrameCount == 0)
  }

  @Test func samplesAreTransferredExactly() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker", format: "float32le")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.monitor(server, of: "speaker")
    try source.start(run.sink)
    defer { source.stop() }
    let samples = (1...24_000).flatMap { [Float($0) * 0x1p-22, Float(-$0) / 24_001] }
    let feed = PlaybackFeed(
      PlaybackFormat(sampleRate: 48_000, channelCount: 2), frameCapacity: 24_000)
    #expect(feed.write(array: samples) == 24_000)
    feed.pauseWriting()
    let target = try Self.target(server)
    try target.start(feed)
    defer { target.stop() }
    let last = try #require(samples.last)
    #expect(run.read { $0.samples.suffix(9600).contains(last) })
    #expect(run.samples.filter { $0 != 0 } == samples)
  }

  @Test func channelsAreMappedToTheSinkLayout() throws {
    // An order that differs from the order in files.
    let map = "front-left,front-right,rear-left,rear-right,front-center,lfe"
    let server = try PulseServer(modules: [
      PulseServer.nullSink("cinema", channels: 6, format: "float32le", map: map)
    ])
    defer { server.stop() }
    let target = try Self.target(server, pinned: "cinema")
    let format = try target.preferredFormat()
    #expect(format.sampleRate == 48_000 && format.channelCount == 6)
    #expect(format.layout == ChannelLayout.standard(channelCount: 6))
    var run = PulseAudioRun()
    let source = try Self.monitor(server, of: "cinema")
    try source.start(run.sink)
    defer { source.stop() }
    let samples = (0..<12_000).flatMap { frame in
      (1...6).map { Float($0 * 1000 + frame % 1000) * 0x1p-15 }
    }
    let feed = PlaybackFeed(format, frameCapacity: 12_000)
    #expect(feed.write(array: samples) == 12_000)
    feed.pauseWriting()
    try target.start(feed)
    defer { target.stop() }
    #expect(run.read { $0.samples.count(where: { $0 != 0 }) >= samples.count })
    #expect(run.samples.filter { $0 != 0 } == samples)
  }

  @Test func monoPlaysOnBothChannels() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker", format: "float32le")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.monitor(server, of: "speaker")
    try source.start(run.sink)
    defer { source.stop() }
    let samples = (1...12_000).map { Float($0) * 0x1p-15 }
    let feed = PlaybackFeed(
      PlaybackFormat(
        sampleRate: 48_000, channelCount: 1, layout: ChannelLayout.standard(channelCount: 1)),
      frameCapacity: 12_000)
    #expect(feed.write(array: samples) == 12_000)
    feed.pauseWriting()
    let target = try Self.target(server)
    try target.start(feed)
    defer { target.stop() }
    #expect(run.read { $0.samples.suffix(9600).contains(12_000 * 0x1p-15) })
    #expect(run.samples.filter { $0 != 0 } == samples.flatMap { [$0, $0] })
  }

  @Test func playedFrameIsKnownDuringPlayback() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker", format: "float32le")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.monitor(server, of: "speaker")
    try source.start(run.sink)
    defer { source.stop() }
    let feed = Self.feed()
    let target = try Self.target(server, latency: .milliseconds(40))
    try target.start(feed)
    defer { target.stop() }
    #expect(run.read { $0.hasReached(48_000) && $0.blocks.last?.isTimeReliable == true })
    let block = try #require(run.blocks.last)
    var last = run
    last.samples = Array(run.samples.suffix(2 * block.frameCount))
    let frame = try #require(last.counters().first { $0 != 0 }) - 1
    let playedFrame = try #require(feed.playedFrame(at: block.time))
    let ahead = feed.consumedFrameCount - (feed.playedFrame(at: System.nanoseconds) ?? 0)
    print(
      "Of 40 ms asked for, \(ahead / 48) ms were taken and not heard, with "
        + "\(feed.underrunCount) underruns; the monitor's time differs by \((playedFrame - frame) / 48) ms."
    )
    // The accuracy depends on the machine, but no machine is off by a second.
    #expect(abs(playedFrame - frame) < 48_000)
    #expect(ahead >= 0 && ahead < 96_000)
    target.stop()
    let taken = feed.consumedFrameCount
    #expect(feed.playedFrame(at: .max) == taken && feed.waitingFrameCount > 0)
  }

  @Test func missingSamplesAreSilenceAndCounted() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker", format: "float32le")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.monitor(server, of: "speaker")
    try source.start(run.sink)
    defer { source.stop() }
    let feed = Self.feed(1..<4801)
    let target = try Self.target(server)
    try target.start(feed)
    defer { target.stop() }
    #expect(eventually { feed.missingFrameCount > 0 })
    Self.write(4801..<9601, into: feed)
    #expect(run.read { $0.hasReached(9600) })
    #expect(feed.underrunCount > 0)
    #expect(run.counters().filter { $0 != 0 } == Array(1..<9601))
  }

  @Test func aPauseIsSilentAndLosesNothing() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker", format: "float32le")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.monitor(server, of: "speaker")
    try source.start(run.sink)
    defer { source.stop() }
    let feed = Self.feed(1..<48_001)
    feed.pauseWriting()
    let target = try Self.target(server)
    try target.start(feed)
    defer { target.stop() }
    #expect(run.read { $0.hasReached(1) })
    feed.isPaused = true
    // All frames in the server's buffer are played.
    #expect(run.read { run in run.hasReached(1) == false })
    let taken = feed.consumedFrameCount
    #expect(eventually { feed.playedFrame(at: System.nanoseconds) == taken })
    feed.isPaused = false
    #expect(run.read { $0.hasReached(48_000) })
    #expect(run.counters().filter { $0 != 0 } == Array(1..<48_001))
  }

  @Test func theDefaultDeviceIsFollowed() throws {
    let server = try PulseServer(modules: [
      PulseServer.nullSink("one"), PulseServer.nullSink("two"),
    ])
    defer { server.stop() }
    try server.control("set-default-sink", "one")
    let feed = Self.feed()
    let target = try Self.target(server)
    try target.start(feed)
    defer { target.stop() }
    #expect(target.device?.id == "one")
    #expect(try Self.isAudible(server, on: "one"))
    try server.control("set-default-sink", "two")
    var events: [PlaybackEvent] = []
    #expect(Self.receives(.deviceChanged, from: feed, &events))
    #expect(eventually { target.device?.id == "two" })
    let taken = feed.consumedFrameCount
    #expect(eventually { feed.consumedFrameCount > taken + 4800 })
    #expect(events == [.deviceChanged])
  }

  @Test func theLastDeviceMayGoAndAnotherComeInstead() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("spare")])
    defer { server.stop() }
    let first = try server.load(PulseServer.nullSink("first"))
    try server.control("set-default-sink", "first")
    let feed = Self.feed()
    let target = try Self.target(server)
    try target.start(feed)
    defer { target.stop() }
    #expect(target.device?.id == "first")
    // The server moves the stream to another sink if one exists.
    try server.unload(first)
    var events: [PlaybackEvent] = []
    #expect(Self.receives(.deviceChanged, from: feed, &events))
    #expect(eventually { target.device?.id == "spare" })
    try server.control("unload-module", "module-null-sink")
    #expect(Self.receives(.deviceLost, from: feed, &events))
    try server.load(PulseServer.nullSink("second", rate: 44_100, channels: 1))
    #expect(Self.receives(.deviceReturned, from: feed, &events))
    #expect(events == [.deviceChanged, .deviceLost, .deviceReturned])
    #expect(target.device?.id == "second")
    let taken = feed.consumedFrameCount
    #expect(eventually { feed.consumedFrameCount > taken + 4800 })
  }

  @Test func aPinnedDeviceIsWaitedFor() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("other")])
    defer { server.stop() }
    let module = try server.load(PulseServer.nullSink("chosen"))
    let feed = Self.feed()
    let target = try Self.target(server, pinned: "chosen")
    try target.start(feed)
    defer { target.stop() }
    #expect(try Self.isAudible(server, on: "chosen"))
    try server.unload(module)
    var events: [PlaybackEvent] = []
    #expect(Self.receives(.deviceLost, from: feed, &events))
    let taken = feed.consumedFrameCount
    // The stream does not move to another sink.
    try server.control("info")
    #expect(feed.consumedFrameCount == taken)
    try server.load(PulseServer.nullSink("chosen"))
    #expect(Self.receives(.deviceReturned, from: feed, &events))
    #expect(try Self.isAudible(server, on: "chosen"))
    #expect(events == [.deviceLost, .deviceReturned])
    #expect(target.device?.id == "chosen" && feed.consumedFrameCount > taken)
  }

  @Test func aServerMayCrashAndComeBack() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    let feed = Self.feed()
    let target = try Self.target(server)
    try target.start(feed)
    defer { target.stop() }
    #expect(try Self.isAudible(server, on: "speaker"))
    server.kill()
    var events: [PlaybackEvent] = []
    #expect(Self.receives(.deviceLost, from: feed, &events))
    let taken = feed.consumedFrameCount
    try server.restart()
    #expect(Self.receives(.deviceReturned, from: feed, &events))
    #expect(try Self.isAudible(server, on: "speaker"))
    #expect(events == [.deviceLost, .deviceReturned])
    #expect(feed.consumedFrameCount > taken)
  }

  @Test func suspendedSinkIsReported() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    let feed = Self.feed()
    let target = try Self.target(server)
    try target.start(feed)
    defer { target.stop() }
    #expect(eventually { feed.consumedFrameCount > 24_000 })
    try server.suspendSink("speaker", true)
    var events: [PlaybackEvent] = []
    #expect(Self.receives(.suspended, from: feed, &events))
    try server.suspendSink("speaker", false)
    #expect(Self.receives(.resumed, from: feed, &events))
    let taken = feed.consumedFrameCount
    #expect(eventually { feed.consumedFrameCount > taken + 24_000 })
    #expect(events == [.suspended, .resumed])
  }

  @Test func aTargetThatPlaysRefusesToStart() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    let target = try Self.target(server, pinned: "speaker")
    let feed = Self.feed()
    try target.start(feed)
    defer { target.stop() }
    #expect(throws: PlaybackError.alreadyRunning(id: "speaker")) {
      try target.start(Self.feed(1..<100))
    }
    let before = feed.waitingFrameCount
    #expect(eventually { feed.waitingFrameCount < before }, "It plays on.")
  }

  @Test func stopReturnsPromptlyWhenServerHangs() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    let feed = Self.feed()
    let target = try Self.target(server)
    try target.start(feed)
    #expect(throws: PlaybackError.self) { try target.start(feed) }
    #expect(eventually { feed.consumedFrameCount > 24_000 })
    server.freeze()
    defer { server.thaw() }
    let before = System.seconds
    target.stop()
    target.stop()
    #expect(System.seconds - before < promptSeconds)
    server.thaw()
    // The target can be restarted, and continues with the next frames.
    let taken = feed.consumedFrameCount
    try target.start(feed)
    #expect(eventually { feed.consumedFrameCount > taken })
    server.kill()
    var events: [PlaybackEvent] = []
    #expect(Self.receives(.deviceLost, from: feed, &events))
    target.stop()
    #expect(System.seconds - before < promptSeconds)
  }
}
