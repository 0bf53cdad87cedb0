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
      takeNamedText(body)
    } else if isNamed("TCON") {
      for value in texts(body) {
        for genre in ID3Genres.values(value) { tags.add("GENRE", genre) }
      }
    } else if isNamed("TYER") {
      year = year ?? texts(body).first
    } else if isNamed("TDAT") {
      day = texts(body).first.map { Array($0.utf8) } ?? []
    } else if isNamed("COMM") {
      takeLanguageText(body, name: "COMMENT")
    } else if isNamed("USLT") {
      takeLanguageText(body, name: "LYRICS")
    } else if isNamed("WXXX") {
      takeNamedAddress(body)
    } else if isNamed("UFID") {
      takeIdentifier(body)
    } else if isNamed("TIPL") || isNamed("TMCL") || isNamed("IPLS") {
      takePeople(body)
    } else if isNamed("CHAP") {
      takeChapter(body)
    } else if let tag = ID3FrameNames.tag(of: name) {
      for value in texts(body) { tags.add(tag, value) }
    } else if name.first == 0x54 {
      for value in texts(body) { tags.add(name, value) }
    } else if name.first == 0x57 {
      tags.add(name, SoundTags.text(body[...]))
    }
  }

  /// Returns the non-empty values of a text frame.
  private func texts(_ body: [UInt8]) -> [String] {
    guard let encoding = body.first else { return [] }
    return ID3Text.values(body[1...], encoding: encoding).filter { !$0.isEmpty }
  }

  /// Reads an encoding, a zero-terminated name, and values.
  private mutating func takeNamedText(_ body: [UInt8]) {
    guard let encoding = body.first else { return }
    let values = ID3Text.values(body[1...], encoding: encoding)
    let name = values[0].isEmpty ? Array("TXXX".utf8) : Array(values[0].utf8)
    for value in values.dropFirst() { tags.add(name, value) }
  }

  /// Reads an encoding, a language, a zero-terminated description, and a text.
  ///
  /// A text with a description becomes a separate tag.
  private mutating func takeLanguageText(_ body: [UInt8], name: String) {
    guard body.count > 4 else { return }
    let values = ID3Text.values(body[4...], encoding: body[0])
    let name = values[0].isEmpty ? Array(name.utf8) : Array(values[0].utf8)
    for value in values.dropFirst() { tags.add(name, value) }
  }

  /// Reads an encoding, a zero-terminated description, and an address in Latin-1.
  private mutating func takeNamedAddress(_ body: [UInt8]) {
    guard let encoding = body.first else { return }
    let name = ID3Text.values(body[1...], encoding: encoding)[0]
    let address = SoundTags.text(ID3Text.bytesAfterText(body[1...], encoding: encoding)[...])
    tags.add(name.isEmpty ? Array("URL".utf8) : Array(name.utf8), address)
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
    guard let encoding = body.first else { return }
    let values = ID3Text.values(body[1...], encoding: encoding)
    var index = 0
    while index + 1 < values.count {
      tags.add(TagNames.uppercased(values[index].utf8), values[index + 1])
      index += 2
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
      if frame.name.elementsEqual("TIT2".utf8), let text = texts(frame.body).first { title = text }
    }
    tags.chapters.append(
      MP4Chapter(start: start * (MP4Chapter.unitsPerSecond / 1000), title: title))
  }

  /// Reads an encoding, a format, a picture type, a zero-terminated description, and the picture.
  private mutating func takePicture(_ body: [UInt8]) {
    guard let encoding = body.first else { return }
    var index = 4
    if version > 2 { index = (body.dropFirst().firstIndex(of: 0) ?? body.count) + 1 }
    guard index < body.count else { return }
    let picture = ID3Text.bytesAfterText(body[(index + 1)...], encoding: encoding)
    tags.addPicture(picture, kind: UInt32(body[index]))
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
