import AacornCodec
import AacornContainers
import AacornSystem

/// Writes existing units to a new file.
struct UnitWriter {
  private(set) var unitCount = 0

  private let request: SpliceRequest
  private let form: CodedForm
  private let file: OutputFile
  private var writer: StreamWriter
  private var unit = AccessUnit()

  init(
    _ configuration: CodedFileWriter.Configuration, _ form: CodedForm, of request: SpliceRequest,
    interruption: Interruption
  ) throws(AACFileError) {
    self.request = request
    self.form = form
    file = try OutputFile(
      request.output, replacing: request.replacesExisting, interruption: interruption)
    if request.isExact, !file.isSeekable {
      throw AACFileError(
        .unsupported, "“\(displayed(request.output))” is not a regular file, which M4A needs here.",
        suggestion: .text("Choose another name, or a suffix such as .aac."))
    }
    var configuration = configuration
    configuration.timing = form.timing
    writer = try StreamWriter(configuration, to: file)
    unit.sampleCount = form.timing.samplesPerUnit
  }

  /// The summary of the file, without its pieces.
  var summary: AACFile.SpliceSummary {
    var summary = AACFile.SpliceSummary()
    summary.sampleRate = form.timing.sampleRate
    summary.channelCount = form.channelCount
    summary.frameCount = unitCount
    summary.byteCount = file.byteCount
    summary.isExact = request.isExact
    return summary
  }

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
