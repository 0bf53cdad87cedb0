import AacornRecording
import AacornSystem

/// Files of folders that hold sound or video and are not read, for people and for programs.
struct LeftOutFiles {
  let entries: [InputList.Entry]
  /// Why, in a sentence.
  let reason: String

  /// For sound and video in formats that are not looked for in folders.
  static let otherFormat = "Folders are searched for \(AACFileError.Advice.sourceSounds)."
  /// For files of which others have been read that seem to be the same sound.
  static let outranked = "Files of the same names were read, which would become the same files."

  /// Files that are named one by one.
  private static let limit = 10

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
    return "\(QuantityText.count(entries.count, "file")) \(verb) left out: \(list). \(reason)"
  }

  /// An object for each; keys keep their names and order.
  var objects: [JSONValue] {
    entries.map { entry in
      .object([
        .init("input", .text(entry.path)), .init("output", .null),
        .init("status", .text("left-out")), .init("message", .text(reason)),
      ])
    }
  }
}
