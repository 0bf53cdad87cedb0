/// Reads an ID3v1 tag, the last 128 bytes of a file.
///
///     "TAG" title:30 artist:30 album:30 year:4 comment:30 genre:1
///
/// If the last but one byte of the comment is zero, the last byte is the track number.
enum ID3Version1 {
  static let byteCount = 128

  /// Adds the contents of an ID3v1 tag to `tags`; adds nothing if the bytes are not such a tag.
  static func read(_ tag: [UInt8], into tags: inout SoundTags) {
    guard tag.count == byteCount, tag.starts(with: "TAG".utf8) else { return }
    let hasTrack = tag[125] == 0 && tag[126] != 0
    tags.add("TITLE", SoundTags.text(tag[3..<33]))
    tags.add("ARTIST", SoundTags.text(tag[33..<63]))
    tags.add("ALBUM", SoundTags.text(tag[63..<93]))
    tags.add("DATE", SoundTags.text(tag[93..<97]))
    tags.add("COMMENT", SoundTags.text(tag[97..<(hasTrack ? 125 : 127)]))
    if hasTrack { tags.add("TRACKNUMBER", digits(tag[126])) }
    if let genre = ID3Genres.name(Int(tag[127])) { tags.add("GENRE", genre) }
  }

  private static func digits(_ value: UInt8) -> String {
    let digits = [value / 100, value / 10 % 10, value % 10].drop { $0 == 0 }
    return String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
  }
}
