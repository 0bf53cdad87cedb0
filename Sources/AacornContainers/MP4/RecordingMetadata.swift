/// The metadata of a recording: its start time and its gaps.
///
/// During recording, every gap is stored in its own `uuid` box between the fragments. In the
/// complete file, one tag contains all gaps as a JSON array, next to a tag with the start time. The
/// recorder defines the content of an entry.
struct RecordingMetadata: Sendable {
  /// The start time of the recording, as written by the recorder.
  var startText: String?
  /// The gap entries, each a JSON object.
  private(set) var gapEntries: [[UInt8]] = []
  private var entryByteCount = 0

  init(startText: String? = nil) {
    self.startText = startText
  }

  /// The maximum size of an entry in bytes.
  static let entryLimit = 4096
  /// The maximum content of a `uuid` box with an entry, in bytes.
  static let boxLimit = 16 + entryLimit
  /// The maximum size of all entries together, in bytes.
  static let byteLimit = 1 << 24

  /// The identifier of a `uuid` box with a gap entry.
  static let boxIdentifier: [UInt8] = [
    0x61, 0x61, 0x63, 0x6F, 0x72, 0x6E, 0x47, 0xA9, 0x9D, 0x67, 0x61, 0x70, 0x5F, 0x6E, 0x6F, 0x74,
  ]

  /// The domain of the tags.
  static var meaning: [UInt8] { Array("org.aacorn".utf8) }
  static var gapsName: [UInt8] { Array("gaps".utf8) }
  static var startName: [UInt8] { Array("started".utf8) }

  /// Adds an entry; returns whether it fits the limits.
  mutating func append(gap entry: [UInt8]) -> Bool {
    guard entry.count <= Self.entryLimit, entryByteCount + entry.count < Self.byteLimit else {
      return false
    }
    gapEntries.append(entry)
    // Each entry is followed by a comma or the closing bracket.
    entryByteCount += entry.count + 1
    return true
  }

  /// Adds the entry in the content of a `uuid` box, if it has our identifier.
  mutating func append(box content: [UInt8]) {
    if content.starts(with: Self.boxIdentifier) {
      _ = append(gap: Array(content[Self.boxIdentifier.count...]))
    }
  }

  mutating func append(gaps text: ArraySlice<UInt8>) {
    for range in JSONReader.elements(of: text) where !append(gap: Array(text[range])) { return }
  }

  /// The tags with the start time and the gap entries.
  var tags: [FreeFormTag] {
    var tags: [FreeFormTag] = []
    if let startText {
      tags.append(
        FreeFormTag(meaning: Self.meaning, name: Self.startName, texts: [Array(startText.utf8)]))
    }
    if !gapEntries.isEmpty {
      var text: [UInt8] = []
      text.reserveCapacity(entryByteCount + 1)
      for entry in gapEntries {
        text.append(UInt8(ascii: text.isEmpty ? "[" : ","))
        text += entry
      }
      text.append(UInt8(ascii: "]"))
      tags.append(FreeFormTag(meaning: Self.meaning, name: Self.gapsName, texts: [text]))
    }
    return tags
  }
}

extension MP4Reader {
  /// The gap entries of a recording, each a JSON object, in chronological order.
  public var gapEntries: [[UInt8]] { movie.notes.gapEntries }

  /// The start time of a recording, as written by its recorder.
  public var started: String? { movie.notes.startText }
}
