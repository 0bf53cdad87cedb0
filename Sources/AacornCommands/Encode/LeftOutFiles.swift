import AacornSystem

/// Files of folders that hold sound or video and are not read, for people and for programs.
struct LeftOutFiles {
  let entries: [InputList.Entry]

  /// Files that are named one by one.
  private static let limit = 10
  private static let reason = "“aacorn encode” reads WAV, AIFF and CAF."

  /// Which ones, and why; nil if there are none.
  var sentence: String? {
    if entries.isEmpty { return nil }
    var names = entries.prefix(Self.limit).map { entry in
      displayed(FileName.joined(entry.subfolder, FileName.last(entry.path)))
    }
    let more = entries.count - names.count
    if more > 0 { names.append("\(more) more") }
    let last = names.removeLast()
    let list = names.isEmpty ? last : names.joined(separator: ", ") + " and " + last
    let verb = entries.count == 1 ? "was" : "were"
    return "\(QuantityText.count(entries.count, "file")) \(verb) left out: \(list). \(Self.reason)"
  }

  /// An object for each; keys keep their names and order.
  var objects: [JSONValue] {
    entries.map { entry in
      .object([
        .init("input", .text(entry.path)), .init("output", .null),
        .init("status", .text("left-out")), .init("message", .text(Self.reason)),
      ])
    }
  }
}
