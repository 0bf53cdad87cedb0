/// Reads ID3v2 tags (versions 2.2 to 2.4) of MP3, ADTS, WAV and AIFF files.
struct ID3Parser {
  private var tags: SoundTags
  private let version: UInt8
  /// The year, and the day and month, which version 2.3 stores separately.
  private var year: String?
  private var day: [UInt8] = []

  private static let frameLimit = 1 << 14

  /// Adds the contents of an ID3v2 tag to `tags`; adds nothing if the bytes are not such a tag.
  static func read(_ tag: [UInt8], into tags: inout SoundTags) {
    guard var frames = ID3Frames(tag: tag) else { return }
    var parser = ID3Parser(tags: tags, version: frames.version)
    var count = 0
    while count < frameLimit, let frame = frames.next() {
      parser.readFrame(ID3FrameNames.current(frame.name), frame.body)
      count += 1
    }
    parser.takeDate()
    tags = parser.tags
    if frames.isDamaged { tags.isDamaged = true }
  }

  private init(tags: SoundTags, version: UInt8) {
    self.tags = tags
    self.version = version
  }

  private mutating func readFrame(_ name: [UInt8], _ body: [UInt8]) {
    func isNamed(_ other: String) -> Bool { name.elementsEqual(other.utf8) }
    if isNamed("APIC") {
      takePicture(body)
    } else if body.count > MP4Tags.itemLimit {
      tags.countLostTag()
    } else if isNamed("TXXX") {
      takeNamedText(body, from: 1, name: "TXXX")
    } else if isNamed("TCON") {
      takeGenres(body)
    } else if isNamed("TYER") {
      year = year ?? ID3Texts.firstText(body)
    } else if isNamed("TDAT") {
      day = ID3Texts.firstText(body).map { Array($0.utf8) } ?? []
    } else if isNamed("COMM") {
      takeNamedText(body, from: 4, name: "COMMENT")
    } else if isNamed("USLT") {
      takeNamedText(body, from: 4, name: "LYRICS")
    } else if isNamed("WXXX") {
      takeNamedAddress(body)
    } else if isNamed("UFID") {
      takeIdentifier(body)
    } else if isNamed("TIPL") || isNamed("TMCL") || isNamed("IPLS") {
      takePeople(body)
    } else if isNamed("CHAP") {
      takeChapter(body)
    } else if let tag = ID3FrameNames.tag(of: name) {
      takeTexts(body, name: Array(tag.utf8))
    } else if name.first == 0x54 {
      takeTexts(body, name: name)
    } else if name.first == 0x57 {
      tags.add(name, SoundTags.text(body[...]))
    }
  }

  private mutating func takeTexts(_ body: [UInt8], name: [UInt8]) {
    guard let texts = ID3Texts(body) else { return }
    for text in texts { tags.add(name, of: text, text: texts.decoded) }
  }

  private mutating func takeGenres(_ body: [UInt8]) {
    guard let texts = ID3Texts(body) else { return }
    for text in texts where !text.isEmpty {
      if tags.isFull {
        tags.countLostTag()
      } else {
        for genre in ID3Genres.values(texts.decoded(text)) { tags.add("GENRE", genre) }
      }
    }
  }

  /// Reads an encoding, and from `start` on a zero-terminated description and values.
  ///
  /// Some frames have a language before `start`. A description replaces `name` as the name of the
  /// tag.
  private mutating func takeNamedText(_ body: [UInt8], from start: Int, name: String) {
    guard body.count > start, var texts = ID3Texts(body, from: start), let first = texts.next()
    else { return }
    let description = Array(texts.decoded(first).utf8)
    let name = description.isEmpty ? Array(name.utf8) : description
    for text in texts { tags.add(name, of: text, text: texts.decoded) }
  }

  /// Reads an encoding, a zero-terminated description, and an address in Latin-1.
  private mutating func takeNamedAddress(_ body: [UInt8]) {
    guard var texts = ID3Texts(body), let first = texts.next() else { return }
    let name = Array(texts.decoded(first).utf8)
    tags.add(name.isEmpty ? Array("URL".utf8) : name, SoundTags.text(texts.rest ?? []))
  }

  /// Reads the zero-terminated address of a database and an identifier, if that is printable text.
  private mutating func takeIdentifier(_ body: [UInt8]) {
    guard let end = body.firstIndex(of: 0) else { return }
    let identifier = body[(end + 1)...]
    guard identifier.allSatisfy({ (0x20...0x7E).contains($0) }) else { return }
    let isMusicBrainz = body[..<end].elementsEqual("http://musicbrainz.org".utf8)
    let name =
      isMusicBrainz ? Array("MUSICBRAINZ_TRACKID".utf8) : Array("UFID:".utf8) + body[..<end]
    tags.add(name, String(decoding: identifier, as: UTF8.self))
  }

  /// Reads pairs of a role, or an instrument, and a name.
  private mutating func takePeople(_ body: [UInt8]) {
    guard var texts = ID3Texts(body) else { return }
    while let role = texts.next(), let name = texts.next() {
      tags.add(TagNames.uppercased(texts.decoded(role).utf8), of: name, text: texts.decoded)
    }
  }

  /// Reads a zero-terminated name, start and end in milliseconds, two file offsets, and frames.
  private mutating func takeChapter(_ body: [UInt8]) {
    guard let end = body.firstIndex(of: 0), body.count - end > 16,
      tags.chapters.count < MP4Chapter.writtenLimit
    else { return }
    let start = body[end + 1..<end + 5].number()
    var frames = ID3Frames(version: version, content: Array(body[(end + 17)...]))
    var title = ""
    while let frame = frames.next() {
      if frame.name.elementsEqual("TIT2".utf8), let text = ID3Texts.firstText(frame.body) {
        title = text
      }
    }
    tags.chapters.append(
      MP4Chapter(start: start * (MP4Chapter.unitsPerSecond / 1000), title: title))
  }

  /// Reads an encoding, a format, a picture type, a zero-terminated description, and the picture.
  private mutating func takePicture(_ body: [UInt8]) {
    var index = 4
    if version > 2 { index = (body.dropFirst().firstIndex(of: 0) ?? body.count) + 1 }
    guard index < body.count, var texts = ID3Texts(body, from: index + 1) else { return }
    _ = texts.next()
    tags.addPicture(Array(texts.rest ?? []), kind: UInt32(body[index]))
  }

  /// Joins the year with the day of version 2.3, which has the form DDMM.
  private mutating func takeDate() {
    guard let year else { return }
    let isDay = day.count == 4 && day.allSatisfy { (0x30...0x39).contains($0) }
    if isDay, year.utf8.count == 4 {
      let text = Array(year.utf8) + [0x2D, day[2], day[3], 0x2D, day[0], day[1]]
      tags.add("DATE", String(decoding: text, as: UTF8.self))
    } else {
      tags.add("DATE", year)
    }
  }
}

extension MP4Tags {
  /// Creates the tags of an ID3v2 tag; empty if the bytes are not such a tag.
  package init(id3 tag: [UInt8]) {
    var tags = SoundTags()
    ID3Parser.read(tag, into: &tags)
    self.init(tags)
  }
}

/// The zero-separated texts of an ID3v2 frame, including empty ones (ID3v2.4, 4).
struct ID3Texts: Sequence, IteratorProtocol {
  private var texts: ZeroSeparated
  private let isUTF8: Bool
  private let isUTF16: Bool
  private let isBigEndian: Bool

  /// Creates the texts from `start` on of a frame that begins with its encoding; nil without it.
  init?(_ body: [UInt8], from start: Int = 1) {
    guard let encoding = body.first else { return nil }
    let bytes = body[Swift.min(start, body.count)...]
    isUTF8 = encoding == 3
    isUTF16 = encoding == 1 || encoding == 2
    isBigEndian = encoding == 2 || bytes.starts(with: [0xFE, 0xFF])
    texts = ZeroSeparated(bytes, width: isUTF16 ? 2 : 1)
  }

  /// The bytes after the last returned text and its zero; nil after all texts.
  var rest: ArraySlice<UInt8>? { texts.rest }

  mutating func next() -> ArraySlice<UInt8>? { texts.next() }

  /// Returns the first text of a frame that is not empty.
  static func firstText(_ body: [UInt8]) -> String? {
    guard let texts = ID3Texts(body) else { return nil }
    for text in texts {
      let text = texts.decoded(text)
      if !text.isEmpty { return text }
    }
    return nil
  }

  /// Decodes a text: UTF-8, UTF-16 in the order of its byte order mark, or Latin-1.
  func decoded(_ text: ArraySlice<UInt8>) -> String {
    if isUTF8 { return String(decoding: text, as: UTF8.self) }
    guard isUTF16 else { return String(decoding: text.map { UInt16($0) }, as: UTF16.self) }
    let units = text.units(isBigEndian: isBigEndian)
    // A byte order mark may precede each text, and differ from the order of the first text.
    return switch units.first {
    case 0xFEFF: String(decoding: units.dropFirst(), as: UTF16.self)
    case 0xFFFE: String(decoding: units.dropFirst().map { $0.byteSwapped }, as: UTF16.self)
    default: String(decoding: units, as: UTF16.self)
    }
  }
}

/// Names of ID3v2 frames, with their tags.
enum ID3FrameNames {
  /// Returns the name of a frame in version 2.4.
  static func current(_ name: [UInt8]) -> [UInt8] {
    if name.count == 4 { return name }
    let row = rows.first { $0.old.utf8.elementsEqual(name) }
    return row.map { Array($0.name.utf8) } ?? name
  }

  /// Returns the tag of a text frame, or nil if the frame is unknown.
  static func tag(of name: [UInt8]) -> String? {
    let row = rows.first { $0.name.utf8.elementsEqual(name) }
    guard let row, !row.tag.isEmpty else { return nil }
    return row.tag
  }

  /// The name in version 2.2, the name in later versions, and the tag, which is empty for frames
  /// with their own format.
  private static let rows: [(old: String, name: String, tag: String)] = [
    ("TXX", "TXXX", ""), ("TCO", "TCON", ""), ("TYE", "TYER", ""), ("TDA", "TDAT", ""),
    ("COM", "COMM", ""), ("ULT", "USLT", ""), ("PIC", "APIC", ""), ("WXX", "WXXX", ""),
    ("UFI", "UFID", ""), ("IPL", "IPLS", ""),
    ("TT2", "TIT2", "TITLE"), ("TP1", "TPE1", "ARTIST"), ("TAL", "TALB", "ALBUM"),
    ("TP2", "TPE2", "ALBUMARTIST"), ("TCM", "TCOM", "COMPOSER"), ("", "TDRC", "DATE"),
    ("TRK", "TRCK", "TRACKNUMBER"), ("TPA", "TPOS", "DISCNUMBER"), ("TCP", "TCMP", "COMPILATION"),
    ("TBP", "TBPM", "BPM"), ("TCR", "TCOP", "COPYRIGHT"), ("TT1", "TIT1", "GROUPING"),
    ("GP1", "GRP1", "GROUPING"), ("TT3", "TIT3", "SUBTITLE"), ("TST", "TSOT", "TITLESORT"),
    ("TSP", "TSOP", "ARTISTSORT"), ("TSA", "TSOA", "ALBUMSORT"), ("TS2", "TSO2", "ALBUMARTISTSORT"),
    ("TSC", "TSOC", "COMPOSERSORT"), ("", "XSOT", "TITLESORT"), ("", "XSOP", "ARTISTSORT"),
    ("", "XSOA", "ALBUMSORT"), ("TDS", "TDES", "PODCASTDESC"), ("TPB", "TPUB", "PUBLISHER"),
    ("TRC", "TSRC", "ISRC"), ("TP3", "TPE3", "CONDUCTOR"), ("TP4", "TPE4", "REMIXER"),
    ("TXT", "TEXT", "LYRICIST"), ("TLA", "TLAN", "LANGUAGE"), ("", "TMOO", "MOOD"),
    ("TKE", "TKEY", "INITIALKEY"), ("TMT", "TMED", "MEDIA"), ("", "TSST", "DISCSUBTITLE"),
    ("", "TDOR", "ORIGINALDATE"), ("TOR", "TORY", "ORIGINALDATE"), ("", "TDRL", "RELEASEDATE"),
    ("TOT", "TOAL", "ORIGINALALBUM"), ("TOA", "TOPE", "ORIGINALARTIST"),
    ("TOL", "TOLY", "ORIGINALLYRICIST"), ("MVN", "MVNM", "MOVEMENTNAME"),
    ("MVI", "MVIN", "MOVEMENT"),
    ("TSS", "TSSE", "TSSE"), ("TEN", "TENC", "TENC"), ("TLE", "TLEN", "TLEN"),
    ("TSI", "TSIZ", "TSIZ"),
    ("TFT", "TFLT", "TFLT"), ("TDY", "TDLY", "TDLY"), ("WFD", "WFED", "PODCASTURL"),
  ]
}

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
