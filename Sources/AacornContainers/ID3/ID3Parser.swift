import AacornSignal
import AacornSoundFiles

/// Reads an ID3v2 tag, as it precedes frames of ADTS, and makes tags of an M4A file of it.
///
/// Versions 2.2 to 2.4 differ in the lengths of names, sizes and flags:
///
///     2.2   name:24 size:24
///     2.3   name:32 size:32 flags:16
///     2.4   name:32 size:32 flags:16, sizes with seven bits per byte
struct ID3Parser {
  /// What has been found.
  private(set) var tags = MP4Tags()
  private let version: UInt8
  private var content: [UInt8]
  private var items: [FourCharacterCode] = []

  /// Reads a tag, or as much of it as there is.
  init(_ tag: [UInt8]) {
    version = tag.count >= 10 ? tag[3] : 0
    content = []
    guard let length = PCMFileKind.tagByteCount(tag.span), (2...4).contains(version) else { return }
    let flags = tag[5]
    content = Array(tag[10..<max(10, min(tag.count, length))])
    // Bit 6 means compression in version 2.2, for which there never was a method.
    if version == 2, flags & 0x40 != 0 { return }
    if version < 4, flags & 0x80 != 0 { content = Self.synchronized(content) }
    var start = 0
    if flags & 0x40 != 0 { start = number(at: 0, isSafe: version == 4) + (version == 4 ? 0 : 4) }
    readFrames(from: start)
  }

  private mutating func readFrames(from start: Int) {
    let headerCount = version == 2 ? 6 : 10
    var index = start
    // What follows the last frame is filled with zeros.
    while index >= 0, index + headerCount <= content.count, content[index] != 0 {
      var name = UInt32(truncatingIfNeeded: number(at: index, isSafe: false))
      var size = number(at: index + 4, isSafe: version == 4)
      if version == 2 {
        name = name & 0xFFFF_FF00 | 0x20
        size = number(at: index + 2, isSafe: false) & 0xFF_FFFF
      }
      let body = index + headerCount
      guard size <= content.count - body else { return }
      if let body = plain(body..<body + size, flags: version == 2 ? 0 : content[index + 9]) {
        take(FourCharacterCode(rawValue: name), body)
      }
      index = body + size
    }
  }

  /// What a frame holds behind what its flags announce; nil if that is compressed or encrypted.
  private func plain(_ range: Range<Int>, flags: UInt8) -> [UInt8]? {
    var body = Array(content[range])
    if version < 4 {
      if flags & 0xC0 != 0 { return nil }
      if flags & 0x20 != 0 { body = Array(body.dropFirst()) }
      return body
    }
    if flags & 0x0C != 0 { return nil }
    // A group, and the length without what the last flag adds.
    body = Array(body.dropFirst((flags & 0x40 != 0 ? 1 : 0) + (flags & 1 != 0 ? 4 : 0)))
    return flags & 2 != 0 ? Self.synchronized(body) : body
  }

  private mutating func take(_ name: FourCharacterCode, _ body: [UInt8]) {
    switch name {
    case FourCharacterCode("T", "I", "T", "2"), FourCharacterCode("T", "T", "2", " "):
      tags.title = tags.title ?? text(body)
    case FourCharacterCode("T", "P", "E", "1"), FourCharacterCode("T", "P", "1", " "):
      tags.artist = tags.artist ?? text(body)
    case FourCharacterCode("T", "A", "L", "B"), FourCharacterCode("T", "A", "L", " "):
      tags.album = tags.album ?? text(body)
    case FourCharacterCode("T", "D", "R", "C"), FourCharacterCode("T", "Y", "E", "R"),
      FourCharacterCode("T", "Y", "E", " "):
      tags.date = tags.date ?? text(body)
    case FourCharacterCode("C", "O", "M", "M"), FourCharacterCode("C", "O", "M", " "):
      takeComment(body)
    case FourCharacterCode("T", "C", "O", "N"), FourCharacterCode("T", "C", "O", " "):
      takeGenre(body)
    case FourCharacterCode("T", "R", "C", "K"), FourCharacterCode("T", "R", "K", " "):
      addNumbers(.trackNumber, body, padding: 2)
    case FourCharacterCode("T", "P", "O", "S"), FourCharacterCode("T", "P", "A", " "):
      addNumbers(.diskNumber, body, padding: 0)
    case FourCharacterCode("T", "P", "E", "2"), FourCharacterCode("T", "P", "2", " "):
      addItem(.albumArtist, text(body))
    case FourCharacterCode("T", "C", "O", "M"), FourCharacterCode("T", "C", "M", " "):
      addItem(.composer, text(body))
    case FourCharacterCode("A", "P", "I", "C"), FourCharacterCode("P", "I", "C", " "):
      takePicture(body)
    default: break
    }
  }

  /// Encoding, language, a description up to a zero, text; those with a description are notes of
  /// programs.
  private mutating func takeComment(_ body: [UInt8]) {
    guard tags.comment == nil, body.count > 4 else { return }
    let texts = ID3Text.values(body[4...], encoding: body[0])
    if texts.count > 1, texts[0].isEmpty, !texts[1].isEmpty { tags.comment = texts[1] }
  }

  /// The number of an old list, in parentheses or not, or a name.
  private mutating func takeGenre(_ body: [UInt8]) {
    guard let text = text(body) else { return }
    let bytes = Array(text.utf8)
    let hasParenthesis = bytes[0] == 0x28
    let digits = bytes.dropFirst(hasParenthesis ? 1 : 0).prefix { (0x30...0x39).contains($0) }
    let rest = bytes.dropFirst((hasParenthesis ? 2 : 0) + digits.count)
    guard !digits.isEmpty, digits.count <= 3, rest.isEmpty || hasParenthesis else {
      return addItem(.genre, text)
    }
    if !rest.isEmpty { return addItem(.genre, String(decoding: rest, as: UTF8.self)) }
    // Counted from 1 in MP4.
    let number = digits.reduce(0) { 10 * $0 + UInt16($1 - 0x30) } + 1
    addItem(.genreNumber, [UInt8(number >> 8), UInt8(number & 255)], .numbers)
  }

  /// A number, and how many there are: “3/12”.
  private mutating func addNumbers(_ item: FourCharacterCode, _ body: [UInt8], padding: Int) {
    guard let text = text(body) else { return }
    var data: [UInt8] = [0, 0]
    let parts = text.utf8.split(separator: 0x2F, maxSplits: 1)
    for index in 0..<2 {
      var number = 0
      if index < parts.count {
        for digit in parts[index].prefix(5) where (0x30...0x39).contains(digit) {
          number = 10 * number + Int(digit - 0x30)
        }
      }
      data += [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }
    addItem(item, data + [UInt8](repeating: 0, count: padding), .numbers)
  }

  /// Encoding, format, kind, a description up to a zero, and the picture itself.
  private mutating func takePicture(_ body: [UInt8]) {
    guard tags.coverImage.isEmpty, let encoding = body.first else { return }
    var index = 4
    if version > 2 { index = (body.dropFirst().firstIndex(of: 0) ?? body.count) + 1 }
    guard index < body.count else { return }
    tags.coverImage = ID3Text.behindText(body[(index + 1)...], encoding: encoding)
    if tags.coverKind == nil { tags.coverImage = [] }
  }

  /// The values of a frame with text, one after another; nil if there is none.
  private func text(_ body: [UInt8]) -> String? {
    guard let encoding = body.first else { return nil }
    var text = ""
    for value in ID3Text.values(body[1...], encoding: encoding) where !value.isEmpty {
      if !text.isEmpty { text += ", " }
      text += value
    }
    return text.isEmpty ? nil : text
  }

  private mutating func addItem(_ name: FourCharacterCode, _ text: String?) {
    if let text { addItem(name, Array(text.utf8), .utf8) }
  }

  private mutating func addItem(
    _ name: FourCharacterCode, _ data: [UInt8], _ kind: MP4Tags.ContentKind
  ) {
    if items.contains(name) { return }
    items.append(name)
    var writer = BoxWriter()
    writer.box(name) { $0.putData(data, kind: kind) }
    tags.otherItems.append(writer.bytes)
  }

  /// Four bytes as a number, of which each may count only seven bits; 0 if they are not there.
  ///
  /// Some programs use all bits even where they must not, which shows in the highest.
  private func number(at index: Int, isSafe: Bool) -> Int {
    guard index + 4 <= content.count else { return 0 }
    let bytes = content[index..<index + 4]
    let bits = isSafe && bytes.allSatisfy { $0 < 0x80 } ? 7 : 8
    return bytes.reduce(0) { $0 << bits | Int($1) }
  }

  /// Bytes without the zeros that keep 0xFF from looking like the start of a frame.
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

extension MP4Tags {
  /// The tags that an ID3v2 tag stands for; none if it is no such tag.
  package init(id3 tag: [UInt8]) { self = ID3Parser(tag).tags }
}
