import TestSignals
import Testing

/// `aacorn batch`, run from a shell.
@Suite struct BatchProcessTests {
  private let folder = WorkFolder()

  init() throws {
    let sound = Sound.music(frames: 20_000, rate: 44_100, channels: 1)
    for name in ["a.wav", "b.wav"] { try folder.write(sound.wav, to: name) }
  }

  @Test func batchReadsLinesFromStandardInput() throws {
    let lines = "printf 'a.wav\\nb.wav\\nno.wav\\n'"
    let outcome = try folder.shell("\(lines) | $AACORN batch - -q -j 1 --retries 0", status: 1)
    let reported = outcome.text.split(separator: "\n")
    #expect(reported.count == 3)
    let beginning = #"{"line":1,"input":"a.wav","output":"a.m4a","status""#
    #expect(reported.first?.hasPrefix(beginning) == true)
    #expect(try folder.read("a.m4a") == folder.read("b.m4a"))
  }
}
