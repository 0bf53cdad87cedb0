import Foundation
import SoundRigs
import Testing

/// `aacorn record` from a real PulseAudio server.
@Suite(.tags(.smoke)) struct RecordServerTests {
  private let folder = WorkFolder()

  @Test func recordingFromPulseAudioHasConsecutiveFrames() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    let run = try folder.start(
      ["record", "--backend", "pulse", "--json", "--rate", "48000", "-o", "out.wav"],
      environment: server.environment)
    #expect(
      eventually {
        (try? server.control("list", "short", "source-outputs"))?.isEmpty == false
      }, "The recording starts.")
    // The low 16 bits of a frame's number are in the left channel, the high bits in the right.
    try PulseServer.feed(server.pipe(of: "mic"), frames: 1..<96_001) { frame, channel in
      Int16(truncatingIfNeeded: channel == 0 ? frame : frame >> 16)
    }
    let outcome = try run.end(SIGINT)
    #expect(outcome.text.contains("\"started\""))
    let wav = try folder.read("out.wav")
    let start = try #require(wav.firstRange(of: Array("data".utf8))).upperBound + 4
    var numbers = NumberRun()
    for index in stride(from: start, to: wav.count - 3, by: 4) {
      numbers.append((0..<4).reduce(0) { $0 | Int(wav[index + $1]) << (8 * $1) })
    }
    #expect(numbers.maxCount >= 48_000)
  }
}
