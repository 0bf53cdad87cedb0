import AacornRecording
import AacornSystem

/// Files of folders that hold sound or video and are not read, for people and for programs.
struct LeftOutFiles {
  let entries: [InputList.Entry]
  /// Why, or what to do, in a sentence about each, and in one about all of them.
  let reason: (one: String, all: String)

  /// For sound and video in formats that are not looked for in folders; `names` are the others.
  static func otherFormat(_ names: String) -> (one: String, all: String) {
    let words = "Folders are searched for \(names)."
    return (words, words)
  }
  /// For AAC, which would lose more if it were encoded again.
  static let coded = (
    one: "It may contain AAC; name it to encode it again.",
    all: "They may contain AAC; name a file to encode it again."
  )
  /// For files of which others have been read that seem to be the same sound.
  static let outranked = (
    one: "Another file has the same name, and both would have the same output.",
    all: "Other files have the same names, and would have the same outputs."
  )

  /// Suffixes of files that hold AAC, or at least sound that is coded already, and no video.
  private static let codedSuffixes: Set<String> = [
    "aac", "adif", "adts", "latm", "loas", "m4a", "m4b", "m4r",
  ]

  /// Files of folders that are not looked for there, by the reason.
  ///
  /// `names` are the formats that are looked for.
  static func groups(_ entries: [InputList.Entry], searchedFor names: String) -> [LeftOutFiles] {
    let coded = entries.filter { codedSuffixes.contains(FileName.suffix($0.path)) }
    let others = entries.filter { !codedSuffixes.contains(FileName.suffix($0.path)) }
    return [
      LeftOutFiles(entries: coded, reason: Self.coded),
      LeftOutFiles(entries: others, reason: otherFormat(names)),
    ]
  }

  /// Whether no command reads one of these files, so that naming it would not help.
  static func hasUnreadable(_ entries: [InputList.Entry]) -> Bool {
    entries.contains { InputList.Wanted.isUnreadable(FileName.suffix($0.path)) }
  }

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
    let verb = entries.count == 1 ? "was" : "were"
    let count = QuantityText.count(entries.count, "file")
    return "\(count) \(verb) skipped: \(listed(names)). "
      + (entries.count == 1 ? reason.one : reason.all)
  }

  /// An object for each; keys keep their names and order.
  var objects: [JSONValue] {
    entries.map { entry in
      .object([
        .init("input", .text(entry.path)), .init("output", .null),
        .init("status", .text("left-out")), .init("message", .text(reason.one)),
      ])
    }
  }
}
