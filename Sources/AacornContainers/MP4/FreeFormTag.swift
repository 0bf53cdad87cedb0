/// A custom tag in the item list: its domain, its name, and one or more texts.
struct FreeFormTag: Equatable, Sendable {
  /// The domain of the program that defined the tag, such as "com.apple.iTunes".
  var meaning: [UInt8]
  var name: [UInt8]
  /// The text in UTF-8.
  var text: [UInt8]
  var furtherTexts: [[UInt8]] = []
}

extension FreeFormTag {
  /// Reads an entry of the item list; returns nil if it is not a custom tag.
  init?(item: [UInt8]) {
    guard MP4Tags.isItem(item[...]),
      item[4..<8].elementsEqual(FourCharacterCode.freeForm.bytes)
    else { return nil }
    self.init(meaning: [], name: [], text: [])
    var list = BoxList(item, in: 8..<item.count, fileOffset: 0)
    // The damage of the item was reported when the file was read.
    var ignored = DamageLog()
    var texts: [[UInt8]] = []
    while let box = list.next(&ignored) {
      // A kind and a locale precede the text; version and flags precede the other contents.
      switch box.type {
      case .meaning: meaning = Array(item[box.content].dropFirst(4))
      case .name: name = Array(item[box.content].dropFirst(4))
      case .itemData: texts.append(Array(item[box.content].dropFirst(8)))
      default: break
      }
    }
    text = texts.first ?? []
    furtherTexts = Array(texts.dropFirst())
  }
}
