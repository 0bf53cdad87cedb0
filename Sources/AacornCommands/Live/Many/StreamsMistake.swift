import AacornRecording
import AacornSystem

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
    var names = others.prefix(Self.maxListedCount).map { "[\(displayed($0))]" }
    if others.count > names.count { names.append("\(others.count - names.count) more") }
    return "\(location): \(error.text) This also applies to \(listed(names))."
  }

  func members(in path: String) -> [JSONValue.Member] {
    [
      .init("file", .text(path)), .init("line", .optional(line)),
      .init("stream", .optional(stream)), .init("message", .text(error.text)),
      .init("others", .texts(others)),
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
