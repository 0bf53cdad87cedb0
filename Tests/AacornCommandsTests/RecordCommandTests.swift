import AacornCodec
import AacornContainers
import AacornDevices
import AacornRecording
import AacornSystem
import SoundRigs
import Testing

@testable import AacornCommands

/// The command line, and what a recording is planned to be.
@Suite struct RecordCommandTests {
  private let folder: TemporaryFolder
  private let captured = CapturedConsole()

  init() throws {
    folder = try TemporaryFolder()
  }

  private func parse(_ arguments: String...) throws -> RecordCommand {
    guard
      case .run(let command) = try ArgumentParser(RecordCommand.syntax).parse(
        arguments, into: RecordCommand())
    else { throw UsageError("help") }
    return command
  }

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
  func whatIsFinerThanNanosecondsIsNoTime(text: String) {
    #expect(TimeText.nanoseconds(text) == nil)
  }

  @Test(arguments: [
    "", "s", "-1", "1x", "1:60", "1:2:60", "1:2:3:4", "1.5:00", ":30", "1s2", "1e3", "٣s", "10S",
    "400d", "99999999999h", "0.0001", "1..5s", "1 h",
  ])
  func otherTextsAreNoTimes(text: String) {
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
    let plan = try RecordPlan(parse("test.aac"))
    #expect(plan.path == "test.aac")
    #expect(plan.format == .aac)
    #expect(plan.configuration.sampleRate == 48_000)
    #expect(plan.configuration.channelCount == 2)
    #expect(
      plan.configuration.coding
        == .aac(rateControl: .constant(bitsPerSecond: 128_000), effort: .balanced))
    #expect(plan.options.synchronizes)
    #expect(!plan.options.replacesExisting)
  }

  @Test func withoutAFileTheNameIsMadeOfDateAndTime() throws {
    let plan = try RecordPlan(parse("--format", "wav"))
    #expect(plan.path.hasPrefix("recording-"))
    #expect(plan.path.hasSuffix(".wav"))
    #expect(plan.path.count == "recording-YYYYMMDD-HHMMSS.wav".count)
    let inside = try RecordPlan(parse(folder.path))
    #expect(inside.path.hasPrefix(folder.path + "/recording-"))
    #expect(inside.format == .m4a)
  }

  @Test func optionsReachThePlan() throws {
    let plan = try RecordPlan(
      parse(
        "-o", "a.m4a", "-d", "1m", "--split", "10s", "--rate", "48k", "--channel-map", "3,4,5",
        "--vbr", "4", "--effort", "best", "--mute", "--wall-clock", "--no-sync", "-f", "--title",
        "T"))
    #expect(plan.configuration.duration == .milliseconds(60_000))
    #expect(plan.configuration.split == .every(.milliseconds(10_000)))
    #expect(plan.configuration.sampleRate == 48_000)
    #expect(plan.configuration.channelMap == [2, 3, 4])
    #expect(plan.configuration.channelCount == 3)
    #expect(plan.configuration.coding == .aac(rateControl: .variable(level: 4), effort: .best))
    #expect(plan.configuration.isMuted)
    #expect(plan.configuration.followsWallClock)
    #expect(!plan.options.synchronizes)
    #expect(plan.options.replacesExisting)
    #expect(plan.options.isNumbered)
    #expect(plan.options.tags.title == "T")
    let float = try RecordPlan(parse("a.caf", "--bits", "float"))
    #expect(float.configuration.coding == .float32)
  }

  @Test func aBitrateThatNobodyAskedForFitsTheSamplingRate() throws {
    let plan = try RecordPlan(parse("a.m4a", "--rate", "8000", "--channels", "1"))
    guard case .aac(.constant(bitsPerSecond: let bitrate), _, _, _) = plan.configuration.coding
    else {
      Issue.record("no constant rate")
      return
    }
    #expect(bitrate < 96_000)
    #expect(throws: UsageError.self) {
      try RecordPlan(parse("a.m4a", "--rate", "8000", "--channels", "1", "-b", "96k"))
    }
  }

  @Test(arguments: [
    ["a.mp3"], ["a.m4a", "b.m4a"], ["-o", "a.m4a", "b.m4a"], ["-d", "0", "a.m4a"], [""],
    ["-d", "soon"], ["--split", "1s2"], ["-b", "96k", "--vbr", "2"], ["-b", "96"],
    ["a.wav", "-b", "96k"], ["a.wav", "--effort", "best"], ["a.wav", "--profile", "lc"],
    ["a.m4a", "--bits", "16"],
    ["a.aac", "--title", "x"], ["a.m4a", "--levels"], ["a.m4a", "--unpaced"],
    ["a.m4a", "--unpaced", "--device", "tone"], ["a.m4a", "--rate", "44000"],
    ["a.m4a", "--channels", "7"], ["--backend", "jack"], ["--format", "mp3"], ["--gain", "loud"],
  ])
  func whatMakesNoSenseIsRefusedBeforeAnythingIsOpened(arguments: [String]) {
    #expect(captured.run(["record"] + arguments) == .usage)
    #expect(captured.errors.hasPrefix("aacorn: "))
    #expect(captured.output.isEmpty)
  }

  @Test func mistypedNamesAreGuessed() {
    #expect(captured.run(["recrod"]) == .usage)
    #expect(captured.errors.contains("Did you mean record?"))
    #expect(captured.run(["record", "--durration", "5"]) == .usage)
    #expect(captured.errors.contains("Did you mean --duration?"))
    #expect(captured.run(["record", "--backend", "alsaa"]) == .usage)
    #expect(captured.errors.contains("Did you mean alsa?"))
  }

  // MARK: - What goes wrong

  @Test func nothingUsableIsASentenceAndExitCodeThree() throws {
    let plan = try RecordPlan(parse("a.m4a"))
    let error = CaptureError.nothingUsable([
      .noServer(backend: .pulseAudio, reason: "connection refused"), .noDevice(backend: .alsa),
    ])
    let report = RecordReport(plan, failure: .capture(error))
    #expect(report.exitStatus == .cannotRead)
    #expect(
      report.sentence == "No microphone was found. Connect one, or record a built-in sound with"
        + " --device tone. What was tried: no PulseAudio server answers (connection refused);"
        + " ALSA has no input.")
    #expect(report.json.encoded.contains("\"status\":\"error\",\"error\":\"no-device\""))
  }

  @Test func anOutputThatCannotBeWrittenIsExitCodeFour() throws {
    let path = try folder.write([1], to: "a.m4a")
    let tone = ["--device", "tone", "--unpaced", "-d", "1"]
    #expect(captured.run(["record", path] + tone) == .cannotWrite)
    #expect(captured.errors.contains("already exists and was left alone. Use --force to replace"))
    #expect(try folder.read("a.m4a") == [1])
    #expect(captured.run(["record", folder.path("no/a.m4a")] + tone) == .cannotWrite)
    #expect(captured.errors.contains("its folder does not exist"))
    #expect(captured.run(["record", "--force", path] + tone) == .success)
    #expect(try folder.read("a.m4a").count > 1000)
  }

  @Test func anEndBeforeItsTimeIsExitCodeFiveIfSomethingIsKept() throws {
    let plan = try RecordPlan(parse("a.m4a"))
    var summary = RecordingSummary()
    summary.failure = .allOutputsFailed(OutputError(.diskFull, "The disk is full."))
    #expect(RecordReport(plan, summary, RecordTally()).exitStatus == .cannotWrite)
    var tally = RecordTally()
    tally.take(.outputClosed(OutputSummary(name: "a.m4a", sampleCount: 44_100, byteCount: 9)))
    #expect(RecordReport(plan, summary, tally).exitStatus == .endedEarly)
    #expect(RecordReport(plan, summary, tally).sentence == "The disk is full.")
    summary.failure = .capture(.deviceBusy(id: "x"))
    let report = RecordReport(plan, summary, tally)
    #expect(report.exitStatus == .endedEarly)
    #expect(report.sentence?.hasSuffix("What was recorded until then is kept.") == true)
    summary.failure = .allOutputsFailed(OutputError(.readerGone, "Gone."))
    #expect(RecordReport(plan, summary, tally).exitStatus.code == 141)
    #expect(RecordReport(plan, summary, tally).sentence == nil)
  }

  @Test func aTrackThatCouldNotGoOnIsExitCodeFive() throws {
    let plan = try RecordPlan(parse("a.m4a"))
    var tally = RecordTally()
    tally.take(.outputClosed(OutputSummary(name: "a.m4a", sampleCount: 44_100, byteCount: 9)))
    #expect(RecordReport(plan, RecordingSummary(), tally).exitStatus == .success)
    tally.take(.trackFailed("bed", .capture(.deviceBusy(id: "x"))))
    let report = RecordReport(plan, RecordingSummary(), tally)
    #expect(report.exitStatus == .endedEarly)
    #expect(report.sentence?.contains("“bed” cannot continue") == true)
    #expect(report.json.encoded.contains(#""status":"error","error":"cannot-capture""#))
  }

  @Test func aFileThatIsNoSoundIsRefused() throws {
    let text = try folder.write(Array("nothing".utf8), to: "a.txt")
    let status = captured.run(["record", "--device", "file:" + text, folder.path("a.m4a")])
    #expect(status == .cannotRead)
    #expect(captured.errors.contains("a.txt"))
    #expect(folder.names == ["a.txt"])
  }

  @Test func voiceIsNeverAPlainMicrophone() {
    let status = captured.run(
      ["record", "--voice", "--device", "tone", "-d", "1", folder.path("a.m4a")])
    #expect(status == .cannotRead)
    #expect(captured.errors.contains("Record without --voice."))
    #expect(folder.names.isEmpty)
  }
}

/// Recordings of built-in sounds through the command.
@Suite struct RecordCommandRunTests {
  private let folder: TemporaryFolder
  private let captured = CapturedConsole()

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs a recording and does something to it once it has begun a file.
  private func run(
    _ arguments: [String], _ action: @escaping @Sendable (Interruption) -> Void
  ) -> AacornCommands.ExitStatus {
    let captured = captured
    let thread = WorkerThread {
      _ = comesTrue { captured.errors.contains("Recording into") }
      action(captured.interruption)
    }
    defer { thread?.join() }
    return captured.run(arguments)
  }

  @Test(arguments: ["m4a", "aac", "wav", "caf"])
  func everyFormatHoldsWhatWasAskedFor(format: String) throws {
    let path = folder.path("a." + format)
    let status = captured.run(
      ["record", path, "--device", "tone", "--unpaced", "-d", "2.5", "--channels", "1"])
    #expect(status == .success)
    #expect(captured.output.contains("a.\(format): 0:02.5, "))
    #expect(captured.output.hasSuffix(", no gaps\n"))
    #expect(captured.errors == "aacorn: Recording into “\(path)”.\n")
    #expect(folder.names == ["a." + format])
  }

  @Test func theFileIsSoundAndExact() throws {
    let path = folder.path("a.m4a")
    #expect(
      captured.run(["record", path, "--device", "speech", "--unpaced", "-d", "3", "-q"])
        == .success)
    #expect(captured.output.isEmpty)
    #expect(captured.errors.isEmpty)
    #expect(captured.run(["inspect", "--json", path]) == .success)
    #expect(captured.output.contains("\"samples\":144000,"))
    #expect(captured.output.contains("\"faults\":[]"))
  }

  @Test func everySampleOfTheCounterIsInTheFile() throws {
    let path = folder.path("a.wav")
    #expect(
      captured.run(
        ["record", path, "--device", "counter", "--unpaced", "-d", "1", "--bits", "float"])
        == .success)
    #expect(try folder.read("a.wav").count >= 48_000 * 8 + 44)
  }

  @Test func aFileIsPlayedToItsEnd() throws {
    let input = try folder.write(wavFile(frames: 30_000), to: "in.wav")
    let path = folder.path("out.wav")
    #expect(captured.run(["record", path, "--device", "file:" + input, "--unpaced"]) == .success)
    let before = try folder.read("in.wav").suffix(120_000)
    #expect(try folder.read("out.wav").suffix(120_000) == before)
  }

  @Test func aSplitRecordingHasNumberedFilesThatAddUp() throws {
    let status = captured.run(
      [
        "record", folder.path("a.wav"), "--split", "1s", "-d", "2.5", "--device", "sweep",
        "--unpaced",
      ])
    #expect(status == .success)
    #expect(folder.names == ["a-001.wav", "a-002.wav", "a-003.wav"])
    let lines = captured.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("the sound itself: -") && lines[0].contains(" LUFS, true peak -"))
    #expect(lines[3].contains("a-003.wav: 0:00.5, "))
  }

  @Test func jsonIsALineForEveryEvent() throws {
    let path = folder.path("a.m4a")
    let status = captured.run(
      ["record", path, "--device", "tone", "--unpaced", "-d", "1", "--rate", "48000", "--json"])
    #expect(status == .success)
    #expect(captured.errors.isEmpty)
    let lines = captured.output.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.hasPrefix("{\"event\":\"") && $0.hasSuffix("}") })
    #expect(lines.first?.hasPrefix("{\"event\":\"started\",\"time\":\"") == true)
    #expect(lines.first?.contains("\"id\":\"tone\"") == true)
    #expect(lines.dropFirst().first?.hasPrefix("{\"event\":\"opened\"") == true)
    #expect(lines.last?.hasPrefix("{\"event\":\"stopped\"") == true)
    #expect(lines.last?.contains("\"status\":\"ok\",\"error\":null,\"message\":null,") == true)
    #expect(lines.last?.contains("\"samples\":48000,\"duration\":1.000000,\"gaps\":0,") == true)
    #expect(lines.last?.contains(",\"loudness\":-") == true)
    #expect(lines.last?.contains(",\"loudnessRange\":null,\"truePeak\":-") == true)
    let closed = lines.first { $0.hasPrefix("{\"event\":\"closed\"") }
    #expect(closed?.contains("\"file\":\"\(path)\",\"samples\":48000,") == true)
  }

  @Test func aFailureIsALineOfJSONToo() throws {
    let path = try folder.write([1], to: "a.m4a")
    let status = captured.run(
      ["record", path, "--device", "tone", "--unpaced", "-d", "1", "--json"])
    #expect(status == .cannotWrite)
    #expect(captured.output.contains("\"event\":\"stopped\""))
    #expect(captured.output.contains("\"status\":\"error\",\"error\":\"exists\""))
    #expect(captured.errors.isEmpty)
  }

  @Test func aSignalEndsTheRecordingWithSuccess() throws {
    let path = folder.path("a.m4a")
    let status = run(["record", path, "--device", "tone"]) {
      $0.raise(System.interruptSignal)
    }
    #expect(status == .success)
    #expect(captured.interruption.signal == nil)
    #expect(captured.output.contains("a.m4a: 0:"))
    #expect(captured.run(["inspect", path]) == .success)
  }

  @Test func aHangUpBeginsANewFile() throws {
    let path = folder.path("a.aac")
    let captured = captured
    let status = run(["record", path, "--device", "tone"]) {
      $0.noteHangUp()
      _ = comesTrue { captured.errors.contains("a-002.aac") }
      $0.raise(System.terminateSignal)
    }
    #expect(status == .success)
    #expect(folder.names == ["a-002.aac", "a.aac"])
    #expect(captured.errors.contains("Recording into “\(folder.path("a-002.aac"))”."))
  }

  @Test func aReaderThatWentAwayEndsTheRecording() throws {
    let path = folder.path("a.m4a")
    let status = run(["record", path, "--device", "tone"]) {
      $0.raise(System.pipeSignal)
    }
    #expect(status.code == 141)
    #expect(CapturedConsole().run(["inspect", path]) == .success)
  }

  @Test func theCuriousLearnWhatWasChosen() throws {
    let path = folder.path("a.wav")
    let status = captured.run(
      ["record", path, "--device", "tone", "--unpaced", "-d", "1", "--verbose"])
    #expect(status == .success)
    #expect(captured.errors.contains("The sound comes through the built-in source."))
    #expect(captured.errors.contains("The program makes the sound itself."))
    #expect(captured.errors.contains("flushed to disk twice a second"))
    #expect(captured.errors.contains("(2 channels, 48 kHz) since "))
  }

  @Test func lossOnTheWayIsWarnedOf() throws {
    let input = try folder.write(wavFile(frames: 30_000, channels: 4, rate: 47_000), to: "in.wav")
    let status = captured.run(
      ["record", folder.path("a.wav"), "--device", "file:" + input, "--unpaced"])
    #expect(status == .success)
    #expect(captured.errors.contains("Warning: The sound is converted from 47 kHz to 48 kHz."))
    #expect(captured.errors.contains("Warning: The device has 4 channels, the recording has 2."))
    let chosen = CapturedConsole()
    let arguments = [
      "--rate", "44100", "--channels", "2", "--device", "file:" + input, "--unpaced",
    ]
    #expect(chosen.run(["record", folder.path("b.wav")] + arguments) == .success)
    #expect(!chosen.errors.contains("converted"))
    #expect(!chosen.errors.contains("The device has"))
  }
}
