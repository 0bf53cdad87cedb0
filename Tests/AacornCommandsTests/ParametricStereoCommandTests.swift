import AacornCodec
import AacornContainers
import AacornRecording
import AacornSignal
import AacornSystem
import Testing

@testable import AacornCommands

/// The value `he2` of the option `--profile`, and reports about HE-AAC v2 files.
@Suite struct ParametricStereoCommandTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  /// For any encoder, the report states the channels of the output, not of the core.
  @Test(arguments: [CodedFileWriter.Format.m4a, .latm])
  func inspectorReportsOutputChannels(format: CodedFileWriter.Format) throws {
    let file = try ReplicatedFile(format, channels: 1, seconds: 1, hasParametricStereo: true)
    let path = try folder.write(file.bytes, to: "a")
    captured.aacorn("inspect", path, output: "AAC HE-AAC v2, MPEG-4", "48 kHz, stereo")
    let json = CapturedConsole(running: ["inspect", "--json", path])
    json.expectOutput(#""channels":2"#)
  }

  @Test func theHelpNamesAllProfiles() {
    for command in ["encode", "record", "stream"] {
      let help = CapturedConsole(running: ["help", command])
      help.expectOutput("lc|he|he2|auto")
      let words = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("he2: HE-AAC v2, for stereo"))
    }
    captured.aacorn("encode", "--profile", "hev2", "a.wav", status: .usage, errors: "he2")
  }
}
