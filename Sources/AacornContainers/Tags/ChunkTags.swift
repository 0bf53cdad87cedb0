import AacornSoundFiles

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
      tags.add(infoTag(name), of: rest.prefix(size), text: SoundTags.text)
      rest = rest.dropFirst(size + size & 1)
    }
  }

  private static func infoTag(_ name: [UInt8]) -> [UInt8] {
    let row = infoTags.first { TagNames.isSame($0.name.utf8, name) }
    return row.map { Array($0.tag.utf8) } ?? name
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
    var texts = ZeroSeparated(bytes)
    while let name = texts.next(), let text = texts.next() {
      tags.add(stringTag(name), of: text, text: SoundTags.text)
    }
  }

  private static func stringTag(_ name: ArraySlice<UInt8>) -> [UInt8] {
    let row = stringTags.first { TagNames.isSame($0.name.utf8, name) }
    return row.map { Array($0.tag.utf8) } ?? TagNames.uppercased(name)
  }

  /// Names that differ between CAF and Vorbis comments.
  private static let stringTags: [(name: String, tag: String)] = [
    ("track number", "TRACKNUMBER"), ("recorded date", "DATE"), ("comments", "COMMENT"),
    ("encoding application", "ENCODER"), ("nominal bit rate", "ENCODER"),
    ("source encoder", "ENCODER"), ("approximate duration in seconds", "ENCODER"),
    ("channel layout", "ENCODER"), ("key signature", "INITIALKEY"),
  ]
}

/// The texts between the zeros of a tag, including empty ones and the text after the last zero.
struct ZeroSeparated: Sequence, IteratorProtocol {
  /// The bytes after the last returned text and its zero; nil after all texts.
  private(set) var rest: ArraySlice<UInt8>?
  /// The size of a zero: 2 bytes in UTF-16, else 1.
  private let width: Int

  init(_ bytes: ArraySlice<UInt8>, width: Int = 1) {
    rest = bytes
    self.width = width
  }

  mutating func next() -> ArraySlice<UInt8>? {
    guard let bytes = rest else { return nil }
    var index = bytes.startIndex
    while index + width <= bytes.endIndex {
      if bytes[index] == 0, bytes[index + width - 1] == 0 {
        rest = bytes[(index + width)...]
        return bytes[..<index]
      }
      index += width
    }
    rest = nil
    return bytes
  }
}

/// Steps through the chunks of a RIFF, AIFF or CAF file.
///
///     RIFF, AIFF: name:32 size:32, at even offsets     CAF: name:32 size:64
struct ChunkList<Failure: Error> {
  /// A chunk inside the file.
  struct Chunk {
    let name: [UInt8]
    let range: Range<Int>
  }

  private let byteCount: Int
  private let kind: FileKind
  private let isBigEndian: Bool
  private let read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  private var position: Int
  private var count = 0
  /// The size of the samples from `ds64`, for a file larger than 4 GB.
  private var wideDataCount: UInt64?

  private static var limit: Int { 1024 }

  /// Creates a list of the chunks of a file that begins with `head`.
  init(
    _ kind: FileKind, head: [UInt8], byteCount: Int,
    read: @escaping (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) {
    self.kind = kind
    self.byteCount = byteCount
    self.read = read
    isBigEndian = kind != .wav || head.starts(with: "RIFX".utf8)
    position = kind == .caf ? 8 : 12
  }

  /// Returns the next chunk, or nil at the end or if the bytes do not form a chunk.
  mutating func next() throws(Failure) -> Chunk? {
    let headerCount = kind == .caf ? 12 : 8
    guard count < Self.limit, position < byteCount else { return nil }
    count += 1
    let header = try read(position, headerCount)
    guard header.count == headerCount else { return nil }
    let name = Array(header[..<4])
    let start = position + headerCount
    var byteCount = header[4...].number(isBigEndian: isBigEndian)
    if name.elementsEqual("ds64".utf8) {
      // `ds64` contains the size of the file, then the size of the samples.
      wideDataCount = try read(start + 8, 8)[...].number(isBigEndian: isBigEndian)
    }
    if name.elementsEqual("data".utf8), byteCount == 0xFFFF_FFFF, let wideDataCount {
      byteCount = wideDataCount
    }
    guard byteCount <= UInt64(max(0, self.byteCount - start)) else { return nil }
    let size = Int(byteCount)
    position = start + size + (kind == .caf ? 0 : size & 1)
    return Chunk(name: name, range: start..<start + size)
  }
}
