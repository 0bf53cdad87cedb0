import AacornCodec
import AacornContainers
import AacornSystem

/// Writes existing units to a new file.
struct UnitWriter {
  /// The properties that must be known before the first unit.
  struct Plan {
    let output: String
    let format: CodedFileWriter.Format
    let form: CodedForm
    var tags = MP4Tags()
    var started: String?
    var gapEntries: [[UInt8]] = []
    /// The maximum number of units, if known.
    var unitLimit: Int?
    var partCount = 1
    var replacesExisting = false
  }

  private(set) var unitCount = 0

  private let file: OutputFile
  private var writer: StreamWriter
  private var unit = AccessUnit()

  init(_ plan: Plan, interruption: Interruption) throws(AACFileError) {
    file = try OutputFile(
      plan.output, replacing: plan.replacesExisting, interruption: interruption)
    if plan.format == .m4a, !file.isSeekable {
      throw AACFileError(
        .unsupported, "“\(displayed(plan.output))” is not a regular file, which M4A needs here.",
        .text("Choose another name, or a suffix such as .aac."))
    }
    var container = CodedFileWriter.Configuration(plan.format, stream: plan.form.stream)
    container.timing = plan.form.timing
    container.tags = plan.tags
    container.started = plan.started
    container.gapEntries = plan.gapEntries
    container.expectedPartCount = plan.partCount
    container.expectedUnitCount = plan.unitLimit.flatMap { CodedFileWriter.expectedUnitCount($0) }
    writer = try StreamWriter(container, to: file)
    unit.sampleCount = plan.form.timing.samplesPerUnit
  }

  var byteCount: Int { file.byteCount }

  mutating func write(_ bytes: [UInt8]) throws(AACFileError) {
    unit.bytes = bytes
    try writer.write(unit)
    unitCount += 1
  }

  /// Completes the file with these audible samples.
  mutating func finish(_ parts: [Range<Int64>]) throws(AACFileError) {
    try writer.finish(parts: parts.map { UInt64($0.lowerBound)..<UInt64($0.upperBound) })
    try file.commit()
  }
}
