import AacornSystem
import CAacornPulseAudio
import SoundRigs
import Testing

@testable import AacornDevices

/// The state of the replaced `peek`, global because a C function captures no variables.
private let peekCount = Atomic<Int>(0)
private let framesFed = Atomic<Int>(0)

/// Faults that no server produces on demand: a replacement of the library's `peek` simulates them.
@Suite(.serialized, .tags(.smoke))
struct PulseAudioFaultTests {
  /// Returns a library with another `peek`, which is never freed.
  private static func library(
    peek:
      @escaping @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UnsafeRawPointer?>?, UnsafeMutablePointer<Int>?
      ) -> Int32
  ) throws -> PulseLibrary {
    var functions = try #require(unsafe aacorn_pulse_get_functions()?.pointee)
    unsafe functions.stream_peek = peek
    let table = UnsafeMutablePointer<aacorn_pulse_functions>.allocate(capacity: 1)
    unsafe table.initialize(to: functions)
    peekCount.store(0, ordering: .relaxed)
    framesFed.store(0, ordering: .relaxed)
    return unsafe PulseLibrary(functions: table)
  }

  /// Returns a library that stalls for about a second, from frame 24,000 of the input to frame
  /// 74,000.
  ///
  /// The stall is measured in frames, because the input is also late on a busy machine.
  private static func slowLibrary() throws -> PulseLibrary {
    try unsafe library { stream, data, size in
      guard let real = unsafe aacorn_pulse_get_functions() else { return -1 }
      let result = unsafe real.pointee.stream_peek(stream, data, size)
      if result >= 0, framesFed.load(ordering: .relaxed) >= 24_000, peekCount.add(1) == 0 {
        _ = eventually { framesFed.load(ordering: .relaxed) >= 74_000 }
      }
      return result
    }
  }

  private static func source(
    _ server: PulseServer, _ library: PulseLibrary
  ) -> PulseAudioSource {
    PulseAudioSource(
      CaptureRequest(device: .pinned(id: "mic")), server: server.address, library)
  }

  /// Writes two seconds of the counter, on another thread.
  private static func feed(_ server: PulseServer) throws -> WorkerThread {
    let pipe = server.pipe(of: "mic")
    return try #require(
      WorkerThread {
        try? PulseServer.feed(pipe, frames: 1..<96_001) { frame, channel in
          framesFed.store(frame, ordering: .relaxed)
          return PulseAudioRun.counter(frame, channel)
        }
      })
  }

  @Test func aHoleIsCountedToTheFrameBeforeTheNextBlock() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    let library = try unsafe Self.library { stream, data, size in
      guard let real = unsafe aacorn_pulse_get_functions() else { return -1 }
      let result = unsafe real.pointee.stream_peek(stream, data, size)
      if result >= 0, let size = unsafe size, unsafe size.pointee > 0 {
        let count = peekCount.add(1) + 1
        if (10..<85).contains(count) || count == 100 { unsafe data?.pointee = nil }
      }
      return result
    }
    var run = PulseAudioRun()
    let source = Self.source(server, library)
    try source.start(run.sink)
    let frames = 1..<96_001
    try PulseServer.feed(server.pipe(of: "mic"), frames: frames, PulseAudioRun.counter)
    #expect(run.read { $0.hasReached(96_000) }, "All fed frames arrive.")
    source.stop()
    run.readRest()

    let lossy = run.blocks.filter { $0.lostFrameCount > 0 }
    #expect(lossy.count == 2)
    #expect(lossy.allSatisfy { $0.lossCause == .serverHole })
    let counters = run.counters().filter { $0 != 0 }
    let missing = Set(frames).subtracting(counters).count
    #expect(missing > 0)
    #expect(missing == lossy.map(\.lostFrameCount).reduce(0, +))
    // The times include the gap: otherwise the start of the stream, computed from the time and
    // position of each block, would be earlier by the gap for the blocks after it. The medians are
    // compared, because single blocks may be late. An input that stalls on a busy machine only
    // makes the difference larger.
    let index = try #require(run.blocks.firstIndex { $0.lostFrameCount > 0 })
    let hole = Int64(run.blocks[index].lostFrameCount) * 1_000_000_000 / 48000
    var position = 0
    let beginnings = run.blocks.map { block in
      position += block.lostFrameCount
      defer { position += block.frameCount }
      return block.time - Int64(position) * 1_000_000_000 / 48000
    }
    let before = beginnings[..<index].sorted()
    let after = beginnings[index...].sorted()
    try #require(!before.isEmpty)
    let difference = after[after.count / 2] - before[before.count / 2]
    #expect(hole > 500_000_000 && difference > -hole / 2)
    // Time advances by no more than the gap, because no block has a time in the future.
    let last = try #require(run.blocks.last)
    let end = last.time + Int64(last.frameCount) * 1_000_000_000 / 48000
    #expect(end - System.nanoseconds < hole / 2)
  }

  @Test func programStallLosesNothingAndKeepsTimes() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = Self.source(server, try Self.slowLibrary())
    try source.start(run.sink)
    let feeder = try Self.feed(server)
    feeder.join()
    #expect(run.read { $0.hasReached(96_000) }, "All fed frames arrive.")
    source.stop()
    run.readRest()
    #expect(run.counters().filter { $0 != 0 } == Array(1..<96_001))
    // More than a second of blocks arrived late, with times marked as unreliable.
    let doubtful = run.blocks.filter { !$0.isTimeReliable }.map(\.frameCount).reduce(0, +)
    #expect(doubtful > 40_000)
    #expect(run.blocks.filter(\.isTimeReliable).map(\.frameCount).reduce(0, +) > 20_000)
    for (block, next) in zip(run.blocks, run.blocks.dropFirst()) {
      let end = block.time + Int64(block.frameCount) * 1_000_000_000 / 48000
      // The delay of a busy machine is unknown, but a time distorted by the stall would be off by a
      // second.
      #expect(abs(next.time - end) < 400_000_000)
    }
  }

  @Test func stopDeliversDataBufferedInTheServer() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = Self.source(server, try Self.slowLibrary())
    try source.start(run.sink)
    let feeder = try Self.feed(server)
    defer {
      // Without a reader of the pipe, the writer ends with its server.
      server.stop()
      feeder.join()
    }
    // In the middle of the stall.
    #expect(eventually { framesFed.load(ordering: .relaxed) > 44_000 }, "The feeder is at work.")
    let fed = framesFed.load(ordering: .relaxed)
    source.stop()
    run.readRest()
    let counters = run.counters().filter { $0 != 0 }
    // The last 0.1 s may still be in transit to the server.
    #expect(counters.count >= fed - 4800)
    #expect(counters == Array(1..<counters.count + 1))
    let count = run.blocks.count
    run.watch(seconds: 0.3)
    #expect(run.blocks.count == count)
  }
}
