import AacornCodec
import AacornContainers
import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem

struct EncodeCommand: FileCommand {
  static let verb = "Encode"

  var inputs: [String] = []
  /// The duration of a test signal in milliseconds, to encode instead of a file.
  var toneMilliseconds: Int?
  var raw = RawInput()

  var output: String?
  var outputFolder: String?
  var format: OutputFormat?
  var replacesExisting = false

  var encoding = EncodingChoice()
  var bandwidth: Int?
  var loudness: LoudnessTarget?
  var statesLoudness = false
  var isMPEG2 = false
  var tags = MP4Tags()
  var coverPath: String?
  /// Whether the tags of the inputs are discarded.
  var discardsTags = false
  var hasChecksum = false

  var jobCount: Int?
  var printsJSON = false
  var isQuiet = false

  /// The format of input without a header.
  struct RawInput: Equatable, Sendable {
    var formatName: String?
    var sampleRate: Int?
    var channelCount: Int?

    var isEmpty: Bool { self == RawInput() }
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    try validate()
    try refuseOutputAmongInputs(console.interruption)
    let plan = try EncodePlan(self, in: console)
    let coverImage: [UInt8]
    do throws(CommandFailure) {
      coverImage = try loadCover(console.interruption)
    } catch {
      console.printError(error.commandMessage)
      return error.exitStatus
    }
    // If there are fewer files than threads, segments of each file are encoded in parallel. The bytes
    // do not depend on the number of threads.
    let threadCount = (jobCount ?? System.coreCount) / max(1, plan.items.count)
    let queue = FileQueue(plan, of: self, console: console) {
      (item, progress) throws(CommandFailure) in
      let start = System.seconds
      var request = EncodeRequest(
        item.source, to: item.output, item.format, of: self, coverImage: coverImage)
      request.options.threadCount = threadCount
      request.options.replacesExisting = replacesExisting || item.isRenewed
      var work = try EncodeWork(
        request, interruption: console.interruption, progress: progress)
      let summary = try work.run(progress: progress)
      return EncodeReport(item: item, summary: summary, elapsed: System.seconds - start)
    }
    return queue.run()
  }

  /// The processing and coding of the audio.
  var options: AACFile.Configuration {
    let encoding = encoding.completed
    var options = AACFile.Configuration()
    options.bandwidth = bandwidth
    options.loudness = loudness
    options.statesLoudness = statesLoudness
    options.isMPEG2 = isMPEG2
    options.rateControl = encoding.rateControl
    options.effort = encoding.effort ?? .balanced
    options.profile = (encoding.profile ?? .lowComplexity).profile
    options.signaling = encoding.signaling?.signaling
    options.sampleRate = encoding.sampleRate
    options.channelCount = encoding.channelCount
    options.effects = encoding.effects
    return options
  }

  func loadCover(_ interruption: Interruption) throws(CommandFailure) -> [UInt8] {
    guard let path = coverPath else { return [] }
    let file = try InputFile(path, interruption: interruption)
    let head = try file.next(16)
    guard MP4Tags.isCover(head[...]) else {
      throw CommandFailure(
        .badInput, "The cover “\(displayed(path))” is neither JPEG nor PNG.",
        suggestion: .text("Choose another picture."))
    }
    return head + (try file.readAll(limit: MP4Tags.coverLimit - head.count))
  }

  /// Rejects contradictory options.
  func validate() throws(UsageError) {
    try reject(
      if: inputs.isEmpty && toneMilliseconds == nil, "There is nothing to encode.",
      hint: "Name a file or a folder, or - for standard input.")
    try reject(
      if: !inputs.isEmpty && toneMilliseconds != nil, "The option --tone replaces input files.")
    try checkFiles()
    try reject(
      if: raw.formatName == nil && !raw.isEmpty,
      "The options --raw-rate and --raw-channels need --raw-format.",
      hint: "Try --raw-format s16le.")
    let options = options
    if let profile = options.profile, profile != .lowComplexity {
      let option = encoding.profile != nil ? "--profile" : "--preset"
      try reject(
        if: bandwidth != nil, "\(profile.name) selects its bandwidth itself.",
        hint: "Omit --bandwidth or \(option).")
      try reject(
        if: isMPEG2, "Players that need --mpeg2 do not support \(profile.name).",
        hint: "Omit --mpeg2 or \(option).")
    }
    try SignalingOption.check(options.signaling, with: options.profile)
    try checkReport()
  }

  /// Rejects the second of two inputs if it was probably meant as the output, as in the syntax of
  /// other programs.
  func refuseOutputAmongInputs(_ interruption: Interruption) throws(UsageError) {
    guard inputs.count == 2, let last = inputs.last, output == nil, outputFolder == nil,
      raw.isEmpty, OutputFormat(suffix: FileName.suffix(last)) != nil,
      !Self.mayBeInput(last, interruption)
    else { return }
    let shown = displayed(last)
    throw UsageError(
      "“\(shown)” would be an input, not the output.",
      hint: "To give the result that name, use -o \(shown). To encode both, use --output-folder.")
  }

  /// Returns whether an existing file is more likely an input than an output.
  private static func mayBeInput(_ path: String, _ interruption: Interruption) -> Bool {
    guard let status = try? System.status(of: path) else { return false }
    // Do not read a pipe: the read could block, and its data would be lost.
    guard status.kind == .file else { return true }
    let count = FileKind.longPrefixCount
    guard let head = InputFile.head(of: path, count: count, interruption) else { return true }
    switch FileKind(prefix: head.span) {
    case .wav, .aiff, .caf: return true
    case .other(.flac), .other(.mp3), .other(.ogg), .other(.wave64), .other(.sunAudio): return true
    case .other, .unknown: return false
    }
  }
}

extension EncodeCommand {
  static var syntax: CommandSyntax<EncodeCommand> {
    CommandSyntax(
      CommandDescription(
        name: "encode", summary: "Encodes sound files to AAC.",
        operands: .files("<file or folder>..."),
        discussion: [
          "Reads WAV, AIFF and CAF, and with the library libsndfile also FLAC, MP3, Ogg Vorbis, Opus, "
            + "W64 and AU. The content decides, not the name; - is standard input. Folders are "
            + "searched for these formats, including subfolders. Files that are skipped are listed "
            + "at the end: other sound and video formats, a FLAC or MP3 file next to a WAV file "
            + "with the same name, linked folders, and folders of the system, such as .Trash.",
          "The result has the name of the input with .m4a and is placed next to it. Existing files "
            + "are kept unless --force is given. A file gets its name when it is complete and on disk.",
          "For a folder, an existing output is a success, so a repeated run continues where the last "
            + "one ended, and encodes changed inputs again. After a change of options alone, use "
            + "--force.",
          "M4A files get the tags, the cover and the chapters of FLAC, MP3, Ogg, WAV, AIFF, CAF and "
            + "AAC inputs; from a pipe, only those of M4A. Unknown tags become custom tags. Options for "
            + "tags override those of the input.",
          "An AAC file is decoded and encoded again, with a second loss of quality. It must be named: "
            + "folders are not searched for AAC.",
        ],
        essentials: [
          "output", "output-folder", "format", "force", "bitrate", "vbr", "profile", "rate",
          "channels", "loudness", "effects", "title", "cover",
        ],
        examples: [
          ("aacorn encode song.wav", "Make song.m4a at 64 kb/s per channel."),
          ("aacorn encode --vbr 4 --output-folder out music/", "Encode a folder on all cores."),
          ("aacorn encode --loudness -16 talk.wav", "Adjust to the loudness of podcasts."),
          (
            "aacorn encode -b 192k --effort best song.wav -o best.m4a",
            "Encode at the best quality."
          ),
          ("aacorn encode --profile he -b 48k talk.wav", "Make a small file with HE-AAC."),
          (
            "aacorn encode --profile he2 -b 24k talk.wav",
            "Make a smaller stereo file with HE-AAC v2."
          ),
          (
            "rec-program | aacorn encode --raw-format s16le - -o live.aac",
            "Encode samples without a header from another program."
          ),
        ],
        exitCodes: ExitStatus.table(
          succeeded: ExitStatus.madeOrKept,
          failed: "an input is damaged or truncated and was encoded as far as possible, an input "
            + "failed, or a folder contains files that aacorn cannot read; the other files are done",
          hasEffects: true)),
      options: [
        ("Output", outputOptions), ("Audio", soundOptions), ("Tags (M4A only)", tagOptions),
        ("Input", inputOptions), ("Other", otherOptions(partCount: 8)),
      ],
      inputs: \.inputs)
  }

  private typealias Option = CommandSyntax<EncodeCommand>.Option

  private static var outputOptions: [Option] {
    [
      .path(
        "output", short: "o", .file("FILE"),
        "Write FILE; - is standard output. The suffix selects the format.", "output", \.output),
      folderOption,
      .choice(
        "format", OutputFormat.allCases,
        "File format (default: from the suffix of FILE, else m4a). m4a: AAC with tags and an exact "
          + "length, in fragments if piped. aac: an ADTS stream. latm: a LATM/LOAS stream.",
        \.format),
      forceOption,
      .flag("crc", "Add checksums (only with --format aac).", \.hasChecksum),
    ]
  }

  private static var soundOptions: [Option] {
    let encoderOptions = Option.encoderOptions(
      \.encoding,
      bitrateHelp: "Constant bitrate of all channels (default 64k per channel). Write 128k, 128000 "
        + "or 0.128M. With --profile he, the default is 32k per channel; with he2, less.",
      averageHelp: "Average bitrate: varies more than a constant bitrate.")
    return encoderOptions + [
      .value(
        "bandwidth", .text("HZ"),
        "Highest frequency to encode, such as 16k (default: by bitrate). Only for AAC-LC.",
        \.bandwidth, OptionValue.frequency),
      .value(
        "rate", short: "r", .text("HZ"),
        "Convert to this sampling rate, such as 44100 (default: the input's). Rates that AAC does not "
          + "support are converted to the next higher rate, up to 48000.", \.encoding.sampleRate,
        OptionValue.frequency),
      .value(
        "channels", short: "c", .text("N"),
        "Mix to 1 or 2 channels (default: the input's channels).", \.encoding.channelCount,
        OptionValue.integer(in: 1...1024)),
      .value(
        "loudness", .text("LUFS"),
        "Adjust to this loudness: -16 for podcasts, -14 for music, -23 for EBU R 128. The file is "
          + "measured first and gets one gain. True peaks are limited to -1 dBTP, or to the value "
          + "after a colon (-16:-2). An M4A file gets loudness tags.", \.loudness,
        OptionValue.loudness),
      .effects(\.encoding.effects),
      .flag("mpeg2", "Use only MPEG-2 AAC, for very old players.", \.isMPEG2),
    ]
  }

  private static var tagOptions: [Option] {
    Option.tags(\.tags) + [
      .value("cover", .file("FILE"), "Cover image, JPEG or PNG.", \.coverPath),
      .flag(
        "loudness-tags",
        "Measure the loudness and write tags for players (MP4, ReplayGain, Sound Check). Implied by "
          + "--loudness.", \.statesLoudness),
      .flag("no-tags", "Do not copy tags, cover and chapters of the input.", \.discardsTags),
    ]
  }

  private static var inputOptions: [Option] {
    [
      .value(
        "raw-format", .choice(RawFormat.names), "Read samples without a header, in this format.",
        \.raw.formatName),
      .value(
        "raw-rate", .text("HZ"), "Sampling rate of raw samples (default 44100).", \.raw.sampleRate,
        OptionValue.frequency),
      .value(
        "raw-channels", .text("N"), "Number of channels of raw samples (default 2).",
        \.raw.channelCount, OptionValue.integer(in: 1...1024)),
      .value(
        "tone", .text("SECONDS"),
        "Encode a test signal of this duration instead of a file, up to 86400.",
        \.toneMilliseconds, OptionValue.toneMilliseconds),
    ]
  }
}

extension OptionValue {
  fileprivate static func toneMilliseconds(
    _ value: String, _ option: String
  ) throws(UsageError) -> Int {
    guard let milliseconds = DecimalQuantity.parseMilliseconds(value),
      (1...86_400_000).contains(milliseconds)
    else { throw outOfRange(value, option, "0.001 to 86400 seconds", suchAs: ", such as 5 or 2.5") }
    return milliseconds
  }
}
