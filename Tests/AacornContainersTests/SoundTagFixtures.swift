@testable import AacornContainers

/// Audio files with tags and without audio.
enum SoundTagFixtures {
  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]

  static func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }

  static func big(_ value: Int) -> [UInt8] { little(value).reversed() }

  static func comment(_ entries: [String]) -> [UInt8] {
    var bytes = little(4) + Array("tool".utf8) + little(entries.count)
    for entry in entries { bytes += little(entry.utf8.count) + Array(entry.utf8) }
    return bytes
  }

  static func picture(_ bytes: [UInt8] = jpeg, kind: Int = 3) -> [UInt8] {
    var block = big(kind) + big(10) + Array("image/jpeg".utf8) + big(1) + [0x61]
    block += [UInt8](repeating: 0, count: 16) + big(bytes.count)
    return block + bytes
  }

  static func flacBlock(_ kind: UInt8, isLast: Bool = false, _ content: [UInt8]) -> [UInt8] {
    [kind | (isLast ? 0x80 : 0)] + big(content.count).dropFirst() + content
  }

  static func flac(_ blocks: [(kind: UInt8, content: [UInt8])]) -> [UInt8] {
    var file = Array("fLaC".utf8) + flacBlock(0, [UInt8](repeating: 0, count: 34))
    for block in blocks { file += flacBlock(block.kind, block.content) }
    return file + flacBlock(1, isLast: true, [0, 0]) + [0xFF, 0xF8]
  }

  /// Returns pages of at most `segmentCount` segments, with a page of another stream between them.
  static func ogg(_ packets: [[UInt8]], segmentCount: Int = 2) -> [UInt8] {
    func page(
      _ flags: UInt8, _ stream: UInt8, _ lengths: ArraySlice<UInt8>, _ body: [UInt8]
    ) -> [UInt8] {
      var page = Array("OggS".utf8) + [0, flags] + [UInt8](repeating: 0, count: 8)
      page += [stream, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + [UInt8(lengths.count)]
      return page + lengths + body
    }
    var bytes = page(2, 1, [7], Array("fishead".utf8))
    var isFirst = true
    for packet in packets {
      var lengths = [UInt8](repeating: 255, count: packet.count / 255)
      lengths.append(UInt8(packet.count % 255))
      var rest = lengths[...]
      var body = packet[...]
      while !rest.isEmpty {
        let part = rest.prefix(segmentCount)
        let count = part.reduce(0) { $0 + Int($1) }
        bytes += page(isFirst ? 2 : 0, 7, part, Array(body.prefix(count)))
        bytes += page(0, 1, [3], [1, 2, 3])
        isFirst = false
        rest = rest.dropFirst(segmentCount)
        body = body.dropFirst(count)
      }
    }
    return bytes
  }

  static func id3(_ frames: [(name: String, text: String)]) -> [UInt8] {
    var content: [UInt8] = []
    for frame in frames {
      content += Array(frame.name.utf8) + big(frame.text.utf8.count + 1)
      content += [0, 0, 3] + Array(frame.text.utf8)
    }
    let size = [21, 14, 7, 0].map { UInt8(content.count >> $0 & 127) }
    return [0x49, 0x44, 0x33, 3, 0, 0] + size + content
  }

  static func id3v1(title: String, artist: String, track: UInt8, genre: UInt8) -> [UInt8] {
    func field(_ text: String) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: 0x20, count: 30 - text.utf8.count)
    }
    var tag = Array("TAG".utf8) + field(title) + field(artist) + [UInt8](repeating: 0, count: 30)
    tag += Array("1999".utf8) + [UInt8](repeating: 0, count: 29) + [track, genre]
    return tag
  }

  static func ape(_ items: [(name: String, value: [UInt8], kind: UInt8)]) -> [UInt8] {
    var content: [UInt8] = []
    for item in items {
      content += little(item.value.count) + [item.kind << 1, 0, 0, 0]
      content += Array(item.name.utf8) + [0] + item.value
    }
    var footer = Array("APETAGEX".utf8) + little(2000) + little(content.count + 32)
    footer += little(items.count) + [UInt8](repeating: 0, count: 12)
    return content + footer
  }

  static func chunk(_ name: String, _ content: [UInt8], isBigEndian: Bool = false) -> [UInt8] {
    let size = isBigEndian ? big(content.count) : little(content.count)
    return Array(name.utf8) + size + content + [UInt8](repeating: 0, count: content.count & 1)
  }

  static func wav(_ chunks: [UInt8]) -> [UInt8] {
    let content = Array("WAVE".utf8) + chunk("fmt ", [UInt8](repeating: 0, count: 16)) + chunks
    return Array("RIFF".utf8) + little(content.count) + content
  }

  static func aiff(_ chunks: [(name: String, content: [UInt8])]) -> [UInt8] {
    var content = Array("AIFF".utf8)
    for item in chunks { content += chunk(item.name, item.content, isBigEndian: true) }
    return Array("FORM".utf8) + big(content.count) + content
  }

  /// Returns the tags of a file; reads at most the bytes that the file has.
  static func tags(_ bytes: [UInt8]) -> SoundTags {
    var reader = SoundTagReader<Never>(byteCount: bytes.count) { offset, count in
      let start = min(offset, bytes.count)
      return Array(bytes[start..<min(start + count, bytes.count)])
    }
    return reader.readTags()
  }
}

extension MP4Tags {
  /// The names and values of other items, as “name=value”; numbers as bytes.
  var itemTexts: [String] {
    otherItems.map { item in
      if let tag = FreeFormTag(item: item) {
        let values = tag.texts.map { String(decoding: $0, as: UTF8.self) }
        return String(decoding: tag.name, as: UTF8.self) + "=" + values.joined(separator: "|")
      }
      // © is a single byte in these names.
      let name = String(item[4..<8].map { Character(Unicode.Scalar($0)) })
      let data = item.dropFirst(24)
      let isText = item[19] == 1
      return name + "=" + (isText ? String(decoding: data, as: UTF8.self) : "\(Array(data))")
    }
  }
}
