import AacornContainers
import AacornDevices
import AacornPlayback
import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

@Suite struct PlayCommandTests {
  private let captured = CapturedConsole()

  @Test func optionsAreUnderstood() throws {
    let command = try PlayCommand().parsing([
      "--device", "Speakers", "--backend", "alsa", "--loop", "--shuffle", "--start", "1:30",
      "--speed", "1.25", "--volume", "50", "--max-bitrate", "64k", "--json", "-v", "-q", "a.wav",
      "-",
    ])
    #expect(command.inputs == ["a.wav", "-"])
    #expect(command.device == "Speakers")
    #expect(command.backend == .alsa)
    #expect(command.loop == PlayerConfiguration.Loop.list)
    #expect(command.isShuffled)
    #expect(command.start == .seconds(90))
    #expect(command.speed == 1.25)
    #expect(command.maximumBitrate == 64_000)
    #expect(command.volume == PlayVolume(percent: 50))
    #expect(command.volume.factor == 0.25)
    #expect(command.report.printsJSON && command.report.wantsDetails && command.report.isQuiet)
  }

  @Test(
    arguments: [
      "--speed 3 a.wav", "--speed 0.4 a.wav", "--speed fast a.wav", "--volume 101 a.wav",
      "--volume -1 a.wav", "--start soon a.wav", "--loop=twice a.wav", ["--device", "", "a.wav"],
      [], "- -", "--loop -", "ftp://example.org/radio.aac", "https://:80/", "--system alsa a.wav",
      "--max-bitrate much https://radio.example/a.m3u8",
      "--max-bitrate 64 https://radio.example/a.m3u8", "--max-bitrate 64k a.wav",
    ] as [Words])
  func invalidPlayArgumentsAreRejected(arguments: Words) {
    captured.aacorn(["play"] + arguments.words, status: .usage)
    #expect(captured.errors.hasPrefix("aacorn: "))
    #expect(captured.output.isEmpty)
  }

  @Test func foldersArePlayedInTheOrderOfNumbers() throws {
    let folder = TemporaryFolder()
    for name in ["10.wav", "2.m4a", "1.flac", "B/1.mp3", "a.aac", "C.wav", "cover.jpg", "2b.ogg"] {
      try folder.write([0], to: name)
    }
    let plan = try PlayPlan([folder.path])
    let names = plan.items.map { String($0.path.dropFirst(folder.path.count + 1)) }
    #expect(names == ["1.flac", "2.m4a", "2b.ogg", "10.wav", "a.aac", "B/1.mp3", "C.wav"])
    #expect(plan.failures.isEmpty)
  }

  @Test func filesOnTheCommandLineStayInTheirOrder() throws {
    let folder = TemporaryFolder()
    let paths = try ["b.wav", "a.wav"].map { try folder.write([0], to: $0) }
    #expect(try PlayPlan(paths).items.map(\.path) == paths)
    #expect(try PlayPlan(["--shuffle"] + paths).items.map(\.path).sorted() == paths.sorted())
  }

  @Test func numbersInNamesCountAsNumbers() {
    let ordered = ["a1", "a01b", "a2", "a10", "B1", "b2", "ba"]
    #expect(ordered.reversed().sorted(by: NaturalOrder.precedes) == ordered)
    for first in ordered {
      #expect(!NaturalOrder.precedes(first, first))
    }
  }

  @Test func keysHaveTheirMeanings() {
    var decoder = KeyDecoder()
    let bytes = Array(" np+-[]qx".utf8) + [0x1B] + Array("[A".utf8) + [0x1B] + Array("[B".utf8)
    let more = [0x1B] + Array("[C".utf8) + [0x1B] + Array("OD".utf8)
    let keys = decoder.keys(in: bytes + more).map { PlayKey($0) }
    #expect(
      keys == [
        .pause, .next, .previous, .louder, .softer, .slower, .faster, .stop, nil, .louder, .softer,
        .forward, .back,
      ])
    // The sequence of an arrow key with Control is not a key of the player.
    #expect(decoder.keys(in: [0x1B] + Array("[1;5C".utf8)).isEmpty)
    #expect(decoder.keys(in: Array("q".utf8)) == [.character("q")])
  }

  @Test func volumeAndSpeedHaveSteps() {
    #expect(PlayVolume().stepped(isUp: true).percent == 100)
    #expect(PlayVolume().stepped(isUp: false).percent == 95)
    #expect(PlayVolume(percent: 3).stepped(isUp: false).percent == 0)
    #expect(PlayVolume(percent: 0).factor == 0)
    #expect(PlayVolume().factor == 1)
    #expect(PlaySpeed.stepped(from: 1, isUp: true) == 1.1)
    #expect(PlaySpeed.stepped(from: 1, isUp: false) == 0.9)
    #expect(PlaySpeed.stepped(from: 1.3, isUp: false) == 1.25)
    #expect(PlaySpeed.stepped(from: 2, isUp: true) == 2)
    #expect(PlaySpeed.stepped(from: 0.5, isUp: false) == 0.5)
  }

  private var line: PlayLine {
    var line = PlayLine()
    line.name = "a long song.m4a"
    line.seconds = 83.9
    line.duration = 296
    line.level = -20
    return line
  }

  @Test func playLineShowsPlaybackState() {
    #expect(line.text(columns: 80) == "a long song.m4a  1:23 / 4:56  ▮▮▮▮▮▮▮▮▯▯▯▯  1.00×")
    var line = line
    line.volume = 80
    line.isPaused = true
    line.speed = 1.25
    line.duration = nil
    #expect(line.text(columns: 80) == "a long song.m4a  1:23  paused  1.25×  80 %")
    line.problem = "waiting for the device"
    #expect(line.text(columns: 80).contains("  waiting for the device  "))
  }

  @Test func theLineNeverFillsTheLastColumn() {
    for columns in 1...120 {
      let text = line.text(columns: columns)
      #expect(text.count <= max(1, columns - 1), "\(columns): \(text)")
    }
    #expect(line.text(columns: 30).hasPrefix("a "))
    #expect(line.text(columns: 30).contains("1:23"))
  }

  @Test func theReportSaysWhatWasPlayed() throws {
    let folder = TemporaryFolder()
    let plan = try PlayPlan([
      try folder.write([0], to: "a.wav"), try folder.write([0], to: "b.wav"),
    ])
    var summary = PlayerSummary()
    #expect(PlayReport(plan, summary).exitStatus == .success)
    summary.playedItemCount = 1
    summary.playedDuration = .seconds(83.4)
    summary.position = PlayerPosition(index: 1, time: .seconds(90), duration: .seconds(296))
    #expect(
      PlayReport(plan, summary).playedMessage
        == "Played “b.wav” for 1:23.4, up to 1:30.0 of 4:56.0."
    )
    summary.isComplete = true
    #expect(
      PlayReport(plan, summary).playedMessage == "Played “b.wav” for 1:23.4, to its end at 4:56.0.")
    summary.playedItemCount = 2
    #expect(PlayReport(plan, summary).playedMessage == "Played 2 files for 1:23.4.")
    #expect(PlayReport(plan, summary).exitStatus == .success)
    summary.damaged = [1]
    #expect(PlayReport(plan, summary).exitStatus == .failed)
    summary.failure = .playback(.deviceBusy(id: "hw:0"))
    #expect(PlayReport(plan, summary).exitStatus == .endedEarly)
    summary.playedItemCount = 0
    #expect(PlayReport(plan, summary).exitStatus == .cannotRead)
  }

  /// Damage sets the exit code, so it is reported even with `--quiet`.
  @Test func damageIsReportedAsError() throws {
    let message = PlayerEvent.damaged(0, "It is damaged.").message(try PlayPlan(["a.wav"]))
    #expect(message?.text == "It is damaged." && message?.weight == .error)
  }

  @Test func theReportKnowsTheOptions() throws {
    let plan = try PlayPlan(["https://radio.example/live.aac"])
    var summary = PlayerSummary()
    let hints: [(DeviceError, String)] = [
      (.unknownDevice(id: "x", backend: .alsa), "See “aacorn devices --outputs”."),
      (
        .noServer(backend: .pulseAudio, reason: "no"),
        "Start it, choose another --backend, or use --device null to play without sound."
      ),
      (
        .noDevice(for: .playback, backend: .alsa),
        "Connect loudspeakers or headphones, or use --device null to play without sound."
      ),
      (.backendUnavailable(.coreAudio), "Choose another --backend."),
      (.deviceBusy(id: "x"), "Close that program, or choose another device."),
    ]
    for (error, advice) in hints {
      summary.failure = .playback(error)
      let message = try #require(PlayReport(plan, summary).message)
      #expect(message.hasSuffix(". " + advice))
    }
  }

  @Test func maxBitrateOptionRequiresAddress() throws {
    let address = "https://radio.example/live.m3u8"
    #expect(try PlayPlan(["--max-bitrate", "64k", address]).configuration.maximumBitrate == 64_000)
    #expect(try PlayPlan([address]).configuration.maximumBitrate == nil)
    captured.aacorn("play", "--max-bitrate", "64k", "a.wav", status: .usage)
    captured.expectErrors("--max-bitrate is only for addresses.")
  }

  static let events: [(PlayerEvent, input: String, message: String?, jsonEnd: String)] = [
    (
      .unseekable(0), "https://radio.example/live.aac",
      "“https://radio.example/live.aac” is a live stream, so its position cannot be changed.", ""
    ),
    (.unseekable(0), "-", "“standard input” is a pipe, so playback cannot jump back.", ""),
    (
      .fetching(0, fetchedCount: 0, byteCount: 12_300_000), "https://radio.example/a.flac",
      "The format of “https://radio.example/a.flac” cannot be played during the download. "
        + "12.3 MB are downloaded first.", ""
    ),
    // The download is reported once, with progress in JSON.
    (
      .fetching(0, fetchedCount: 6_150_000, byteCount: 12_300_000), "https://radio.example/a.flac",
      nil, #""bytes":6150000,"totalBytes":12300000}"#
    ),
    (
      .lost(0, .milliseconds(12_300)), "https://radio.example/live.aac",
      "12.3 s of the live stream “https://radio.example/live.aac” were lost.",
      #""seconds":12.300}"#
    ),
    (
      .opened(Device(backend: .alsa, id: "hw:0", name: "Speakers")), "a.wav",
      "Playback uses Speakers through ALSA.", ""
    ),
    (
      .opened(Device(backend: .synthetic, id: "null", name: "Silent output")), "a.wav",
      "Playback uses Silent output.", ""
    ),
  ]

  @Test(arguments: events)
  func eventsAreReported(
    event: PlayerEvent, input: String, message: String?, jsonEnd: String
  ) throws {
    let plan = try PlayPlan([input])
    #expect(event.message(plan)?.text == message)
    let json = event.json(wallTime: 0, plan)?.encoded ?? ""
    #expect(json.hasSuffix(jsonEnd), "\(json)")
    if case .unseekable = event { #expect(json.contains(#""event":"unseekable""#)) }
    if case .fetching = event { #expect(json.contains(#""event":"fetching""#)) }
  }

  @Test func lostLiveAudioIsInTheReport() throws {
    var summary = PlayerSummary()
    summary.lost = .milliseconds(12_300)
    let report = PlayReport(try PlayPlan(["https://radio.example/live.aac"]), summary)
    #expect(report.json.encoded.hasSuffix(#""lost":12.300}"#))
  }

  @Test(arguments: ["null", "Silent output"])
  func theSilentOutputIsFoundWithoutItsSystem(name: String) throws {
    var command = PlayCommand()
    command.device = name
    let output = try command.findOutput()
    #expect(output.backend == .synthetic)
    #expect(output.request.device == .pinned(id: "null"))
    command.backend = .synthetic
    #expect(try command.findOutput().request.device == .pinned(id: "null"))
    // A partial name is not accepted.
    (command.device, command.backend) = ("Silent outpu", nil)
    #expect(throws: PlayerError.self) { try command.findOutput() }
  }

  @Test func devicesAreFoundByIdAndName() throws {
    let devices = [
      Device(backend: .alsa, id: "hw:0", name: "Speakers"),
      Device(backend: .alsa, id: "hw:1", name: "Speakers of the monitor"),
      Device(backend: .alsa, id: "hw:2", name: "Headphones"),
    ]
    #expect(try DeviceSystems.id(of: "hw:1", among: devices) == "hw:1")
    #expect(try DeviceSystems.id(of: "speakers", among: devices) == "hw:0")
    #expect(try DeviceSystems.id(of: "head", among: devices) == "hw:2")
    #expect(try DeviceSystems.id(of: "hw:9", among: devices) == nil)
    #expect(throws: DeviceError.ambiguousDevice(name: "sp", ids: ["hw:0", "hw:1"])) {
      try DeviceSystems.id(of: "sp", among: devices)
    }
  }
}
