import AacornRecording
import AacornSystem

/// Something in a file of streams that cannot be carried out.
struct StreamsMistake: Error, Equatable {
  /// Where it stands; nil if it concerns the whole file.
  var line: Int?
  /// The stream that it concerns.
  var stream: String?
  /// Further streams that it concerns in the same way.
  var others: [String] = []
  var error: UsageError

  /// How many of the others are named for people.
  private static let longestList = 3

  /// Where it is and what it is, for people.
  func sentence(in path: String) -> String {
    var place = "“\(displayed(path))”"
    if let line { place += ", line \(line)" }
    if let stream { place += ", [\(displayed(stream))]" }
    if others.isEmpty { return "\(place): \(error.sentence)" }
    var names = others.prefix(Self.longestList).map { "[\(displayed($0))]" }
    if others.count > names.count { names.append("\(others.count - names.count) more") }
    return "\(place): \(error.sentence) The same goes for \(listed(names))."
  }

  /// The same for programs.
  func members(in path: String) -> [JSONValue.Member] {
    [
      .init("file", .text(path)), .init("line", .optional(line)),
      .init("stream", .optional(stream)), .init("message", .text(error.sentence)),
      .init("others", .list(others.map { .text($0) })),
    ]
  }
}

/// Everything that is wrong with a file of streams.
struct StreamsMistakes: Error, Equatable {
  var path: String
  /// In the order of the lines.
  var all: [StreamsMistake]

  init(_ path: String, _ mistakes: [StreamsMistake]) {
    self.path = path
    all = mistakes.enumerated().sorted { one, other in
      (one.element.line ?? 0, one.offset) < (other.element.line ?? 0, other.offset)
    }.map(\.element)
  }

  var sentences: [String] { all.map { $0.sentence(in: path) } }
}
