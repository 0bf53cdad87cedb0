import AacornSystem
import CAacornPulseAudio
import SoundRigs
import Testing

@testable import AacornDevices

/// What the doctored `peek` does; C functions cannot carry it with them.
private let peekCount = Atomic<Int>(0)
private let framesFed = Atomic<Int>(0)

/// Faults that no server makes on demand: the library's `peek` is replaced by one that has them.
@Suite(.serialized, .tags(.smoke))
struct PulseAudioFaultTests {
  /// A library with another `peek`; never freed.
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

  /// A library that stands still for about a second, from the 24,000th frame that is fed to the 74,000th.
  ///
  /// The frames tell how long: on a busy machine those who feed them are late, too.
  private static func sleepyLibrary() throws -> PulseLibrary {
    try unsafe library { stream, data, size in
      guard let real = unsafe aacorn_pulse_get_functions() else { return -1 }
      let result = unsafe real.pointee.stream_peek(stream, data, size)
      if result >= 0, framesFed.load(ordering: .relaxed) >= 24_000, peekCount.add(1) == 0 {
        _ = comesTrue { framesFed.load(ordering: .relaxed) >= 74_000 }
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

  /// Feeds the counter for two seconds, on another thread.
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
    #expect(run.read { $0.hasReached(96_000) }, "All that was fed comes.")
    source.stop()
    run.readRest()

    let lossy = run.blocks.filter { $0.lostFrameCount > 0 }
    #expect(lossy.count == 2)
    #expect(lossy.allSatisfy { $0.lossCause == .serverHole })
    let counters = run.counters().filter { $0 != 0 }
    let missing = Set(frames).subtracting(counters).count
    #expect(missing > 0)
    #expect(missing == lossy.map(\.lostFrameCount).reduce(0, +))
    // The time goes on over a hole. The first one is so long that half of it tells whether it counts, and
    // most blocks are not late. A feed that stands still on a busy machine makes the time only longer.
    let place = try #require(run.blocks.firstIndex { $0.lostFrameCount > 0 })
    let hole = Int64(run.blocks[place].lostFrameCount) * 1_000_000_000 / 48000
    var position = 0
    let beginnings = run.blocks.map { block in
      position += block.lostFrameCount
      defer { position += block.frameCount }
      return block.time - Int64(position) * 1_000_000_000 / 48000
    }
    let before = beginnings[..<place].sorted()
    let after = beginnings[place...].sorted()
    try #require(!before.isEmpty)
    let difference = after[after.count / 2] - before[before.count / 2]
    #expect(hole > 500_000_000 && difference > -hole / 2)
    // Nor does it go on by more than the hole: nothing was captured in what is still to come.
    let last = try #require(run.blocks.last)
    let end = last.time + Int64(last.frameCount) * 1_000_000_000 / 48000
    #expect(end - System.nanoseconds < hole / 2)
  }

  @Test func aStandstillOfTheProgramLosesNothingAndDoesNotBendTime() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = Self.source(server, try Self.sleepyLibrary())
    try source.start(run.sink)
    let feeder = try Self.feed(server)
    feeder.join()
    #expect(run.read { $0.hasReached(96_000) }, "All that was fed comes.")
    source.stop()
    run.readRest()
    #expect(run.counters().filter { $0 != 0 } == Array(1..<96_001))
    // More than a second came late, and says that its times are not measured.
    let doubtful = run.blocks.filter { !$0.isTimeReliable }.map(\.frameCount).reduce(0, +)
    #expect(doubtful > 40_000)
    #expect(run.blocks.filter(\.isTimeReliable).map(\.frameCount).reduce(0, +) > 20_000)
    for (block, next) in zip(run.blocks, run.blocks.dropFirst()) {
      let end = block.time + Int64(block.frameCount) * 1_000_000_000 / 48000
      // How late a busy machine looks is uncertain; bent by the standstill it would be a second.
      #expect(abs(next.time - end) < 400_000_000)
    }
  }

  @Test func whatWaitsInTheServerAtTheStopIsDelivered() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = Self.source(server, try Self.sleepyLibrary())
    try source.start(run.sink)
    let feeder = try Self.feed(server)
    defer {
      // Nobody empties the pipe any more; the feeder ends with its server.
      server.stop()
      feeder.join()
    }
    // In the middle of the standstill.
    #expect(comesTrue { framesFed.load(ordering: .relaxed) > 44_000 }, "The feeder is at work.")
    let fed = framesFed.load(ordering: .relaxed)
    source.stop()
    run.readRest()
    let counters = run.counters().filter { $0 != 0 }
    // The last tenth of a second may still have been on its way to the server.
    #expect(counters.count >= fed - 4800)
    #expect(counters == Array(1..<counters.count + 1))
    let count = run.blocks.count
    run.watch(seconds: 0.3)
    #expect(run.blocks.count == count)
  }
}
