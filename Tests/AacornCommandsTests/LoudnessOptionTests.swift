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

  @Test func invalidLoudnessOptionsAreReported() throws {
    let input = try folder.write(wavFile(frames: 30_000), to: "a.wav")
    #expect(captured.run(["encode", "--loudness", "loud", input]) == .usage)
    #expect(captured.errors.contains("--loudness does not understand “loud”."))
    #expect(captured.run(["encode", "--loudness", "16", input]) == .usage)
    #expect(captured.errors.contains("A loudness of 16.0 LUFS is out of range."))
    #expect(captured.run(["encode", "--loudness-tags", "--format", "aac", input]) == .usage)
    #expect(captured.errors.contains("Only M4A files have tags."))
    #expect(
      captured.run(["encode", "--loudness", "-16", "-", "-o", folder.path("b.m4a")]) != .success)
    #expect(captured.errors.contains("Standard input can be read only once"))
    #expect(folder.names == ["a.wav"])
  }

  @Test func encodeReportContainsLoudnessAndGain() throws {
    let input = try folder.write(wavFile(frames: 60_000), to: "a.wav")
    #expect(captured.run(["encode", "--loudness", "-30", input]) == .success)
    #expect(captured.output.contains(" to -30.0 LUFS (-"))
    #expect(captured.run(["encode", "-f", "--json", "--loudness", "-30", input]) == .success)
    #expect(captured.output.contains("\"loudness\":{\"integrated\":-"))
    #expect(captured.output.contains("\"gain\":-"))
    #expect(captured.run(["encode", "-f", "--json", input]) == .success)
    #expect(captured.output.contains("\"loudness\":null,\"warnings\":[]"))
    #expect(captured.run(["encode", "-f", "--loudness", "-22:-20", input]) == .success)
    #expect(captured.output.contains(" dB), with its peaks limited"))
    let json = CapturedConsole(running: ["encode", "-f", "--json", "--loudness", "-22:-20", input])
    // A sawtooth is near its peak level all the time, so more gain would only be limited.
    #expect(json.output.contains(",\"limited\":true,\"shortfall\":7.3"))
    #expect(json.output.contains(",\"encoded\":-29.3"))
    #expect(json.output.contains("7.3 LU quieter than requested: more gain would only flatten it"))
  }

  @Test func severalFilesAreMeasuredEachByItself() throws {
    let tone = ["encode", "--tone", "2", "--loudness-tags", "-o", folder.path("tone.m4a")]
    #expect(captured.run(tone) == .success)
    var inputs: [String] = []
    for number in 0..<3 {
      inputs.append(try folder.write(wavFile(frames: 40_000 + 9000 * number), to: "\(number).wav"))
    }
    #expect(captured.run(["encode", "-j", "3", "--loudness", "-25"] + inputs) == .success)
    let lines = captured.output.split(separator: "\n").filter { $0.contains(" to -25.0 LUFS (") }
    #expect(lines.count == 3)
  }

  @Test func inspectReportsStatedLoudness() throws {
    let path = folder.path("a.m4a")
    #expect(
      captured.run(["encode", "-q", "--tone", "4", "--loudness", "-23", "-o", path]) == .success)
    #expect(captured.run(["inspect", path]) == .success)
    #expect(captured.output.contains("\n  Stated       -23.0 LUFS, range "))
    #expect(captured.output.contains(", replaygain_track_gain “5.00 dB”"))
    let json = CapturedConsole(running: ["inspect", "--json", path])
    #expect(json.output.contains("\"statedLoudness\":{\"integrated\":-23.00,\"range\":"))
    #expect(json.output.contains("\"tags\":{\"replaygain_track_gain\":\"5.00 dB\","))
    let plain = CapturedConsole(running: [
      "encode", "-q", "--tone", "1", "-o", folder.path("b.m4a"),
    ])
    #expect(plain.run(["inspect", "--json", folder.path("b.m4a")]) == .success)
    #expect(plain.output.contains("\"statedLoudness\":null"))
  }
}
