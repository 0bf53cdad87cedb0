import AacornSystem
import Foundation
import SoundRigs
import Testing

@testable import AacornDevices

/// The main ways of capture and playback, with real servers.
///
/// Simulated servers test the rest exactly, see `SimulatedPulse`.
@Suite(.serialized, .tags(.smoke)) struct PulseAudioSmokeTests {
  /// A capture from a server, with all of its events.
  private final class Run {
    let source: PulseAudioSource
    private let sink = CaptureSink(sampleCapacity: 1 << 22)
    private(set) var events: [DeviceEvent] = []
    /// The numbers of the frames, without silence.
    ///
    /// The left channel has the low 16 bits of a number, the right one the high bits.
    private(set) var numbers: [Int] = []
    private(set) var blockCount = 0
    private(set) var peak: Float = 0

    init(_ server: PulseServer, _ request: CaptureRequest = CaptureRequest()) throws {
      source = try PulseAudioSource(request, server: server.address)
      try source.start(sink)
    }

    deinit { source.stop() }

    /// Reads until `isDone` returns true; returns false on timeout.
    func read(until isDone: (Run) -> Bool) -> Bool {
      let deadline = System.seconds + TestTimeout.seconds
      while !isDone(self) {
        if System.seconds > deadline { return false }
        var samples: [Float] = []
        guard let block = sink.read(into: &samples, milliseconds: 20) else { continue }
        if let event = block.event { events.append(event) } else { blockCount += 1 }
        for index in stride(from: 0, to: samples.count - 1, by: 2) where samples[index] != 0 {
          let low = Int(UInt16(bitPattern: Int16(samples[index] * 32768)))
          numbers.append(low | Int(samples[index + 1] * 32768) << 16)
          peak = max(peak, samples[index])
        }
      }
      return true
    }

    /// Reads another 100 blocks; returns false on timeout.
    func readOn() -> Bool {
      let count = blockCount
      return read { $0.blockCount > count + 100 }
    }
  }

  private static func sample(_ frame: Int, _ channel: Int) -> Int16 {
    Int16(truncatingIfNeeded: channel == 0 ? frame : frame >> 16)
  }

  @Test func aMicrophoneIsCaptured() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    let run = try Run(server, CaptureRequest(device: .pinned(id: "mic")))
    #expect(run.source.device?.id == "mic")
    try PulseServer.feed(server.pipe(of: "mic"), frames: 1..<60_001, Self.sample)
    #expect(run.read { $0.numbers.last == 60_000 })
    // The pipe source inserts silence when its writer is late.
    #expect(run.numbers == Array(1..<60_001))
    #expect(run.events.isEmpty)
  }

  @Test func playedFramesComeFromTheMonitorOfTheOutput() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker", format: "float32le")])
    defer { server.stop() }
    let run = try Run(server)
    #expect(run.source.device?.id == "speaker.monitor" && run.source.device?.isMonitor == true)
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
    let run = try Run(server)
    try server.setDefaultSource("two.monitor")
    #expect(run.read { $0.events == [.deviceChanged] })
    #expect(run.source.device?.id == "two.monitor")
    #expect(run.readOn())
    #expect(changes.wait(milliseconds: TestTimeout.milliseconds))
    let devices = try PulseAudioSystem.devices(for: .capture, server: server.address)
    #expect(devices.map(\.id) == ["two.monitor", "one.monitor"])
  }

  @Test func anUnpluggedDeviceIsWaitedFor() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("other")])
    defer { server.stop() }
    let module = try server.load(PulseServer.nullSink("chosen"))
    let run = try Run(server, CaptureRequest(device: .pinned(id: "chosen.monitor")))
    #expect(run.readOn())
    try server.unload(module)
    #expect(run.read { $0.events == [.deviceLost] })
    try server.load(PulseServer.nullSink("chosen"))
    #expect(run.read { $0.events == [.deviceLost, .deviceReturned] })
    #expect(run.readOn())
  }

  @Test func aServerMayCrashAndComeBack() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker")])
    defer { server.stop() }
    let run = try Run(server)
    let feed = PlaybackFeed(
      PlaybackFormat(sampleRate: 48_000, channelCount: 2), frameCapacity: 1 << 12)
    let target = try PulseAudioTarget(PlaybackRequest(), server: server.address)
    try target.start(feed)
    defer { target.stop() }
    #expect(run.readOn())
    server.kill()
    #expect(run.read { $0.events == [.deviceLost] })
    try server.restart()
    #expect(run.read { $0.events == [.deviceLost, .deviceReturned] })
    #expect(run.readOn())
    var events: [DeviceEvent] = []
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
    let run = try Run(server, CaptureRequest(isVoiceProcessed: true))
    #expect(try moduleCount() == 1)
    #expect(run.source.device?.id.hasPrefix("aacorn_voice_") == true)
    try PulseServer.feed(server.pipe(of: "mic"), frames: 0..<24_000) { frame, _ in
      Int16(8000 * sin(Double(frame) * 0.05))
    }
    #expect(run.read { $0.peak > 0.01 })
    run.source.stop()
    // The stop does not wait forever for a busy server, so the module may be removed later.
    #expect(eventually { (try? moduleCount()) == 0 })
  }

  @Test func callbacksComeInTheOrderOfTheSimulation() throws {
    let server = try PulseServer()
    defer { server.stop() }
    var modules = try ["one", "two"].map { try server.load(PulseServer.nullSink($0)) }
    let order = try PulseTrace.record(
      PulseLibrary(),
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
