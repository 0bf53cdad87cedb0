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
    captured.aacorn("encode", "--loudness", "loud", input, status: .usage)
    captured.expectErrors("--loudness does not understand “loud”.")
    captured.aacorn("encode", "--loudness", "16", input, status: .usage)
    captured.expectErrors("A loudness of 16.0 LUFS is out of range.")
    captured.aacorn("encode", "--loudness-tags", "--format", "aac", input, status: .usage)
    captured.expectErrors("Only M4A files have tags.")
    #expect(
      captured.run(["encode", "--loudness", "-16", "-", "-o", folder.path("b.m4a")]) != .success)
    captured.expectErrors("Standard input can be read only once")
    folder.makePipe("pipe.wav")
    #expect(captured.run(["encode", "--loudness", "-16", folder.path("pipe.wav")]) != .success)
    captured.expectErrors("pipe.wav” can be read only once")
    #expect(folder.names == ["a.wav", "pipe.wav"])
  }

  @Test func encodeReportContainsLoudnessAndGain() throws {
    let input = try folder.write(wavFile(frames: 60_000), to: "a.wav")
    captured.aacorn("encode", "--loudness", "-30", input, output: " to -30.0 LUFS (-")
    captured.aacorn("encode", "-f", "--json", "--loudness", "-30", input)
    captured.expectOutput(#""loudness":{"integrated":-"#, #""gain":-"#)
    captured.aacorn("encode", "-f", "--json", input, output: #""loudness":null,"warnings":[]"#)
    captured.aacorn("encode", "-f", "--loudness", "-22:-20", input)
    captured.expectOutput(" dB), with its peaks limited")
    let json = CapturedConsole(running: ["encode", "-f", "--json", "--loudness", "-22:-20", input])
    // A sawtooth is near its peak level all the time, so more gain would only be limited.
    json.expectOutput(#","limited":true,"shortfall":7.3"#, #","encoded":-29.3"#)
    json.expectOutput("7.3 LU quieter than requested: more gain would only flatten it")
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

  @Test func inspectReportsStatedLoudness() throws {
    let path = folder.path("a.m4a")
    captured.aacorn("encode", "-q", "--tone", "4", "--loudness", "-23", "-o", path)
    captured.aacorn("inspect", path, output: "\n  Stated       -23.0 LUFS, range ")
    captured.expectOutput(", replaygain_track_gain “5.00 dB”")
    let json = CapturedConsole(running: ["inspect", "--json", path])
    json.expectOutput(#""statedLoudness":{"integrated":-23.00,"range":"#)
    json.expectOutput(#""tags":{"replaygain_track_gain":"5.00 dB","#)
    let plain = CapturedConsole(running: [
      "encode", "-q", "--tone", "1", "-o", folder.path("b.m4a"),
    ])
    plain.aacorn("inspect", "--json", folder.path("b.m4a"), output: #""statedLoudness":null"#)
  }
}
