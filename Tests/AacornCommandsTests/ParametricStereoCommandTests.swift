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

  @Test(arguments: ["m4a", "latm", "aac"])
  func inspectorIdentifiesHEAACv2(suffix: String) throws {
    let input = try folder.write(wavFile(frames: 100_001, rate: 48_000), to: "a.wav")
    let output = folder.path("a." + suffix)
    captured.aacorn("encode", "--json", "--profile", "he2", "-b", "32k", input, "-o", output)
    captured.expectOutput(
      #""profile":"he2""#, #""sampleRate":48000"#, #""channels":2"#, #""samples":100001"#)
    let inspection = CapturedConsole(running: ["inspect", "--json", output])
    inspection.expectOutput(#""coreSampleRate":24000"#, #""errors":0,"warnings":0"#)
    // ADTS cannot state the profile.
    if suffix == "aac" { return }
    inspection.expectOutput(#""profile":"HE-AAC v2""#, #""sampleRate":48000"#, #""channels":2"#)
  }

  /// For any encoder, the report states the channels of the output, not of the core.
  @Test(arguments: [CodedFileWriter.Format.m4a, .latm])
  func inspectorReportsOutputChannels(format: CodedFileWriter.Format) throws {
    let file = try ReplicatedFile(format, channels: 1, seconds: 1, hasParametricStereo: true)
    let path = try folder.write(file.bytes, to: "a")
    captured.aacorn("inspect", path, output: "AAC HE-AAC v2, MPEG-4", "48 kHz, stereo")
    let json = CapturedConsole(running: ["inspect", "--json", path])
    json.expectOutput(#""channels":2"#)
  }

  @Test(arguments: [
    (1, [String](), "not 1. Choose HE-AAC for mono."),
    (6, [String](), "not 6. Mix them with --channels 2."),
    (2, ["-c", "1"], "not 1. Choose HE-AAC for mono."),
  ])
  func nonStereoInputIsRejected(channels: Int, options: [String], words: String) throws {
    let input = try folder.write(
      wavFile(frames: 9000, channels: channels, rate: 48_000), to: "a.wav")
    captured.aacorn(["encode", "--profile", "he2"] + options + [input], status: .failed)
    captured.expectErrors("HE-AAC v2 is for 2 channels, " + words)
    #expect(folder.names == ["a.wav"])
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
