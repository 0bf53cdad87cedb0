import Foundation
import SoundRigs
import Testing

/// Several tracks of a real PulseAudio server that dies, mixed, heard, and each in a file of its own.
@Suite struct MixedServerTests {
  let folder: WorkFolder

  init() throws {
    folder = try WorkFolder()
  }

  /// Frames of a file with two channels of 16 bits.
  private func frameCount(of name: String) throws -> Int {
    let wav = try folder.read(name)
    return (wav.count - Recorded.dataOffset(of: wav)) / 4
  }

  @Test func aServerThatIsKilledCostsTracksAGapAndNothingElse() throws {
    let server = try PulseServer(modules: [
      PulseServer.pipeSource("one"), PulseServer.pipeSource("two"),
      PulseServer.nullSink("headphones"),
    ])
    defer { server.stop() }
    let feeds = ["one", "two"].map { CounterFeed(server.pipe(of: $0)) }
    defer { for feed in feeds { feed.stop() } }
    let run = try Program.aacorn.get().start(
      [
        "record", "--backend", "pulse", "--json", "--rate", "48000", "-o", "mix.wav",
        "--source", "one=one", "--source", "two=two", "--source", "bed=tone",
        "--multitrack", "tracks", "--monitor", "headphones",
      ], in: folder, environment: server.environment)
    func waitForFrames(_ count: Int) {
      #expect(folder.waitForGrowth(of: "mix.wav", by: 4 * count), "The recording continues.")
    }
    #expect(run.waitFor("\"started\""))
    waitForFrames(40_000)
    server.kill()
    #expect(run.waitFor("\"device-lost\""))
    waitForFrames(44_000)
    try server.restart()
    #expect(run.waitFor("\"device-returned\""))
    waitForFrames(96_000)
    run.interrupt()
    let outcome = try run.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")

    // Both devices and the headphones go and come back, and each is told of.
    let lines = outcome.text.split(separator: "\n")
    for word in ["device-lost", "device-returned"] {
      let told = lines.filter { $0.contains("\"\(word)\"") }
      #expect(told.contains { $0.contains("\"two\"") }, "\(outcome.text)")
      #expect(told.contains { $0.contains("\"monitor\"") }, "\(outcome.text)")
      #expect(told.count >= 3, "\(outcome.text)")
    }
    // All files are equally long, and what was always there has no hole.
    let count = try frameCount(of: "mix.wav")
    for name in ["one", "two", "bed"] {
      #expect(try frameCount(of: "tracks/\(name).wav") == count, "\(name)")
    }
    let bed = try folder.read("tracks/bed.wav")
    let sound = bed[Recorded.dataOffset(of: bed)...]
    var (silent, longest) = (0, 0)
    for byte in sound {
      silent = byte == 0 ? silent + 1 : 0
      longest = max(longest, silent)
    }
    #expect(longest < 4 * 4800, "The tone is silent for \(longest / 4) frames.")
  }
}
