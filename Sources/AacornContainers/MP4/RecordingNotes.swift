/// What a recording says about itself besides its audio.
///
/// During recording, every gap is noted in its own `uuid` box between the fragments. In the
/// complete file they are all in one tag, as a JSON array, next to a tag with the start time. The
/// content of a note is up to the recorder.
struct RecordingNotes: Sendable {
  /// When the recording was started, as written by the recorder.
  var startText: String?
  /// The gap notes, each a JSON object.
  private(set) var gapEntries: [[UInt8]] = []
  private var entryByteCount = 0

  /// Notes that only give the start time.
  init(startText: String? = nil) {
    self.startText = startText
  }

  /// The longest note.
  static let entryLimit = 4096
  /// The longest content of a `uuid` box that can be a note.
  static let boxLimit = 16 + entryLimit
  /// The maximum size of all notes together.
  static let byteLimit = 1 << 24

  /// Marks a `uuid` box with a gap note.
  static let boxIdentifier: [UInt8] = [
    0x61, 0x61, 0x63, 0x6F, 0x72, 0x6E, 0x47, 0xA9, 0x9D, 0x67, 0x61, 0x70, 0x5F, 0x6E, 0x6F, 0x74,
  ]

  /// Who defined the tags.
  static var meaning: [UInt8] { Array("org.aacorn".utf8) }
  /// The name of the tag with the gap notes.
  static var gapsName: [UInt8] { Array("gaps".utf8) }
  /// The name of the tag with the start time.
  static var startName: [UInt8] { Array("started".utf8) }

  /// Adds a note; returns whether there was room for it.
  mutating func append(gap entry: [UInt8]) -> Bool {
    guard entry.count <= Self.entryLimit, entryByteCount + entry.count < Self.byteLimit else {
      return false
    }
    gapEntries.append(entry)
    // Each note is followed by a comma or the closing bracket.
    entryByteCount += entry.count + 1
    return true
  }

  /// Adds the note in the content of a `uuid` box, if the box is ours.
  mutating func append(box content: [UInt8]) {
    if content.starts(with: Self.boxIdentifier) {
      _ = append(gap: Array(content[Self.boxIdentifier.count...]))
    }
  }

  /// Adds the notes in the text of a tag.
  mutating func append(gaps text: ArraySlice<UInt8>) {
    for range in JSONArray.elements(of: text) where !append(gap: Array(text[range])) { return }
  }

  /// The tags that hold all of this.
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
