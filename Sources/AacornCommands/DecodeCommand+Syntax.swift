import AacornRecording
import AacornSoundFiles
import AacornSystem

extension DecodeCommand {
  static var syntax: CommandSyntax<DecodeCommand> {
    CommandSyntax(
      CommandDescription(
        name: "decode", summary: "Decodes AAC files to WAV, AIFF or CAF.",
        operands: .files("<file or folder>..."),
        discussion: [
          "AAC in ADTS, LATM, ADIF, MP4 (M4A) and MPEG transport streams is recognized by its "
            + "content; - is standard input. Folders are searched for AAC files, including "
            + "subfolders. The result gets the input's name with .wav and is placed next to it. An "
            + "existing file is never replaced without --force. A file gets its name only when it "
            + "is complete and on disk.",
          "Frames that are damaged or missing are replaced by what is near them, so that all the "
            + "rest keeps its time. The sound is kept, how many there are and where the first is "
            + "is told, and the exit code is 1.",
        ],
        examples: [
          ("aacorn decode song.m4a", "makes song.wav with 16 bits"),
          ("aacorn decode --sample-format f32 song.m4a -o song.caf", "nothing is rounded"),
          ("aacorn decode --start 1:30 --duration 10s show.aac -o part.wav", "ten seconds of it"),
          ("aacorn decode song.m4a -o - | play-program -", "for another program"),
        ],
        exitCodes: ExitStatus.table(
          failed:
            "an input is damaged, and was decoded all the same, or at least one failed, or a folder "
            + "holds sound that no command reads"),
        hints: [
          ("-i", "Name the input without an option, and the output with -o."),
          ("-t", "Choose the part with --start and --duration."),
          ("--bits", "Choose the kind of samples with --sample-format."),
        ]),
      options: outputOptions + soundOptions + otherOptions,
      inputs: \.inputs)
  }

  private typealias Option = CommandSyntax<DecodeCommand>.Option

  private static var outputOptions: [Option] {
    let section = "Output"
    return [
      .path(
        "output", short: "o", .file("FILE"), in: section,
        "Write to FILE; - is standard output, for WAV or raw samples. The suffix chooses the "
          + "format.",
        "output", \.output),
      .path(
        "output-folder", .folder("DIR"), in: section,
        "Write into DIR, which is created if missing; subfolders of an input folder are kept.",
        "output folder", \.outputFolder),
      .value(
        "format", .choice(PCMFileWriter.Kind.allCases.map(\.name)), in: section,
        "raw: samples alone, little-endian. Without it, the suffix of FILE decides, or else wav."
      ) { (command, value) throws(UsageError) in
        command.kind = PCMFileWriter.Kind.allCases.first { $0.name == value }
      },
      .value(
        "sample-format", .choice(PCMEncoding.names), in: section,
        "Integers of 16, 24 or 32 bits, or floating-point numbers, which are neither rounded nor "
          + "clipped; the default is s16."
      ) { (command, value) throws(UsageError) in
        if let encoding = PCMEncoding(name: value) { command.encoding = encoding }
      },
      .flag(
        "no-dither", in: section,
        "Round to 16 bits without adding noise of one step, which hides the rounding.",
        \.isUndithered),
      .flag(
        "force", short: "f", alias: "y", in: section, "Replace existing files.", \.replacesExisting),
    ]
  }

  private static var soundOptions: [Option] {
    let section = "Sound"
    return [
      .value(
        "start", .text("TIME"), in: section,
        "Begin at this time, such as 90, 1.5s or 1:30.25; exact to the sample."
      ) { (command, value) throws(UsageError) in
        command.start = try OptionValue.moment(value, "--start")
      },
      .value(
        "duration", .text("TIME"), in: section, "Decode no more than this."
      ) { (command, value) throws(UsageError) in
        command.duration = try OptionValue.length(value, "--duration")
      },
      .value(
        "rate", short: "r", .text("HZ"), in: section,
        "Convert to this sampling rate, such as 44100."
      ) { (command, value) throws(UsageError) in
        command.sound.sampleRate = try OptionValue.frequency(value, "--rate")
      },
      .value(
        "channels", short: "c", .text("N"), in: section,
        "Mix to 1 or 2 channels, as the stream says if it does."
      ) { (command, value) throws(UsageError) in
        command.sound.channelCount = try OptionValue.count(value, "--channels", upTo: 1024)
      },
      .value(
        "track", .text("N"), in: section, "The AAC track of a file with several; the first is 1."
      ) { (command, value) throws(UsageError) in
        command.sound.track = try OptionValue.count(value, "--track", upTo: 1024)
      },
      .flag(
        "untrimmed", in: section,
        "Keep the encoder's delay and the padding at the end, which files tell how to cut.",
        \.isUntrimmed),
      Option(
        description: OptionDescription(
          long: "dynamic-range", short: nil, value: .none, section: section,
          help: "Even out loud and soft passages as the stream says.")
      ) { (command, _) throws(UsageError) in command.sound.appliesDynamicRange = true },
    ]
  }

  private static var otherOptions: [Option] {
    let section = "Other"
    return [
      .value(
        "jobs", short: "j", .text("N"), in: section,
        "How many files, or parts of one (up to 4), to decode at the same time; the default is all cores."
      ) { (command, value) throws(UsageError) in
        command.jobCount = try OptionValue.count(value, "--jobs", upTo: 1024)
      },
      .flag("json", in: section, "Print one JSON object per file.", \.printsJSON),
      .flag("quiet", short: "q", in: section, "Print only errors.", \.isQuiet),
    ]
  }
}
