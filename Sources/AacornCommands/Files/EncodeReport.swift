import AacornCodec
import AacornContainers
import AacornRecording
import AacornSignal
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
    return [
      "integrated": .level(measured.integrated), "range": .level(measured.range),
      "truePeak": .level(measured.truePeak), "gain": .level(measured.gain),
      "limited": .flag(measured.isLimited), "shortfall": .level(measured.shortfall),
      "encoded": .level(measured.encoded),
    ]
  }

  var json: JSONValue {
    [
      "input": .text(item.source.name), "output": .text(item.output),
      "status": .text(summary.isDamaged ? "damaged" : "ok"), "renewed": .flag(item.isRenewed),
      "format": .text(item.format.rawValue), "profile": .text(summary.profile.keyword),
      "sampleRate": .integer(summary.sampleRate), "channels": .integer(summary.channelCount),
      "bandwidth": .integer(summary.bandwidth),
      "samples": .integer(summary.sampleCount), "duration": .decimal(summary.duration, 6),
      "bytes": .integer(summary.byteCount), "payloadBytes": .integer(summary.payloadByteCount),
      "bitrate": .integer(Int(bitrate.rounded())), "elapsed": .decimal(elapsed, 3),
      "speed": .decimal(speed, 1), "loudness": loudnessJSON, "warnings": .texts(summary.warnings),
    ]
  }
}

/// The mapping of inputs to outputs of `aacorn encode`.
typealias EncodePlan = FilePlan<OutputFormat>

extension FilePlan<OutputFormat> {
  /// Creates the plan for a command line.
  init(_ command: EncodeCommand, in console: Console) throws(UsageError) {
    let format = try Self.format(of: command, for: command.output)
    let options = Options(
      of: command, format, suffix: format.rawValue,
      otherInputs: [command.coverPath].compactMap(\.self))
    if let milliseconds = command.toneMilliseconds {
      try self.init(toneMilliseconds: milliseconds, options)
    } else {
      let list = InputList(command.inputs, interruption: console.interruption)
      try self.init(list, options)
    }
  }

  /// Returns the format of an output, from the option or from the suffix.
  ///
  /// Throws if other options conflict with it.
  static func format(
    of command: EncodeCommand, for output: String?
  ) throws(UsageError) -> OutputFormat {
    let format = try FormatChoice.format(
      command.format, of: output, defaultFormat: .m4a, writer: "aacorn writes",
      suffixes: ".m4a, .aac or .latm"
    ) { OutputFormat(suffix: FileName.suffix($0)) }
    try check(command, format: format)
    return format
  }

  private static func check(
    _ command: EncodeCommand, format: OutputFormat
  ) throws(UsageError) {
    func hint(_ other: OutputFormat) -> String {
      FormatChoice.hint(
        other.rawValue, output: command.output, isFormatGiven: command.format != nil)
    }
    try reject(
      if: command.hasChecksum && format != .aac, "Only ADTS streams have checksums.",
      hint: hint(.aac))
    let hasTags = command.tags.hasTexts || command.coverPath != nil || command.statesLoudness
    try reject(if: hasTags && format != .m4a, "Only M4A files have tags.", hint: hint(.m4a))
    try SignalingOption.check(command.options.signaling, in: format)
  }
}
