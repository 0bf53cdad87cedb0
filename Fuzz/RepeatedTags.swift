/// Makes files with hundreds of tags whose names or values repeat or differ only at their end.
///
/// Readers that compare each tag with all others need more than linear time for such files. The
/// bytes of an input make all choices.
struct RepeatedTags {
  private let count: Int
  /// The bytes that all names share, apart from a prefix with a meaning.
  private let filling: [UInt8]
  private let prefix: [UInt8]
  private let suffix: [UInt8]
  private let value: [UInt8]
  private let isRepeated: Bool
  private let kind: Int

  /// The number of bytes that make all choices.
  static let choiceCount = 8
  /// The number of kinds of files.
  private static let kindCount = 6
  private static let maxByteCount = 1 << 19

  init(_ input: inout FuzzInput) {
    kind = input.choice(Self.kindCount)
    count = 128 << input.choice(5)
    let length = min(4 << input.choice(9), Self.maxByteCount / count)
    filling = [UInt8](repeating: input.flag() ? 0x31 : 0x41, count: length)
    let prefixes = ["CHAPTER", "CHAPTER", "TITLE", "ARTIST", "METADATA_BLOCK_PICTURE", ""]
    prefix = Array(prefixes[input.choice(prefixes.count)].utf8)
    suffix = Array(["NAME", "URL", ""][input.choice(3)].utf8)
    let values = ["00:00:01.0", "1/2", "", "a\0b\0c", String(repeating: "\0", count: 64)]
    value = Array(values[input.choice(values.count)].utf8)
    isRepeated = input.choice(4) == 0
  }

  /// The file.
  func make() -> [UInt8] {
    switch kind {
    case 0: Array("fLaC".utf8) + block(0, [UInt8](repeating: 0, count: 34)) + block(0x84, comment)
    case 1: pages([Array("OpusHead".utf8), Array("OpusTags".utf8) + comment])
    case 2: identifierTag
    case 3: apeTag
    case 4: strings
    default: infoList
    }
  }

  /// The names, in two halves: without and with the suffix.
  private var names: [[UInt8]] {
    (0..<count).map { index in
      let isSecond = index >= count / 2
      // Each name of the second half has the number of one of the first half, apart from the suffix.
      let number = isRepeated ? 0 : index % (count / 2)
      let digits = [10_000, 1000, 100, 10, 1].map { UInt8(0x30 + number / $0 % 10) }
      return prefix + filling + digits + (isSecond ? suffix : [])
    }
  }

  private func big(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }

  private func little(_ value: Int) -> [UInt8] { big(value).reversed() }

  private func block(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] {
    [kind] + big(content.count, 3) + content
  }

  // MARK: Kinds

  /// A Vorbis comment.
  private var comment: [UInt8] {
    var bytes = little(0) + little(count)
    for name in names { bytes += little(name.count + 1 + value.count) + name + [0x3D] + value }
    return bytes
  }

  /// Pages of Ogg, each with a part of a packet.
  private func pages(_ packets: [[UInt8]]) -> [UInt8] {
    var file: [UInt8] = []
    for packet in packets {
      for start in stride(from: 0, through: packet.count, by: 255 * 255) {
        let part = packet[start..<min(packet.count, start + 255 * 255)]
        var lengths = [UInt8](repeating: 255, count: part.count / 255)
        if lengths.count < 255 { lengths.append(UInt8(part.count % 255)) }
        let flags: UInt8 = start > 0 ? 1 : file.isEmpty ? 2 : 0
        file += Array("OggS".utf8) + [0, flags] + [UInt8](repeating: 0, count: 20)
        file += [UInt8(lengths.count)] + lengths + part
      }
    }
    return file
  }

  /// ID3v2.3 with frames of the user, chapters, or one frame with all values.
  private var identifierTag: [UInt8] {
    func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + big(content.count) + [0, 0] + content
    }
    var content: [UInt8] = []
    if suffix.isEmpty {
      content = frame("TPE1", [3] + Array(names.joined(separator: [0])))
    } else {
      let title = frame("TIT2", [3] + value)
      for name in names {
        content +=
          prefix.count == 7
          ? frame("CHAP", name + [UInt8](repeating: 0, count: 17) + title)
          : frame("TXXX", [3] + name + [0] + value)
      }
    }
    let sizes = [21, 14, 7, 0].map { UInt8(content.count >> $0 & 0x7F) }
    return Array("ID3\u{3}\0\0".utf8) + sizes + content
  }

  private var apeTag: [UInt8] {
    var items: [UInt8] = []
    for name in names { items += little(value.count) + little(0) + name.suffix(255) + [0] + value }
    let footer = little(2000) + little(items.count + 32) + little(count) + little(0)
    return items + Array("APETAGEX".utf8) + footer + [UInt8](repeating: 0, count: 8)
  }

  /// The strings of CAF.
  private var strings: [UInt8] {
    var content = big(count)
    for name in names { content += name + [0] + value + [0] }
    return Array("caff\0\u{1}\0\0info".utf8) + big(content.count, 8) + content
  }

  /// The INFO list of WAV, whose names have four bytes.
  private var infoList: [UInt8] {
    var list = Array("INFO".utf8)
    for name in names {
      let text = filling + value + [0]
      list += isRepeated ? Array("IART".utf8) : Array(name.suffix(4))
      list += little(text.count) + text + [UInt8](repeating: 0, count: text.count & 1)
    }
    let content = Array("WAVELIST".utf8) + little(list.count) + list
    return Array("RIFF".utf8) + little(content.count) + content
  }
}
