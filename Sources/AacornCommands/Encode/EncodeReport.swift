import AacornCodec
import AacornRecording
import AacornSystem

/// The result of encoding one input, human-readable and as JSON.
struct EncodeReport: FileReport {
  let item: EncodePlan.Item
  let summary: AACFile.Summary
  let elapsed: Double

  /// The bitrate of the frames without overhead, in bits per second.
  var bitrate: Double {
    summary.duration > 0 ? Double(summary.payloadByteCount) * 8 / summary.duration : 0
  }

  var line: String {
    var facts = [
      QuantityText.duration(summary.duration), QuantityText.size(summary.byteCount),
      QuantityText.bitrate(bitrate), QuantityText.speed(speed),
    ]
    if let loudness { facts.append(loudness) }
    if summary.profile != .lowComplexity { facts.insert(summary.profile.name, at: 0) }
    return outputName + ": " + facts.joined(separator: ", ")
  }

  /// The loudness before and after the gain; nil if it was not measured, or for silence.
  ///
  /// The text mentions the limiter even if the gain is zero, because the peaks may still exceed the
  /// limit.
  private var loudness: String? {
    guard let measured = summary.loudness, let before = measured.integrated else { return nil }
    let text = QuantityText.decibels(before)
    let ending = measured.isLimited ? ", with its peaks limited" : ""
    if measured.gain == 0 { return text + " LUFS" + ending }
    let after = QuantityText.decibels(measured.encoded ?? before + measured.gain)
    let gain = QuantityText.decibels(measured.gain)
    return "from \(text) to \(after) LUFS (\(measured.gain > 0 ? "+" : "")\(gain) dB)" + ending
  }

  private var loudnessJSON: JSONValue {
    guard let measured = summary.loudness else { return .null }
    return .object([
      .init("integrated", .level(measured.integrated)), .init("range", .level(measured.range)),
      .init("truePeak", .level(measured.truePeak)), .init("gain", .level(measured.gain)),
      .init("limited", .flag(measured.isLimited)), .init("shortfall", .level(measured.shortfall)),
      .init("encoded", .level(measured.encoded)),
    ])
  }

  var json: JSONValue {
    .object([
      .init("input", .text(item.source.name)), .init("output", .text(item.output)),
      .init("status", .text(summary.isDamaged ? "damaged" : "ok")),
      .init("format", .text(item.format.rawValue)),
      .init("profile", .text(summary.profile.keyword)),
      .init("sampleRate", .integer(summary.sampleRate)),
      .init("channels", .integer(summary.channelCount)),
      .init("bandwidth", .integer(summary.bandwidth)),
      .init("samples", .integer(summary.sampleCount)),
      .init("duration", .decimal(summary.duration, 6)),
      .init("bytes", .integer(summary.byteCount)),
      .init("payloadBytes", .integer(summary.payloadByteCount)),
      .init("bitrate", .integer(Int(bitrate.rounded()))), .init("elapsed", .decimal(elapsed, 3)),
      .init("speed", .decimal(speed, 1)), .init("loudness", loudnessJSON),
      .init("warnings", .texts(summary.warnings)),
    ])
  }
}
