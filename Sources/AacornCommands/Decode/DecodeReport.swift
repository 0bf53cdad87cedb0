import AacornRecording
import AacornSoundFiles
import AacornSystem

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
    .object([
      .init("input", .text(item.source.name)), .init("output", .text(item.output)),
      .init("status", .text(summary.isDamaged ? "damaged" : "ok")),
      .init("format", .text(item.format.name)),
      .init("sampleFormat", .text(encoding.name)),
      .init("sampleRate", .integer(summary.sampleRate)),
      .init("channels", .integer(summary.channelCount)),
      .init("samples", .integer(summary.sampleCount)),
      .init("duration", .decimal(summary.duration, 6)),
      .init("bytes", .integer(summary.byteCount)),
      .init("clippedSamples", .integer(summary.clippedSampleCount)),
      .init("concealedFrames", .integer(summary.concealedFrameCount)),
      .init("firstConcealed", .optional(summary.firstConcealed.map { $0 / .seconds(1) }, 6)),
      .init("damagedPieces", .integer(summary.damagedPieceCount)),
      .init("elapsed", .decimal(elapsed, 3)), .init("speed", .decimal(speed, 1)),
      .init("warnings", .texts(summary.warnings)),
    ])
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
      hint: "Use .wav, .aiff, .caf or .raw, or use --format."
    ) { PCMFileWriter.Kind(suffix: FileName.suffix($0)) }
  }
}
