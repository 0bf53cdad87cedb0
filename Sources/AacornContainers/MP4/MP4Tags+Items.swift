// Passes tags from the module that reads one file to the module that writes another file.
extension MP4Tags {
  /// The entries of the item list, concatenated: all tags except chapters and the loudness box.
  package var items: [UInt8] {
    var writer = BoxWriter()
    writer.putItems(self)
    return writer.bytes
  }

  /// Removes entries that describe the previous encoding.
  package mutating func removeEncodingParameters() {
    otherItems.removeAll { item in
      FreeFormTag(item: item)?.name.elementsEqual("Encoding Params".utf8) ?? false
    }
  }

  /// Sets missing properties from a list in the format of `items`, and adds the other entries.
  package mutating func fill(fromItems list: [UInt8]) {
    var items: [[UInt8]] = []
    var rest = list[...]
    while rest.count >= 8 {
      let size = Int(clamping: rest.prefix(4).number())
      let item = rest.prefix(size)
      guard Self.isItem(item) else { break }
      items.append(Array(item))
      rest = rest.dropFirst(size)
    }
    for item in withoutFurtherValues(items) { readItem(item) }
  }

  /// Sets the property that an entry describes, or keeps the entry in `otherItems` if the property
  /// is unknown or already set.
  private mutating func readItem(_ item: [UInt8]) {
    func isNamed(_ name: FourCharacterCode) -> Bool { item[4..<8].elementsEqual(name.bytes) }
    if isNamed(.encoder) { return }
    if let name = Self.textNames.first(where: isNamed), self[name] == nil {
      self[name] = String(decoding: item.dropFirst(Self.dataStart), as: UTF8.self)
    } else if isNamed(.cover), coverImage.isEmpty {
      let picture = item.dropFirst(Self.dataStart)
      if Self.isCover(picture) { coverImage = Array(picture) }
    } else {
      otherItems.append(item)
    }
  }

  /// The offset of an entry's content: after two sizes and names, a kind and a locale.
  private static let dataStart = 24
}
