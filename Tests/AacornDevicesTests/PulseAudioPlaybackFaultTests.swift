import AacornSystem
import CAacornPulseAudio
import SoundRigs
import Testing

@testable import AacornDevices

/// The number of calls of the replaced function, global because a C function captures no variables.
private let writeCount = Atomic<Int>(0)

/// Faults that no server produces on demand: a replacement of a library function simulates them.
@Suite(.serialized, .tags(.smoke))
struct PulseAudioPlaybackFaultTests {
  /// Returns a library that stalls for 1.2 s before the tenth write, and is never freed.
  private static func slowLibrary() throws -> PulseLibrary {
    var functions = try #require(unsafe aacorn_pulse_get_functions()?.pointee)
    unsafe functions.stream_begin_write = { stream, data, size in
      guard let real = unsafe aacorn_pulse_get_functions() else { return -1 }
      if writeCount.add(1) + 1 == 10 {
        System.sleep(milliseconds: 1200)
      }
      return unsafe real.pointee.stream_begin_write(stream, data, size)
    }
    let table = UnsafeMutablePointer<aacorn_pulse_functions>.allocate(capacity: 1)
    unsafe table.initialize(to: functions)
    return unsafe PulseLibrary(functions: table)
  }

  @Test func aLateThreadIsCountedAndLosesNothing() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker", format: "float32le")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try PulseAudioSource(
      CaptureRequest(device: .pinned(id: "speaker.monitor")), server: server.address)
    try source.start(run.sink)
    defer { source.stop() }
    let frames = 1..<48_001
    let feed = PlaybackFeed(
      PlaybackFormat(sampleRate: 48_000, channelCount: 2), frameCapacity: 65_536)
    let samples = PulseAudioRun.counterSignal(frames).map { Float($0) * 0x1p-15 }
    #expect(feed.write(array: samples) == frames.count)
    feed.pauseWriting()
    let target = PulseAudioTarget(
      PlaybackRequest(latency: .milliseconds(200)), server: server.address,
      try Self.slowLibrary())
    try target.start(feed)
    defer { target.stop() }
    #expect(run.read { $0.hasReached(48_000) })
    #expect(run.counters().filter { $0 != 0 } == Array(frames))
    #expect(feed.underrunCount > 0)
    // The feed had all the frames; the thread was late.
    #expect(feed.missingFrameCount == 0)
    #expect(eventually { feed.playedFrame(at: System.nanoseconds) == 48_000 })
  }
}
