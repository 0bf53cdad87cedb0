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

  /// The valid range of numbers in a ledger; the sum of a few hundred of them cannot overflow.
  private static let numbers = 0..<1 << 53

  static func == (one: LedgerEntry, other: LedgerEntry) -> Bool { one.text == other.text }

  /// The line without its newline.
  var text: String {
    var members: [JSONValue.Member] = [.init("line", .integer(line))]
    if let id { members.append(.init("id", .text(id))) }
    members += Self.members("input", input) + Self.members("output", output)
    members.append(.init("status", .text(outcome.rawValue)))
    if let error {
      members.append(.init("error", .text(error.keyword)))
      members.append(.init("message", .text(error.message)))
    }
    members += [
      .init("settings", .text(settings)), .init("inputSHA256", .optional(inputDigest)),
      .init("inputBytes", .optional(inputSize)),
      .init("inputTime", inputTime.map { .integer(Int($0)) } ?? .null),
      .init("outputSHA256", .optional(product.digest)),
      .init("outputBytes", .optional(product.size)),
    ]
    if let time = product.time { members.append(.init("outputTime", .integer(Int(time)))) }
    if let mark = product.mark { members.append(.init("outputMark", .text(mark))) }
    members += [
      .init("samples", .optional(product.sampleCount)),
      .init("sampleRate", .optional(product.sampleRate)),
      .init("verified", .flag(product.isVerified)), .init("attempts", .integer(attemptCount)),
      .init("elapsed", .decimal(elapsed, 3)), .init("ended", .optional(ended)),
    ]
    if let made {
      members.append(
        .init(
          "made",
          .object([
            .init("settings", .text(made.settings)), .init("inputSHA256", .text(made.inputDigest)),
            .init("damaged", .flag(made.isDamaged)),
          ])))
    }
    if !warnings.isEmpty { members.append(.init("warnings", .texts(warnings))) }
    return JSONValue.object(members).encoded
  }

  /// Returns the path as a member; if it is not valid UTF-8, also its bytes in hexadecimal.
  private static func members(_ name: String, _ path: String) -> [JSONValue.Member] {
    let isText = !path.unicodeScalars.contains { PathText.rawByte($0) != nil }
    let text = JSONValue.Member(name, .text(path))
    return isText ? [text] : [text, .init(name + "Hex", .text(SHA256.text(PathText.encode(path))))]
  }

  init() {}

  /// Parses a line; nil if it is not a ledger line, for example truncated by a crash.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard case .object(let members)? = JSONReader.value(bytes) else { return nil }
    var keyword: String?
    var message: String?
    var hasOutcome = false
    var (inputHex, outputHex): (String?, String?)
    for member in members {
      if case .integer(let value) = member.value, member.name != "inputTime",
        member.name != "outputTime", !Self.numbers.contains(value)
      {
        return nil
      }
      switch (member.name, member.value) {
      case ("line", .integer(let value)): line = value
      case ("id", .text(let value)): id = value
      case ("input", .text(let value)): input = value
      case ("inputHex", .text(let value)): inputHex = value
      case ("output", .text(let value)): output = value
      case ("outputHex", .text(let value)): outputHex = value
      case ("status", .text(let value)):
        guard let value = Outcome(rawValue: value) else { return nil }
        outcome = value
        hasOutcome = true
      case ("settings", .text(let value)): settings = value
      case ("inputSHA256", .text(let value)): inputDigest = value
      case ("inputBytes", .integer(let value)): inputSize = value
      case ("inputTime", .integer(let value)): inputTime = Int64(value)
      case ("outputSHA256", .text(let value)): product.digest = value
      case ("outputBytes", .integer(let value)): product.size = value
      case ("outputTime", .integer(let value)): product.time = Int64(value)
      case ("outputMark", .text(let value)): product.mark = value
      case ("samples", .integer(let value)): product.sampleCount = value
      case ("sampleRate", .integer(let value)): product.sampleRate = value
      case ("verified", .flag(let value)): product.isVerified = value
      case ("attempts", .integer(let value)):
        guard (1...1000).contains(value) else { return nil }
        attemptCount = value
      case ("elapsed", .decimal(let value, _)): elapsed = value
      case ("elapsed", .integer(let value)): elapsed = Double(value)
      case ("ended", .text(let value)): ended = value
      case ("made", .object(let members)): made = InputSnapshot(members)
      case ("error", .text(let value)): keyword = value
      case ("message", .text(let value)): message = value
      case ("warnings", .list(let values)):
        warnings = values.compactMap { if case .text(let text) = $0 { text } else { nil } }
      default: break
      }
    }
    guard hasOutcome, !output.isEmpty, (0..<1e12).contains(elapsed) else { return nil }
    if let keyword { error = (keyword, message ?? "") }
    input = inputHex.flatMap(Self.path) ?? input
    output = outputHex.flatMap(Self.path) ?? output
  }

  /// Returns the path whose bytes are given in hexadecimal, or nil if the digits are invalid.
  private static func path(_ hexadecimal: String) -> String? {
    let digits = hexadecimal.utf8.compactMap(\.hexadecimalValue)
    guard digits.count == hexadecimal.utf8.count, digits.count % 2 == 0, !digits.isEmpty else {
      return nil
    }
    let bytes = stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
    return PathText.decode(bytes)
  }
}

extension LedgerEntry.InputSnapshot {
  fileprivate init(_ members: [JSONValue.Member]) {
    for member in members {
      switch (member.name, member.value) {
      case ("settings", .text(let value)): settings = value
      case ("inputSHA256", .text(let value)): inputDigest = value
      case ("damaged", .flag(let value)): isDamaged = value
      default: break
      }
    }
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
