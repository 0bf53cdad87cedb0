import AacornRecording
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
  /// SHA-256 of the input; nil if it could not be read.
  var inputDigest: String?
  var inputSize: Int?
  /// The modification time of the input, in nanoseconds since the start of 1970.
  var inputTime: Int64?
  /// The properties of the output on disk.
  ///
  /// After a failure, the output may be from an earlier attempt.
  var product = Product()
  /// The input and settings of the output on disk if an earlier attempt made it and this one
  /// failed.
  var made: InputSnapshot?
  var attemptCount = 1
  /// The end of the work in UTC, in ISO 8601; nil in old ledgers.
  var ended: String?
  /// The duration of all attempts in seconds.
  var elapsed = 0.0
  /// The keyword of the error, and its message.
  var error: (keyword: String, message: String)?
  var warnings: [String] = []

  /// An output file.
  struct Product: Equatable, Sendable {
    /// SHA-256 of the output, also if it is lost.
    var digest: String?
    var size: Int?
    /// The modification time in the file system; nil for a device, or in old ledgers.
    var time: Int64?
    /// The file's identity and the time of its last status change; nil if it is not a regular file.
    var mark: String?
    /// Samples per channel.
    var sampleCount: Int?
    var sampleRate: Int?
    /// Whether the output was decoded and has the duration of the input.
    var isVerified = false

    /// Stores the output's time and mark, if it is a file.
    mutating func record(_ status: System.FileStatus?) {
      let file = status.flatMap { $0.kind == .file ? $0 : nil }
      (time, mark) = (file?.modified, file?.mark)
    }
  }

  /// The state of the input and the settings from which an output was made.
  struct InputSnapshot: Equatable, Sendable {
    var settings = ""
    var inputDigest = ""
    var isDamaged = false
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
      member("outputTime", product.time.map { .integer(Int($0)) }),
      member("outputMark", product.mark.map { .text($0) }),
      member("samples", .optional(product.sampleCount)),
      member("sampleRate", .optional(product.sampleRate)),
      member("verified", .flag(product.isVerified)), member("attempts", .integer(attemptCount)),
      member("elapsed", .decimal(elapsed, 3)), member("ended", .optional(ended)),
      member("made", made?.json), member("warnings", warnings.isEmpty ? nil : .texts(warnings)),
    ]
    return .object(members.compactMap(\.self))
  }

  init() {}

  /// Parses a line; nil if it is not a ledger line, for example truncated by a crash.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard let json = JSONReader.value(bytes), case .object(let members) = json,
      members.allSatisfy({ $0.name.hasSuffix("Time") || Self.isInRange($0.value) }),
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
      digest: json["outputSHA256"]?.text, size: json["outputBytes"]?.integer,
      time: json["outputTime"]?.integer.map { Int64($0) }, mark: json["outputMark"]?.text,
      sampleCount: json["samples"]?.integer, sampleRate: json["sampleRate"]?.integer,
      isVerified: json["verified"]?.flag ?? false)
    made = json["made"].flatMap { InputSnapshot($0) }
    attemptCount = json["attempts"]?.integer ?? 1
    elapsed = json["elapsed"]?.number ?? 0
    ended = json["ended"]?.text
    error = json["error"]?.text.map { ($0, json["message"]?.text ?? "") }
    if case .list(let values) = json["warnings"] { warnings = values.compactMap(\.text) }
    guard !output.isEmpty, (1...1000).contains(attemptCount), (0..<1e12).contains(elapsed) else {
      return nil
    }
  }

  /// Returns false for a number that no run writes; sums of a few hundred other numbers cannot
  /// overflow.
  private static func isInRange(_ value: JSONValue) -> Bool {
    value.integer.map { (0..<1 << 53).contains($0) } ?? true
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

extension LedgerEntry.InputSnapshot {
  fileprivate var json: JSONValue {
    [
      "settings": .text(settings), "inputSHA256": .text(inputDigest),
      "damaged": .flag(isDamaged),
    ]
  }

  fileprivate init?(_ json: JSONValue) {
    guard case .object = json else { return nil }
    settings = json["settings"]?.text ?? ""
    inputDigest = json["inputSHA256"]?.text ?? ""
    isDamaged = json["damaged"]?.flag ?? false
  }
}

extension LedgerEntry {
  /// Whether the line produced an output, which may have been removed since.
  var isMade: Bool { outcome == .done || outcome == .damaged }

  /// The input and settings of the output on disk; nil if there is no output.
  var source: InputSnapshot? {
    switch outcome {
    case .done, .damaged:
      inputDigest.map {
        InputSnapshot(settings: settings, inputDigest: $0, isDamaged: outcome == .damaged)
      }
    case .failed, .postponed: made
    }
  }

  /// The number of the output; see `ManifestLine.outputNumber`.
  var outputNumber: UInt64 { ManifestLine.number(of: output) }

  /// The digits of the end time as a number for comparisons; 0 if unknown.
  var endedNumber: Int {
    let digits = (ended ?? "").utf8.filter(\.isDigit)
    // No time has more digits, and more could overflow.
    return digits.count > 17 ? 0 : digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

// MARK: Outputs that other programs changed

extension LedgerEntry {
  /// The error word for an output that was removed or changed.
  static let lostKeyword = "lost"

  /// Returns a message if other programs have removed or changed the output since it was made.
  ///
  /// An output that cannot be checked counts as lost: its presence on disk is not certain.
  ///
  /// The file is read only if its size is unchanged and its mark (identity and status-change time)
  /// differs. A new mark alone is harmless: a user may change the file's times or restore it from a
  /// copy. Some file systems also round times later, or renumber a file that was not used for a
  /// while.
  func outputLoss(_ interruption: Interruption) throws(CommandFailure) -> String? {
    guard isMade, let size = product.size, let mark = product.mark else { return nil }
    let name = "“\(displayed(output))”"
    let changed = "Another program replaced or changed \(name) after this run had written it."
    do throws(SystemError) {
      let status = try System.status(of: output)
      if status.kind != .file || status.size != size { return changed }
      if status.mark == mark { return nil }
    } catch {
      return error.isAbsence
        ? "Another program removed \(name) after this run had written it."
        : "\(name) could not be checked after this run had written it: \(error.text)."
    }
    do throws(CommandFailure) {
      return try FileDigests.digest(of: output, interruption) == product.digest ? nil : changed
    } catch {
      if case .interrupted = error.kind { throw error }
      return
        "\(name) was modified by another program after this run had written it, and its content could "
        + "not be checked. \(error.commandMessage)"
    }
  }

  /// Returns the entry that marks the output as lost, so that the next run makes it again.
  ///
  /// Of the output, only the digest remains: it permits the next run to replace the file.
  func markedAsLost(_ message: String) -> LedgerEntry {
    var entry = self
    entry.product = Product(digest: product.digest)
    (entry.attemptCount, entry.elapsed, entry.warnings, entry.made) = (1, 0, [], nil)
    entry.outcome = .postponed
    entry.error = (Self.lostKeyword, message)
    return entry
  }
}
