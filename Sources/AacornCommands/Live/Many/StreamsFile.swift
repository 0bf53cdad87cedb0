import AacornRecording
import AacornSystem

/// A parsed list of streams; the options have not been interpreted yet.
///
///     # for all of them
///     bitrate = 128k
///     hls = /srv/live/{stream}
///
///     [jazz]
///     device = hw:1
///
///     [news]
///     file = news.wav
///     loop = yes
///
/// Lines before the first name apply to all streams; a stream's own settings take precedence. The
/// value is all text after the equals sign. Values have no quotation marks and need none.
struct StreamsFile: Equatable {
  /// A line with an option.
  struct Assignment: Sendable, Equatable {
    var line: Int
    /// The long name of an option, without dashes.
    var option: String
    var value: String
  }

  /// The lines of one stream.
  struct Section: Equatable {
    var line: Int
    var name: String
    var assignments: [Assignment] = []
  }

  /// The assignments for all streams.
  private(set) var general: [Assignment] = []
  /// The streams, in order.
  private(set) var sections: [Section] = []
  /// The invalid lines.
  private(set) var mistakes: [StreamsMistake] = []

  /// The placeholder for the name of the stream in values.
  static let placeholder = "{stream}"
  /// The maximum length of a name in bytes.
  private static let maxNameByteCount = 64

  init(_ text: String) {
    // Remove a byte order mark, which some editors insert.
    let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() { readLine(line.trimmed, index + 1) }
  }

  /// Returns the assignments of a stream: its own, and the general ones that they do not replace.
  func assignments(of section: Section, from general: [Assignment]) -> [Assignment] {
    let displaced = StreamSettings.displaced(by: Set(section.assignments.map(\.option)))
    let assignments = general.filter { !displaced.contains($0.option) } + section.assignments
    return assignments.map { assignment in
      var assignment = assignment
      assignment.value = assignment.value.replacing(Self.placeholder, with: section.name)
      return assignment
    }
  }

  private mutating func readLine(_ line: String, _ number: Int) {
    if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { return }
    if line.hasPrefix("[") {
      guard line.hasSuffix("]") else {
        return record(number, "The closing bracket after the name of a stream is missing.")
      }
      return begin(line.dropFirst().dropLast().trimmed, number)
    }
    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    // Never print the line itself: an address in it may contain a password.
    guard parts.count == 2 else {
      return record(
        number, "This is not of the form “option = value”.",
        hint: StreamSettings.isFlag(line) ? "Did you mean “\(line) = yes”?" : "")
    }
    let option = parts[0].trimmed
    if option.hasPrefix("-") {
      return record(
        number, "Options in this file have no dashes.",
        hint: "Write \(displayed(String(option.drop { $0 == "-" }))).")
    }
    if option.isEmpty { return record(number, "The option before the equals sign is missing.") }
    let value = parts[1].trimmed
    if value.isEmpty { return record(number, "The option \(displayed(option)) has no value.") }
    if value.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") {
      return record(
        number, "Values in this file have no quotation marks.", hint: "Omit them.")
    }
    let assignment = Assignment(line: number, option: option, value: value)
    if sections.isEmpty {
      general.append(assignment)
    } else {
      sections[sections.count - 1].assignments.append(assignment)
    }
  }

  private mutating func begin(_ name: String, _ line: Int) {
    var error: UsageError?
    if let problem = Self.problem(of: name) {
      error = UsageError(
        problem, hint: "Use letters, digits, dots, dashes and underscores of ASCII.")
    } else if let other = sections.first(where: { $0.name == name }) {
      error = UsageError("The stream “\(name)” is already defined in line \(other.line).")
    }
    if let error { mistakes.append(StreamsMistake(line: line, error: error)) }
    // The following lines belong to this section even if its name is invalid.
    sections.append(Section(line: line, name: name))
  }

  /// Returns the error in a name, which becomes a part of paths and addresses, or nil.
  private static func problem(of name: String) -> String? {
    if name.isEmpty { return "The name of a stream is missing." }
    if name.utf8.count > maxNameByteCount {
      return "The name of a stream has more than \(maxNameByteCount) letters."
    }
    let hasValidCharacters = name.utf8.allSatisfy { byte in
      byte.isLetter || byte.isDigit || "._-".utf8.contains(byte)
    }
    if hasValidCharacters && !name.hasPrefix(".") && !name.hasPrefix("-") { return nil }
    return "“\(displayed(name))” is not a name for a stream."
  }

  private mutating func record(_ line: Int, _ problem: String, hint: String = "") {
    mistakes.append(
      StreamsMistake(
        line: line, stream: sections.last?.name, error: UsageError(problem, hint: hint)))
  }
}

struct StreamsMistake: Error, Equatable {
  /// The number of the line; nil if the mistake concerns the whole file.
  var line: Int?
  var stream: String?
  /// Further streams with the same mistake.
  var others: [String] = []
  var error: UsageError

  /// The maximum number of `others` in a message.
  private static let maxListedCount = 3

  /// Returns a human-readable message with the position of the mistake.
  func message(in path: String) -> String {
    var location = "“\(displayed(path))”"
    if let line { location += ", line \(line)" }
    if let stream { location += ", [\(displayed(stream))]" }
    if others.isEmpty { return "\(location): \(error.text)" }
    let names = listed(others.lazy.map { "[\(displayed($0))]" }, limit: Self.maxListedCount)
    return "\(location): \(error.text) This also applies to \(names)."
  }

  func json(in path: String) -> JSONValue {
    [
      "file": .text(path), "line": .optional(line), "stream": .optional(stream),
      "message": .text(error.text), "others": .texts(others),
    ]
  }
}

/// All mistakes in a file of streams.
struct StreamsMistakes: Error, Equatable {
  var path: String
  /// The mistakes in the order of the lines.
  var all: [StreamsMistake]

  init(_ path: String, _ mistakes: [StreamsMistake]) {
    self.path = path
    all = mistakes.enumerated().sorted { one, other in
      (one.element.line ?? 0, one.offset) < (other.element.line ?? 0, other.offset)
    }.map(\.element)
  }

  var messages: [String] { all.map { $0.message(in: path) } }
}
