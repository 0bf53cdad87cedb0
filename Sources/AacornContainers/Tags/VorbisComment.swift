/// Reads Vorbis comments of FLAC, Vorbis, Opus and Speex (Vorbis I, 5).
///
///     length vendor   count   length "NAME=value"   length "NAME=value" …
///
/// Lengths have 32 bits, little-endian.
struct VorbisComment {
  private let bytes: ArraySlice<UInt8>
  private var index: Int
  private var isBigEndian = false

  static func read(_ bytes: ArraySlice<UInt8>, into tags: inout SoundTags) {
    var comment = VorbisComment(bytes: bytes, index: bytes.startIndex)
    comment.read(into: &tags)
  }

  private mutating func read(into tags: inout SoundTags) {
    guard text() != nil, let count = number() else {
      tags.isDamaged = true
      return
    }
    var chapters: [(number: Int, start: UInt64)] = []
    var titles: [(number: Int, title: ArraySlice<UInt8>)] = []
    let most = MP4Chapter.writtenLimit
    for _ in 0..<count {
      guard let entry = text() else {
        tags.isDamaged = true
        break
      }
      guard let equals = entry.firstIndex(of: 0x3D) else { continue }
      let name = entry[..<equals]
      let value = entry[(equals + 1)...]
      if TagNames.isSame(name, "METADATA_BLOCK_PICTURE".utf8) {
        Self.decode(value, into: &tags) { Self.readPicture($0[...], into: &$1) }
      } else if TagNames.isSame(name, "COVERART".utf8) {
        // An older form of a cover, without a picture type.
        Self.decode(value, into: &tags) { $1.addPicture($0, kind: 0) }
      } else if let number = Self.chapterNumber(name, suffix: ""), let start = Self.time(value) {
        if chapters.count < most { chapters.append((number, start)) } else { tags.countLostTag() }
      } else if let number = Self.chapterNumber(name, suffix: "NAME") {
        if titles.count < most { titles.append((number, value)) } else { tags.countLostTag() }
      } else if !TagNames.isSame(name, "COVERARTMIME".utf8) {
        tags.add(TagNames.uppercased(name), of: value)
      }
    }
    titles.sort { $0.number < $1.number }
    for chapter in chapters where tags.chapters.count < most {
      let title = Self.title(chapter.number, in: titles)
      tags.chapters.append(
        MP4Chapter(start: chapter.start, title: String(decoding: title, as: UTF8.self)))
    }
  }

  /// Returns the title with a number, or an empty one; the titles are sorted by their numbers.
  private static func title(
    _ number: Int, in titles: [(number: Int, title: ArraySlice<UInt8>)]
  ) -> ArraySlice<UInt8> {
    var (low, high) = (0, titles.count)
    while low < high {
      let middle = (low + high) / 2
      if titles[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < titles.count && titles[low].number == number ? titles[low].title : []
  }

  /// Returns a number for “001” of “CHAPTER001” plus `suffix`; nil for another name.
  ///
  /// The number of “001” is 1001, so that it differs from the number of “01”.
  private static func chapterNumber(_ name: ArraySlice<UInt8>, suffix: String) -> Int? {
    let digits = name.dropFirst(7).dropLast(suffix.utf8.count)
    guard (1...9).contains(digits.count), TagNames.isSame(name.prefix(7), "CHAPTER".utf8),
      TagNames.isSame(name.suffix(suffix.utf8.count), suffix.utf8),
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return digits.reduce(1) { 10 * $0 + Int($1 - 0x30) }
  }

  /// Parses a time such as 01:02:03.456, in units of ``MP4Chapter``.
  private static func time(_ text: ArraySlice<UInt8>) -> UInt64? {
    let parts = text.split(separator: 0x2E, maxSplits: 1)
    guard let first = parts.first else { return nil }
    var seconds: UInt64 = 0
    let fields = first.split(separator: 0x3A)
    guard fields.count == 3 else { return nil }
    for field in fields {
      guard field.count <= 6, field.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      seconds = 60 * seconds + field.reduce(0) { 10 * $0 + UInt64($1 - 0x30) }
    }
    var units = seconds * MP4Chapter.unitsPerSecond
    var unit = MP4Chapter.unitsPerSecond / 10
    for digit in parts.dropFirst().first?.prefix(7) ?? [] {
      guard (0x30...0x39).contains(digit) else { return nil }
      units += unit * UInt64(digit - 0x30)
      unit /= 10
    }
    return units
  }

  private mutating func number() -> Int? {
    guard bytes.endIndex - index >= 4 else { return nil }
    defer { index += 4 }
    return Int(clamping: bytes[index..<index + 4].number(isBigEndian: isBigEndian))
  }

  private mutating func text() -> ArraySlice<UInt8>? {
    guard let count = number(), count <= bytes.endIndex - index else { return nil }
    defer { index += count }
    return bytes[index..<index + count]
  }

  // MARK: Pictures

  /// The maximum number of bytes before a picture: its format and a description.
  static let pictureHeaderLimit = 1 << 16

  /// Decodes Base64, unless it is too long for a picture.
  private static func decode(
    _ value: ArraySlice<UInt8>, into tags: inout SoundTags,
    _ body: ([UInt8], inout SoundTags) -> Void
  ) {
    let byteCount = value.count / 4 * 3
    // Base64 of this length contains a picture above the limit.
    if byteCount > MP4Tags.coverLimit + pictureHeaderLimit {
      _ = tags.shouldReadPicture(ofKind: 3, byteCount: byteCount)
    } else if let bytes = Base64.decoded(value) {
      body(bytes, &tags)
    } else {
      tags.isDamaged = true
    }
  }

  /// Reads the picture of a FLAC picture block (RFC 9639, 8.8).
  ///
  ///     kind   length format   length description   width height depth colors   length picture
  ///
  /// All numbers have 32 bits, big-endian.
  static func readPicture(_ block: ArraySlice<UInt8>, into tags: inout SoundTags) {
    var fields = VorbisComment(bytes: block, index: block.startIndex, isBigEndian: true)
    guard let number = fields.number(), fields.text() != nil, fields.text() != nil else {
      return tags.isDamaged = true
    }
    for _ in 0..<4 { _ = fields.number() }
    guard let picture = fields.text() else { return tags.isDamaged = true }
    let kind = UInt32(truncatingIfNeeded: number)
    if tags.shouldReadPicture(ofKind: kind, byteCount: picture.count) {
      tags.addPicture(Array(picture), kind: kind)
    }
  }
}
