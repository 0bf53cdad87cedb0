import AacornRecording
import AacornSystem

/// A mistake in a file of streams.
struct StreamsMistake: Error, Equatable {
  /// The number of the line; nil if the mistake concerns the whole file.
  var line: Int?
  /// The stream with the mistake.
  var stream: String?
  /// Further streams with the same mistake.
  var others: [String] = []
  var error: UsageError

  /// The maximum number of `others` in a message.
  private static let longestList = 3

  /// Returns a human-readable message with the position of the mistake.
  func sentence(in path: String) -> String {
    var place = "“\(displayed(path))”"
    if let line { place += ", line \(line)" }
    if let stream { place += ", [\(displayed(stream))]" }
    if others.isEmpty { return "\(place): \(error.sentence)" }
    var names = others.prefix(Self.longestList).map { "[\(displayed($0))]" }
    if others.count > names.count { names.append("\(others.count - names.count) more") }
    return "\(place): \(error.sentence) This also applies to \(listed(names))."
  }

  /// Returns the mistake as JSON members.
  func members(in path: String) -> [JSONValue.Member] {
    [
      .init("file", .text(path)), .init("line", .optional(line)),
      .init("stream", .optional(stream)), .init("message", .text(error.sentence)),
      .init("others", .list(others.map { .text($0) })),
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

  var sentences: [String] { all.map { $0.sentence(in: path) } }
}
