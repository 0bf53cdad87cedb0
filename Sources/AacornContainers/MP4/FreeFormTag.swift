/// A custom tag in the item list: who defined it, its name, and a text or several.
struct FreeFormTag: Equatable, Sendable {
  /// Who defined the tag, such as "com.apple.iTunes".
  var meaning: [UInt8]
  /// Its name.
  var name: [UInt8]
  /// Its text in UTF-8.
  var text: [UInt8]
  /// Further texts.
  var furtherTexts: [[UInt8]] = []
}

extension FreeFormTag {
  /// Reads an entry of the item list; nil if it is no custom tag.
  init?(item: [UInt8]) {
    guard MP4Tags.isItem(item[...]),
      item[4..<8].elementsEqual(FourCharacterCode.freeForm.bytes)
    else { return nil }
    self.init(meaning: [], name: [], text: [])
    var list = BoxList(item, in: 8..<item.count, fileOffset: 0)
    // What is wrong with it was told when the file was read.
    var ignored = DamageLog()
    var texts: [[UInt8]] = []
    while let box = list.next(&ignored) {
      // Before the text are its kind and a locale, before the others version and flags.
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
