import AacornSignal
import AacornSoundFiles

/// Steps through the frames of an ID3v2 tag, or of a frame that contains others.
///
/// Versions 2.2 to 2.4 differ in the lengths of names, sizes and flags:
///
///     2.2   name:24 size:24
///     2.3   name:32 size:32 flags:16
///     2.4   name:32 size:32 flags:16, sizes with seven bits per byte
struct ID3Frames {
  /// The minor version: 2, 3 or 4.
  let version: UInt8
  private let content: [UInt8]
  private var index: Int
  /// Whether a frame exceeds the tag.
  private(set) var isDamaged = false

  /// Creates a reader of a complete or truncated tag; returns nil if the tag cannot be read.
  init?(tag: [UInt8]) {
    guard let length = FileKind.tagByteCount(tag.span), (2...4).contains(tag[3]) else {
      return nil
    }
    version = tag[3]
    let flags = tag[5]
    // Bit 6 means compression in version 2.2, for which no method was ever defined.
    if version == 2, flags & 0x40 != 0 { return nil }
    // A footer of ten bytes (flag 0x10) repeats the header.
    let end = length - (flags & 0x10 != 0 ? 10 : 0)
    isDamaged = tag.count < end
    let bytes = Array(tag[10..<max(10, min(tag.count, end))])
    content = version < 4 && flags & 0x80 != 0 ? Self.synchronized(bytes) : bytes
    index = 0
    if flags & 0x40 != 0 {
      index = number(at: 0, isSafe: version == 4) + (version == 4 ? 0 : 4)
    }
  }

  /// Creates a reader of the frames inside a frame.
  init(version: UInt8, content: [UInt8]) {
    self.version = version
    self.content = content
    index = 0
  }

  /// Returns the next frame that is neither compressed nor encrypted, or nil at the end.
  mutating func next() -> (name: [UInt8], body: [UInt8])? {
    let headerCount = version == 2 ? 6 : 10
    // Zeros fill the space after the last frame.
    while index + headerCount <= content.count, content[index] != 0 {
      let start = index + headerCount
      let size = size(at: index, start: start)
      guard size <= content.count - start else { break }
      let name = Array(content[index..<index + (version == 2 ? 3 : 4)])
      let flags = version == 2 ? 0 : content[index + 9]
      index = start + size
      if let body = decodedContent(start..<start + size, flags: flags) { return (name, body) }
    }
    if index < content.count, content[index] != 0 { isDamaged = true }
    return nil
  }

  private func size(at index: Int, start: Int) -> Int {
    if version == 2 { return Int(content[index + 3..<index + 6].number()) }
    let size = number(at: index + 4, isSafe: version == 4)
    // Some programs use all eight bits where only seven are allowed. Prefer the reading at whose
    // end a frame can end.
    let other = number(at: index + 4, isSafe: false)
    return size == other || isEnd(start + size) || !isEnd(start + other) ? size : other
  }

  /// Returns whether a frame may end here: at the end, before zeros, or before a name.
  private func isEnd(_ index: Int) -> Bool {
    if index >= content.count { return index == content.count }
    if content[index] == 0 { return true }
    return content[index...].prefix(4).allSatisfy {
      (0x41...0x5A).contains($0) || (0x30...0x39).contains($0)
    }
  }

  /// Returns the content of a frame after the fields announced by its flags, or nil if it is
  /// compressed or encrypted.
  private func decodedContent(_ range: Range<Int>, flags: UInt8) -> [UInt8]? {
    var body = Array(content[range])
    if version < 4 {
      if flags & 0xC0 != 0 { return nil }
      if flags & 0x20 != 0 { body = Array(body.dropFirst()) }
      return body
    }
    if flags & 0x0C != 0 { return nil }
    // Skip the group identifier of one byte (flag 0x40), and the data length indicator of four
    // bytes (flag 1).
    body = Array(body.dropFirst((flags & 0x40 != 0 ? 1 : 0) + (flags & 1 != 0 ? 4 : 0)))
    return flags & 2 != 0 ? Self.synchronized(body) : body
  }

  /// Returns four bytes as a number, with seven bits per byte if `isSafe`; 0 if the bytes are
  /// missing.
  ///
  /// If a byte has its highest bit set, all bytes count with eight bits. The result is limited to
  /// one more than the length of the content.
  private func number(at index: Int, isSafe: Bool) -> Int {
    guard index + 4 <= content.count else { return 0 }
    let bytes = content[index..<index + 4]
    let bits = isSafe && bytes.allSatisfy { $0 < 0x80 } ? 7 : 8
    let value = bytes.reduce(UInt32(0)) { $0 << bits | UInt32($1) }
    return min(Int(clamping: value), content.count + 1)
  }

  /// Removes the zeros that prevent 0xFF from looking like the start of a frame.
  private static func synchronized(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var last: UInt8 = 0
    for byte in bytes {
      if byte != 0 || last != 0xFF { result.append(byte) }
      last = byte
    }
    return result
  }
}

/// The numbered genres of ID3v1, with Winamp's later additions.
enum ID3Genres {
  /// Returns the genre of a number, or nil if it is unknown.
  static func name(_ number: Int) -> String? {
    names.indices.contains(number) ? names[number] : nil
  }

  private static let names = [
    "Blues", "Classic Rock", "Country", "Dance", "Disco", "Funk", "Grunge", "Hip-Hop", "Jazz",
    "Metal", "New Age", "Oldies", "Other", "Pop", "R&B", "Rap", "Reggae", "Rock", "Techno",
    "Industrial", "Alternative", "Ska", "Death Metal", "Pranks", "Soundtrack", "Euro-Techno",
    "Ambient", "Trip-Hop", "Vocal", "Jazz+Funk", "Fusion", "Trance", "Classical", "Instrumental",
    "Acid", "House", "Game", "Sound Clip", "Gospel", "Noise", "Alt. Rock", "Bass", "Soul", "Punk",
    "Space", "Meditative", "Instrumental Pop", "Instrumental Rock", "Ethnic", "Gothic", "Darkwave",
    "Techno-Industrial", "Electronic", "Pop-Folk", "Eurodance", "Dream", "Southern Rock", "Comedy",
    "Cult", "Gangsta Rap", "Top 40", "Christian Rap", "Pop/Funk", "Jungle", "Native American",
    "Cabaret", "New Wave", "Psychedelic", "Rave", "Showtunes", "Trailer", "Lo-Fi", "Tribal",
    "Acid Punk", "Acid Jazz", "Polka", "Retro", "Musical", "Rock & Roll", "Hard Rock", "Folk",
    "Folk-Rock", "National Folk", "Swing", "Fast-Fusion", "Bebop", "Latin", "Revival", "Celtic",
    "Bluegrass", "Avantgarde", "Gothic Rock", "Progressive Rock", "Psychedelic Rock",
    "Symphonic Rock", "Slow Rock", "Big Band", "Chorus", "Easy Listening", "Acoustic", "Humour",
    "Speech", "Chanson", "Opera", "Chamber Music", "Sonata", "Symphony", "Booty Bass", "Primus",
    "Porn Groove", "Satire", "Slow Jam", "Club", "Tango", "Samba", "Folklore", "Ballad",
    "Power Ballad", "Rhythmic Soul", "Freestyle", "Duet", "Punk Rock", "Drum Solo", "A Cappella",
    "Euro-House", "Dance Hall", "Goa", "Drum & Bass", "Club-House", "Hardcore", "Terror", "Indie",
    "BritPop", "Afro-Punk", "Polsk Punk", "Beat", "Christian Gangsta Rap", "Heavy Metal",
    "Black Metal", "Crossover", "Contemporary Christian", "Christian Rock", "Merengue", "Salsa",
    "Thrash Metal", "Anime", "JPop", "Synthpop", "Abstract", "Art Rock", "Baroque", "Bhangra",
    "Big Beat", "Breakbeat", "Chillout", "Downtempo", "Dub", "EBM", "Eclectic", "Electro",
    "Electroclash", "Emo", "Experimental", "Garage", "Global", "IDM", "Illbient", "Industro-Goth",
    "Jam Band", "Krautrock", "Leftfield", "Lounge", "Math Rock", "New Romantic", "Nu-Breakz",
    "Post-Punk", "Post-Rock", "Psytrance", "Shoegaze", "Space Rock", "Trop Rock", "World Music",
    "Neoclassical", "Audiobook", "Audio Theatre", "Neue Deutsche Welle", "Podcast", "Indie Rock",
    "G-Funk", "Dubstep", "Garage Rock", "Psybient",
  ]

  /// The maximum number of genres in one text.
  private static let valueLimit = 64

  /// Returns the genres in an ID3v2 text: a name, a number, or numbers in parentheses before a
  /// name.
  ///
  /// A name after a number describes the same genre more precisely. “((” is an escaped parenthesis.
  static func values(_ text: String) -> [String] {
    var rest = Array(text.utf8)[...]
    var values: [String] = []
    while values.count < valueLimit, rest.first == 0x28, rest.dropFirst().first != 0x28,
      let end = rest.firstIndex(of: 0x29)
    {
      guard let name = named(rest[rest.startIndex + 1..<end]) else { break }
      values.append(name)
      rest = rest[(end + 1)...]
    }
    if rest.isEmpty || values.count == valueLimit { return values }
    if values.isEmpty, let name = named(rest) { return [name] }
    if rest.starts(with: [0x28, 0x28]) { rest.removeFirst() }
    return [String(decoding: rest, as: UTF8.self)]
  }

  /// Returns the genre of a number or of one of two letter codes.
  private static func named(_ code: ArraySlice<UInt8>) -> String? {
    if code.elementsEqual("RX".utf8) { return "Remix" }
    if code.elementsEqual("CR".utf8) { return "Cover" }
    guard (1...3).contains(code.count), code.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return name(code.reduce(0) { 10 * $0 + Int($1 - 0x30) })
  }
}
