/// What a recording says about itself besides its sound.
///
/// While it is made, every gap is noted in a `uuid` box of its own between the fragments. When it
/// is complete, all of them stand in one tag, as a JSON array, beside a tag with the time at which
/// it was started. What is in a note is the recorder's business.
struct RecordingNotes: Sendable {
  /// When the recording was started, in the words of the recorder.
  var startText: String?
  /// The notes of gaps, each a JSON object.
  private(set) var gapEntries: [[UInt8]] = []
  private var entryByteCount = 0

  /// Notes that only say when the recording was started.
  init(startText: String? = nil) {
    self.startText = startText
  }

  /// The longest note.
  static let entryLimit = 4096
  /// The longest content of a `uuid` box that can be a note.
  static let boxLimit = 16 + entryLimit
  /// All notes together.
  static let byteLimit = 1 << 24

  /// Marks a `uuid` box with a note of a gap.
  static let boxIdentifier: [UInt8] = [
    0x61, 0x61, 0x63, 0x6F, 0x72, 0x6E, 0x47, 0xA9, 0x9D, 0x67, 0x61, 0x70, 0x5F, 0x6E, 0x6F, 0x74,
  ]

  /// Who defined the tags.
  static var meaning: [UInt8] { Array("org.aacorn".utf8) }
  /// The name of the tag with the notes of gaps.
  static var gapsName: [UInt8] { Array("gaps".utf8) }
  /// The name of the tag with the start time.
  static var startName: [UInt8] { Array("started".utf8) }

  /// Adds a note; returns whether there was room for it.
  mutating func append(gap entry: [UInt8]) -> Bool {
    guard entry.count <= Self.entryLimit, entryByteCount + entry.count < Self.byteLimit else {
      return false
    }
    gapEntries.append(entry)
    // Each note is followed by a comma or the bracket at the end.
    entryByteCount += entry.count + 1
    return true
  }

  /// Adds the note in the content of a `uuid` box, unless the box is someone else's.
  mutating func append(box content: [UInt8]) {
    if content.starts(with: Self.boxIdentifier) {
      _ = append(gap: Array(content[Self.boxIdentifier.count...]))
    }
  }

  /// Adds the notes in the text of a tag.
  mutating func append(gaps text: ArraySlice<UInt8>) {
    for range in JSONArray.elements(of: text) where !append(gap: Array(text[range])) { return }
  }

  /// The tags that say all this.
  var tags: [FreeFormTag] {
    var tags: [FreeFormTag] = []
    if let startText {
      tags.append(
        FreeFormTag(meaning: Self.meaning, name: Self.startName, text: Array(startText.utf8)))
    }
    if !gapEntries.isEmpty {
      var text: [UInt8] = []
      text.reserveCapacity(entryByteCount + 1)
      for entry in gapEntries {
        text.append(UInt8(ascii: text.isEmpty ? "[" : ","))
        text += entry
      }
      text.append(UInt8(ascii: "]"))
      tags.append(FreeFormTag(meaning: Self.meaning, name: Self.gapsName, text: text))
    }
    return tags
  }
}
