import AacornRecording
import AacornSystem
import SoundRigs
import Testing

@testable import AacornCommands

/// The reports of `aacorn record` and `aacorn stream` about silence.
@Suite struct SilentSourceTests {
  private let captured = CapturedConsole()

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
