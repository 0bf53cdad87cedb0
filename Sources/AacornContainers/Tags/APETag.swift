/// Reads an APE tag (versions 1 and 2), which ends with a footer.
///
///     items   "APETAGEX" version:32 size:32 count:32 flags:32 zeros:64
///     item    size:32 flags:32 name 0 value
///
/// Numbers are little-endian. The size counts the items and the footer.
enum APETag {
  static let footerByteCount = 32

  /// Returns the size of the items before a footer, or nil if the bytes are not a footer.
  static func itemsByteCount(_ footer: [UInt8]) -> Int? {
    guard footer.count == footerByteCount, footer.starts(with: "APETAGEX".utf8) else { return nil }
    let count = number(footer, at: 12)
    return count >= footerByteCount ? count - footerByteCount : nil
  }

  static func read(_ items: [UInt8], into tags: inout SoundTags) {
    var index = 0
    while index + 8 < items.count {
      let (size, flags) = (number(items, at: index), items[index + 4])
      let start = index + 8
      guard let end = items[start...].firstIndex(of: 0), size <= items.count - end - 1 else {
        tags.isDamaged = true
        return
      }
      addItem(
        items[start..<end], items[end + 1..<end + 1 + size], kind: flags >> 1 & 3, into: &tags)
      index = end + 1 + size
    }
  }

  /// Adds an item: a text, binary data, or an external address.
  private static func addItem(
    _ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, kind: UInt8, into tags: inout SoundTags
  ) {
    if kind == 1 {
      // The value is a zero-terminated file name, then the picture.
      let isFront = TagNames.isSame(name, "COVER ART (FRONT)".utf8)
      guard isFront || TagNames.uppercased(name).starts(with: "COVER ART".utf8),
        let end = value.firstIndex(of: 0)
      else { return }
      tags.addPicture(Array(value[(end + 1)...]), kind: isFront ? 3 : 0)
      return
    }
    guard name.count <= SoundTags.nameLimit, value.count <= MP4Tags.itemLimit else {
      return tags.countLostTag()
    }
    for text in ZeroSeparated(value) { tags.add(TagNames.uppercased(name), of: text) }
  }

  private static func number(_ bytes: [UInt8], at index: Int) -> Int {
    Int(clamping: bytes[index..<index + 4].number(isBigEndian: false))
  }
}
