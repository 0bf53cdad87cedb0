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
          "Reads AAC in ADTS, LATM, ADIF, MP4 (M4A) and MPEG transport streams. The content decides, "
            + "not the name; - is standard input. Folders are searched for AAC files, including "
            + "subfolders. The result has the name of the input with .wav and is placed next to it. "
            + "Existing files are kept unless --force is given. A file gets its name when it is "
            + "complete and on disk.",
          "Damaged or missing frames are concealed, so that the rest keeps its time. Their number and "
            + "the time of the first are reported, and the exit code is 1.",
        ],
        essentials: [
          "output", "output-folder", "format", "sample-format", "force", "start", "end", "duration",
          "rate", "channels", "jobs", "json", "quiet",
        ],
        examples: [
          ("aacorn decode song.m4a", "Make song.wav with 16 bits."),
          (
            "aacorn decode --start 1:30 --duration 10s show.aac -o part.wav", "Decode ten seconds."
          ),
          (
            "aacorn decode --sample-format f32 song.m4a -o song.caf",
            "Decode without rounding or clipping."
          ),
          ("aacorn decode song.m4a -o - | play-program -", "Send WAV to another program."),
        ],
        exitCodes: ExitStatus.table(
          failed: "an input is damaged and was decoded as far as possible, an input failed, or a "
            + "folder contains files that aacorn cannot read; the other files are done")),
      options: outputOptions + soundOptions + otherOptions,
      inputs: \.inputs)
  }

  private typealias Option = CommandSyntax<DecodeCommand>.Option

  private static var outputOptions: [Option] {
    let section = "Output"
    return [
      .path(
        "output", short: "o", .file("FILE"), in: section,
        "Write FILE; - is standard output (WAV or raw). The suffix selects the format.",
        "output", \.output),
      .path(
        "output-folder", .folder("DIR"), in: section,
        "Write into DIR, created if missing, with the subfolders of input folders.",
        "output folder", \.outputFolder),
      .value(
        "format", .choice(PCMFileWriter.Kind.allCases.map(\.name)), in: section,
        "File format (default: from the suffix of FILE, else wav). raw: little-endian samples without "
          + "a header."
      ) { (command, value) throws(UsageError) in
        command.kind = PCMFileWriter.Kind.allCases.first { $0.name == value }
      },
      .value(
        "sample-format", .choice(PCMEncoding.names), in: section,
        "Integers of 16, 24 or 32 bits, or floating-point samples (default s16)."
      ) { (command, value) throws(UsageError) in
        if let encoding = PCMEncoding(name: value) { command.encoding = encoding }
      },
      .flag(
        "no-dither", in: section,
        "Round to 16 bits without dither.",
        \.isUndithered),
      .flag(
        "force", short: "f", alias: "y", in: section, "Replace existing files.", \.replacesExisting),
    ]
  }

  private static var soundOptions: [Option] {
    let section = "Audio"
    return [
      .value(
        "start", .text("TIME"), in: section,
        "Start at this time, such as 90, 1.5s or 1:30.25, to the sample (default 0).", \.start,
        OptionValue.position),
      .value(
        "end", .text("TIME"), in: section, "End at this time of the input (default: its end).",
        \.end, OptionValue.length),
      .value(
        "duration", short: "d", alias: "t", .text("TIME"), in: section,
        "Decode at most this duration.", \.duration, OptionValue.length),
      .value(
        "rate", short: "r", .text("HZ"), in: section,
        "Convert to this sampling rate, such as 44100 (default: the input's).",
        \.decoding.sampleRate, OptionValue.frequency),
      .value(
        "channels", short: "c", .text("N"), in: section,
        "Mix to 1 or 2 channels (default: the input's). The stream's own mixing levels apply."
      ) { (command, value) throws(UsageError) in
        command.decoding.channelCount = try OptionValue.count(value, "--channels", upTo: 1024)
      },
      .value(
        "track", .text("N"), in: section, "Number of the AAC track in the file (default 1)."
      ) { (command, value) throws(UsageError) in
        command.decoding.track = try OptionValue.count(value, "--track", upTo: 1024)
      },
      .flag(
        "untrimmed", in: section,
        "Keep the encoder delay and the padding, which are trimmed by default.",
        \.isUntrimmed),
      Option(
        description: OptionDescription(
          long: "dynamic-range", short: nil, value: .none, section: section,
          help: "Apply the dynamic range control of the stream.")
      ) { (command, _) throws(UsageError) in command.decoding.appliesDynamicRange = true },
    ]
  }

  private static var otherOptions: [Option] {
    let section = "Other"
    return [
      .value(
        "jobs", short: "j", .text("N"), in: section,
        "Number of files, or parts of a file (up to 4), to decode in parallel (default: all cores)."
      ) { (command, value) throws(UsageError) in
        command.jobCount = try OptionValue.count(value, "--jobs", upTo: 1024)
      },
      .flag("json", in: section, "Print one JSON object per file.", \.printsJSON),
      .flag("quiet", short: "q", in: section, "Print only errors.", \.isQuiet),
    ]
  }
}
