import AacornRecording
import AacornSystem

extension RecordCommand {
  static var syntax: CommandSyntax<RecordCommand> {
    CommandSyntax(
      CommandDescription(
        name: "record", summary: "Records audio to a file that survives crashes.",
        operands: .files("[file]"),
        discussion: [
          "Without a file, the name is made from the date and time. The suffix selects the format: "
            + ".m4a, .aac, .wav or .caf. The file can be played during the recording. A crash or a "
            + "power failure costs at most the last second. Lost audio is replaced by silence and "
            + "listed in the report, so that times stay correct.",
          "Keys: \(RecordKey.recordingList), 1 to 9 start and stop tracks (see --start-track), q or "
            + "Ctrl-C stops, ? lists the keys. Without a terminal, SIGTERM stops and SIGHUP starts a "
            + "new file.",
        ],
        essentials: [
          "duration", "split", "format", "force", "device", "monitor", "source", "preset",
          "bitrate", "vbr", "rate", "channels", "gain", "effects",
        ],
        examples: [
          ("aacorn record talk.m4a", "Record until q is pressed."),
          ("aacorn record -d 10s -b 128k talk.m4a", "Record ten seconds at 128 kb/s."),
          (
            "aacorn record --effects \"speech, loudness -16, limiter -1\" talk.m4a",
            "Process a voice and adjust it to the loudness of podcasts."
          ),
          ("aacorn record --preset fine-speech memo.m4a", "Use the settings for a voice."),
          (
            "aacorn record --device hw:1 --channel-map 3,4 --format wav",
            "Record two of eight inputs."
          ),
          (
            "aacorn record --source mic=hw:1 --source bed=bed.wav --duck bed=-12 show.m4a",
            "Mix music under a voice."
          ),
          (
            "aacorn record --source a=hw:1 --source b=end.wav --start-track b=key ab.m4a",
            "Start a tune with the key 1."
          ),
          (
            "aacorn record --source a=hw:1 --source b=hw:2 --track-effects a=speech ab.m4a",
            "Apply effects to one of two tracks."
          ),
          (
            "aacorn record --split 1h radio.m4a",
            "Record radio-001.m4a, radio-002.m4a, … without gaps."
          ),
          ("aacorn record -o - | ffmpeg -i - …", "Send the recording to another program."),
          ("aacorn record --device tone test.m4a", "Record a test signal without a microphone."),
        ],
        exitCodes: ExitStatus.recordTable),
      options: outputOptions + CommandSyntax.deviceOptions("Record")
        + CommandSyntax.soundOptions(product: "file") + recordingOptions
        + tagOptions + otherOptions,
      formerOptions: [formerBits] + CommandSyntax.formerTrackOptions
    ) { (command, operand) throws(UsageError) in try command.choose(output: operand) }
  }

  private typealias Option = CommandSyntax<RecordCommand>.Option

  private static var outputOptions: [Option] {
    let section = "Output"
    return [
      .value(
        "output", short: "o", .file("FILE"), in: section,
        "Write FILE, like the operand; - is standard output (default format aac)."
      ) { (command, value) throws(UsageError) in try command.choose(output: value) },
      .value(
        "duration", short: "d", alias: "t", .text("TIME"), in: section,
        "Stop after this duration: 10s, 1.5m, 2h or 1:30:00.", \.milliseconds, OptionValue.time),
      .value(
        "split", .text("SIZE"), in: section,
        "Start a new file after a time (10m), a size (100MB) or two seconds of silence (on-silence). "
          + "The files follow one another without a gap."
      ) { (command, value) throws(UsageError) in command.split = try OptionValue.split(value) },
      .value(
        "format", .choice(FileFormat.allCases.map(\.rawValue)), in: section,
        "File format (default: from the suffix, else m4a). m4a: AAC with tags and an exact length. "
          + "aac: an AAC stream (ADTS). wav, caf: PCM samples."
      ) { (command, value) throws(UsageError) in command.format = FileFormat(rawValue: value) },
      .value(
        "sample-format", .choice(["s16", "f32"]), in: section,
        "Sample format of WAV and CAF (default s16)."
      ) {
        (command, value) throws(UsageError) in command.isFloat = value == "f32"
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
          help: "Do not flush to disk twice a second. A power failure may then cost 30 seconds.")
      ) { (command, _) throws(UsageError) in command.synchronizes = false },
    ]
  }

  private static var formerBits: Option {
    .former(
      "bits", now: "--sample-format s16 or f32", .choice(["16", "float"])
    ) { (command, value) throws(UsageError) in command.isFloat = value == "float" }
  }

  private static var recordingOptions: [Option] {
    let section = "Audio"
    return [
      .flag("mute", in: section, "Start muted; the key m unmutes.", \.sound.isMuted),
      .flag(
        "wall-clock", in: section,
        "Follow the computer's clock instead of the device's. For recordings of many hours.",
        \.sound.followsWallClock),
    ]
  }

  private static var tagOptions: [Option] {
    let section = "Tags (M4A only)"
    return [
      .value("title", .text("TEXT"), in: section, "Title.", \.tags.title),
      .value("artist", .text("TEXT"), in: section, "Performer or speaker.", \.tags.artist),
      .value("album", .text("TEXT"), in: section, "Album.", \.tags.album),
      .value("date", .text("TEXT"), in: section, "Year or date, such as 2024-05-31.", \.tags.date),
      .value("comment", .text("TEXT"), in: section, "Comment.", \.tags.comment),
    ]
  }

  private static var otherOptions: [Option] {
    let section = "Other"
    return [
      .flag("json", in: section, "Print one JSON object per event.", \.printsJSON),
      .flag(
        "levels", in: section,
        "With --json: also print levels and loudness, ten times a second.",
        \.printsLevels),
      .flag(
        "verbose", short: "v", in: section, "Print the settings chosen and the reasons.",
        \.isVerbose),
      .flag("quiet", short: "q", in: section, "Print only errors.", \.isQuiet),
    ]
  }

  private mutating func choose(output value: String) throws(UsageError) {
    if value.isEmpty { throw UsageError("The file has an empty name.") }
    if let output, output != value {
      throw UsageError(
        "Only one file can be recorded, not both “\(displayed(output))” and “\(displayed(value))”.",
        hint: "Name one file.")
    }
    output = value
  }
}
