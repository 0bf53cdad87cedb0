import Foundation
import SoundRigs
import Testing

/// `aacorn record` from a real PulseAudio server to which things happen.
@Suite(.serialized, .tags(.smoke)) struct RecordServerTests {
  let folder: WorkFolder

  init() throws {
    folder = try WorkFolder()
  }

  private func start(
    _ server: PulseServer, _ arguments: String...
  ) throws -> Program.Run {
    try Program.aacorn.get().start(
      ["record", "--backend", "pulse", "--json", "--rate", "48000", "-o", "out.wav"] + arguments,
      in: folder, environment: server.environment)
  }

  /// Waits until so many more frames have been written.
  private func waitForFrames(
    _ count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      folder.waitForGrowth(of: "out.wav", by: 4 * count), "The recording continues.",
      sourceLocation: sourceLocation)
  }

  /// Stops a recording and looks whether time is true and the ledger exact.
  private func finish(_ run: Program.Run, from feed: CounterFeed) throws -> Recorded {
    run.interrupt()
    let outcome = try run.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try Recorded(
      wav: folder.read("out.wav"), events: outcome.text, rate: feed.rate, channels: 2)
  }

  @Test func aMicrophoneIsRecordedSampleForSample() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    let feed = CounterFeed(server.pipe(of: "mic"), backlog: 1)
    defer { feed.stop() }
    feed.forgetDelay()
    let run = try start(server)
    #expect(run.waitFor("\"started\""))
    waitForFrames(80_000)
    let recorded = try finish(run, from: feed)
    recorded.expectAll(of: feed)
    #expect(recorded.frameCount > 80_000)
  }

  @Test func aModuleThatIsUnloadedAndLoadedAgainLeavesOneGap() throws {
    let server = try PulseServer()
    defer { server.stop() }
    let module = try server.load(PulseServer.pipeSource("mic"))
    let feed = CounterFeed(server.pipe(of: "mic"))
    defer { feed.stop() }
    let run = try start(server, "--device", "mic")
    #expect(run.waitFor("\"started\""))
    waitForFrames(40_000)
    try server.unload(module)
    #expect(run.waitFor("\"device-lost\""))
    waitForFrames(44_000)
    _ = try server.load(PulseServer.pipeSource("mic"))
    #expect(run.waitFor("\"device-returned\""))
    waitForFrames(80_000)
    let recorded = try finish(run, from: feed)
    #expect(recorded.gaps.filter { $0.cause == "device-lost" }.count == 1)
    #expect(recorded.gaps.contains { $0.cause == "device-lost" && $0.length > 40_000 })
    recorded.expectTrueTime(of: feed)
  }

  @Test func aServerThatIsKilledAndStartedAgainLeavesOneGap() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    let feed = CounterFeed(server.pipe(of: "mic"))
    defer { feed.stop() }
    let run = try start(server)
    #expect(run.waitFor("\"started\""))
    waitForFrames(40_000)
    server.kill()
    #expect(run.waitFor("\"device-lost\""))
    waitForFrames(44_000)
    try server.restart()
    #expect(run.waitFor("\"device-returned\""))
    waitForFrames(80_000)
    let recorded = try finish(run, from: feed)
    #expect(recorded.gaps.filter { $0.cause == "device-lost" }.count == 1)
    #expect(recorded.gaps.contains { $0.cause == "device-lost" && $0.length > 40_000 })
    recorded.expectTrueTime(of: feed)
  }

  @Test func aNewDefaultIsFollowed() throws {
    let server = try PulseServer(modules: [
      PulseServer.pipeSource("first"), PulseServer.pipeSource("second"),
    ])
    defer { server.stop() }
    try server.setDefaultSource("first")
    let feed = CounterFeed(server.pipe(of: "first"))
    let other = CounterFeed(server.pipe(of: "second"), origin: feed.start)
    defer {
      feed.stop()
      other.stop()
    }
    let run = try start(server)
    #expect(run.waitFor("\"started\""))
    waitForFrames(40_000)
    try server.setDefaultSource("second")
    #expect(run.waitFor("\"device-changed\""))
    waitForFrames(80_000)
    let recorded = try finish(run, from: feed)
    recorded.expectTrueTime(of: feed, other)
  }

  @Test func aProgramThatStandsStillForThreeSecondsLosesNothing() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    // A feed that is late on a busy machine loses nothing either.
    let feed = CounterFeed(server.pipe(of: "mic"), backlog: 1)
    defer { feed.stop() }
    feed.forgetDelay()
    let run = try start(server)
    #expect(run.waitFor("\"started\""))
    waitForFrames(40_000)
    run.signal(SIGSTOP)
    // How long it stands still.
    sleep(3)
    run.signal(SIGCONT)
    waitForFrames(48_000 * 4)
    let recorded = try finish(run, from: feed)
    recorded.expectTrueTime(of: feed)
    // The server keeps what the program does not take.
    recorded.expectAll(of: feed)
  }

  @Test func channelsOfALargeDeviceCanBeChosen() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic", channels: 8)])
    defer { server.stop() }
    let feed = CounterFeed(server.pipe(of: "mic"), channels: 8, backlog: 1)
    defer { feed.stop() }
    feed.forgetDelay()
    let run = try start(server, "--channel-map", "3,4")
    #expect(run.waitFor("\"started\""))
    waitForFrames(40_000)
    run.interrupt()
    let outcome = try run.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let recorded = try Recorded(
      wav: folder.read("out.wav"), events: outcome.text, rate: 48_000, channels: 2,
      firstChannel: 2)
    recorded.expectAll(of: feed)
    #expect(recorded.frameCount > 40_000)
  }

  @Test func aDeviceOfAnotherRateIsConverted() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic", rate: 44_100)])
    defer { server.stop() }
    let feed = CounterFeed(server.pipe(of: "mic"), rate: 44_100)
    defer { feed.stop() }
    let run = try start(server, "-d", "2")
    let outcome = try run.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let wav = try folder.read("out.wav")
    #expect(wav.count - Recorded.dataOffset(of: wav) == 2 * 48_000 * 4)
  }
}

/// A recording of a counter, and what was said about it.
struct Recorded {
  struct Gap: Decodable {
    var position: Int
    var length: Int
    var cause: String
    var filled: Bool
  }

  /// Frames that follow one another in the counter.
  struct Stretch {
    /// The first frame in the file.
    var start: Int
    var count: Int
    /// The number it carries, modulo 65,536.
    var counter: Int
  }

  let frameCount: Int
  let gaps: [Gap]
  let stretches: [Stretch]
  /// Frames that lie in gaps that were filled, each counted once.
  let silentCount: Int
  /// Frames that are neither counted nor told of as a gap.
  let unexplainedCount: Int

  init(wav: [UInt8], events: String, rate: Int, channels: Int, firstChannel: Int = 0) throws {
    let samples = stride(from: Self.dataOffset(of: wav), to: wav.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(wav[$0]) | UInt16(wav[$0 + 1]) << 8)
    }
    frameCount = samples.count / channels
    gaps = events.split(separator: "\n").compactMap { line in
      line.contains("\"gap\"") ? try? JSONDecoder().decode(Gap.self, from: Data(line.utf8)) : nil
    }
    var isGap = [Bool](repeating: false, count: frameCount)
    for gap in gaps where gap.filled {
      let end = gap.position + gap.length
      for frame in gap.position..<end where frame < frameCount { isGap[frame] = true }
    }
    var stretches: [Stretch] = []
    var unexplained = 0
    for frame in 0..<frameCount where !isGap[frame] {
      // 7 · 28,087 = 3 · 65,536 + 1 turns a value back into its frame.
      let value = Int(samples[frame * channels]) + 32_768 - 4099 * firstChannel
      let counter = value &* 28_087 & 0xFFFF
      let second = CounterFeed.value(frame: counter, channel: firstChannel + 1)
      if channels > 1 && samples[frame * channels + 1] != second {
        unexplained += 1
        continue
      }
      if var last = stretches.last, last.start + last.count == frame,
        (last.counter + last.count) & 0xFFFF == counter
      {
        last.count += 1
        stretches[stretches.count - 1] = last
      } else {
        stretches.append(Stretch(start: frame, count: 1, counter: counter))
      }
    }
    self.stretches = stretches
    silentCount = isGap.count { $0 }
    unexplainedCount = unexplained
  }

  /// Where the samples of a WAV file begin.
  static func dataOffset(of wav: [UInt8]) -> Int {
    let mark = Array("data".utf8)
    let start = (12..<max(13, min(wav.count - 8, 200))).first { Array(wav[$0..<$0 + 4]) == mark }
    return start.map { $0 + 8 } ?? wav.count
  }

  /// Expects every frame that was fed, in order, and silence nowhere.
  ///
  /// Unless the feed itself was late: nobody can tell that from a loss, so silence may stand where
  /// its frames were not in time, as long as they were late, but all of them must follow.
  func expectAll(of feed: CounterFeed, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(unexplainedCount == 0, sourceLocation: sourceLocation)
    for (last, next) in zip(stretches, stretches.dropFirst()) {
      #expect(
        next.counter == (last.counter + last.count) & 0xFFFF, "\(gaps)",
        sourceLocation: sourceLocation)
    }
    let filled = gaps.filter(\.filled)
    if feed.longestDelay < 0.01 {
      #expect(stretches.count == 1, "\(gaps)", sourceLocation: sourceLocation)
      #expect(filled.isEmpty, sourceLocation: sourceLocation)
    }
    // And what the server and the clock of the recording round it to.
    let limit = Int((feed.longestDelay + 0.02) * Double(feed.rate))
    for gap in filled { #expect(gap.length <= limit, "\(gap)", sourceLocation: sourceLocation) }
  }

  /// Expects that what was fed at the same time stands at the same place, and that almost nothing
  /// is unaccounted for: a server makes silence of its own where a source begins.
  ///
  /// Where a feed stands still within half a second after its source has begun, what came of it before may
  /// stand at the end of the gap, and not at its beginning. So if a feed ever stood still for over a tenth of
  /// a second, stretches of up to half a second may stand elsewhere: half a second of them in all, besides
  /// what is always allowed.
  func expectTrueTime(of feeds: CounterFeed..., sourceLocation: SourceLocation = #_sourceLocation) {
    // A pipe that nobody read delivers old frames for a moment: as many as it holds, a twenty-fifth of a
    // second. The others are longer, also where the server, or the feed, stands still at times.
    let isFeedLate = feeds.contains { $0.longestRest > 4800 }
    let long = stretches.filter { $0.count > (isFeedLate ? 24_000 : 4800) }
    guard let first = long.first else {
      Issue.record("nothing was recorded", sourceLocation: sourceLocation)
      return
    }
    func distance(of stretch: Stretch) -> Int {
      let way = stretch.counter - stretch.start - (first.counter - first.start)
      return Int(Int16(truncatingIfNeeded: way))
    }
    // A quarter of a second: what the buffers of a server and of a pipe may differ by from one start to
    // the next on a busy machine. A gap that does not count would be longer.
    let limit = 12_000
    for stretch in long {
      #expect(abs(distance(of: stretch)) < limit, "\(gaps)", sourceLocation: sourceLocation)
    }
    let displaced = stretches.filter { abs(distance(of: $0)) >= limit }
    let displacedCount = displaced.reduce(0) { $0 + $1.count }
    #expect(
      unexplainedCount + displacedCount < limit + (isFeedLate ? 24_000 : 0), "\(gaps)",
      sourceLocation: sourceLocation)
    // Gaps lie in the recording, and apart from each other.
    #expect(
      gaps.filter(\.filled).reduce(0) { $0 + $1.length } == silentCount,
      sourceLocation: sourceLocation)
  }
}
