import AacornRecording
import AacornSystem

extension RecordCommand {
  static var syntax: CommandSyntax<RecordCommand> {
    CommandSyntax(
      CommandDescription(
        name: "record", summary: "Records sound to a file that survives crashes.",
        operands: .files("[file]"),
        discussion: [
          "Without a file, the name is made from the date and time. The suffix chooses the format: "
            + ".m4a, .aac, .wav or .caf. The file can be played at any moment: a crash or a power "
            + "cut costs at most its last second. Lost sound is replaced by silence, so that times "
            + "stay true, and listed.",
          "Keys: space pauses, m mutes, h lets you hear it, n starts a new file, 1 to 9 start and stop "
            + "tracks (see --start), q or Ctrl-C stops. Without a terminal, SIGTERM stops and SIGHUP "
            + "starts a new file.",
        ],
        examples: [
          ("aacorn record test.aac", "until q is pressed"),
          ("aacorn record -d 10s -b 128k talk.m4a", "ten seconds at 128 kb/s"),
          ("aacorn record --preset fine-speech memo.m4a", "settings for a voice"),
          (
            "aacorn record --effects speech talk.m4a",
            "filter, gate, compressor, de-esser and limiter"
          ),
          (
            "aacorn record --effects \"speech, loudness -16, limiter -1\" talk.m4a",
            "and as loud as podcasts are"
          ),
          ("aacorn record --device hw:1 --channel-map 3,4 --format wav", "two of eight inputs"),
          (
            "aacorn record --source mic=hw:1 --source bed=bed.wav --duck bed=-12 show.m4a",
            "music under a voice"
          ),
          (
            "aacorn record --source a=hw:1 --source b=end.wav --start b=key ab.m4a",
            "a tune that key 1 starts and stops"
          ),
          (
            "aacorn record --source a=hw:1 --source b=hw:2 --track-effects a=speech ab.m4a",
            "effects for one of two tracks"
          ),
          ("aacorn record --split 1h radio.m4a", "radio-001.m4a, radio-002.m4a, … without a gap"),
          ("aacorn record -o - | ffmpeg -i - …", "into another program"),
          ("aacorn record --device tone test.m4a", "a built-in sound, without a microphone"),
        ],
        exitCodes: ExitStatus.recordTable,
        hints: [
          ("-i", "Choose what to record from with --device."),
          ("-a", "Choose the rate with --rate (-r) and channels with --channels (-c)."),
          (
            "--loudness",
            "While it runs, --effects “loudness -16, limiter -1” does it; “aacorn encode” has "
              + "--loudness for files."
          ),
        ]),
      options: outputOptions + CommandSyntax.deviceOptions("Record")
        + CommandSyntax.soundOptions(product: "file") + recordingOptions
        + tagOptions + otherOptions
    ) { (command, operand) throws(UsageError) in try command.choose(output: operand) }
  }

  private typealias Option = CommandSyntax<RecordCommand>.Option

  private static var outputOptions: [Option] {
    let section = "Output"
    return [
      .value(
        "output", short: "o", .file("FILE"), in: section,
        "The same as naming FILE; - is standard output (ADTS unless --format says otherwise)."
      ) { (command, value) throws(UsageError) in try command.choose(output: value) },
      .value(
        "duration", short: "d", alias: "t", .text("TIME"), in: section,
        "Stop after this much sound: 10s, 1.5m, 2h, 1:30:00."
      ) { (command, value) throws(UsageError) in
        command.milliseconds = try OptionValue.time(value, "--duration")
      },
      .value(
        "split", .text("SIZE"), in: section,
        "Start a new file after a time (10m), a size (100MB) or at every pause of two seconds "
          + "(on-silence). Played one after the other, they are the whole recording."
      ) { (command, value) throws(UsageError) in command.split = try OptionValue.split(value) },
      .value(
        "format", .choice(FileFormat.allCases.map(\.rawValue)), in: section,
        "m4a: AAC with tags and exact length. aac: AAC as a stream (ADTS). wav, caf: samples."
      ) { (command, value) throws(UsageError) in command.format = FileFormat(rawValue: value) },
      .value(
        "bits", .choice(["16", "float"]), in: section,
        "Sample format of WAV and CAF; the default is 16."
      ) {
        (command, value) throws(UsageError) in command.isFloat = value == "float"
      },
      .flag(
        "force", short: "f", alias: "y", in: section, "Replace an existing file.",
        \.replacesExisting),
      .value(
        "finish", .choice(FileOutput.Finish.choices), in: section, FileOutput.Finish.help
      ) { (command, value) throws(UsageError) in
        command.finish = FileOutput.Finish(rawValue: value)
      },
      Option(
        description: OptionDescription(
          long: "no-sync", short: nil, value: .none, section: section,
          help: "Do not flush to the disk twice a second; a power cut may then cost half a minute.")
      ) { (command, _) throws(UsageError) in command.synchronizes = false },
    ]
  }

  private static var recordingOptions: [Option] {
    let section = "Sound"
    return [
      .flag("mute", in: section, "Start muted; m unmutes.", \.sound.isMuted),
      .flag(
        "wall-clock", in: section,
        "Follow the computer's clock rather than the device's; for recordings of many hours.",
        \.sound.followsWallClock),
    ]
  }

  private static var tagOptions: [Option] {
    let texts: [(String, String, any WritableKeyPath<RecordCommand, String?> & Sendable)] = [
      ("title", "Title.", \.tags.title),
      ("artist", "Performer or speaker.", \.tags.artist),
      ("album", "Album.", \.tags.album),
      ("date", "Year, or a date such as 2024-05-31.", \.tags.date),
      ("comment", "Anything else.", \.tags.comment),
    ]
    return texts.map { text in
      let property = text.2
      return Option.value(text.0, .text("TEXT"), in: "Tags (M4A only)", text.1) {
        (command, value) throws(UsageError) in command[keyPath: property] = value
      }
    }
  }

  private static var otherOptions: [Option] {
    let section = "Other"
    return [
      .flag("json", in: section, "Print one JSON object per event.", \.printsJSON),
      .flag(
        "levels", in: section, "With --json: the levels too, and the loudness, ten times a second.",
        \.printsLevels),
      .flag(
        "verbose", short: "v", in: section, "Explain what was chosen, and why.", \.isVerbose),
      .flag("quiet", short: "q", in: section, "Print only errors.", \.isQuiet),
    ]
  }

  private mutating func choose(output value: String) throws(UsageError) {
    if value.isEmpty { throw UsageError("The file has an empty name.") }
    if let output, output != value {
      throw UsageError(
        "The sound cannot go to both “\(displayed(output))” and “\(displayed(value))”.",
        advice: "Name one file.")
    }
    output = value
  }
}
