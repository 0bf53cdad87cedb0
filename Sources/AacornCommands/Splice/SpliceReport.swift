import AacornRecording
import AacornSystem

/// The result of cutting or joining, human-readable and as JSON.
struct SpliceReport {
  let job: SpliceJob
  /// The properties of the output.
  let summary: AACFile.SpliceSummary
  /// The duration of the work in seconds.
  let elapsed: Double

  private var duration: Double {
    summary.sampleRate > 0 ? Double(summary.sampleCount) / Double(summary.sampleRate) : 0
  }

  /// A human-readable line.
  var line: String {
    let facts = [
      QuantityText.duration(duration), QuantityText.frequency(summary.sampleRate),
      QuantityText.count(summary.channelCount, "channel"),
      QuantityText.count(summary.frameCount, "frame"), QuantityText.size(summary.byteCount),
      summary.isExact ? "sample-accurate" : "frame-accurate",
    ]
    return displayed(job.output) + ": " + facts.joined(separator: ", ")
  }

  /// The result as JSON, with stable names and order of the keys.
  var json: JSONValue {
    .object([
      .init("inputs", .list(job.inputs.map { .text($0) })), .init("output", .text(job.output)),
      .init("status", .text(summary.isDamaged ? "damaged" : "ok")),
      .init("exact", .flag(summary.isExact)),
      .init("sampleRate", .integer(summary.sampleRate)),
      .init("channels", .integer(summary.channelCount)),
      .init("samples", .integer(summary.sampleCount)), .init("duration", .decimal(duration, 6)),
      .init("frames", .integer(summary.frameCount)), .init("bytes", .integer(summary.byteCount)),
      .init("pieces", .list(summary.pieces.map(Self.json))),
      .init("elapsed", .decimal(elapsed, 3)),
      .init("warnings", .list(summary.warnings.map { .text($0) })),
    ])
  }

  private static func json(_ piece: AACFile.SpliceSummary.Piece) -> JSONValue {
    .object([
      .init("input", .text(piece.input)), .init("start", seconds(piece.start)),
      .init("duration", seconds(piece.duration)),
      .init("excessBefore", seconds(piece.excessBefore)),
      .init("excessAfter", seconds(piece.excessAfter)),
    ])
  }

  private static func seconds(_ duration: Duration) -> JSONValue {
    let (seconds, attoseconds) = duration.components
    return .decimal(Double(seconds) + Double(attoseconds) * 1e-18, 6)
  }
}
