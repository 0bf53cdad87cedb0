import AacornDevices
import AacornPlayback
import AacornRecording
import AacornSystem

extension PlayCommand {
  static var syntax: CommandSyntax<PlayCommand> {
    CommandSyntax(
      CommandDescription(
        name: "play", summary: "Plays sound files without gaps between them.",
        operands: .files("<file or folder>..."),
        discussion: [
          "Plays all that “aacorn encode” and “aacorn decode” read; - is standard input. "
            + "Folders are searched for sound files, including "
            + "subfolders, which are played in the order of their names, 2 before 10. A file that "
            + "cannot be read is told of and left out. While a device is away, the sound waits for "
            + "it.",
          "An address that begins with http:// or https:// is a broadcast in AAC or MP3, HLS too, whose "
            + "titles are shown, or a file. Playlists lead neither from https to http nor from the "
            + "internet into a private network. Files in MP3, FLAC, Ogg and what else is not read from a "
            + "pipe are fetched whole before they are played, at most 2 GB, into the folder that "
            + "TMPDIR names or /var/tmp, which is told. A jump back in other files asks the server for "
            + "them again. What a broadcast loses while it is paused or its connection is broken is "
            + "told.",
          "Keys: space pauses, ← and → go five seconds back and forward, ↑ and ↓ or + and - change "
            + "the volume, n and p go to the next and the previous file, [ and ] change the speed, "
            + "q or Ctrl-C stops.",
        ],
        examples: [
          ("aacorn play song.m4a", "on the default device"),
          ("aacorn play album/", "a folder, one file after the other"),
          ("aacorn play --speed 1.5 --start 12:30 talk.mp3", "faster, at the same pitch"),
          (
            "aacorn play --effects \"loudness -18, limiter\" talks/",
            "evenly loud, whoever talks"
          ),
          ("aacorn play --loop list --shuffle music/", "until q is pressed"),
          (
            "aacorn play https://radio.example/live.aac",
            "a broadcast; a broken one goes on by itself"
          ),
          ("aacorn record -o - | aacorn play -", "what is being recorded"),
        ],
        exitCodes: ExitStatus.playTable,
        hints: [
          ("--system", "Choose the sound system with --backend."),
          ("-i", "Name the files without an option."),
          ("--gain", "Choose the loudness with --volume."),
          ("--rate", "The sound is converted to the device's rate; for its speed use --speed."),
        ]),
      options: deviceOptions + soundOptions + otherOptions,
      inputs: \.inputs)
  }

  private typealias Option = CommandSyntax<PlayCommand>.Option

  private static var deviceOptions: [Option] {
    let section = "Device"
    return [
      .value(
        "device", .text("DEVICE"), in: section,
        "Play on this device only, by its id or its name, which “aacorn devices --outputs” lists; "
          + "without it, on the default device; null is heard by nobody."
      ) { (command, value) throws(UsageError) in
        if value.isEmpty { throw UsageError("The device has an empty name.") }
        command.device = value
      },
      .value(
        "backend", .choice(OptionValue.backends), in: section,
        "The sound system; the default is the best one that works."
      ) { (command, value) throws(UsageError) in
        command.backend = CaptureBackend(rawValue: value)
      },
    ]
  }

  private static var soundOptions: [Option] {
    let section = "Sound"
    return [
      .value(
        "loop", .choice(PlayerConfiguration.Loop.allCases.map(\.rawValue)), in: section,
        "What comes after a file: item plays it again, list begins with the first one after the "
          + "last; the default is none."
      ) { (command, value) throws(UsageError) in
        command.loop = PlayerConfiguration.Loop(rawValue: value) ?? PlayerConfiguration.Loop.none
      },
      .flag("shuffle", in: section, "Play the files in random order.", \.isShuffled),
      .value(
        "start", .text("TIME"), in: section,
        "Begin the first file at this time, such as 90, 1.5s or 1:30.25; exact to the sample. If it has "
          + "ended by then, the next one is played."
      ) { (command, value) throws(UsageError) in
        command.start = try OptionValue.moment(value, "--start")
      },
      .value(
        "speed", .text("FACTOR"), in: section,
        "Play 0.5 to 2 times as fast, at the same pitch."
      ) { (command, value) throws(UsageError) in
        command.speed = try OptionValue.speed(value)
      },
      .value("effects", .text("TEXT"), in: section, OptionValue.effectsHelp) {
        (command, value) throws(UsageError) in
        command.effects = try OptionValue.effects(value)
      },
      .value(
        "max-bitrate", .text("RATE"), in: section,
        "Of an address that offers several bitrates (HLS), play the highest up to this one, such as "
          + "64k, or the lowest if all are above it; the default is the highest."
      ) { (command, value) throws(UsageError) in
        command.maximumBitrate = try OptionValue.bitrate(value)
      },
      .value(
        "volume", .text("PERCENT"), in: section,
        "From 0, silence, to 100, the sound as it is, which is the default."
      ) { (command, value) throws(UsageError) in
        command.volume = PlayVolume(percent: try OptionValue.percent(value, "--volume"))
      },
    ]
  }

  private static var otherOptions: [Option] {
    let section = "Other"
    return [
      .flag("json", in: section, "Print one JSON object per event.", \.printsJSON),
      .flag(
        "verbose", short: "v", in: section, "Tell what is played, and how.", \.isVerbose),
      .flag("quiet", short: "q", in: section, "Print only errors.", \.isQuiet),
    ]
  }
}

extension OptionValue {
  /// A factor of 0.5 to 2.
  fileprivate static func speed(_ value: String) throws(UsageError) -> Double {
    guard let thousandths = DecimalQuantity.parseMilliseconds(value),
      (500...2000).contains(thousandths)
    else {
      throw UsageError(
        "--speed does not understand “\(displayed(value))”.",
        advice: "Give a factor from 0.5 to 2, such as 1.25.")
    }
    return Double(thousandths) / 1000
  }

  /// A whole number of 0 to 100.
  fileprivate static func percent(_ value: String, _ option: String) throws(UsageError) -> Int {
    guard let percent = Int(value), (0...100).contains(percent) else {
      throw UsageError(
        "\(option) does not understand “\(displayed(value))”.",
        advice: "Give a number from 0 to 100.")
    }
    return percent
  }
}
