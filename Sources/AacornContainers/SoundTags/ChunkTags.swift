/// Reads the tags in chunks of WAV, AIFF and CAF files.
enum ChunkTags {
  /// Reads the chunks of an INFO list, each a zero-terminated text.
  static func readInfo(_ list: ArraySlice<UInt8>, isBigEndian: Bool, _ tags: inout SoundTags) {
    var rest = list
    while rest.count >= 8 {
      let name = Array(rest.prefix(4))
      var size = Int(clamping: rest.dropFirst(4).prefix(4).number(isBigEndian: isBigEndian))
      rest = rest.dropFirst(8)
      if size > rest.count {
        tags.isDamaged = true
        size = rest.count
      }
      let row = infoTags.first { TagNames.isSame($0.name.utf8, name) }
      tags.add(row.map { Array($0.tag.utf8) } ?? name, SoundTags.text(rest.prefix(size)))
      rest = rest.dropFirst(size + size & 1)
    }
  }

  /// The names in INFO lists with their tags; encoder names map to a tag that is skipped.
  private static let infoTags: [(name: String, tag: String)] = [
    ("INAM", "TITLE"), ("IART", "ARTIST"), ("IPRD", "ALBUM"), ("ICRD", "DATE"), ("YEAR", "DATE"),
    ("IGNR", "GENRE"), ("ICMT", "COMMENT"), ("ITRK", "TRACKNUMBER"), ("IPRT", "TRACKNUMBER"),
    ("TRCK", "TRACKNUMBER"), ("ICOP", "COPYRIGHT"), ("IMUS", "COMPOSER"), ("IWRI", "LYRICIST"),
    ("IPRO", "PRODUCER"), ("IENG", "ENGINEER"), ("ILNG", "LANGUAGE"), ("IKEY", "KEYWORDS"),
    ("ISBJ", "SUBJECT"), ("IMED", "MEDIA"), ("ISRC", "SOURCE"), ("ISTR", "PERFORMER"),
    ("IBPM", "BPM"), ("ISFT", "ENCODER"), ("ITCH", "ENCODED_BY"),
  ]

  /// Returns the tag of an AIFF text chunk, or nil if the chunk is not one.
  static func aiffTag(_ name: [UInt8]) -> String? {
    if name.elementsEqual("NAME".utf8) { return "TITLE" }
    if name.elementsEqual("AUTH".utf8) { return "ARTIST" }
    if name.elementsEqual("(c) ".utf8) { return "COPYRIGHT" }
    if name.elementsEqual("ANNO".utf8) { return "COMMENT" }
    return nil
  }

  /// The number of bytes of `bext` to read: description, originator, originator reference, date,
  /// time.
  static let broadcastByteCount = 256 + 32 + 32 + 10 + 8

  /// Reads a chunk of the Broadcast Wave Format (EBU Tech 3285, 2.3).
  static func readBroadcast(_ bytes: [UInt8], _ tags: inout SoundTags) {
    guard bytes.count == broadcastByteCount else { return }
    tags.add("DESCRIPTION", SoundTags.text(bytes[..<256]))
    tags.add("ORIGINATOR", SoundTags.text(bytes[256..<288]))
    tags.add("ORIGINATOR_REFERENCE", SoundTags.text(bytes[288..<320]))
    tags.add("DATE", SoundTags.text(bytes[320..<330]))
    tags.add("ORIGINATION_TIME", SoundTags.text(bytes[330..<338]))
  }

  /// Reads the names and values of CAF, each zero-terminated.
  static func readStrings(_ bytes: ArraySlice<UInt8>, _ tags: inout SoundTags) {
    let texts = bytes.split(separator: 0, omittingEmptySubsequences: false)
    var index = 0
    while index + 1 < texts.count {
      let row = stringTags.first { TagNames.isSame($0.name.utf8, texts[index]) }
      let name = row.map { Array($0.tag.utf8) } ?? TagNames.uppercased(texts[index])
      tags.add(name, SoundTags.text(texts[index + 1]))
      index += 2
    }
  }

  /// Names that differ between CAF and Vorbis comments.
  private static let stringTags: [(name: String, tag: String)] = [
    ("track number", "TRACKNUMBER"), ("recorded date", "DATE"), ("comments", "COMMENT"),
    ("encoding application", "ENCODER"), ("nominal bit rate", "ENCODER"),
    ("source encoder", "ENCODER"), ("approximate duration in seconds", "ENCODER"),
    ("channel layout", "ENCODER"), ("key signature", "INITIALKEY"),
  ]
}
