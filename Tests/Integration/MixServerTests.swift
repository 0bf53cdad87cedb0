import Foundation
import SoundRigs
import Testing

/// `aacorn record` with several tracks and a monitor, from a real PulseAudio server that is killed
/// and restarted.
@Suite(.serialized, .tags(.smoke)) struct MixServerTests {
  let folder = WorkFolder()

  /// An event of the command.
  private struct Event: Decodable {
    var event: String
    var track: String?
    var state: String?
    var cause: String?
    var position: Int?
    var length: Int?
    var filled: Bool?
  }

  private static func events(_ text: String) -> [Event] {
    text.split(separator: "\n").compactMap {
      try? JSONDecoder().decode(Event.self, from: Data($0.utf8))
    }
  }

  /// Waits until an event has been reported `count` times.
  private func waits(_ run: Program.Run, for event: String, count: Int = 1) -> Bool {
    eventually {
      !run.isRunning
        || Self.events(run.outputSoFar).count(where: { $0.event == event }) >= count
    } && run.isRunning
  }

  /// The samples of a 16-bit WAV file.
  private func samples(_ name: String) throws -> [Int16] {
    let wav = try folder.read(name)
    return stride(from: Recorded.dataOffset(of: wav), to: wav.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(wav[$0]) | UInt16(wav[$0 + 1]) << 8)
    }
  }

  /// Whether the samples contain audible sound.
  private static func isAudible(_ samples: some Sequence<Int16>) -> Bool {
    samples.contains { abs(Int($0)) > 100 }
  }

  @Test func mixSurvivesServerRestart() throws {
    let server = try PulseServer(modules: [
      PulseServer.pipeSource("first"), PulseServer.pipeSource("second"),
    ])
    defer { server.stop() }
    let feeds = ["first", "second"].map { CounterFeed(server.pipe(of: $0)) }
    defer { for feed in feeds { feed.stop() } }
    try folder.aacorn("encode", "--tone", "60", "-o", "bed.m4a")
    let run = try folder.record(
      server, "--source", "one=first", "--source", "two=second", "--source", "bed=bed.m4a",
      "--gain", "bed=-20", "--multitrack", "parts")
    #expect(waits(run, for: "started", count: 3), "All tracks have started.")
    folder.waitForFrames(48_000)
    server.kill()
    #expect(waits(run, for: "device-lost", count: 2), "Both losses are reported.")
    folder.waitForFrames(48_000)
    try server.restart()
    #expect(waits(run, for: "device-returned", count: 2), "Both devices return.")
    folder.waitForFrames(72_000)
    let outcome = try run.end(SIGINT)
    let events = Self.events(outcome.text)
    let lost = events.filter { $0.event == "gap" && $0.cause == "device-lost" }
    // The first track sets the time of the mix, so its gaps are gaps of the mix.
    let (own, further) = (lost.filter { $0.track != "two" }, lost.filter { $0.track == "two" })
    #expect(own.count == 1 && further.count == 1, "\(outcome.text)")
    #expect(lost.allSatisfy { $0.filled == true })
    #expect(!events.contains { $0.event == "track-failed" })
    let mix = try samples("out.wav")
    let parts = try ["one", "two", "bed"].map { try samples("parts/\($0).wav") }
    #expect(mix.count > 2 * 168_000)
    #expect(parts.map(\.count) == [mix.count, mix.count, mix.count])
    for (part, gaps) in zip(parts, [own, further]) {
      let position = try #require(gaps.first?.position)
      let length = try #require(gaps.first?.length)
      try #require(length > 40_000 && 2 * (position + length) < mix.count)
      // The resampler's filter extends beyond the edges of the audio.
      let (start, end) = (2 * (position + 100), 2 * (position + length - 100))
      #expect(!Self.isAudible(part[start..<end]), "A microphone is silent in its gap.")
      #expect(Self.isAudible(part[end...].prefix(48_000)), "It is audible after its gap.")
    }
    // The file is audible all the time.
    let bed = parts[2]
    let silent = stride(from: 0, to: bed.count - 48_000, by: 24_000).first {
      !Self.isAudible(bed[$0..<$0 + 24_000])
    }
    #expect(silent == nil, "The file is silent from sample \(silent ?? 0) on.")
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
    #expect(waits(run, for: "monitor"), "The monitor starts.")
    #expect(isPlayed(on: server))
    folder.waitForFrames(48_000)
    server.kill()
    #expect(waits(run, for: "device-lost"))
    folder.waitForFrames(48_000)
    try server.restart()
    #expect(waits(run, for: "device-returned"))
    #expect(isPlayed(on: server), "The monitor plays again.")
    folder.waitForFrames(72_000)
    let outcome = try run.end(SIGINT)
    let recorded = try Recorded(
      wav: folder.read("out.wav"), events: outcome.text, rate: 48_000, channels: 2)
    #expect(recorded.gaps.filter { $0.cause == "device-lost" }.count == 1)
    #expect(recorded.gaps.contains { $0.cause == "device-lost" && $0.length > 40_000 })
    recorded.expectTrueTime(of: feed)
    let states = Self.events(outcome.text).filter { $0.event == "monitor" }.compactMap(\.state)
    #expect(states.first == "started", "\(states)")
    #expect(states.contains("device-lost") && states.contains("device-returned"), "\(states)")
  }

  /// Waits until the recording plays a stream on the server.
  private func isPlayed(on server: PulseServer) -> Bool {
    eventually {
      ((try? server.control("list", "short", "sink-inputs")) ?? "").isEmpty == false
    }
  }
}
