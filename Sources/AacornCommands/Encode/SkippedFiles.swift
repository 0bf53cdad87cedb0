import AacornRecording
import AacornSystem

/// Sound and video files in folders that are skipped, human-readable and as JSON.
struct SkippedFiles {
  let entries: [InputList.Entry]
  /// The reason or a hint: for one file, and for all of them.
  let reason: (one: String, all: String)

  /// Returns the reason for files in other formats; `names` are the formats that folders are
  /// searched for.
  static func otherFormat(_ names: String) -> (one: String, all: String) {
    let words = "Folders are searched for \(names)."
    return (words, words)
  }
  /// The reason for AAC: encoding it again would lose quality.
  static let codedReason = (
    one: "It may contain AAC; name it to encode it again.",
    all: "They may contain AAC; name a file to encode it again."
  )
  /// The reason for files that probably contain the same audio as another input.
  static let outrankedReason = (
    one: "Another file has the same name, and both would have the same output.",
    all: "Other files have the same names, and would have the same outputs."
  )

  /// The suffixes of files with AAC, or at least coded audio, and without video.
  private static let codedSuffixes: Set<String> = [
    "aac", "adif", "adts", "latm", "loas", "m4a", "m4b", "m4r",
  ]

  /// Groups the skipped files in folders by the reason.
  ///
  /// `names` are the formats that folders are searched for.
  static func groups(_ entries: [InputList.Entry], searchedFor names: String) -> [SkippedFiles] {
    let coded = entries.filter { codedSuffixes.contains(FileName.suffix($0.path)) }
    let others = entries.filter { !codedSuffixes.contains(FileName.suffix($0.path)) }
    return [
      SkippedFiles(entries: coded, reason: Self.codedReason),
      SkippedFiles(entries: others, reason: otherFormat(names)),
    ]
  }

  /// Returns whether no command can read one of the files, so that naming it would not help.
  static func hasUnreadable(_ entries: [InputList.Entry]) -> Bool {
    entries.contains { InputList.Wanted.isUnreadable(FileName.suffix($0.path)) }
  }

  /// The maximum number of names in a message.
  private static let limit = 10

  /// The message with the names and the reason; nil if there are no files.
  var message: String? {
    if entries.isEmpty { return nil }
    let names = entries.lazy.map { entry in
      displayed(FileName.joined(entry.subfolder, FileName.last(entry.path)))
    }
    let verb = entries.count == 1 ? "was" : "were"
    let count = QuantityText.count(entries.count, "file")
    return "\(count) \(verb) skipped: \(listed(names, limit: Self.limit)). "
      + (entries.count == 1 ? reason.one : reason.all)
  }

  /// A JSON object for each file.
  var jsonObjects: [JSONValue] {
    entries.map { entry in
      .object([
        .init("input", .text(entry.path)), .init("output", .null),
        .init("status", .text("left-out")), .init("message", .text(reason.one)),
      ])
    }
  }
}

/// Returns the first texts as a list, with the number of the others.
func listed(_ texts: some Collection<String>, limit: Int) -> String {
  let more = texts.count - limit
  return listed(texts.prefix(limit) + (more > 0 ? ["\(more) more"] : []))
}
