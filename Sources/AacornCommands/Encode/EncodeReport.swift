import AacornSystem

/// What came of one input, for people and for programs.
struct EncodeReport: Sendable {
  var input = ""
  var output = ""
  var format = OutputFormat.m4a
  var sampleRate = 0
  var channelCount = 0
  /// The highest frequency that was coded, in hertz.
  var bandwidth = 0
  /// Samples per channel that were encoded, after any conversion of the rate.
  var sampleCount = 0
  /// Bytes of the file.
  var byteCount = 0
  /// Bytes of the frames alone.
  var payloadByteCount = 0
  /// Seconds that the work took.
  var elapsed = 0.0
  /// Things worth knowing that are no failures, as sentences.
  var warnings: [String] = []

  /// Seconds of sound.
  var duration: Double { sampleRate > 0 ? Double(sampleCount) / Double(sampleRate) : 0 }

  /// Bits a second of the frames alone.
  var bitrate: Double { duration > 0 ? Double(payloadByteCount) * 8 / duration : 0 }

  /// How many times faster than playing.
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

  /// The object for programs; keys keep their names and order.
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
  /// The object for programs that stands where a report would.
  func json(input: String, output: String?) -> JSONValue {
    .object([
      .init("input", .text(input)), .init("output", .optional(output)),
      .init("status", .text("error")), .init("error", .text(word)),
      .init("message", .text(sentence)),
    ])
  }
}
