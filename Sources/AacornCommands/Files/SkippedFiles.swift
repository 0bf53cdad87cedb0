import AacornContainers
import AacornRecording
import AacornSystem

/// A file or folder inside of a named folder that is skipped.
struct SkippedEntry: Equatable {
  /// The reason, in the order of the messages.
  enum Reason: CaseIterable {
    /// The file contains AAC, or at least coded audio, and no video.
    case coded
    /// The file contains lossless audio in MP4, which no command reads.
    case lossless
    /// The format is not one that folders are searched for.
    case otherFormat
    /// A preferred file has the same name, and probably contains the same audio.
    case sameName
    /// A device, a pipe, a socket, or a link without a target.
    case notFile
    case linkedFolder
    case deepFolder
    /// The folder belongs to the system.
    case systemFolder
  }

  let entry: InputList.Entry
  let reason: Reason

  private static let codedSuffixes: Set<String> = [
    "aac", "adif", "adts", "latm", "loas", "m4a", "m4b", "m4r",
  ]
  private static let movieSuffixes: Set<String> = ["m4a", "m4b", "m4r", "mp4"]

  /// Returns whether the suffix is for files with coded audio and without video.
  static func isCoded(_ suffix: String) -> Bool { codedSuffixes.contains(suffix) }

  /// Returns the entry with a reason that depends on the content of the file.
  func examined(_ interruption: Interruption) -> SkippedEntry {
    guard reason == .coded || reason == .otherFormat,
      Self.movieSuffixes.contains(FileName.suffix(entry.path)),
      MovieSummary(entry.path, interruption)?.isLossless == true
    else { return self }
    return SkippedEntry(entry: entry, reason: .lossless)
  }

  /// Whether no command can read the file, so that naming it would not help.
  var isUnreadable: Bool {
    reason == .lossless
      || reason == .otherFormat && InputList.Wanted.isUnreadable(FileName.suffix(entry.path))
  }
}

/// Files and folders that are skipped for the same reason, human-readable and as JSON.
struct SkippedFiles {
  let entries: [SkippedEntry]
  let reason: SkippedEntry.Reason
  /// The formats that folders are searched for.
  let searchedFormats: String

  /// Groups the skipped files by the reason.
  static func groups(
    _ entries: [SkippedEntry], searchedFor searchedFormats: String
  ) -> [SkippedFiles] {
    SkippedEntry.Reason.allCases.compactMap { reason in
      let group = entries.filter { $0.reason == reason }
      if group.isEmpty { return nil }
      return SkippedFiles(entries: group, reason: reason, searchedFormats: searchedFormats)
    }
  }

  /// Whether no command can read one of the files.
  var hasUnreadable: Bool { entries.contains(where: \.isUnreadable) }

  /// The maximum number of names in a message.
  private static let limit = 10

  /// The message with the names and the reason.
  var message: String {
    let names = entries.lazy.map { skipped in
      displayed(FileName.joined(skipped.entry.subfolder, FileName.last(skipped.entry.path)))
    }
    let count = QuantityText.count(entries.count, isFolder ? "folder" : "file")
    return "\(count) \(entries.count == 1 ? "was" : "were") skipped: "
      + "\(listed(names, limit: Self.limit)). \(explanation(ofOne: entries.count == 1))"
  }

  /// A JSON object for each file.
  var jsonObjects: [JSONValue] {
    entries.map { skipped in
      [
        "input": .text(skipped.entry.path), "output": .null, "status": .text("left-out"),
        "message": .text(explanation(ofOne: true)),
      ]
    }
  }

  private var isFolder: Bool {
    switch reason {
    case .linkedFolder, .deepFolder, .systemFolder: true
    default: false
    }
  }

  /// Returns the reason or a hint, for one file or for several.
  private func explanation(ofOne isOne: Bool) -> String {
    switch reason {
    case .coded:
      isOne
        ? "It may contain AAC; name it to encode it again."
        : "They may contain AAC; name a file to encode it again."
    case .lossless:
      "Lossless ALAC cannot be read yet; convert it with ffmpeg: “ffmpeg -i FILE OUT.flac”."
    case .otherFormat: "Folders are searched for \(searchedFormats)."
    case .sameName:
      isOne
        ? "Another file has the same name, and both would have the same output."
        : "Other files have the same names, and would have the same outputs."
    case .notFile: isOne ? "It is not a regular file." : "They are not regular files."
    case .linkedFolder:
      isOne
        ? "It is a symbolic link; name it to search it."
        : "They are symbolic links; name a folder to search it."
    case .deepFolder: "Name it to search it: subfolders are searched to a depth of 64."
    case .systemFolder:
      isOne
        ? "It belongs to the system; name it to search it."
        : "They belong to the system; name a folder to search it."
    }
  }
}

/// Returns the first texts as a list, with the number of the others.
func listed(_ texts: some Collection<String>, limit: Int) -> String {
  let more = texts.count - limit
  return listed(texts.prefix(limit) + (more > 0 ? ["\(more) more"] : []))
}
