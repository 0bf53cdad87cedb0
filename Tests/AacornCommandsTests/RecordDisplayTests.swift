import AacornCodec
import AacornContainers
import AacornDevices
import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// The display during a recording.
@Suite struct RecordDisplayTests {
  private typealias Reading = LevelMeterDisplay.Reading

  private var line: LiveLine {
    var stream = LiveSnapshot()
    stream.timing = StreamTiming(sampleRate: 50_000, samplesPerUnit: 1024)
    stream.levels = [
      Reading(level: -18, hold: -12, isClipped: false),
      Reading(level: -30, hold: -3, isClipped: true),
    ]
    stream.sound.sampleCount = 615_000
    stream.sound.byteCount = 196_000
    stream.sound.filledGapCount = 2
    stream.sound.filledSampleCount = 17_000
    stream.sound.driftPartsPerMillion = 12.4
    return LiveLine(stream: stream, isRecording: true)
  }

  @Test func theLineShowsEverythingWhereThereIsRoom() {
    let text = line.text(columns: 100)
    #expect(text.hasPrefix("REC 0:12.3  L ####"))
    #expect(text.contains("|"))
    #expect(text.contains("!  -3"))
    #expect(text.hasSuffix("  196 kB  2 gaps 340 ms  +12 ppm"))
  }

  @Test func theLineSaysHowLoudItIs() {
    var line = line
    line.stream.sound.loudness.shortTerm = -18.3
    #expect(line.text(columns: 100).hasSuffix("  196 kB  2 gaps 340 ms  -18.3 LUFS  +12 ppm"))
    #expect(line.text(columns: 76).hasSuffix("  2 gaps 340 ms  -18.3 LUFS"))
    #expect(line.text(columns: 68).hasSuffix("  196 kB  2 gaps 340 ms"))
  }

  @Test func hintAboutKeysNeedsRoomAndPrecedesTheDrift() {
    var line = line
    line.hint = RecordKey.hint
    #expect(line.text(columns: 120).hasSuffix("  +12 ppm  q stops, ? lists keys"))
    #expect(line.text(columns: 90).hasSuffix("  2 gaps 340 ms  q stops, ? lists keys"))
  }

  /// The hint must not disappear when loudness and gaps appear after the start.
  @Test func hintIsShortenedBeforeOtherItemsAreOmitted() {
    var line = line
    line.hint = RecordKey.hint
    line.stream.sound.loudness.shortTerm = -18.3
    line.stream.sound.driftPartsPerMillion = nil
    #expect(line.text(columns: 80).contains("  R "))
    #expect(line.text(columns: 80).hasSuffix("  196 kB  2 gaps 340 ms  q stops"))
    #expect(line.text(columns: 70).hasSuffix("  2 gaps 340 ms  -18.3 LUFS  q stops"))
    line.stream.sound.filledGapCount = 0
    #expect(line.text(columns: 80).hasSuffix("  196 kB  -18.3 LUFS  q stops"))
    line.problem = .notBegun
    #expect(
      line.text(columns: 80)
        == "REC 0:12.3  waiting for the first sound  196 kB  q stops, ? lists keys")
    #expect(line.text(columns: 62).hasSuffix("  196 kB  q stops"))
    #expect(line.text(columns: 52).hasSuffix("  196 kB"))
  }

  @Test func theLineNeverFillsTheLastColumn() {
    for trouble in [nil, .notBegun, .asleep, .stalled, LiveLine.InputProblem.deviceLost("Böse")] {
      for channelCount in [0, 1, 2, 6, 64] {
        var line = line
        line.problem = trouble
        line.stream.levels = Array(repeating: Reading(level: -9, hold: -6), count: channelCount)
        for columns in 1...200 {
          let text = line.text(columns: columns)
          #expect(text.count <= max(1, columns - 1), "\(columns): \(text)")
        }
      }
    }
  }

  @Test func aNarrowTerminalLosesTheLeastImportantFirst() {
    #expect(!line.text(columns: 70).contains("ppm"))
    #expect(line.text(columns: 70).contains("2 gaps"))
    #expect(line.text(columns: 70).contains("  R "))
    #expect(line.text(columns: 52).contains("2 gaps"))
    #expect(!line.text(columns: 52).contains("  R "))
    #expect(!line.text(columns: 40).contains("gaps"))
    #expect(line.text(columns: 40).contains("196 kB"))
    #expect(line.text(columns: 12).hasPrefix("REC 0:12.3"))
  }

  @Test func stateIsAtLineStart() {
    var line = line
    line.stream.sound.isPaused = true
    #expect(line.text(columns: 80).hasPrefix("PAUSED 0:12.3"))
    line.stream.sound.isMuted = true
    #expect(line.text(columns: 80).hasPrefix("PAUSED, MUTED "))
    line.stream.sound.isPaused = false
    #expect(line.text(columns: 80).hasPrefix("MUTED "))
    line.stream.isMonitored = true
    #expect(line.text(columns: 80).hasPrefix("MUTED, MONITORED "))
    line.problem = .deviceLost("USB Mic")
    #expect(line.text(columns: 80).contains("device lost: waiting for USB Mic"))
    line.stream.isStopping = true
    #expect(line.text(columns: 80).hasPrefix("STOPPING"))
  }

  @Test func barsGoFromMinusSixtyToFullScale() {
    #expect(LiveLine.bar(Reading(level: 0, hold: 0), 10) == "##########")
    #expect(LiveLine.bar(Reading(level: -30, hold: -12), 10) == "#####--|--")
    #expect(LiveLine.bar(Reading(level: -59, hold: -59), 10) == "#---------")
    #expect(LiveLine.bar(Reading(level: -.infinity, hold: -60), 10) == "----------")
    #expect(LiveLine.bar(Reading(level: 12, hold: 12), 10) == "##########")
  }

  @Test func peaksAreHeldAndFallAndClippingIsMarked() {
    var meter = LevelMeterDisplay()
    meter.update([0.5, 1], at: 0)
    #expect(abs(meter.readings[0].level + 6.02) < 0.01)
    #expect(!meter.readings[0].isClipped)
    #expect(meter.readings[1].isClipped)
    meter.update([0.001, 0.001], at: 1)
    #expect(abs(meter.readings[0].level + 30.02) < 0.01)
    #expect(abs(meter.readings[0].hold + 6.02) < 0.01)
    meter.update([], at: 2)
    #expect(meter.readings[0].hold < -50)
    #expect(meter.readings[1].isClipped)
    meter.update([0, 0], at: 9)
    #expect(!meter.readings[1].isClipped)
    #expect(meter.readings[0].level == -.infinity)
  }

  @Test func keysWithoutACharacterAreLeftOut() {
    var decoder = KeyDecoder()
    #expect(
      decoder.keys(in: Array("m q".utf8)) == [.character("m"), .character(" "), .character("q")])
    #expect(decoder.keys(in: [0x1B]).isEmpty)
    #expect(decoder.keys(in: Array("[".utf8)).isEmpty)
    #expect(decoder.keys(in: Array("1;5Aq".utf8)) == [.character("q")])
    #expect(decoder.keys(in: [0x1B, 0x4F, 0x51, 0x6E]) == [.character("n")])
    #expect(decoder.keys(in: [0x1B, 0x71, 0x6D]) == [.character("m")])
    #expect(decoder.keys(in: [3, 10, 0xC3, 0xBC, 0x7F]).isEmpty)
  }

  @Test func keysHaveTheirMeanings() {
    for (character, key) in [
      (" ", .pause), ("m", .mute), ("N", .newFile), ("q", .stop), ("?", .help), ("1", .track(1)),
      ("9", .track(9)), ("0", nil), ("x", nil),
    ] as [(Character, RecordKey?)] {
      #expect(RecordKey(.character(character)) == key, "\(character)")
    }
  }

  // MARK: - Counts

  private func gap(
    _ position: Int, _ length: Int, _ cause: RecordingGap.Cause = .overrun
  ) -> RecorderEvent {
    .gap(RecordingGap(position: position, length: length, cause: cause, wallTime: 0))
  }

  private func closed(_ name: String, _ samples: Range<Int>) -> RecorderEvent {
    .outputClosed(
      OutputSummary(
        name: name, position: samples.lowerBound, sampleCount: samples.count, byteCount: 1))
  }

  @Test func everyFileHasItsOwnGaps() {
    var tally = LiveTally()
    for event in [
      gap(100, 50), gap(950, 100), gap(990, 20, .paused), closed("a", 0..<1000), gap(1500, 10),
      closed("b", 1000..<2000), closed("c", 2000..<2010),
      // No closed file contains this gap, as if another program had removed the file.
      gap(2500, 10), gap(3000, 7), closed("d", 3000..<4000),
    ] { tally.process(event) }
    #expect(tally.files.map(\.gapCount) == [2, 2, 0, 1])
    #expect(tally.files.map(\.lostSampleCount) == [100, 60, 0, 7])
    #expect(tally.files[0].line(sampleRate: 1000) == "a: 0:01.0, 1 B, 2 gaps of 100 ms")
    #expect(tally.files[2].line(sampleRate: 1000) == "c: 0:00.0, 1 B, no gaps")
  }

  @Test func filesOfTracksHaveTheGapsOfTheirTrack() {
    func gap(_ position: Int, _ length: Int, _ track: String?) -> RecorderEvent {
      .gap(
        RecordingGap(
          position: position, length: length, cause: .overrun, wallTime: 0, track: track))
    }
    func closed(_ start: Int, _ track: String?) -> RecorderEvent {
      .outputClosed(
        OutputSummary(
          name: track ?? "mix", position: start, sampleCount: 1000, byteCount: 1, track: track))
    }
    var tally = LiveTally()
    for event in [
      gap(100, 50, "mic"), gap(300, 10, "bed"), gap(950, 100, "bed"), gap(1500, 7, nil),
      closed(0, "bed"), closed(0, nil), closed(1000, nil), closed(0, "mic"), closed(1000, "mic"),
      closed(1000, "bed"),
    ] { tally.process(event) }
    #expect(tally.files.map(\.gapCount) == [2, 3, 2, 1, 1, 2])
    #expect(tally.files.map(\.lostSampleCount) == [60, 110, 57, 50, 7, 57])
    #expect(
      tally.orderedFiles(RecordingSummary()).map(\.track) == [nil, nil, "bed", "mic", "mic", "bed"])
  }

  @Test func lastFileOfOutputReportsUnsavedAudio() throws {
    var last = OutputSummary(name: "b", position: 1000, sampleCount: 500, byteCount: 1)
    var tally = LiveTally()
    tally.process(closed("a", 0..<1000))
    tally.process(.outputClosed(last))
    #expect(tally.files[1].line(sampleRate: 1000) == "b: 0:00.5, 1 B, no gaps")
    last.unsavedSampleCount = 480
    var summary = RecordingSummary()
    summary.sampleCount = 1980
    summary.unsavedSampleCount = 480
    summary.outputs = [OutputSummary(name: "a", sampleCount: 1000, byteCount: 1), last]
    summary.failure = .allOutputsFailed(OutputError(.diskFull, "The disk is full."))
    let files = tally.orderedFiles(summary)
    #expect(files[0].line(sampleRate: 1000) == "a: 0:01.0, 1 B, no gaps")
    #expect(
      files[1].line(sampleRate: 1000)
        == "b: 0:00.5, 1 B, no gaps, 480 ms after it not saved")
    let json = try LiveReport(LivePlan.recording("a.m4a"), summary, tally).json.encoded
    #expect(json.contains(#""lostSamples":0,"unsavedSamples":480,"pausedSamples":0"#))
    #expect(json.contains(#""lostSamples":0,"unsavedSamples":0}"#))
    #expect(json.contains(#""lostSamples":0,"unsavedSamples":480}]"#))
  }

  @Test func movedFilesAreOmittedWithoutFailure() throws {
    var tally = LiveTally()
    for event in [closed("a", 0..<1000), closed("b", 1000..<2000)] { tally.process(event) }
    tally.process(.outputsMissing(["a"]))
    #expect(tally.files.map(\.name) == ["b"])
    tally.process(.outputsMissing(["b"]))
    let report = try LiveReport(LivePlan.recording("a.m4a"), RecordingSummary(), tally)
    #expect(report.exitStatus == .success)
    #expect(report.message == nil)
    #expect(report.json.encoded.hasSuffix(#""files":[]}"#))
  }

  @Test func movedFilesAreReportedInOneMessage() throws {
    #expect(
      try json(.outputsMissing(["a.m4a"]))
        == #"{"event":"outputs-away","time":"1970-01-01T00:00:01.000Z","files":["a.m4a"],"#
        + #""message":"“a.m4a” was moved or deleted by another program."}"#)
    #expect(
      RecorderEvent.outputsMissing(["a", "b"]).commandMessage(sampleRate: 48_000)?.text
        == "2 complete parts were moved or deleted by another program.")
  }

  @Test func tallyReportsInputProblem() {
    let device = Device(backend: .alsa, id: "hw:0", name: "Mic")
    var tally = LiveTally()
    tally.process(.stalled)
    #expect(tally.problem == .notBegun)
    tally.process(.started(device, wallTime: 0))
    #expect(tally.problem == nil)
    tally.process(.deviceLost)
    #expect(tally.problem == .deviceLost("Mic"))
    tally.process(.deviceReturned(device))
    #expect(tally.problem == nil)
    tally.process(.suspended)
    #expect(tally.problem == .asleep)
    tally.process(.resumed)
    #expect(tally.problem == nil)
  }

  // MARK: - Events

  private func json(_ event: RecorderEvent) throws -> String? {
    let plan = try LivePlan.recording("a.m4a")
    return event.json(wallTime: 1_000_000_000, plan: plan, file: nil)?.encoded
  }

  @Test func gapsAreJSONWithPlaceCauseAndTime() throws {
    #expect(
      try json(gap(441, 48_000, .deviceLost))
        == #"{"event":"gap","time":"1970-01-01T00:00:00.000Z","position":441,"length":48000,"#
        + #""seconds":1.000000,"cause":"device-lost","filled":true}"#)
    #expect(
      try json(.deviceLost) == #"{"event":"device-lost","time":"1970-01-01T00:00:01.000Z"}"#)
    #expect(try json(.stopped(RecordingSummary())) == nil)
  }

  @Test func problemsOfTheSignalAreJSON() throws {
    #expect(try json(.stalled) == #"{"event":"stalled","time":"1970-01-01T00:00:01.000Z"}"#)
    var signal = SignalEvent(.silent, isActive: true, length: 480_000)
    #expect(
      try json(.signal(signal))
        == #"{"event":"silent","time":"1970-01-01T00:00:01.000Z","device":null,"length":480000,"#
        + #""seconds":10.000000}"#)
    signal.isActive = false
    #expect(try json(.track("mic", .signal(signal)))?.hasSuffix(#","track":"mic"}"#) == true)
    #expect(try json(.signal(signal))?.hasPrefix(#"{"event":"audible","#) == true)
  }

  @Test func eventMessagesEndWithPeriod() {
    let device = Device(
      backend: .alsa, id: "hw:0", name: "Mic\u{1B}[2J", channelCount: 2, sampleRate: 48_000)
    let events: [RecorderEvent] = [
      .started(device, wallTime: 0), gap(44_100, 15_000), gap(0, 10, .paused), gap(0, 9, .surplus),
      .deviceLost, .deviceReturned(device), .deviceChanged(nil), .suspended, .resumed,
      .formatChanged(sampleRate: 16_000, channelCount: 1), .paused(true), .paused(false),
      .muted(true), .muted(false), .outputOpened("a.m4a"),
    ]
    for event in events {
      let message = event.message(sampleRate: 44_100)?.text ?? ""
      #expect(message.hasSuffix("."), "\(message)")
      #expect(!message.unicodeScalars.contains("\u{1B}"))
    }
    #expect(
      gap(44_100, 15_000).message(sampleRate: 44_100)?.text
        == "340 ms of audio is missing at 0:01.0 (buffer overrun) and was replaced by silence.")
  }

  @Test func timesAreWrittenAsPeopleAndProgramsReadThem() {
    #expect(Timestamp.iso8601(1_772_368_496_789_000_000) == "2026-03-01T12:34:56.789Z")
    #expect(Timestamp.iso8601(-1_000_000) == "1969-12-31T23:59:59.999Z")
    #expect(QuantityText.length(0.34) == "340 ms")
    #expect(QuantityText.length(0.0005) == "0.5 ms")
    #expect(QuantityText.length(2.5) == "2.5 s")
    #expect(QuantityText.length(62.5) == "1:02.5")
  }
}
