import AacornSystem
import Foundation
import SoundRigs
import Testing

@testable import AacornDevices

/// The main ways of capture and playback, with real servers.
///
/// Simulated servers test the rest exactly, see `SimulatedPulse`.
@Suite(.serialized, .tags(.smoke)) struct PulseAudioSmokeTests {
  /// The blocks and events of a source.
  private struct Run {
    let sink = CaptureSink(sampleCapacity: 1 << 22)
    var events: [CaptureEvent] = []
    /// The numbers of the frames, without silence.
    ///
    /// The left channel has the low 16 bits of a number, the right one the high bits.
    var numbers: [Int] = []
    var blockCount = 0
    var peak: Float = 0

    /// Reads until `isDone` returns true; returns false on timeout.
    mutating func read(until isDone: (Run) -> Bool) -> Bool {
      let deadline = System.seconds + TestTimeout.seconds
      while !isDone(self) {
        if System.seconds > deadline { return false }
        var samples: [Float] = []
        guard let block = sink.read(into: &samples, milliseconds: 20) else { continue }
        if block.event == .samples { blockCount += 1 } else { events.append(block.event) }
        for index in stride(from: 0, to: samples.count - 1, by: 2) where samples[index] != 0 {
          let low = Int(UInt16(bitPattern: Int16(samples[index] * 32768)))
          numbers.append(low | Int(samples[index + 1] * 32768) << 16)
          peak = max(peak, samples[index])
        }
      }
      return true
    }
  }

  private static func source(
    _ server: PulseServer, pinned id: String? = nil, isVoiceProcessed: Bool = false
  ) throws -> PulseAudioSource {
    let choice = id.map { CaptureRequest.DeviceChoice.pinned(id: $0) } ?? .followingDefault
    let request = CaptureRequest(device: choice, isVoiceProcessed: isVoiceProcessed)
    return try PulseAudioSource(request, server: server.address)
  }

  private static func sample(_ frame: Int, _ channel: Int) -> Int16 {
    Int16(truncatingIfNeeded: channel == 0 ? frame : frame >> 16)
  }

  @Test func aMicrophoneIsCaptured() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    var run = Run()
    let source = try Self.source(server, pinned: "mic")
    try source.start(run.sink)
    defer { source.stop() }
    #expect(source.device?.id == "mic")
    try PulseServer.feed(server.pipe(of: "mic"), frames: 1..<60_001, Self.sample)
    #expect(run.read { $0.numbers.last == 60_000 })
    // The pipe source inserts silence when its writer is late.
    #expect(run.numbers == Array(1..<60_001))
    #expect(run.events.isEmpty)
  }

  @Test func playedFramesComeFromTheMonitorOfTheOutput() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker", format: "float32le")])
    defer { server.stop() }
    var run = Run()
    let source = try Self.source(server)
    try source.start(run.sink)
    defer { source.stop() }
    #expect(source.device?.id == "speaker.monitor" && source.device?.isMonitor == true)
    let format = PlaybackFormat(sampleRate: 48_000, channelCount: 2)
    let feed = PlaybackFeed(format, frameCapacity: 60_000)
    let samples = (1..<60_001).flatMap { frame in
      (0..<2).map { Float(Self.sample(frame, $0)) * 0x1p-15 }
    }
    #expect(feed.write(array: samples) == 60_000)
    feed.pauseWriting()
    let target = try PulseAudioTarget(PlaybackRequest(), server: server.address)
    try target.start(feed)
    defer { target.stop() }
    #expect(target.device?.id == "speaker")
    #expect(run.read { $0.numbers.last == 60_000 })
    #expect(run.numbers == Array(1..<60_001))
    #expect(eventually { feed.playedFrame(at: System.nanoseconds) == 60_000 })
    #expect(feed.nextEvent() == nil)
  }

  @Test func changesOfTheDefaultDeviceAreFollowed() throws {
    let server = try PulseServer(modules: [
      PulseServer.nullSink("one"), PulseServer.nullSink("two", rate: 44100),
    ])
    defer { server.stop() }
    try server.setDefaultSource("one.monitor")
    let changes = Semaphore()
    let watch = PulseAudioSystem.watchDevices(server: server.address) { changes.signal() }
    #expect(watch != nil)
    var run = Run()
    let source = try Self.source(server)
    try source.start(run.sink)
    defer { source.stop() }
    try server.setDefaultSource("two.monitor")
    #expect(run.read { $0.events == [.deviceChanged] })
    #expect(source.device?.id == "two.monitor")
    let count = run.blockCount
    #expect(run.read { $0.blockCount > count + 100 })
    #expect(changes.wait(milliseconds: TestTimeout.milliseconds))
    let devices = try PulseAudioSystem.devices(server: server.address)
    #expect(devices.map(\.id) == ["two.monitor", "one.monitor"])
  }

  @Test func anUnpluggedDeviceIsWaitedFor() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("other")])
    defer { server.stop() }
    let module = try server.load(PulseServer.nullSink("chosen"))
    var run = Run()
    let source = try Self.source(server, pinned: "chosen.monitor")
    try source.start(run.sink)
    defer { source.stop() }
    #expect(run.read { $0.blockCount > 100 })
    try server.unload(module)
    #expect(run.read { $0.events == [.deviceLost] })
    try server.load(PulseServer.nullSink("chosen"))
    #expect(run.read { $0.events == [.deviceLost, .deviceReturned] })
    let count = run.blockCount
    #expect(run.read { $0.blockCount > count + 100 })
  }

  @Test func aServerMayCrashAndComeBack() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    var run = Run()
    let source = try Self.source(server)
    try source.start(run.sink)
    defer { source.stop() }
    let feed = PlaybackFeed(
      PlaybackFormat(sampleRate: 48_000, channelCount: 2), frameCapacity: 1 << 12)
    let target = try PulseAudioTarget(PlaybackRequest(), server: server.address)
    try target.start(feed)
    defer { target.stop() }
    #expect(run.read { $0.blockCount > 100 })
    server.kill()
    #expect(run.read { $0.events == [.deviceLost] })
    try server.restart()
    #expect(run.read { $0.events == [.deviceLost, .deviceReturned] })
    let count = run.blockCount
    #expect(run.read { $0.blockCount > count + 100 })
    var events: [PlaybackEvent] = []
    #expect(
      eventually {
        while let event = feed.nextEvent() { events.append(event) }
        return events == [.deviceLost, .deviceReturned]
      })
  }

  @Test func theEchoCancelerIsLoadedAndUnloaded() throws {
    let server = try PulseServer(modules: [
      PulseServer.nullSink("speaker"), PulseServer.pipeSource("mic"),
    ])
    defer { server.stop() }
    try server.setDefaultSource("mic")
    func moduleCount() throws -> Int {
      let list = try server.control("list", "short", "modules")
      return list.components(separatedBy: "module-echo-cancel").count - 1
    }
    var run = Run()
    let source = try Self.source(server, isVoiceProcessed: true)
    try source.start(run.sink)
    #expect(try moduleCount() == 1)
    #expect(source.device?.id.hasPrefix("aacorn_voice_") == true)
    try PulseServer.feed(server.pipe(of: "mic"), frames: 0..<24_000) { frame, _ in
      Int16(8000 * sin(Double(frame) * 0.05))
    }
    #expect(run.read { $0.peak > 0.01 })
    source.stop()
    // The stop does not wait forever for a busy server, so the module may be removed later.
    #expect(eventually { (try? moduleCount()) == 0 })
  }

  @Test func callbacksComeInTheOrderOfTheSimulation() throws {
    let server = try PulseServer()
    defer { server.stop() }
    var modules = try ["one", "two"].map { try server.load(PulseServer.nullSink($0)) }
    let order = try PulseTrace.record(
      .load(),
      PulseTrace.Server(
        address: server.address,
        suspend: { try server.control("suspend-sink", "one", $0 ? "1" : "0") },
        makeTwoDefault: { try server.setDefaultSource("two.monitor") },
        unplugBoth: {
          for module in modules { try server.unload(module) }
          modules = []
        },
        plugInOne: { try server.load(PulseServer.nullSink("one")) }, kill: { server.kill() }))
    #expect(order == PulseTrace.expected)
  }
}
