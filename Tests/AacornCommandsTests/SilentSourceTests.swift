import AacornRecording
import AacornSystem
import SoundRigs
import Testing

@testable import AacornCommands

/// The reports of `aacorn record` and `aacorn stream` about silence.
@Suite struct SilentSourceTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()
  private let silence = ["--device", "silence", "--unpaced", "-d", "12s"]

  @Test func silentRecordingIsReported() {
    captured.aacorn(["record", folder.path("a.m4a")] + silence)
    captured.expectErrors(
      "No sound from “Silence” for 10 seconds.",
      "Warning: The whole recording is silent. Is the microphone muted?")
  }

  @Test func silentStreamIsReported() {
    captured.aacorn(["stream", "--save", folder.path("a.m4a")] + silence)
    captured.expectErrors(
      "No sound from “Silence” for 10 seconds.",
      "Warning: The whole stream is silent. Is the microphone muted?")
  }

  @Test(arguments: [["record", "a.m4a"], ["stream", "--save", "a.m4a"]])
  func silenceIsInJSONEvenIfQuiet(command: [String]) {
    let arguments = command.map { $0 == "a.m4a" ? folder.path($0) : $0 }
    captured.aacorn(arguments + silence + ["--json", "--quiet"])
    captured.expectOutput(
      #""event":"silent","#, #""length":480000,"seconds":10.000000"#,
      #""silent":true,"silences":[{"track":null,"samples":576000,"seconds":12.000000}]"#)
  }

  @Test func quietRecordingHasNoMessageAboutSilence() {
    captured.aacorn(["record", "--quiet", folder.path("a.m4a")] + silence)
    #expect(captured.errors.isEmpty && captured.output.isEmpty)
  }

  @Test func shortSilenceIsReportedAtTheEndOnly() {
    captured.aacorn(
      "record", folder.path("a.m4a"), "--device", "silence", "--unpaced", "-d", "1s")
    #expect(!captured.errors.contains("for 10 seconds"))
    captured.expectErrors("The whole recording is silent.")
  }

  @Test func partsOfSilenceAreSummed() throws {
    var summary = RecordingSummary()
    (summary.sampleCount, summary.sampleRate) = (48_000 * 600, 48_000)
    summary.loudness.truePeak = -3
    summary.silences = [SourceSilence(sampleCount: 48_000 * 167)]
    try report(summary)
    captured.expectErrors("Warning: The source was silent for 2:47.0 of 10:00.0.")
    summary.silences = [SourceSilence(track: "guest", sampleCount: 48_000 * 20)]
    try report(summary)
    captured.expectErrors("Warning: The track “guest” was silent for 20.0 s of 10:00.0.")
  }

  @Test(arguments: [(Float(-90), false), (-90.1, true)])
  func recordingBelowAStepOfSixteenBitsIsSilent(truePeak: Float, isSilent: Bool) {
    var summary = RecordingSummary()
    summary.sampleCount = 1
    summary.loudness.truePeak = truePeak
    #expect(summary.isSilent == isSilent)
  }

  private func report(_ summary: RecordingSummary) throws {
    let plan = try LivePlan.recording("--rate", "48000", "a.m4a")
    let console = captured.console
    LiveReport(plan, summary).print(in: console)
    console.errors.flush()
  }
}
