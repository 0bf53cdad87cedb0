import AacornDevices
import AacornSystem
import Foundation
import SoundRigs
import Testing

/// Capture from real servers, one per test.
@Suite(.serialized, .tags(.smoke))
struct PulseAudioTests {
  private static func source(
    _ server: PulseServer, pinned id: String? = nil, rate: Int? = nil, channels: Int? = nil
  ) throws -> PulseAudioSource {
    let choice = id.map { CaptureRequest.DeviceChoice.pinned(id: $0) } ?? .followingDefault
    return try PulseAudioSource(
      CaptureRequest(device: choice, sampleRate: rate, channelCount: channels),
      server: server.address)
  }

  @Test func pulseSourceDeliversEverySampleOnceInOrder() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.source(server, pinned: "mic")
    try source.start(run.sink)
    defer { source.stop() }
    #expect(source.device?.id == "mic")
    let frames = 1..<72_001
    try PulseServer.feed(server.pipe(of: "mic"), frames: frames, PulseAudioRun.counter)
    // The last written frames may still be in transit through the server.
    #expect(run.read { $0.hasReached(frames.upperBound - 1) })
    source.stop()
    run.readRest()
    // The pipe source inserts silence when its writer is late.
    #expect(run.counters().filter { $0 != 0 } == Array(frames))
    #expect(run.blocks.allSatisfy { $0.channelCount == 2 && $0.sampleRate == 48000 })
    #expect(run.blocks.allSatisfy { $0.lostFrameCount == 0 })
    #expect(run.events.isEmpty)
  }

  @Test func timesAdvanceWithTheSamplesAndAgreeWithTheClock() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("quiet")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.source(server)
    let start = System.nanoseconds
    try source.start(run.sink)
    defer { source.stop() }
    // Two seconds of blocks with reliable times, regardless of the number of unreliable ones.
    #expect(run.read { $0.blocks.count(where: \.isTimeReliable) >= 200 })
    let stop = System.nanoseconds
    source.stop()
    run.readRest()

    let blocks = run.blocks.filter(\.isTimeReliable)
    #expect(zip(blocks, blocks.dropFirst()).allSatisfy { $0.time < $1.time })
    let first = try #require(blocks.first)
    var frames = 0
    var errors: [Int64] = []
    for block in run.blocks.drop(while: { !$0.isTimeReliable }) {
      let expected = first.time + Int64(frames) * 1_000_000_000 / 48000
      if block.isTimeReliable { errors.append(abs(block.time - expected)) }
      frames += block.frameCount
    }
    // A timer of the server paces a null sink, and is late sometimes on a busy machine.
    let median = try #require(errors.sorted().dropFirst(errors.count / 2).first)
    #expect(median < 20_000_000, "\(median) ns off")
    #expect(first.time > start - 100_000_000)
    let last = try #require(blocks.last)
    let end = last.time + Int64(last.frameCount) * 1_000_000_000 / 48000
    // All frames captured before the stop are there; the monitor has the times of playback.
    #expect(end > stop - 5_000_000, "\(stop - end) ns missing")
    #expect(end < stop + 300_000_000)
  }

  @Test func aMonitorDeliversExactlyWhatIsPlayed() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.source(server)
    try source.start(run.sink)
    defer { source.stop() }
    #expect(source.device?.isMonitor == true)
    #expect(source.device?.isDefault == true)
    let frames = 1..<48_001
    try server.play(PulseAudioRun.counterSignal(frames), into: "speaker")
    source.stop()
    run.readRest()
    #expect(run.counters().filter { $0 != 0 } == Array(frames))
  }

  @Test func aStreamFollowsTheDefaultDevice() throws {
    let server = try PulseServer(modules: [
      PulseServer.nullSink("one"), PulseServer.nullSink("two", rate: 44100),
    ])
    defer { server.stop() }
    try server.setDefaultSource("one.monitor")
    var run = PulseAudioRun()
    let source = try Self.source(server)
    try source.start(run.sink)
    defer { source.stop() }
    #expect(source.device?.id == "one.monitor")
    try server.setDefaultSource("two.monitor")
    #expect(run.read { $0.events.contains(.deviceChanged) })
    // A recorder reads the device name when it receives the event.
    #expect(source.device?.id == "two.monitor")
    let count = run.blocks.count
    #expect(run.read { $0.blocks.count > count + 10 })
    #expect(run.events == [.deviceChanged])
    // The server converts, so the format of the recording does not change.
    #expect(run.blocks.allSatisfy { $0.sampleRate == 48000 })
  }

  @Test func outputMonitorDoesNotReplaceDefaultMicrophone() throws {
    let server = try PulseServer(modules: [
      PulseServer.nullSink("speaker"), PulseServer.nullSink("cable"),
    ])
    defer { server.stop() }
    let microphone = "module-remap-source source_name=mic master=cable.monitor"
    let module = try server.load(microphone)
    try server.setDefaultSource("mic")
    var run = PulseAudioRun()
    let source = try Self.source(server)
    try source.start(run.sink)
    defer { source.stop() }
    #expect(source.device?.id == "mic")
    #expect(run.read { $0.blocks.count > 10 })
    try server.unload(module)
    #expect(run.read { $0.events.contains(.deviceLost) })
    let count = run.blocks.count
    run.watch(seconds: 0.6)
    #expect(run.blocks.count == count)
    #expect(source.device?.id == "mic")
    try server.load(microphone)
    #expect(run.read { $0.blocks.count > count + 10 })
    #expect(run.events == [.deviceLost, .deviceReturned])
    #expect(source.device?.id == "mic")
    // If there is a microphone, only a user can have made a monitor the default source, so it is
    // used.
    try server.setDefaultSource("speaker.monitor")
    #expect(run.read { $0.events.contains(.deviceChanged) })
    #expect(source.device?.id == "speaker.monitor")
  }

  @Test func aPinnedDeviceIsWaitedFor() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("other")])
    defer { server.stop() }
    let module = try server.load(PulseServer.nullSink("chosen"))
    var run = PulseAudioRun()
    let source = try Self.source(server, pinned: "chosen.monitor")
    try source.start(run.sink)
    defer { source.stop() }
    #expect(run.read { $0.blocks.count > 10 })
    try server.unload(module)
    #expect(run.read { $0.events.contains(.deviceLost) })
    let count = run.blocks.count
    run.watch(seconds: 0.6)
    #expect(run.blocks.count == count)
    try server.load(PulseServer.nullSink("chosen"))
    #expect(run.read { $0.blocks.count > count + 10 })
    #expect(run.events == [.deviceLost, .deviceReturned])
    #expect(source.device?.id == "chosen.monitor")
  }

  @Test func theLastDeviceMayGoAndAnotherComeInstead() throws {
    let server = try PulseServer()
    defer { server.stop() }
    let module = try server.load(PulseServer.nullSink("first"))
    var run = PulseAudioRun()
    let source = try Self.source(server)
    try source.start(run.sink)
    defer { source.stop() }
    #expect(run.read { $0.blocks.count > 10 })
    try server.unload(module)
    #expect(run.read { $0.events.contains(.deviceLost) })
    try server.load(PulseServer.nullSink("second", rate: 44100, channels: 1))
    let count = run.blocks.count
    #expect(run.read { $0.blocks.count > count + 10 })
    #expect(run.events == [.deviceLost, .deviceReturned])
    #expect(source.device?.id == "second.monitor")
    #expect(run.blocks.allSatisfy { $0.sampleRate == 48000 && $0.channelCount == 2 })
  }

  @Test func aServerMayCrashAndComeBack() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.source(server)
    try source.start(run.sink)
    defer { source.stop() }
    #expect(run.read { $0.blocks.count > 10 })
    server.kill()
    #expect(run.read { $0.events.contains(.deviceLost) })
    let lastBefore = try #require(run.blocks.last)
    let count = run.blocks.count
    try server.restart()
    #expect(run.read { $0.blocks.count > count + 10 })
    #expect(run.events == [.deviceLost, .deviceReturned])
    #expect(run.blocks[count].time > lastBefore.time)
  }

  @Test func waitingForAServerEndsAtOnceWhenStopped() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.source(server)
    try source.start(run.sink)
    server.kill()
    #expect(run.read { $0.events.contains(.deviceLost) })
    let before = System.seconds
    source.stop()
    #expect(System.seconds - before < promptSeconds)
  }

  @Test func stoppingDoesNotWaitForAServerThatHangs() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.source(server)
    try source.start(run.sink)
    #expect(run.read { $0.blocks.count > 10 })
    server.freeze()
    defer { server.thaw() }
    run.readUntilIdle()
    let before = System.seconds
    source.stop()
    #expect(System.seconds - before < promptSeconds)
    run.readRest()
    let count = run.blocks.count
    server.thaw()
    run.watch(seconds: 0.3)
    #expect(run.blocks.count == count)
  }

  @Test func stalledServerReportsNoLoss() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.source(server)
    try source.start(run.sink)
    defer { source.stop() }
    #expect(run.read { $0.blocks.count > 10 })
    server.freeze()
    // A stalled server gives no signal to wait for; this is the duration of the stall.
    run.watch(seconds: 1.5)
    server.thaw()
    let count = run.blocks.count
    #expect(run.read { $0.blocks.count > count + 20 })
    #expect(run.events.isEmpty)
    let times = run.blocks.filter(\.isTimeReliable).map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func eightChannelsComeInTheOrderOfWAVEFiles() throws {
    // PulseAudio's preferred order differs from the order in files.
    let map = "front-left,front-right,rear-left,rear-right,front-center,lfe,side-left,side-right"
    let server = try PulseServer(modules: [
      PulseServer.nullSink("cinema", channels: 8, map: map)
    ])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.source(server)
    try source.start(run.sink)
    defer { source.stop() }
    let frameCount = 24_000
    func sample(_ frame: Int, _ channel: Int) -> Int16 {
      Int16((channel + 1) * 1000 + frame % 1000)
    }
    let signal = (0..<frameCount).flatMap { frame in (0..<8).map { sample(frame, $0) } }
    try server.play(signal, into: "cinema", channels: 8, map: map)
    source.stop()
    run.readRest()
    #expect(run.blocks.allSatisfy { $0.channelCount == 8 })
    let order = [0, 1, 4, 5, 2, 3, 6, 7]
    // Silence precedes and follows the signal; no sample of the signal is 0.
    let received = run.samples.map { Int16($0 * 32768) }.filter { $0 != 0 }
    let expected = (0..<frameCount).flatMap { frame in order.map { sample(frame, $0) } }
    #expect(received == expected)
  }

  @Test(arguments: [(Int?.none, 44100), (48000, 48000), (44100, 44100)])
  func theRateIsTheDevicesUnlessAskedOtherwise(requestedRate: Int?, rate: Int) throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("disc", rate: 44100)])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.source(server, rate: requestedRate, channels: 1)
    try source.start(run.sink)
    defer { source.stop() }
    #expect(run.read { $0.blocks.count > 30 })
    #expect(run.blocks.allSatisfy { $0.sampleRate == rate && $0.channelCount == 1 })
    // Blocks of about 10 ms, as requested.
    let frames = run.blocks.map(\.frameCount).reduce(0, +)
    #expect(frames / run.blocks.count <= rate / 40)
  }

  @Test(arguments: ["s16le", "s24le", "s32le", "float32le", "s16be", "u8"])
  func samplesOfEveryFormatComeOutRight(format: String) throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker", format: format)])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.source(server)
    try source.start(run.sink)
    defer { source.stop() }
    // Values that 8 bits represent exactly.
    let signal = (0..<12_000).flatMap { frame -> [Int16] in
      let step = Int16(frame / 100 % 100 + 1) * 256
      return [step, -step]
    }
    try server.play(signal, into: "speaker")
    source.stop()
    run.readRest()
    #expect(run.samples.map { Int16($0 * 32768) }.filter { $0 != 0 } == signal)
  }

  @Test func suspendedSourceIsReported() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.source(server)
    try source.start(run.sink)
    defer { source.stop() }
    #expect(run.read { $0.blocks.count > 10 })
    try server.suspendSink("speaker", true)
    #expect(run.read { $0.events.contains(.suspended) })
    // No further event must arrive. A longer wait only detects more.
    run.watch(seconds: 0.5)
    try server.suspendSink("speaker", false)
    let count = run.blocks.count
    #expect(run.read { $0.blocks.count > count + 10 })
    #expect(run.events == [.suspended, .resumed])
    let times = run.blocks.filter(\.isTimeReliable).map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func pulseSourceRejectsSecondStartAndContinues() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    let source = try PulseAudioSource(
      CaptureRequest(device: .pinned(id: "speaker.monitor")), server: server.address)
    var run = PulseAudioRun()
    try source.start(run.sink)
    defer { source.stop() }
    #expect(throws: CaptureError.alreadyRunning(id: "speaker.monitor")) {
      try source.start(CaptureSink())
    }
    #expect(run.read { $0.blocks.count > 20 })
  }

  @Test func aSourceCanBeStartedAgain() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    let source = try Self.source(server)
    for _ in 0..<3 {
      var run = PulseAudioRun()
      try source.start(run.sink)
      #expect(throws: CaptureError.self) { try source.start(run.sink) }
      #expect(run.read { $0.blocks.count > 5 })
      source.stop()
      source.stop()
    }
  }
}
