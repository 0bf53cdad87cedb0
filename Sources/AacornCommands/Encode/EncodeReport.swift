import AacornCodec
import AacornRecording
import AacornSystem

/// The result for one input, for people and for programs.
struct EncodeReport: FileReport {
  let item: EncodePlan.Item
  /// What was encoded.
  let summary: AACFile.Summary
  /// The duration of the work in seconds.
  let elapsed: Double

  var warnings: [String] { summary.warnings }

  var byteCount: Int { summary.byteCount }

  /// Damage is no failure, because the sound is kept; but it must not pass unnoticed.
  var status: ExitStatus { summary.isDamaged ? .failed : .success }

  /// Seconds of audio.
  var duration: Double {
    summary.sampleRate > 0 ? Double(summary.sampleCount) / Double(summary.sampleRate) : 0
  }

  /// Bits per second of the frames alone.
  var bitrate: Double { duration > 0 ? Double(summary.payloadByteCount) * 8 / duration : 0 }

  /// How many times faster than real time.
  var speed: Double { elapsed > 0 ? duration / elapsed : 0 }

  /// One line for people.
  var line: String {
    var facts = [
      QuantityText.duration(duration), QuantityText.size(summary.byteCount),
      QuantityText.bitrate(bitrate), QuantityText.speed(speed),
    ]
    if let loudness { facts.append(loudness) }
    if summary.profile != .lowComplexity { facts.insert(summary.profile.name, at: 0) }
    let name = item.output == "-" ? "standard output" : displayed(item.output)
    return name + ": " + facts.joined(separator: ", ")
  }

  /// How loud it was, and with the gain is; nil if nobody asked or it is silence.
  ///
  /// A gain of nothing may need a limiter, too: for peaks that were too high before.
  private var loudness: String? {
    guard let measured = summary.loudness, let before = measured.integrated else { return nil }
    let text = QuantityText.fixed(Double(before), decimals: 1)
    let ending = measured.isLimited ? ", with its peaks limited" : ""
    if measured.gain == 0 { return text + " LUFS" + ending }
    let after = QuantityText.fixed(Double(measured.encoded ?? before + measured.gain), decimals: 1)
    let gain = QuantityText.fixed(Double(measured.gain), decimals: 1)
    return "from \(text) to \(after) LUFS (\(measured.gain > 0 ? "+" : "")\(gain) dB)" + ending
  }

  private var loudnessJSON: JSONValue {
    guard let measured = summary.loudness else { return .null }
    func level(_ value: Float?) -> JSONValue { value.map { .decimal(Double($0), 2) } ?? .null }
    return .object([
      .init("integrated", level(measured.integrated)), .init("range", level(measured.range)),
      .init("truePeak", level(measured.truePeak)), .init("gain", level(measured.gain)),
      .init("limited", .flag(measured.isLimited)), .init("shortfall", level(measured.shortfall)),
      .init("encoded", level(measured.encoded)),
    ])
  }

  /// The JSON object for programs; keys keep their names and order.
  var json: JSONValue {
    .object([
      .init("input", .text(item.source.name)), .init("output", .text(item.output)),
      .init("status", .text(summary.isDamaged ? "damaged" : "ok")),
      .init("format", .text(item.format.rawValue)),
      .init("profile", .text(summary.profile.word)),
      .init("sampleRate", .integer(summary.sampleRate)),
      .init("channels", .integer(summary.channelCount)),
      .init("bandwidth", .integer(summary.bandwidth)),
      .init("samples", .integer(summary.sampleCount)), .init("duration", .decimal(duration, 6)),
      .init("bytes", .integer(summary.byteCount)),
      .init("payloadBytes", .integer(summary.payloadByteCount)),
      .init("bitrate", .integer(Int(bitrate.rounded()))), .init("elapsed", .decimal(elapsed, 3)),
      .init("speed", .decimal(speed, 1)), .init("loudness", loudnessJSON),
      .init("warnings", .list(summary.warnings.map { .text($0) })),
    ])
  }
}

extension CommandFailure {
  /// The JSON object in place of a report, with the command's sentence or another.
  func json(input: String, output: String?, message: String? = nil) -> JSONValue {
    .object([
      .init("input", .text(input)), .init("output", .optional(output)),
      .init("status", .text("error")), .init("error", .text(word)),
      .init("message", .text(message ?? commandSentence)),
    ])
  }
}
