import AacornCodec
import AacornRecording
import AacornSystem

extension EncodeCommand {
  static var syntax: CommandSyntax<EncodeCommand> {
    CommandSyntax(
      CommandDescription(
        name: "encode", summary: "Encodes sound files to AAC.",
        operands: .files("<file or folder>..."),
        discussion: [
          "WAV, AIFF and CAF are recognized by their content, and so are FLAC, MP3, Ogg Vorbis, "
            + "Opus, W64 and AU, for which the library libsndfile is needed; - is standard input. "
            + "Folders are searched for them, including subfolders; sound and video files in "
            + "other formats are listed as left out at the end, and so is a FLAC or MP3 file, say, "
            + "beside a WAV file of the same name. The result gets the input's name with .m4a and "
            + "is placed next to it. An existing file is never replaced without --force. A file "
            + "gets its name only when it is complete and on disk.",
          "M4A files get the tags, the cover and the chapters of the input: of FLAC, MP3, Ogg, WAV, "
            + "AIFF, CAF and AAC. Tags that M4A has no place for become custom tags. A tag that is "
            + "given by an option takes the place of the input's.",
          "A file with AAC is decoded and encoded again, which adds a second loss to the first. It "
            + "must be named: folders are not searched for AAC.",
        ],
        examples: [
          ("aacorn encode song.wav", "makes song.m4a at 64 kb/s per channel"),
          ("aacorn encode -b 192k --effort best song.wav -o best.m4a", "as good as it gets"),
          ("aacorn encode --profile he -b 48k talk.wav", "small: HE-AAC"),
          ("aacorn encode --profile he2 -b 24k talk.wav", "smaller, in stereo: HE-AAC v2"),
          ("aacorn encode --loudness -16 talk.wav", "as loud as podcasts are"),
          ("aacorn encode --vbr 4 --output-folder out music/", "a whole folder, on all cores"),
          (
            "rec-program | aacorn encode --raw-format s16le - -o live.aac",
            "sound without a header, from another program"
          ),
        ],
        exitCodes: ExitStatus.table(
          failed: "an input is damaged or shorter than its header says, and was encoded all the "
            + "same, or at least one failed, or a folder holds sound that no command reads; the others may "
            + "be done", hasEffects: true),
        hints: [
          ("-i", "Name the input without an option, and the output with -o."),
          ("-t", "Inputs are encoded to their end; trim them beforehand."),
          ("-a", "Choose the rate with --rate (-r) and channels with --channels (-c)."),
        ]),
      options: outputOptions + soundOptions + tagOptions + inputOptions + otherOptions,
      inputs: \.inputs)
  }

  private typealias Option = CommandSyntax<EncodeCommand>.Option

  private static var outputOptions: [Option] {
    let section = "Output"
    return [
      .path(
        "output", short: "o", .file("FILE"), in: section,
        "Write to FILE; - is standard output. The suffix chooses the format.",
        "output", \.output),
      .path(
        "output-folder", .folder("DIR"), in: section,
        "Write into DIR, which is created if missing; subfolders of an input folder are kept.",
        "output folder", \.outputFolder),
      .value(
        "format", .choice(OutputFormat.allCases.map(\.rawValue)), in: section,
        "m4a: a file with tags and exact length; in a pipe it is written in fragments. aac: a "
          + "stream with ADTS headers. latm: a LATM/LOAS stream. Without it, the suffix of FILE "
          + "decides, or else m4a."
      ) { (command, value) throws(UsageError) in command.format = OutputFormat(rawValue: value) },
      .flag(
        "force", short: "f", alias: "y", in: section, "Replace existing files.", \.replacesExisting),
      .flag("crc", in: section, "Add checksums; only with --format aac.", \.hasChecksum),
    ]
  }

  private static var soundOptions: [Option] {
    let section = "Sound"
    return [
      .preset(in: section, \.preset),
      .value(
        "bitrate", short: "b", .text("RATE"), in: section,
        "Constant bitrate of all channels together: 128k, 128000 or 0.128M. Default: 64k per "
          + "channel (mono 64k, stereo 128k, 5.1 384k), half of that with --profile he, less with "
          + "he2."
      ) { (command, value) throws(UsageError) in
        try command.choose(.constant(bitsPerSecond: OptionValue.bitrate(value)))
      },
      .value(
        "abr", .text("RATE"), in: section,
        "Average bitrate: may vary further from RATE where the sound needs it."
      ) { (command, value) throws(UsageError) in
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
        "How hard to search for the best encoding; the default is balanced."
      ) { (command, value) throws(UsageError) in
        command.sound.effort = OptionValue.effort(value)
      },
      .value(
        "profile", .choice(ProfileChoice.allCases.map(\.rawValue)), in: section,
        "lc: AAC-LC, for 44k per channel and more; the default. he: HE-AAC, for less, at sampling "
          + "rates from 16000 to 48000. he2: HE-AAC v2, for stereo below 28k. auto: chooses by these "
          + "limits, and by lower ones at rates below 44100."
      ) { (command, value) throws(UsageError) in
        command.sound.profile = ProfileChoice(rawValue: value)?.profile
        command.choosesProfile = true
      },
      .value(
        "signaling", .choice(SignalingOption.words), in: section, SignalingOption.help
      ) { (command, value) throws(UsageError) in
        command.sound.signaling = SignalingChoice(rawValue: value)?.signaling
      },
      .value(
        "bandwidth", .text("HZ"), in: section,
        "Highest frequency to encode, such as 16k; the default depends on the bitrate. Only for "
          + "AAC-LC."
      ) { (command, value) throws(UsageError) in
        command.sound.bandwidth = try OptionValue.frequency(value, "--bandwidth")
      },
      .value(
        "rate", short: "r", .text("HZ"), in: section,
        "Convert to this sampling rate, such as 44100. Rates that AAC does not support are always "
          + "converted to the next higher one, up to 48000."
      ) { (command, value) throws(UsageError) in
        command.sound.sampleRate = try OptionValue.frequency(value, "--rate")
      },
      .value(
        "channels", short: "c", .text("N"), in: section, "Mix to 1 or 2 channels."
      ) { (command, value) throws(UsageError) in
        command.sound.channelCount = try OptionValue.count(value, "--channels", upTo: 1024)
      },
      .value(
        "loudness", .text("LUFS"), in: section,
        "Make it this loud: -16 suits podcasts, -23 broadcasting (EBU R 128), and -14 is what "
          + "streaming services play music at. A file is measured first and then made louder or "
          + "quieter as a whole; true peaks that would rise above -1 dBTP, or another limit behind a "
          + "colon (-16:-2), are limited. The tags of an M4A file say how loud it is."
      ) { (command, value) throws(UsageError) in
        command.sound.loudness = try OptionValue.loudness(value)
      },
      .value("effects", .text("TEXT"), in: section, OptionValue.effectsHelp) {
        (command, value) throws(UsageError) in
        command.sound.effects = try OptionValue.effects(value)
      },
      Option(
        description: OptionDescription(
          long: "mpeg2", short: nil, value: .none, section: section,
          help: "Use only features of MPEG-2 AAC, for very old players.")
      ) { (command, _) throws(UsageError) in command.sound.isMPEG2 = true },
    ]
  }

  private static var tagOptions: [Option] {
    let section = "Tags (M4A only)"
    let texts: [(String, String, any WritableKeyPath<EncodeCommand, String?> & Sendable)] = [
      ("title", "Title.", \.tags.title),
      ("artist", "Performer or speaker.", \.tags.artist),
      ("album", "Album.", \.tags.album),
      ("date", "Year, or a date such as 2024-05-31.", \.tags.date),
      ("comment", "Anything else.", \.tags.comment),
    ]
    var options = texts.map { text in
      let property = text.2
      return Option.value(text.0, .text("TEXT"), in: section, text.1) {
        (command, value) throws(UsageError) in command[keyPath: property] = value
      }
    }
    options.append(
      .value("cover", .file("FILE"), in: section, "A picture, JPEG or PNG.") {
        (command, value) throws(UsageError) in command.tags.coverPath = value
      })
    options.append(
      .flag(
        "loudness-tags", in: section,
        "Measure how loud it is and say so, for players that adjust it: as MP4 does, as ReplayGain "
          + "and for Sound Check. Implied by --loudness.",
        \.sound.statesLoudness))
    options.append(
      .flag(
        "no-tags", in: section, "Leave out the tags, the cover and the chapters of the input.",
        \.leavesTagsOut))
    return options
  }

  private static var inputOptions: [Option] {
    let section = "Input"
    return [
      .value(
        "raw-format", .choice(RawFormat.names), in: section,
        "The input has no header; its samples have this format."
      ) { (command, value) throws(UsageError) in command.raw.formatName = value },
      .value(
        "raw-rate", .text("HZ"), in: section, "Its sampling rate; the default is 44100."
      ) { (command, value) throws(UsageError) in
        command.raw.sampleRate = try OptionValue.frequency(value, "--raw-rate")
      },
      .value(
        "raw-channels", .text("N"), in: section, "Its channels; the default is 2."
      ) { (command, value) throws(UsageError) in
        command.raw.channelCount = try OptionValue.count(value, "--raw-channels", upTo: 1024)
      },
      .value(
        "tone", .text("SECONDS"), in: section,
        "Encode a built-in sound of this length instead of a file."
      ) { (command, value) throws(UsageError) in
        guard let milliseconds = DecimalQuantity.parseMilliseconds(value),
          (1...86_400_000).contains(milliseconds)
        else {
          throw UsageError(
            "--tone does not understand “\(displayed(value))”.",
            advice: "Give seconds, such as 5 or 2.5, up to a day.")
        }
        command.toneMilliseconds = milliseconds
      },
    ]
  }

  private static var otherOptions: [Option] {
    let section = "Other"
    return [
      .value(
        "jobs", short: "j", .text("N"), in: section,
        "How many files, or parts of one (up to 8), to encode at the same time; the default is all cores."
      ) { (command, value) throws(UsageError) in
        command.jobCount = try OptionValue.count(value, "--jobs", upTo: 1024)
      },
      .flag("json", in: section, "Print one JSON object per file.", \.printsJSON),
      .flag("quiet", short: "q", in: section, "Print only errors.", \.isQuiet),
    ]
  }

  private mutating func choose(_ rateControl: AACEncoder.RateControl) throws(UsageError) {
    if let chosen = sound.rateControl, !Self.isSameKind(chosen, rateControl) {
      throw UsageError("The options -b, --abr and --vbr exclude each other.")
    }
    sound.rateControl = rateControl
  }

  private static func isSameKind(
    _ one: AACEncoder.RateControl, _ other: AACEncoder.RateControl
  ) -> Bool {
    switch (one, other) {
    case (.constant, .constant), (.average, .average), (.variable, .variable): true
    default: false
    }
  }
}
