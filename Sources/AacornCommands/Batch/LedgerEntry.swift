import AacornRecording
import AacornSystem

/// What became of a line of a manifest; a line of a ledger.
struct LedgerEntry: Equatable, Sendable {
  /// How it ended.
  enum Outcome: String, Sendable {
    /// The output is complete and on disk.
    case done
    /// So it is, but the input is damaged; what was missing was replaced.
    case damaged
    /// There is no output, and another attempt would end the same.
    case failed
    /// There is no output, but there may be one if it is tried again.
    case postponed
  }

  var line = 0
  var id: String?
  var input = ""
  var output = ""
  var outcome = Outcome.done
  /// How it was encoded, and by which encoder.
  var settings = ""
  /// SHA-256 of the input; nil if it could not be read.
  var inputDigest: String?
  var inputSize: Int?
  /// When the input last changed, in nanoseconds since the start of 1970.
  var inputTime: Int64?
  /// SHA-256 of the output.
  var outputDigest: String?
  var outputSize: Int?
  /// Samples a channel.
  var sampleCount: Int?
  var sampleRate: Int?
  /// Whether the output was decoded and is as long as the input.
  var isVerified = false
  var attemptCount = 1
  /// Seconds that it took, with all attempts.
  var elapsed = 0.0
  /// The word for what is wrong, and its sentence.
  var error: (word: String, sentence: String)?
  var warnings: [String] = []

  static func == (one: LedgerEntry, other: LedgerEntry) -> Bool { one.text == other.text }

  /// The line without its end; keys keep their names and order.
  var text: String {
    var members: [JSONValue.Member] = [
      .init("line", .integer(line)), .init("input", .text(input)), .init("output", .text(output)),
      .init("status", .text(outcome.rawValue)),
    ]
    if let id { members.insert(.init("id", .text(id)), at: 1) }
    if let error {
      members.append(.init("error", .text(error.word)))
      members.append(.init("message", .text(error.sentence)))
    }
    members += [
      .init("settings", .text(settings)), .init("inputSHA256", .optional(inputDigest)),
      .init("inputBytes", .optional(inputSize)),
      .init("inputTime", inputTime.map { .integer(Int($0)) } ?? .null),
      .init("outputSHA256", .optional(outputDigest)), .init("outputBytes", .optional(outputSize)),
      .init("samples", .optional(sampleCount)), .init("sampleRate", .optional(sampleRate)),
      .init("verified", .flag(isVerified)), .init("attempts", .integer(attemptCount)),
      .init("elapsed", .decimal(elapsed, 3)),
    ]
    if !warnings.isEmpty { members.append(.init("warnings", .list(warnings.map { .text($0) }))) }
    return JSONValue.object(members).encoded
  }

  init() {}

  /// Reads a line; nil if it is none of a ledger, such as one whose end a crash has taken.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard case .object(let members)? = JSONReader.value(bytes) else { return nil }
    var word: String?
    var sentence: String?
    var hasOutcome = false
    for member in members {
      switch (member.name, member.value) {
      case ("line", .integer(let value)): line = value
      case ("id", .text(let value)): id = value
      case ("input", .text(let value)): input = value
      case ("output", .text(let value)): output = value
      case ("status", .text(let value)):
        guard let value = Outcome(rawValue: value) else { return nil }
        outcome = value
        hasOutcome = true
      case ("settings", .text(let value)): settings = value
      case ("inputSHA256", .text(let value)): inputDigest = value
      case ("inputBytes", .integer(let value)): inputSize = value
      case ("inputTime", .integer(let value)): inputTime = Int64(value)
      case ("outputSHA256", .text(let value)): outputDigest = value
      case ("outputBytes", .integer(let value)): outputSize = value
      case ("samples", .integer(let value)): sampleCount = value
      case ("sampleRate", .integer(let value)): sampleRate = value
      case ("verified", .flag(let value)): isVerified = value
      case ("attempts", .integer(let value)): attemptCount = value
      case ("elapsed", .decimal(let value, _)): elapsed = value
      case ("elapsed", .integer(let value)): elapsed = Double(value)
      case ("error", .text(let value)): word = value
      case ("message", .text(let value)): sentence = value
      case ("warnings", .list(let values)):
        warnings = values.compactMap { if case .text(let text) = $0 { text } else { nil } }
      default: break
      }
    }
    guard hasOutcome, !output.isEmpty else { return nil }
    if let word { error = (word, sentence ?? "") }
  }
}
