/// The tags of any audio file, under the names of Vorbis comments.
package struct SoundTags: Sendable {
  /// A tag with one or more values, in the order of the file.
  struct Entry: Sendable {
    /// The name in ASCII or UTF-8; ASCII letters are case-insensitive.
    let name: [UInt8]
    var values: [String]
    /// Checksums of the name in capitals and of the values, to compare long texts quickly.
    fileprivate let nameChecksum: UInt64
    fileprivate var checksums: [UInt64]
  }

  /// The reason why a cover is missing.
  package enum CoverLoss: Sendable {
    /// The cover exceeds ``MP4Tags/coverLimit``.
    case tooLong
    /// The cover is neither JPEG nor PNG.
    case otherFormat
  }

  private(set) var entries: [Entry] = []
  /// A JPEG or PNG file; empty without a cover.
  private(set) var coverImage: [UInt8] = []
  /// Chapters in the order of the file.
  var chapters: [MP4Chapter] = []
  /// The number of tags dropped because they were too long or too many.
  package private(set) var lostCount = 0
  /// Whether some tags could not be read.
  package internal(set) var isDamaged = false

  /// Entries before this index belong to previous sources.
  private var closedCount = 0
  private var additionCount = 0
  private var byteCount = 0
  private var coverRank = 0
  private var loss: (reason: CoverLoss, rank: Int)?

  /// The maximum number of values of all tags together.
  private static let additionLimit = 1024
  /// The maximum length of a name in bytes.
  static let nameLimit = 255

  /// The reason why the best cover is missing; nil if it was read or does not exist.
  package var coverLoss: CoverLoss? {
    guard let loss, loss.rank > coverRank else { return nil }
    return loss.reason
  }

  /// Whether further values are lost.
  var isFull: Bool { additionCount >= Self.additionLimit }

  var isEmpty: Bool { entries.isEmpty && coverImage.isEmpty && chapters.isEmpty }

  /// Starts the next source of tags, such as an ID3v1 tag after an ID3v2 tag.
  ///
  /// Tags of previous sources take precedence.
  mutating func beginSource() { closedCount = entries.count }

  /// Adds a value of a tag, unless it is empty, a duplicate, or describes the previous encoding.
  mutating func add(_ name: [UInt8], _ value: String) {
    let count = value.utf8.count
    if name.isEmpty || count == 0 { return }
    additionCount += 1
    guard additionCount <= Self.additionLimit, name.count <= Self.nameLimit,
      count + name.count <= MP4Tags.itemLimit
    else { return countLostTag() }
    if TagNames.describesEncoding(name) { return }
    let nameChecksum = TagNames.checksum(name)
    let checksum = SoundTags.checksum(value.utf8)
    let index = entries.firstIndex {
      $0.nameChecksum == nameChecksum && TagNames.isSame($0.name, name)
    }
    if let index {
      if index < closedCount { return }
      // Compare byte by byte, because comparing strings requires Unicode tables.
      let isKnown = zip(entries[index].checksums, entries[index].values).contains {
        $0 == checksum && $1.utf8.elementsEqual(value.utf8)
      }
      if isKnown { return }
    }
    if byteCount + count + name.count > MP4Tags.otherItemsLimit { return countLostTag() }
    byteCount += count + name.count
    if let index {
      entries[index].values.append(value)
      entries[index].checksums.append(checksum)
    } else {
      entries.append(
        Entry(
          name: name, values: [value], nameChecksum: nameChecksum, checksums: [checksum]))
    }
  }

  mutating func add(_ name: String, _ value: String) { add(Array(name.utf8), value) }

  /// Adds a value, whose name and text are decoded only if there is room for one more.
  mutating func add(
    _ name: @autoclosure () -> [UInt8], of bytes: ArraySlice<UInt8>,
    text: (ArraySlice<UInt8>) -> String = { String(decoding: $0, as: UTF8.self) }
  ) {
    if bytes.isEmpty { return }
    if isFull { countLostTag() } else { add(name(), text(bytes)) }
  }

  /// Returns a number that nearly always differs for different texts (FNV-1a).
  fileprivate static func checksum(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  mutating func countLostTag() { lostCount += 1 }

  /// Decides whether the caller should read a picture, and counts a better one that is too long as
  /// lost.
  ///
  /// - Parameters:
  ///   - kind: The picture type of ID3v2 and FLAC: 3 is the front cover, 1 and 2 are icons.
  ///   - byteCount: The size of the picture.
  /// - Returns: Whether it is better than the current one and not too long.
  mutating func shouldReadPicture(ofKind kind: UInt32, byteCount: Int) -> Bool {
    let rank = Self.rank(kind)
    if rank <= coverRank { return false }
    if byteCount <= MP4Tags.coverLimit { return true }
    recordCoverLoss(.tooLong, rank)
    return false
  }

  /// Stores a picture if it is better than the current one.
  mutating func addPicture(_ picture: [UInt8], kind: UInt32) {
    guard shouldReadPicture(ofKind: kind, byteCount: picture.count), !picture.isEmpty else {
      return
    }
    if MP4Tags.isCover(picture[...]) {
      coverImage = picture
      coverRank = Self.rank(kind)
    } else {
      recordCoverLoss(.otherFormat, Self.rank(kind))
    }
  }

  private mutating func recordCoverLoss(_ reason: CoverLoss, _ rank: Int) {
    if rank > loss?.rank ?? 0 { loss = (reason, rank) }
  }

  private static func rank(_ kind: UInt32) -> Int {
    switch kind {
    case 3: 3
    case 1, 2: 1
    default: 2
    }
  }

  /// Decodes text without a declared encoding, as UTF-8 if it is valid, else as Latin-1.
  ///
  /// Removes zeros, spaces and line breaks at the end.
  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes.prefix { $0 != 0 }
    while let last = bytes.last, last == 0x20 || last == 0x0A || last == 0x0D { bytes.removeLast() }
    let text = String(decoding: bytes, as: UTF8.self)
    // Decoding replaces invalid UTF-8, so an unchanged text was valid.
    if text.utf8.elementsEqual(bytes) { return text }
    return String(decoding: bytes.map { UInt16($0) }, as: UTF16.self)
  }
}

/// Case-insensitive tag names in ASCII.
enum TagNames {
  /// Returns whether two names are equal except for the case of ASCII letters.
  static func isSame(_ first: some Sequence<UInt8>, _ second: some Sequence<UInt8>) -> Bool {
    first.elementsEqual(second) { uppercasedByte($0) == uppercasedByte($1) }
  }

  /// Returns a name in ASCII capitals.
  static func uppercased(_ name: some Sequence<UInt8>) -> [UInt8] { name.map(uppercasedByte) }

  /// Returns a number that is the same for the same names, and nearly always differs for others.
  static func checksum(_ name: [UInt8]) -> UInt64 {
    SoundTags.checksum(name.lazy.map(uppercasedByte))
  }

  /// Returns whether a tag describes the previous encoding, so it must not be copied to a new file.
  static func describesEncoding(_ name: [UInt8]) -> Bool {
    // A quick check of the first letter excludes most names.
    guard let first = name.first, "ACEILMTWV".utf8.contains(uppercasedByte(first)) else {
      return false
    }
    return ofEncoding.contains { isSame($0.utf8, name) }
  }

  private static let ofEncoding = [
    "ENCODER", "ENCODED-BY", "ENCODED BY", "ENCODED_BY", "ENCODEDBY", "ENCODER OPTIONS",
    "ENCODER_OPTIONS", "ENCODER SETTINGS", "ENCODERSETTINGS", "ENCODER_SETTINGS", "ENCODING",
    "ENCODING PARAMS", "ENCODING SETTINGS", "ENCODINGTIME", "ENCODING_TIME", "TSSE", "TENC", "TDEN",
    "TLEN", "LENGTH", "TSIZ", "TFLT", "TDLY", "ITUNSMPB", "ITUNNORM", "ITUNPGAP",
    "MP3GAIN_MINMAX", "MP3GAIN_ALBUM_MINMAX", "MP3GAIN_UNDO",
    "WAVEFORMATEXTENSIBLE_CHANNEL_MASK", "VENDOR",
  ]

  private static func uppercasedByte(_ byte: UInt8) -> UInt8 {
    (0x61...0x7A).contains(byte) ? byte & 0xDF : byte
  }
}
