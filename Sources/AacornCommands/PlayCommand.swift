import AacornDevices
import AacornPlayback
import AacornRecording
import AacornSystem

struct PlayCommand: Subcommand {
  var inputs: [String] = []

  var device: String?
  var backend: DeviceBackend?
  var loop = PlayerConfiguration.Loop.none
  var isShuffled = false
  var start = Duration.zero
  var speed = 1.0
  /// The maximum bitrate of a web stream, in bits per second.
  var maximumBitrate: Int?
  var effects: [EffectDescription] = []
  var volume = PlayVolume()

  var report = ReportChoice()

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    try validate()
    let plan = PlayPlan(self, interruption: console.interruption)
    if let signal = console.interruption.signal { return .interrupted(by: signal) }
    for failure in plan.failures { console.printError(failure.commandMessage) }
    var summary = PlayerSummary()
    if !plan.items.isEmpty {
      do throws(PlayerError) {
        // Validate the effects before opening a device or fetching a file.
        try PlayerSession.check(effects)
        var run = PlayRun(plan, on: try findOutput(), in: console)
        return run.run()
      } catch {
        summary.failure = error
      }
    }
    let report = PlayReport(plan, summary)
    report.print(in: console)
    return report.exitStatus
  }

  /// Finds the selected device, and its sound system, which is nil for the best available one.
  func findOutput() throws(PlayerError) -> (request: PlaybackRequest, backend: DeviceBackend?) {
    guard let device else { return (PlaybackRequest(), backend) }
    let found = try rethrow(
      as: PlayerError.playback, DeviceSystems.output(called: device, backend: backend))
    return (PlaybackRequest(device: .pinned(id: found.id)), found.backend)
  }

  /// Rejects contradictory options and invalid inputs.
  private func validate() throws(UsageError) {
    try reject(
      if: inputs.isEmpty, "There is nothing to play.",
      hint: "Name a file or a folder, or - for standard input.")
    try OptionValue.checkStandardInput(in: inputs)
    if inputs.contains("-"), loop != PlayerConfiguration.Loop.none {
      throw UsageError("Standard input (-) cannot be looped.", hint: "Omit --loop.")
    }
    let addresses = inputs.filter { $0.contains("://") }
    if maximumBitrate != nil, addresses.isEmpty {
      throw UsageError(
        "--max-bitrate is only for addresses.",
        hint: "Omit it, or name an address such as https://radio.example/live.m3u8.")
    }
    if let address = addresses.first(where: { !PlaylistItem($0).isAddress }) {
      throw UsageError(
        "“\(displayed(address))” is not an address that can be played.",
        hint: "Write it like https://radio.example/live.aac.")
    }
  }
}

extension PlayCommand {
  static var syntax: CommandSyntax<PlayCommand> {
    CommandSyntax(
      CommandDescription(
        name: "play", summary: "Plays sound files and web radio without gaps.",
        operands: .files("<file, folder or URL>..."),
        discussion: [
          "Plays the formats that “aacorn encode” and “aacorn decode” read; - is standard input. "
            + "Folders are searched for sound files, including subfolders, and played in the order "
            + "of the names, 2 before 10. Unreadable files are reported and skipped. If the device is "
            + "disconnected, playback waits for it.",
          "An http:// or https:// address is a live stream in AAC or MP3, an HLS stream, or a file. "
            + "Titles are shown. Playlists may not lead from https to http, or from the internet into "
            + "a private network. MP3, FLAC and Ogg files, and others that cannot be read from a "
            + "pipe, are downloaded before they are played: at most 2 GB, into the folder of TMPDIR "
            + "or /var/tmp. A jump back in another file requests it again. Audio that a live stream "
            + "loses during a pause or a broken connection is reported.",
          "Keys: \(PlayKey.list), q or Ctrl-C stops, ? lists the keys.",
        ],
        examples: [
          ("aacorn play song.m4a", "Play a file on the default device."),
          ("aacorn play --loop --shuffle music/", "Play a folder until q is pressed."),
          ("aacorn play https://radio.example/live.aac", "Play a web radio; it reconnects."),
          ("aacorn play --speed 1.5 --start 12:30 talk.mp3", "Play faster, at the same pitch."),
          (
            "aacorn play --effects \"loudness -18, limiter\" talks/",
            "Play all voices at the same loudness."
          ),
          ("aacorn record -o - | aacorn play -", "Play a recording in progress."),
        ],
        exitCodes: ExitStatus.playTable,
        hints: [
          ("--gain", "Use --volume PERCENT, or --effects \"gain 6\" for decibels."),
          (
            "--rate", "Audio is converted to the device's rate; to play faster, use --speed FACTOR."
          ),
        ]),
      options: [("Device", deviceOptions), ("Audio", soundOptions), ("Other", otherOptions)],
      inputs: \.inputs)
  }

  private typealias Option = CommandSyntax<PlayCommand>.Option

  private static var deviceOptions: [Option] {
    [
      .path(
        "device", .text("DEVICE"),
        "Play on this device (default: the system's; see “aacorn devices --outputs”). DEVICE is an ID "
          + "or a name; null discards the audio.", "device", \.device),
      .backend(\.backend),
    ]
  }

  private static var soundOptions: [Option] {
    [
      .value("loop", .none, "Play the list of files in a loop.") { command, _ in
        command.loop = .list
      },
      .value("loop-file", .none, "Play the same file in a loop.") { command, _ in
        command.loop = .item
      },
      .flag("shuffle", "Play the files in random order.", \.isShuffled),
      .value(
        "start", .text("TIME"),
        "Start the first file at this time, such as 90, 1.5s or 1:30.25, to the sample (default 0). "
          + "If the file is shorter, the next file is played.", \.start, OptionValue.position),
      .value(
        "speed", .text("FACTOR"), "Speed, 0.5 to 2, at the same pitch (default 1).", \.speed,
        OptionValue.speed),
      .effects(\.effects),
      .value(
        "max-bitrate", .text("RATE"),
        "Maximum bitrate of an HLS stream, such as 64k (default: the highest offered). If all are "
          + "higher, the lowest is played.", \.maximumBitrate, OptionValue.bitrate),
      .value("volume", .text("PERCENT"), "Volume, 0 to 100 percent (default 100).") {
        (command, value) throws(UsageError) in
        command.volume = PlayVolume(
          percent: try OptionValue.integer(value, "--volume", in: 0...100))
      },
    ]
  }

  private static var otherOptions: [Option] {
    [
      .flag("json", "Print one JSON object per event.", \.report.printsJSON),
      .verbose(\.report.wantsDetails, "Print the files and the settings used."),
      .quiet(\.report.isQuiet),
    ]
  }
}

extension OptionValue {
  /// Parses a factor from 0.5 to 2.
  fileprivate static func speed(_ value: String, _ option: String) throws(UsageError) -> Double {
    guard let thousandths = DecimalQuantity.parseMilliseconds(value),
      (500...2000).contains(thousandths)
    else { throw outOfRange(value, option, "0.5 to 2", suchAs: ", such as 1.25") }
    return Double(thousandths) / 1000
  }
}
