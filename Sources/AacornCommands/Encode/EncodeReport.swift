import AacornSystem

/// The result for one input, for people and for programs.
struct EncodeReport: Sendable {
  var input = ""
  var output = ""
  var format = OutputFormat.m4a
  var sampleRate = 0
  var channelCount = 0
  /// The highest coded frequency, in hertz.
  var bandwidth = 0
  /// Encoded samples per channel, after any rate conversion.
  var sampleCount = 0
  /// The size of the file in bytes.
  var byteCount = 0
  /// Bytes of the frames alone.
  var payloadByteCount = 0
  /// The duration of the work in seconds.
  var elapsed = 0.0
  /// Things worth knowing that are not failures, as sentences.
  var warnings: [String] = []

  /// Seconds of audio.
  var duration: Double { sampleRate > 0 ? Double(sampleCount) / Double(sampleRate) : 0 }

  /// Bits per second of the frames alone.
  var bitrate: Double { duration > 0 ? Double(payloadByteCount) * 8 / duration : 0 }

  /// How many times faster than real time.
  var speed: Double { elapsed > 0 ? duration / elapsed : 0 }

  /// One line for people.
  var line: String {
    let facts = [
      QuantityText.duration(duration), QuantityText.size(byteCount), QuantityText.bitrate(bitrate),
      QuantityText.speed(speed),
    ]
    let name = output == "-" ? "standard output" : displayed(output)
    return name + ": " + facts.joined(separator: ", ")
  }

  /// The JSON object for programs; keys keep their names and order.
  var json: JSONValue {
    .object([
      .init("input", .text(input)), .init("output", .text(output)), .init("status", .text("ok")),
      .init("format", .text(format.rawValue)), .init("sampleRate", .integer(sampleRate)),
      .init("channels", .integer(channelCount)), .init("bandwidth", .integer(bandwidth)),
      .init("samples", .integer(sampleCount)), .init("duration", .decimal(duration, 6)),
      .init("bytes", .integer(byteCount)), .init("payloadBytes", .integer(payloadByteCount)),
      .init("bitrate", .integer(Int(bitrate.rounded()))), .init("elapsed", .decimal(elapsed, 3)),
      .init("speed", .decimal(speed, 1)), .init("warnings", .list(warnings.map { .text($0) })),
    ])
  }
}

extension CommandFailure {
  /// The JSON object in place of a report.
  func json(input: String, output: String?) -> JSONValue {
    .object([
      .init("input", .text(input)), .init("output", .optional(output)),
      .init("status", .text("error")), .init("error", .text(word)),
      .init("message", .text(sentence)),
    ])
  }
}
