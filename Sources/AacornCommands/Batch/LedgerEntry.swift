import AacornContainers
import AacornSystem

/// The result of a manifest line; one line of a ledger.
struct LedgerEntry: Equatable, Sendable {
  enum Outcome: String, Sendable {
    /// The output is complete and on disk.
    case done
    /// The output is complete and on disk, but the input is damaged; missing audio was replaced.
    case damaged
    /// There is no output, and a retry would fail again.
    case failed
    /// There is no output, but a retry may succeed.
    case postponed
  }

  var line = 0
  var id: String?
  var input = ""
  var output = ""
  var outcome = Outcome.done
  /// The encoding settings and the encoder.
  var settings = ""
  /// SHA-256 of the input; nil without `--verify`.
  var inputDigest: String?
  var inputSize: Int?
  /// The modification time of the input, in nanoseconds since the start of 1970.
  var inputTime: Int64?
  /// The properties of the output on disk.
  ///
  /// If the input failed, the output may be from an earlier version of the input.
  var product = Product()
  var attemptCount = 1
  /// The end of the work in UTC, in ISO 8601; until then, that of the output's earlier line.
  var ended: String?
  /// The duration of all attempts in seconds.
  var elapsed = 0.0
  /// The keyword of the error, and its message.
  var error: (keyword: String, message: String)?
  var warnings: [String] = []

  /// An output file.
  struct Product: Equatable, Sendable {
    /// The size in bytes; nil if this run or an earlier one has not written the file.
    var size: Int?
    /// SHA-256 of the output; nil unless it was verified.
    var digest: String?
    /// Samples per channel.
    var sampleCount: Int?
    var sampleRate: Int?
  }

  static func == (one: LedgerEntry, other: LedgerEntry) -> Bool { one.text == other.text }

  /// The line without its newline.
  var text: String { json.encoded }

  var json: JSONValue {
    func member(_ name: String, _ value: JSONValue?) -> JSONValue.Member? {
      value.map { JSONValue.Member(name, $0) }
    }
    // Members without a value are omitted; others are null.
    let members: [JSONValue.Member?] = [
      member("line", .integer(line)), member("id", id.map { .text($0) }),
      member("input", .text(input)), member("inputHex", Self.hexadecimal(input)),
      member("output", .text(output)), member("outputHex", Self.hexadecimal(output)),
      member("status", .text(outcome.rawValue)), member("error", error.map { .text($0.keyword) }),
      member("message", error.map { .text($0.message) }), member("settings", .text(settings)),
      member("inputSHA256", .optional(inputDigest)), member("inputBytes", .optional(inputSize)),
      member("inputTime", .optional(inputTime.map { Int($0) })),
      member("outputSHA256", .optional(product.digest)),
      member("outputBytes", .optional(product.size)),
      member("samples", .optional(product.sampleCount)),
      member("sampleRate", .optional(product.sampleRate)),
      member("attempts", .integer(attemptCount)), member("elapsed", .decimal(elapsed, 3)),
      member("ended", .optional(ended)),
      member("warnings", warnings.isEmpty ? nil : .texts(warnings)),
    ]
    return .object(members.compactMap(\.self))
  }

  init() {}

  /// Parses a line; nil if it is not a ledger line, for example truncated by a crash.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard let json = JSONReader.value(bytes), case .object = json,
      let outcome = json["status"]?.text.flatMap(Outcome.init)
    else { return nil }
    line = json["line"]?.integer ?? 0
    id = json["id"]?.text
    input = Self.path("input", in: json)
    output = Self.path("output", in: json)
    self.outcome = outcome
    settings = json["settings"]?.text ?? ""
    inputDigest = json["inputSHA256"]?.text
    inputSize = json["inputBytes"]?.integer
    inputTime = json["inputTime"]?.integer.map { Int64($0) }
    product = Product(
      size: json["outputBytes"]?.integer, digest: json["outputSHA256"]?.text,
      sampleCount: json["samples"]?.integer, sampleRate: json["sampleRate"]?.integer)
    attemptCount = json["attempts"]?.integer ?? 1
    elapsed = json["elapsed"]?.number ?? 0
    ended = json["ended"]?.text
    error = json["error"]?.text.map { ($0, json["message"]?.text ?? "") }
    if case .list(let values) = json["warnings"] { warnings = values.compactMap(\.text) }
    guard !output.isEmpty, (0..<1e12).contains(elapsed) else { return nil }
  }

  /// Returns the bytes of a path in hexadecimal if it is not valid UTF-8, otherwise nil.
  private static func hexadecimal(_ path: String) -> JSONValue? {
    let isText = !path.unicodeScalars.contains { PathText.rawByte($0) != nil }
    return isText ? nil : .text(SHA256.text(PathText.encode(path)))
  }

  /// Returns a path, from its bytes if they are given.
  private static func path(_ name: String, in json: JSONValue) -> String {
    let hexadecimal = (json[name + "Hex"]?.text ?? "").utf8
    let digits = hexadecimal.compactMap(\.hexadecimalValue)
    guard digits.count == hexadecimal.count, digits.count % 2 == 0, !digits.isEmpty else {
      return json[name]?.text ?? ""
    }
    return PathText.decode(
      stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }
}

extension LedgerEntry {
  /// Whether the line produced an output, which may have been removed since.
  var isMade: Bool { outcome == .done || outcome == .damaged }

  /// The number of the output; see `ManifestLine.outputNumber`.
  var outputNumber: UInt64 { ManifestLine.number(of: output) }

  /// A number that is larger for a later line about the same output.
  ///
  /// It has the digits of the end time. It is 0 if the time is unknown, or if the attempt was
  /// postponed and wrote no output: then every earlier line still applies.
  var rank: Int {
    if outcome == .postponed && product.size == nil { return 0 }
    let digits = (ended ?? "").utf8.filter(\.isDigit)
    // No time has more digits, and more could overflow.
    return digits.count > 17 ? 0 : digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Sets the end time, unless the entry already has a later one, of an earlier line.
  ///
  /// So a line counts although the clock was set back: of lines with equal times, the last counts.
  mutating func end(at time: String) {
    let earlier = self
    ended = time
    if earlier.rank > rank { ended = earlier.ended }
  }
}
