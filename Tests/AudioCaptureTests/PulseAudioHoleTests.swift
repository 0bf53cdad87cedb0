import CPulseAudio
import SoundRigs
import Synchronization
import Testing

@testable import AudioCapture

/// How often the library's `peek` has delivered something.
private let peekCount = Atomic<Int>(0)

/// Holes, which no server makes on demand: the library is told to pass off pieces as such.
@Suite(.serialized)
struct PulseAudioHoleTests {
  @Test func aHoleIsCountedToTheFrameBeforeTheNextBlock() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    var functions = try #require(unsafe cpulse_get_functions()?.pointee)
    unsafe functions.stream_peek = { stream, data, size in
      guard let real = unsafe cpulse_get_functions() else { return -1 }
      let result = unsafe real.pointee.stream_peek(stream, data, size)
      if result >= 0, let size = unsafe size, unsafe size.pointee > 0 {
        let count = peekCount.wrappingAdd(1, ordering: .relaxed).newValue
        if count == 20 || count == 21 || count == 40 { unsafe data?.pointee = nil }
      }
      return result
    }
    let table = UnsafeMutablePointer<cpulse_functions>.allocate(capacity: 1)
    unsafe table.initialize(to: functions)
    defer { unsafe table.deallocate() }

    var run = PulseAudioRun()
    let source = unsafe PulseAudioSource(
      CaptureRequest(device: .pinned(id: "mic")), server: server.address,
      PulseLibrary(functions: table))
    try source.start(run.sink)
    let frames = 1..<48_001
    try PulseServer.feed(server.pipe(of: "mic"), frames: frames, PulseAudioRun.counter)
    source.stop()
    run.readRest()

    let lossy = run.blocks.filter { $0.lostFrameCount > 0 }
    #expect(lossy.count == 2)
    #expect(lossy.allSatisfy { $0.lossCause == .serverHole })
    let counters = run.counters().filter { $0 != 0 }
    let missing = Set(frames).subtracting(counters).count
    #expect(missing > 0)
    #expect(missing == lossy.map(\.lostFrameCount).reduce(0, +))
    // The time goes on over a hole.
    for (block, next) in zip(run.blocks, run.blocks.dropFirst()) where next.lostFrameCount > 0 {
      let frames = Int64(block.frameCount + next.lostFrameCount)
      let expected = block.time + frames * 1_000_000_000 / 48000
      #expect(abs(next.time - expected) < 20_000_000)
    }
  }
}
