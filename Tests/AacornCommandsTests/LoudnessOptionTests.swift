import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

@Suite struct LoudnessOptionTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  private func target(_ text: String) -> LoudnessTarget? { try? OptionValue.loudness(text) }

  @Test func theValueIsALoudnessAndPerhapsACeiling() {
    #expect(target("-16") == LoudnessTarget(-16, ceiling: -1))
    #expect(target("-23.5:-2.5") == LoudnessTarget(-23.5, ceiling: -2.5))
    #expect(target("-16LUFS:-2dBTP") == LoudnessTarget(-16, ceiling: -2))
    #expect(target("-16:0") == LoudnessTarget(-16, ceiling: 0))
    for text in ["", ":", "-16:", ":-1", "-16:-1:0", "loud", "-16 LUFS", "nan", "-1e1", "0x10"] {
      #expect(target(text) == nil, "\(text)")
    }
    for text in ["16", "0", "-71", "-16:1", "-16:-21"] { #expect(target(text) == nil, "\(text)") }
  }

  @Test func severalFilesAreMeasuredEachByItself() throws {
    let tone = ["encode", "--tone", "2", "--loudness-tags", "-o", folder.path("tone.m4a")]
    captured.aacorn(tone)
    let inputs = try (0..<3).map {
      try folder.write(wavFile(frames: 40_000 + 9000 * $0), to: "\($0).wav")
    }
    captured.aacorn(["encode", "-j", "3", "--loudness", "-25"] + inputs)
    let lines = captured.output.split(separator: "\n").filter { $0.contains(" to -25.0 LUFS (") }
    #expect(lines.count == 3)
  }
}
