import AACCodec
import AudioCapture
import Recording

extension RecordCommand {
  static var syntax: CommandSyntax<RecordCommand> {
    CommandSyntax(
      CommandDescription(
        name: "record", summary: "Records sound to a file that survives.",
        operands: .files("[file]"),
        discussion: [
          "Without a file the name is made of date and time. The suffix chooses the format: .m4a, "
            + ".aac, .wav or .caf. At every moment the file can be played: a crash or a power cut "
            + "costs at most its last second. Sound that is lost is replaced by silence, so that "
            + "time stays true, and written down.",
          "Keys: space pauses, m mutes, n begins a new file, q or Ctrl-C stops. Without a terminal "
            + "SIGTERM stops and SIGHUP begins a new file.",
        ],
        examples: [
          ("aacorn record test.aac", "until q is pressed"),
          ("aacorn record -d 10s -b 128k talk.m4a", "ten seconds at 128 kb/s"),
          ("aacorn record --device hw:1 --channel-map 3,4 --format wav", "two of eight inputs"),
          ("aacorn record --split 1h radio.m4a", "radio-001.m4a, radio-002.m4a, … without a gap"),
          ("aacorn record -o - | ffmpeg -i - …", "into another program"),
          ("aacorn record --device tone test.m4a", "a built-in sound, without a microphone"),
        ],
        exitCodes: ExitStatus.recordTable),
      options: outputOptions + deviceOptions + soundOptions + tagOptions + otherOptions
    ) { (command, operand) throws(UsageError) in try command.choose(output: operand) }
  }

  private typealias Option = CommandSyntax<RecordCommand>.Option

  private static var outputOptions: [Option] {
    let section = "Output"
    return [
      .value(
        "output", short: "o", .file("FILE"), in: section,
        "The same as naming FILE; - is standard output (ADTS, if --format says nothing else)."
      ) { (command, value) throws(UsageError) in try command.choose(output: value) },
      .value(
        "duration", short: "d", .text("TIME"), in: section,
        "Stop after so much sound: 10s, 1.5m, 2h, 1:30:00."
      ) { (command, value) throws(UsageError) in
        command.milliseconds = try OptionValue.time(value, "--duration")
      },
      .value(
        "split", .text("SIZE"), in: section,
        "Begin a new file after a time (10m), a size (100MB) or with every pause of two seconds "
          + "(on-silence). Played one after the other they are the whole recording."
      ) { (command, value) throws(UsageError) in command.split = try OptionValue.split(value) },
      .value(
        "format", .choice(FileFormat.allCases.map(\.rawValue)), in: section,
        "m4a: AAC with tags and exact length. aac: AAC as a stream (ADTS). wav, caf: samples."
      ) { (command, value) throws(UsageError) in command.format = FileFormat(rawValue: value) },
      .value("bits", .choice(["16", "float"]), in: section, "Samples of WAV and CAF; 16.") {
        (command, value) throws(UsageError) in command.isFloat = value == "float"
      },
      .flag("force", short: "f", in: section, "Replace an existing file.", \.replacesExisting),
      Option(
        description: OptionDescription(
          long: "no-sync", short: nil, value: .none, section: section,
          help: "Do not urge the disk twice a second; a power cut may then cost half a minute.")
      ) { (command, _) throws(UsageError) in command.synchronizes = false },
    ]
  }

  private static var deviceOptions: [Option] {
    let section = "Device"
    return [
      .value(
        "device", .text("ID"), in: section,
        "Record from this device and no other (see “aacorn devices”), or from a built-in sound: "
          + "tone, sweep, speech, silence, counter, file:PATH. Without it, the default device."
      ) { (command, value) throws(UsageError) in
        if value.isEmpty { throw UsageError("The device has an empty name.") }
        command.device = value
      },
      .value(
        "backend", .choice(OptionValue.backends), in: section,
        "The sound system; the best one that works, if not given."
      ) { (command, value) throws(UsageError) in command.backend = CaptureBackend(rawValue: value)
      },
      .value(
        "channel-map", .text("LIST"), in: section,
        "Take these channels of the device, such as 3,4; the first is 1."
      ) { (command, value) throws(UsageError) in
        command.channelMap = try OptionValue.channelMap(value)
      },
      .flag(
        "voice", in: section, "Have the sound system take out echo and noise.", \.isVoiceProcessed),
      .flag(
        "unpaced", in: section, "Built-in sounds only: as fast as possible.", \.isUnpaced),
    ]
  }

  private static var soundOptions: [Option] {
    let section = "Sound"
    return [
      .value(
        "bitrate", short: "b", .text("RATE"), in: section, "Constant bitrate; 96k if not given."
      ) { (command, value) throws(UsageError) in
        try command.choose(.constant(bitsPerSecond: OptionValue.bitrate(value)))
      },
      .value("abr", .text("RATE"), in: section, "Average bitrate.") {
        (command, value) throws(UsageError) in
        try command.choose(.average(bitsPerSecond: OptionValue.bitrate(value)))
      },
      .value(
        "vbr", .choice(["1", "2", "3", "4", "5"]), in: section,
        "Variable bitrate: constant quality, 1 (small) to 5 (best)."
      ) { (command, value) throws(UsageError) in
        try command.choose(.variable(level: Int(value) ?? 0))
      },
      .value(
        "effort", .choice(["fast", "balanced", "best"]), in: section,
        "How long to look for the best bits; balanced if not given."
      ) { (command, value) throws(UsageError) in
        command.effort = OptionValue.effort(value)
      },
      .value("rate", .text("HZ"), in: section, "Sampling rate of the file; 44100 if not given.") {
        (command, value) throws(UsageError) in
        command.sampleRate = try OptionValue.frequency(value, "--rate")
      },
      .value("channels", .text("N"), in: section, "Channels of the file; 2 if not given.") {
        (command, value) throws(UsageError) in
        command.channelCount = try OptionValue.count(value, "--channels", upTo: 64)
      },
      .value("gain", .text("DB"), in: section, "Make it louder (6) or quieter (-6).") {
        (command, value) throws(UsageError) in command.gain = try OptionValue.gain(value)
      },
      .flag("mute", in: section, "Begin muted; m ends that.", \.isMuted),
      .flag(
        "wall-clock", in: section,
        "Follow the computer's clock rather than the device's; for recordings of many hours.",
        \.followsWallClock),
    ]
  }

  private static var tagOptions: [Option] {
    let texts: [(String, String, any WritableKeyPath<RecordCommand, String?> & Sendable)] = [
      ("title", "Title.", \.tags.title),
      ("artist", "Who plays or speaks.", \.tags.artist),
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
        "levels", in: section, "With --json: the levels too, ten times a second.", \.printsLevels),
      .flag(
        "verbose", short: "v", in: section, "Say what was chosen, and why.", \.isVerbose),
      .flag("quiet", short: "q", in: section, "Print nothing but errors.", \.isQuiet),
    ]
  }

  private mutating func choose(output value: String) throws(UsageError) {
    if value.isEmpty { throw UsageError("The file has an empty name.") }
    if let output, output != value {
      throw UsageError(
        "The sound cannot go into both “\(displayed(output))” and “\(displayed(value))”.",
        advice: "Name one file.")
    }
    output = value
  }

  private mutating func choose(_ rateControl: Encoder.RateControl) throws(UsageError) {
    let isSameKind =
      switch (self.rateControl, rateControl) {
      case (nil, _), (.constant, .constant), (.average, .average), (.variable, .variable): true
      default: false
      }
    if !isSameKind { throw UsageError("The options -b, --abr and --vbr exclude each other.") }
    self.rateControl = rateControl
  }
}
