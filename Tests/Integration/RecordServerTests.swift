import Foundation
import SoundRigs
import Testing

/// `aacorn record` from a real PulseAudio server, with failures and changes.
@Suite(.serialized, .tags(.smoke)) struct RecordServerTests {
  let folder = WorkFolder()

  /// Stops a recording, and checks its timing and its ledger.
  private func finish(
    _ run: Program.Run, from feed: CounterFeed
  ) throws -> (recorded: Recorded, events: String) {
    let outcome = try run.end(SIGINT)
    let recorded = try Recorded(
      wav: folder.read("out.wav"), events: outcome.text, rate: feed.rate, channels: 2)
    return (recorded, outcome.text)
  }

  @Test func aMicrophoneIsRecordedSampleForSample() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    let feed = CounterFeed(server.pipe(of: "mic"), backlog: 1)
    defer { feed.stop() }
    feed.resetMaxDelay()
    let run = try folder.record(server)
    #expect(run.waitFor("\"started\""))
    folder.waitForFrames(80_000)
    let recorded = try finish(run, from: feed).recorded
    recorded.expectAll(of: feed)
    #expect(recorded.frameCount > 80_000)
  }

  @Test func aModuleThatIsUnloadedAndLoadedAgainLeavesOneGap() throws {
    let server = try PulseServer()
    defer { server.stop() }
    let module = try server.load(PulseServer.pipeSource("mic"))
    let feed = CounterFeed(server.pipe(of: "mic"))
    defer { feed.stop() }
    let run = try folder.record(server, "--device", "mic")
    #expect(run.waitFor("\"started\""))
    folder.waitForFrames(40_000)
    try server.unload(module)
    #expect(run.waitFor("\"device-lost\""))
    folder.waitForFrames(44_000)
    _ = try server.load(PulseServer.pipeSource("mic"))
    #expect(run.waitFor("\"device-returned\""))
    folder.waitForFrames(80_000)
    try finish(run, from: feed).recorded.expectOneLoss(of: feed)
  }

  @Test func monitorResumesAfterServerRestart() throws {
    let server = try PulseServer(modules: [
      PulseServer.pipeSource("mic"), PulseServer.nullSink("phones"),
    ])
    defer { server.stop() }
    let feed = CounterFeed(server.pipe(of: "mic"))
    defer { feed.stop() }
    let run = try folder.record(server, "--device", "mic", "--monitor", "phones")
    #expect(run.waitFor("\"started\""))
    #expect(run.waitFor("\"event\":\"monitor\""), "The monitor starts.")
    #expect(isPlayed(on: server))
    folder.waitForFrames(48_000)
    server.kill()
    #expect(run.waitFor("\"event\":\"device-lost\""))
    folder.waitForFrames(48_000)
    try server.restart()
    #expect(run.waitFor("\"event\":\"device-returned\""))
    #expect(isPlayed(on: server), "The monitor plays again.")
    folder.waitForFrames(72_000)
    let (recorded, text) = try finish(run, from: feed)
    recorded.expectOneLoss(of: feed)
    let states = StreamProgram.events(in: text).filter { $0["event"] as? String == "monitor" }
      .compactMap { $0["state"] as? String }
    #expect(states.first == "started", "\(states)")
    #expect(states.contains("device-lost") && states.contains("device-returned"), "\(states)")
  }

  @Test func mixOfTwoDevicesSurvivesServerRestart() throws {
    let names = ["first", "second"]
    let server = try PulseServer(modules: names.map { PulseServer.pipeSource($0) })
    defer { server.stop() }
    let feeds = names.map { CounterFeed(server.pipe(of: $0)) }
    defer { for feed in feeds { feed.stop() } }
    let run = try folder.record(
      server, "--source", "one=first", "--source", "two=second", "--multitrack", "parts")
    func waits(for event: String) -> Bool {
      eventually { run.outputSoFar.ranges(of: "\"event\":\"\(event)\"").count >= 2 }
    }
    #expect(waits(for: "started"))
    folder.waitForFrames(48_000)
    server.kill()
    #expect(waits(for: "device-lost"))
    folder.waitForFrames(48_000)
    try server.restart()
    #expect(waits(for: "device-returned"))
    folder.waitForFrames(72_000)
    let events = StreamProgram.events(in: try run.end(SIGINT).text)
    #expect(!events.contains { $0["event"] as? String == "track-failed" })
    let gaps = events.filter {
      $0["event"] as? String == "gap" && $0["cause"] as? String == "device-lost"
    }
    // The first track sets the time of the mix, so its gap is a gap of the mix.
    #expect(gaps.count == 2 && gaps.count { $0["track"] as? String == "two" } == 1, "\(gaps)")
    let sounds = try ["out", "parts/one", "parts/two"].map { name in
      let wav = try folder.read(name + ".wav")
      return wav[Recorded.dataOffset(of: wav)...]
    }
    #expect(Set(sounds.map(\.count)).count == 1)
    for sound in sounds {
      #expect(sound.suffix(4 * 24_000).contains { $0 != 0 }, "It is audible after its gap.")
    }
  }

  /// Waits until the recording plays a stream on the server.
  private func isPlayed(on server: PulseServer) -> Bool {
    eventually {
      ((try? server.control("list", "short", "sink-inputs")) ?? "").isEmpty == false
    }
  }
}

extension WorkFolder {
  /// Starts a recording from a server into `out.wav`.
  func record(_ server: PulseServer, _ arguments: String...) throws -> Program.Run {
    let output = ["--rate", "48000", "-o", "out.wav"]
    return try start(
      ["record", "--backend", "pulse", "--json"] + output + arguments,
      environment: server.environment)
  }

  /// Waits until `out.wav` has grown by a number of frames.
  func waitForFrames(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      waitForGrowth(of: "out.wav", by: 4 * count), "The recording continues.",
      sourceLocation: sourceLocation)
  }
}

/// A recording of a counter, and its reported gaps.
struct Recorded {
  struct Gap: Decodable {
    var position: Int
    var length: Int
    var cause: String
    var filled: Bool
  }

  /// Consecutive frames of the counter.
  struct Stretch {
    /// The position of the first frame in the file.
    var start: Int
    var count: Int
    /// The counter of the first frame, modulo 65,536.
    var counter: Int
  }

  let frameCount: Int
  let gaps: [Gap]
  let stretches: [Stretch]
  /// The number of frames in filled gaps; overlapping gaps count once.
  let silentCount: Int
  /// The number of frames that are neither part of the counter nor of a reported gap.
  let unexplainedCount: Int

  init(wav: [UInt8], events: String, rate: Int, channels: Int) throws {
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
      // 7 · 28,087 = 3 · 65,536 + 1, so this multiplication recovers the frame from its value.
      let value = Int(samples[frame * channels]) + 32_768
      let counter = value &* 28_087 & 0xFFFF
      let second = CounterFeed.value(frame: counter, channel: 1)
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

  /// The offset of the samples in a WAV file.
  static func dataOffset(of wav: [UInt8]) -> Int {
    let mark = Array("data".utf8)
    let start = (12..<max(13, min(wav.count - 8, 200))).first { Array(wav[$0..<$0 + 4]) == mark }
    return start.map { $0 + 8 } ?? wav.count
  }

  /// Expects every fed frame, in order and without silence.
  ///
  /// If the feed itself was late, silence may replace late frames, because the recording cannot
  /// distinguish that from a loss. The silence may last as long as the delay, and all frames must
  /// follow it.
  func expectAll(of feed: CounterFeed, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(unexplainedCount == 0, sourceLocation: sourceLocation)
    for (last, next) in zip(stretches, stretches.dropFirst()) {
      #expect(
        next.counter == (last.counter + last.count) & 0xFFFF, "\(gaps)",
        sourceLocation: sourceLocation)
    }
    let filled = gaps.filter(\.filled)
    if feed.maxDelaySeconds < 0.01 {
      #expect(stretches.count == 1, "\(gaps)", sourceLocation: sourceLocation)
      #expect(filled.isEmpty, sourceLocation: sourceLocation)
    }
    // The additional 0.02 s allow for the rounding of the server and of the recording's clock.
    let limit = Int((feed.maxDelaySeconds + 0.02) * Double(feed.rate))
    for gap in filled { #expect(gap.length <= limit, "\(gap)", sourceLocation: sourceLocation) }
  }

  /// Expects one loss of the device, and true time before and after it.
  func expectOneLoss(of feed: CounterFeed) {
    #expect(gaps.filter { $0.cause == "device-lost" }.count == 1)
    #expect(gaps.contains { $0.cause == "device-lost" && $0.length > 40_000 })
    expectTrueTime(of: feed)
  }

  /// Expects frames that were fed at the same time at the same position, and almost no unexplained
  /// frames.
  ///
  /// A server inserts silence when a source starts. If a feed stalls within 0.5 s after its source
  /// has started, its earlier frames may be at the end of the gap instead of the beginning. So if a
  /// feed ever stalled for over 0.1 s, stretches of up to 0.5 s may be displaced: 0.5 s in total,
  /// in addition to the general tolerance.
  func expectTrueTime(of feed: CounterFeed, sourceLocation: SourceLocation = #_sourceLocation) {
    // A pipe that had no reader first delivers old frames, at most its capacity of 0.04 s. Other
    // stretches are longer, even if the server or the feed stalls at times.
    let isFeedLate = feed.maxIdleFrameCount > 4800
    let long = stretches.filter { $0.count > (isFeedLate ? 24_000 : 4800) }
    guard let first = long.first else {
      Issue.record("Nothing was recorded.", sourceLocation: sourceLocation)
      return
    }
    func distance(of stretch: Stretch) -> Int {
      let way = stretch.counter - stretch.start - (first.counter - first.start)
      return Int(Int16(truncatingIfNeeded: way))
    }
    // 0.25 s: the buffers of a server and of a pipe may differ by this from one start to the next
    // on a busy machine. An unreported gap would be longer.
    let limit = 12_000
    for stretch in long {
      #expect(abs(distance(of: stretch)) < limit, "\(gaps)", sourceLocation: sourceLocation)
    }
    let displaced = stretches.filter { abs(distance(of: $0)) >= limit }
    let displacedCount = displaced.reduce(0) { $0 + $1.count }
    #expect(
      unexplainedCount + displacedCount < limit + (isFeedLate ? 24_000 : 0), "\(gaps)",
      sourceLocation: sourceLocation)
    // Gaps are inside the recording and do not overlap.
    #expect(
      gaps.filter(\.filled).reduce(0) { $0 + $1.length } == silentCount,
      sourceLocation: sourceLocation)
  }
}
