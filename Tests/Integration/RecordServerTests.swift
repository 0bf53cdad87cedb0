import Foundation
import SoundRigs
import Testing

/// `aacorn record` from a real PulseAudio server.
@Suite(.tags(.smoke)) struct RecordServerTests {
  private let folder = WorkFolder()

  @Test func aMicrophoneIsRecorded() throws {
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
    let channels = try Decoders.ffmpeg("out.wav", channels: 2, in: folder)
    let numbers = zip(channels[0], channels[1]).map { left, right in
      Int(UInt16(bitPattern: Int16(left * 32_768))) | Int(right * 32_768) << 16
    }
    // A busy server inserts silence.
    var (last, count, longest) = (0, 0, 0)
    for number in numbers where number != 0 {
      count = number == last + 1 ? count + 1 : 1
      last = number
      longest = max(longest, count)
    }
    #expect(longest >= 48_000)
  }
}
