import AacornContainers
import AacornRecording
import AacornSoundFiles
import AacornSystem

struct DecodeCommand: FileCommand, PartCommand {
  static let verb = "Decode"

  var inputs: [String] = []

  var output: String?
  var outputFolder: String?
  var kind: PCMFileWriter.Kind?
  var replacesExisting = false

  var encoding = PCMEncoding.int16
  var isUndithered = false
  var part = PartChoice()
  var isUntrimmed = false
  var decoding = AACFile.DecodingOptions()

  var jobCount: Int?
  var printsJSON = false
  var isQuiet = false

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    try validate()
    let plan = try DecodePlan(self, in: console)
    let queue = FileQueue(plan, of: self, console: console) {
      (item, progress) throws(CommandFailure) in
      let start = System.seconds
      var work = try DecodeWork(request(for: item), interruption: console.interruption)
      let summary = try work.run(progress: progress)
      return DecodeReport(
        item: item, encoding: encoding, summary: summary, elapsed: System.seconds - start)
    }
    return queue.run()
  }

  /// Returns the request for one input.
  func request(for item: DecodePlan.Item) -> DecodeRequest {
    var input = "-"
    if case .file(let path) = item.source { input = path }
    var request = DecodeRequest(input, to: item.output, item.format)
    request.options = decoding
    request.options.encoding = encoding
    request.options.isDithered = !isUndithered
    request.options.isTrimmed = !isUntrimmed
    request.options.start = part.start
    request.options.duration = part.duration ?? part.end.map { $0 - part.start }
    request.options.replacesExisting = replacesExisting || item.isRenewed
    request.makesFolders = outputFolder != nil
    return request
  }

  /// Rejects contradictory options.
  private func validate() throws(UsageError) {
    try reject(
      if: inputs.isEmpty, "There is nothing to decode.",
      hint: "Name a file or a folder, or - for standard input.")
    try checkFiles()
    try part.check()
    try checkReport()
    if inputs.count == 2, let last = inputs.last, output == nil, outputFolder == nil,
      PCMFileWriter.Kind(suffix: FileName.suffix(last)) != nil
    {
      let shown = displayed(last)
      throw UsageError(
        "“\(shown)” is not a file that can be decoded.",
        hint: "To give the result that name, use -o \(shown).")
    }
  }
}

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
            + "Existing files are kept unless --force is given; for a folder, that is a success, so "
            + "a repeated run continues where the last one ended, and decodes changed inputs again. A "
            + "file gets its name when it is complete and on disk.",
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
          succeeded: ExitStatus.madeOrKept,
          failed: "an input is damaged and was decoded as far as possible, an input failed, or a "
            + "folder contains files that aacorn cannot read; the other files are done")),
      options: [
        ("Output", outputOptions),
        ("Audio", partOptions(durationHelp: "Decode at most this duration.") + soundOptions),
        ("Other", otherOptions()),
      ],
      inputs: \.inputs)
  }

  private typealias Option = CommandSyntax<DecodeCommand>.Option

  private static var outputOptions: [Option] {
    [
      .path(
        "output", short: "o", .file("FILE"),
        "Write FILE; - is standard output (WAV or raw). The suffix selects the format.", "output",
        \.output),
      folderOption,
      .value(
        "format", .choice(PCMFileWriter.Kind.allCases.map(\.name)),
        "File format (default: from the suffix of FILE, else wav). raw: little-endian samples without "
          + "a header."
      ) { command, name in command.kind = PCMFileWriter.Kind.allCases.first { $0.name == name } },
      .value(
        "sample-format", .choice(PCMEncoding.names),
        "Integers of 16, 24 or 32 bits, or floating-point samples (default s16)."
      ) { $0.encoding = PCMEncoding(name: $1) ?? $0.encoding },
      .flag("no-dither", "Round to 16 bits without dither.", \.isUndithered),
      forceOption,
    ]
  }

  private static var soundOptions: [Option] {
    [
      .value(
        "rate", short: "r", .text("HZ"),
        "Convert to this sampling rate, such as 44100 (default: the input's).",
        \.decoding.sampleRate, OptionValue.frequency),
      .value(
        "channels", short: "c", .text("N"),
        "Mix to 1 or 2 channels (default: the input's). The stream's own mixing levels apply.",
        \.decoding.channelCount, OptionValue.integer(in: 1...1024)),
      .value(
        "track", .text("N"), "Number of the AAC track in the file (default 1).", \.decoding.track,
        OptionValue.integer(in: 1...1024)),
      .flag(
        "untrimmed", "Keep the encoder delay and the padding, which are trimmed by default.",
        \.isUntrimmed),
      .flag(
        "dynamic-range", "Apply the dynamic range control of the stream.",
        \.decoding.appliesDynamicRange),
    ]
  }
}

/// The result of decoding one input, human-readable and as JSON.
struct DecodeReport: FileReport {
  let item: DecodePlan.Item
  let encoding: PCMEncoding
  let summary: AACFile.DecodingSummary
  let elapsed: Double

  var line: String {
    let facts = [
      QuantityText.duration(summary.duration), QuantityText.frequency(summary.sampleRate),
      QuantityText.count(summary.channelCount, "channel"), QuantityText.size(summary.byteCount),
      QuantityText.speed(speed),
    ]
    return outputName + ": " + facts.joined(separator: ", ")
  }

  var json: JSONValue {
    [
      "input": .text(item.source.name), "output": .text(item.output),
      "status": .text(summary.isDamaged ? "damaged" : "ok"), "renewed": .flag(item.isRenewed),
      "format": .text(item.format.name), "sampleFormat": .text(encoding.name),
      "sampleRate": .integer(summary.sampleRate), "channels": .integer(summary.channelCount),
      "samples": .integer(summary.sampleCount), "duration": .decimal(summary.duration, 6),
      "bytes": .integer(summary.byteCount),
      "clippedSamples": .integer(summary.clippedSampleCount),
      "concealedFrames": .integer(summary.concealedFrameCount),
      "firstConcealed": .optional(summary.firstConcealed.map { $0 / .seconds(1) }, 6),
      "damagedPieces": .integer(summary.damagedPieceCount), "elapsed": .decimal(elapsed, 3),
      "speed": .decimal(speed, 1), "warnings": .texts(summary.warnings),
    ]
  }
}

extension PCMEncoding {
  /// The names of the encodings on the command line.
  static var names: [String] { allCases.map(\.name) }

  /// Creates the encoding with a name.
  init?(name: String) {
    guard let encoding = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = encoding
  }

  /// The name on the command line: sign, or f for floating point, and bits.
  var name: String {
    switch self {
    case .int16: "s16"
    case .int24: "s24"
    case .int32: "s32"
    case .float32: "f32"
    }
  }
}

/// The mapping of inputs to outputs of `aacorn decode`.
typealias DecodePlan = FilePlan<PCMFileWriter.Kind>

extension FilePlan<PCMFileWriter.Kind> {
  /// Creates the plan for a command line.
  init(_ command: DecodeCommand, in console: Console) throws(UsageError) {
    let kind = try Self.kind(of: command)
    let options = Options(of: command, kind, suffix: kind.suffixes.first ?? kind.name)
    let list = InputList(command.inputs, of: .streams, interruption: console.interruption)
    try self.init(list, options)
  }

  private static func kind(of command: DecodeCommand) throws(UsageError) -> PCMFileWriter.Kind {
    if command.output == "-", let kind = command.kind, kind == .aiff || kind == .caf {
      throw UsageError(
        "Standard output takes WAV or raw samples.", hint: "Name a file with -o.")
    }
    return try FormatChoice.format(
      command.kind, of: command.output, defaultFormat: .wav, writer: "decode writes",
      suffixes: ".wav, .aiff, .caf or .raw"
    ) { PCMFileWriter.Kind(suffix: FileName.suffix($0)) }
  }
}
