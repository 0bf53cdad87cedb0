import AacornCodec
import AacornContainers
import AacornDevices
import AacornRecording
import AacornSystem
import SoundRigs
import Testing

@testable import AacornCommands

/// The command line, and the plan of a recording.
@Suite struct RecordCommandTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  @Test(arguments: [
    ("10s", 10_000), ("90", 90_000), ("0.5", 500), ("1.5m", 90_000), ("2h", 7_200_000),
    ("500ms", 500), ("1h30m", 5_400_000), ("1d", 86_400_000), ("1:30", 90_000),
    ("1:30:00", 5_400_000), ("100:00:00", 360_000_000), ("0:02.5", 2500), ("1:00:00.25", 3_600_250),
  ])
  func timesAreUnderstood(text: String, milliseconds: Int) {
    #expect(TimeText.milliseconds(text) == milliseconds)
  }

  @Test(arguments: [
    ("0.000000001", 1), ("1.00005", 1_000_050_000), ("0.5ms", 500_000),
    ("1:00.000000007", 60_000_000_007),
    ("0.000000001m", 60), ("366d", 31_622_400_000_000_000), ("1h0.25s", 3_600_250_000_000),
  ])
  func finerTimesAreUnderstood(text: String, nanoseconds: Int) {
    #expect(TimeText.nanoseconds(text) == nanoseconds)
  }

  @Test(arguments: ["0.0000000001", "0.0000001ms", "366.000000001d", "1.", ".5", "1.2.3", "0.x"])
  func invalidNanosecondTimeIsRejected(text: String) {
    #expect(TimeText.nanoseconds(text) == nil)
  }

  @Test(arguments: [
    "", "s", "-1", "1x", "1:60", "1:2:60", "1:2:3:4", "1.5:00", ":30", "1s2", "1e3", "٣s", "10S",
    "400d", "99999999999h", "0.0001", "1..5s", "1 h",
  ])
  func invalidMillisecondTimeIsRejected(text: String) {
    #expect(TimeText.milliseconds(text) == nil)
  }

  @Test func splitsAreTimesSizesOrSilence() throws {
    #expect(try OptionValue.split("10m") == .every(.milliseconds(600_000)))
    #expect(try OptionValue.split("1:00:00") == .every(.milliseconds(3_600_000)))
    #expect(try OptionValue.split("100MB") == .bytes(100_000_000))
    #expect(try OptionValue.split("1.5GB") == .bytes(1_500_000_000))
    #expect(try OptionValue.split("200kB") == .bytes(200_000))
    #expect(try OptionValue.split("on-silence") == .onSilence)
    for text in ["", "MB", "1B", "99kB", "0.5s", "loud", "10TB"] {
      #expect(throws: UsageError.self) { try OptionValue.split(text) }
    }
  }

  @Test func channelMapsCountFromOne() throws {
    #expect(try OptionValue.channelMap("3,4") == [2, 3])
    #expect(try OptionValue.channelMap("1-3,2") == [0, 1, 2, 1])
    for text in ["", "0", "1,", "a", "4-3", "1--2", "1-65", "9999"] {
      #expect(throws: UsageError.self) { try OptionValue.channelMap(text) }
    }
  }

  @Test func gainIsInDecibels() throws {
    #expect(try OptionValue.gain("-6dB") == -6)
    #expect(abs(Gain.factor(decibels: 20) - 10) < 1e-5)
    #expect(abs(Gain.factor(decibels: -40) - 0.01) < 1e-7)
    #expect(Gain.factor(decibels: 0) == 1)
    for text in ["", "loud", "61", "nan", "0x10"] {
      #expect(throws: UsageError.self) { try OptionValue.gain(text) }
    }
  }

  @Test func theDefaultsAreThoseOfTheEncoder() throws {
    let plan = try LivePlan.recording("test.aac")
    #expect(plan.recording?.path == "test.aac")
    #expect(plan.format == .aac)
    #expect(plan.configuration.sampleRate == 48_000)
    #expect(plan.configuration.channelCount == 2)
    #expect(
      plan.configuration.coding
        == .aac(rateControl: .constant(bitsPerSecond: 128_000), effort: .balanced))
    #expect(plan.recording?.options.synchronizes == true)
    #expect(plan.recording?.options.replacesExisting == false)
  }

  @Test func withoutAFileTheNameIsMadeOfDateAndTime() throws {
    let plan = try LivePlan.recording("--format", "wav")
    #expect(plan.recording?.path.hasPrefix("recording-") == true)
    #expect(plan.recording?.path.hasSuffix(".wav") == true)
    #expect(plan.recording?.path.count == "recording-YYYYMMDD-HHMMSS.wav".count)
    let inside = try LivePlan.recording(folder.path)
    #expect(inside.recording?.path.hasPrefix(folder.path + "/recording-") == true)
    #expect(inside.format == .m4a)
  }

  @Test func optionsReachThePlan() throws {
    let plan = try LivePlan.recording(
      "-o", "a.m4a", "-d", "1m", "--split", "10s", "--rate", "48k", "--channel-map", "3,4,5",
      "--vbr", "4", "--effort", "best", "--mute", "--wall-clock", "--no-sync", "-f", "--title",
      "T")
    #expect(plan.configuration.duration == .milliseconds(60_000))
    #expect(plan.configuration.split == .every(.milliseconds(10_000)))
    #expect(plan.configuration.sampleRate == 48_000)
    #expect(plan.configuration.channelMap == [2, 3, 4])
    #expect(plan.configuration.channelCount == 3)
    #expect(plan.configuration.coding == .aac(rateControl: .variable(level: 4), effort: .best))
    #expect(plan.configuration.isMuted)
    #expect(plan.configuration.followsWallClock)
    #expect(plan.recording?.options.synchronizes == false)
    #expect(plan.recording?.options.replacesExisting == true)
    #expect(plan.recording?.options.isNumbered == true)
    #expect(plan.recording?.options.tags.title == "T")
    let float = try LivePlan.recording("a.caf", "--sample-format", "f32")
    #expect(float.configuration.coding == .float32)
  }

  @Test func defaultBitrateFitsSamplingRate() throws {
    let plan = try LivePlan.recording("a.m4a", "--rate", "8000", "--channels", "1")
    guard case .aac(.constant(bitsPerSecond: let bitrate), _, _, _) = plan.configuration.coding
    else {
      Issue.record("The bitrate is not constant.")
      return
    }
    #expect(bitrate < 96_000)
    #expect(throws: UsageError.self) {
      try LivePlan.recording("a.m4a", "--rate", "8000", "--channels", "1", "-b", "96k")
    }
  }

  @Test(
    arguments: [
      "a.mp3", "a.m4a b.m4a", "-o a.m4a b.m4a", "-d 0 a.m4a", [""], "-d soon", "--split 1s2",
      "-b 96k --vbr 2", "-b 96", "a.wav -b 96k", "a.wav --effort best", "a.wav --profile lc",
      "a.m4a --sample-format s16", "a.aac --title x", "a.m4a --levels", "a.m4a --unpaced",
      "a.m4a --unpaced --device tone", "a.m4a --rate 44000", "a.m4a --channels 7", "--backend jack",
      "--format mp3", "--gain loud",
    ] as [Words])
  func invalidRecordArgumentsAreRejectedBeforeOpening(arguments: Words) {
    captured.aacorn(["record"] + arguments.words, status: .usage)
    #expect(captured.errors.hasPrefix("aacorn: "))
    #expect(captured.output.isEmpty)
  }

  // MARK: - Errors

  @Test func missingMicrophoneIsReportedWithExitCodeThree() throws {
    let plan = try LivePlan.recording("a.m4a")
    let error = DeviceError.nothingUsable(
      for: .capture,
      [
        .noServer(backend: .pulseAudio, reason: "connection refused"),
        .noDevice(for: .capture, backend: .alsa),
      ])
    let report = LiveReport(plan, failure: .capture(error))
    #expect(report.exitStatus == .cannotRead)
    #expect(
      report.message == "No microphone was found. Connect one, or record a test signal with"
        + " --device tone. Tried: no PulseAudio server answers (connection refused);"
        + " ALSA has no input.")
    #expect(report.json.encoded.contains(#""status":"error","error":"no-device""#))
  }

  @Test func anEndBeforeItsTimeIsExitCodeFiveIfSomethingIsKept() throws {
    let plan = try LivePlan.recording("a.m4a")
    var summary = RecordingSummary()
    summary.failure = .allOutputsFailed(OutputError(.diskFull, "The disk is full."))
    #expect(LiveReport(plan, summary, LiveTally()).exitStatus == .cannotWrite)
    var tally = LiveTally()
    tally.process(.outputClosed(OutputSummary(name: "a.m4a", sampleCount: 44_100, byteCount: 9)))
    #expect(LiveReport(plan, summary, tally).exitStatus == .endedEarly)
    #expect(LiveReport(plan, summary, tally).message == "The disk is full.")
    summary.failure = .capture(.deviceBusy(id: "x"))
    let report = LiveReport(plan, summary, tally)
    #expect(report.exitStatus == .endedEarly)
    #expect(report.message?.hasSuffix("The recording until then is kept.") == true)
    summary.failure = .allOutputsFailed(OutputError(.readerGone, "Gone."))
    #expect(LiveReport(plan, summary, tally).exitStatus.code == 141)
    #expect(LiveReport(plan, summary, tally).message == nil)
  }

  /// For a pipe without a reader, no event reports the lost audio, so the final report must.
  @Test func unsavedAudioIsReportedOnce() throws {
    let plan = try LivePlan.recording("-o", "-")
    var summary = RecordingSummary()
    summary.failure = .allOutputsFailed(OutputError(.tooSlow, "It is too slow."))
    let rate = plan.configuration.sampleRate
    #expect(LiveReport(plan, summary, LiveTally()).message == "It is too slow.")
    summary.unsavedSampleCount = 2 * rate
    let report = LiveReport(plan, summary, LiveTally())
    let length = QuantityText.length(2)
    let message = "It is too slow. The last \(length) of sound could not be saved."
    #expect(report.message == message && report.exitStatus == .cannotWrite)
    #expect(report.json.encoded.contains("\"message\":\"\(message)\""))
    let console = captured.console
    report.print(in: console)
    console.errors.flush()
    captured.expectErrors(message)
    // The line about the closed file already reports the lost audio.
    var tally = LiveTally()
    var output = OutputSummary(name: "a.m4a", sampleCount: rate, byteCount: 9)
    tally.process(.outputClosed(output))
    output.unsavedSampleCount = 2 * rate
    summary.outputs = [output]
    #expect(LiveReport(plan, summary, tally).message == "It is too slow.")
  }

  @Test func pipedRecordingReportsFailureOnStandardError() throws {
    let plan = try LivePlan.recording("-o", "-", "--json")
    #expect(plan.fail(.capture(.deviceBusy(id: "x")), in: captured.console) == .cannotRead)
    #expect(captured.output.isEmpty)
    #expect(captured.errors.hasPrefix(#"{"event":"stopped","time":""#))
    #expect(captured.errors.hasSuffix(#""files":[]}"# + "\n"))
  }

  @Test func failedTrackExitsWithFive() throws {
    let plan = try LivePlan.recording("a.m4a")
    var tally = LiveTally()
    tally.process(.outputClosed(OutputSummary(name: "a.m4a", sampleCount: 44_100, byteCount: 9)))
    #expect(LiveReport(plan, RecordingSummary(), tally).exitStatus == .success)
    tally.process(.trackFailed("bed", .capture(.deviceBusy(id: "x"))))
    let report = LiveReport(plan, RecordingSummary(), tally)
    #expect(report.exitStatus == .endedEarly)
    #expect(report.message?.contains("“bed” cannot continue") == true)
    #expect(report.json.encoded.contains(#""status":"error","error":"cannot-capture""#))
  }
}
