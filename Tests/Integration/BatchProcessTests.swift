import Foundation
import SoundRigs
import Testing

/// `aacorn batch` as a shell sees it.
@Suite struct BatchProcessTests {
  private let folder: WorkFolder

  init() throws {
    folder = try WorkFolder()
    let sound = Sound.music(frames: 20_000, rate: 44_100, channels: 1)
    for name in ["a.wav", "b.wav"] { try folder.write(sound.wav, to: name) }
  }

  /// Runs a command line with `$AACORN` standing for the program.
  private func shell(_ line: String) throws -> Program.Outcome {
    let program = try Program.aacorn.get().path
    return try Program.shell().run(["-c", "AACORN='\(program)'; \(line)"], in: folder)
  }

  @Test func linesComeByStandardInput() throws {
    var told: [[String]] = []
    for manifest in ["--stdin-manifest", "-"] {
      let lines = "printf 'a.wav\\nb.wav\\nno.wav\\n'"
      let outcome = try shell("\(lines) | $AACORN batch \(manifest) -q -j 1 --retries 0")
      #expect(outcome.status == 1)
      // What follows the status tells times.
      told.append(
        outcome.text.split(separator: "\n").map { $0.components(separatedBy: ",\"status\"")[0] })
    }
    #expect(told.first?.count == 3)
    #expect(told.first?.first == #"{"line":1,"input":"a.wav","output":"a.m4a""#)
    #expect(told.first == told.last)
    #expect(try folder.read("a.m4a") == folder.read("b.m4a"))
  }
}
