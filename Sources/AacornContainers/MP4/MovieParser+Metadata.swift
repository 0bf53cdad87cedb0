import AacornCodec

extension MovieParser {
  /// Reads `udta`, which contains tags in `meta` and may contain a chapter list.
  mutating func readUserData(_ range: Range<Int>) {
    var list = boxes(in: range)
    while let box = list.next(&damage) {
      if box.type == .metadata { readMetadata(box) }
      if box.type == .chapterList { readChapterList(box) }
      if box.type == .loudness { readLoudness(box) }
    }
  }

  /// Reads `udta` of the audio track, which contains the loudness.
  mutating func readTrackUserData(_ box: Box) {
    var list = boxes(in: box.content)
    // The other contents may be anything, so their damage is ignored.
    var ignored = DamageLog()
    while let box = list.next(&ignored) {
      if box.type == .loudness { readLoudness(box) }
    }
  }

  private mutating func readLoudness(_ box: Box) {
    guard movie.tags.loudness == nil else { return }
    if box.content.count > MP4Loudness.byteLimit {
      movie.lostTagCount += 1
    } else {
      movie.tags.loudness = MP4Loudness(content: Array(bytes[box.content]))
    }
  }

  /// Reads `meta`, which has version and flags in MP4 but not in QuickTime files.
  mutating func readMetadata(_ box: Box) {
    var reader = fields(of: box)
    reader.skip(32)
    let isQuickTime = reader.readCode() == .handler
    let start = min(box.content.lowerBound + (isQuickTime ? 0 : 4), box.content.upperBound)
    var list = boxes(in: start..<box.content.upperBound)
    while let box = list.next(&damage) {
      guard box.type == .itemList else { continue }
      var items = boxes(in: box.content)
      while let item = items.next(&damage) { readItem(item) }
    }
  }

  private mutating func readItem(_ item: Box) {
    switch item.type {
    case .encoder: movie.tags.encoder = movie.tags.encoder ?? readText(item)
    case .cover:
      guard movie.coverImage == nil else { return storeUnknownItem(item) }
      guard let range = readData(item), !range.isEmpty else { return }
      movie.coverImage =
        fileOffset + UInt64(range.lowerBound)..<fileOffset + UInt64(range.upperBound)
      keepValues(of: item, after: range.upperBound)
    case .freeForm: readFreeForm(item)
    case let name where MP4Tags.textNames.contains(name):
      movie.tags[name] = readText(item, after: movie.tags[name])
    default: storeUnknownItem(item)
    }
  }

  /// Keeps an unknown entry unchanged, unless it is too long.
  private mutating func storeUnknownItem(_ item: Box) {
    storeUnknownItem(bytes[item.start..<item.content.upperBound], of: item.type)
  }

  private mutating func storeUnknownItem(_ box: ArraySlice<UInt8>, of type: FourCharacterCode) {
    // In QuickTime, numeric names refer to another box and are meaningless without it.
    guard type.rawValue >= 1 << 24, MP4Tags.isItem(box) else { return }
    guard box.count <= MP4Tags.itemLimit,
      MP4Tags.otherItemsLimit - otherItemsByteCount >= box.count
    else {
      movie.lostTagCount += 1
      return
    }
    otherItemsByteCount += box.count
    movie.tags.otherItems.append(Array(box))
  }

  /// Keeps further values of an entry, for example several artists, as a separate entry.
  private mutating func keepValues(of item: Box, after end: Int) {
    var values = BoxWriter()
    var list = boxes(in: end..<item.content.upperBound)
    // The other contents may be anything, so their damage is ignored.
    var ignored = DamageLog()
    while let box = list.next(&ignored) {
      let value = bytes[box.start..<box.content.upperBound]
      if box.type == .itemData, MP4Tags.isItem(value) { values.put(Array(value)) }
    }
    if values.bytes.isEmpty { return }
    let entry = BoxWriter.bytes { $0.box(item.type) { $0.put(values.bytes) } }
    storeUnknownItem(entry[...], of: item.type)
  }

  /// Returns the text of the item or, if not nil, `earlier`; keeps the item if the texts differ.
  private mutating func readText(_ item: Box, after earlier: String?) -> String? {
    if let earlier {
      // Compare byte by byte, because comparing strings requires Unicode tables.
      if readText(item)?.utf8.elementsEqual(earlier.utf8) != true { storeUnknownItem(item) }
      return earlier
    }
    guard let range = readData(item) else { return nil }
    keepValues(of: item, after: range.upperBound)
    return String(decoding: bytes[range], as: UTF8.self)
  }

  private mutating func readText(_ item: Box) -> String? {
    guard let range = readData(item) else { return nil }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  /// Returns the content of an item's `data` box, after the kind and the locale.
  private mutating func readData(_ item: Box) -> Range<Int>? {
    var list = boxes(in: item.content)
    while let box = list.next(&damage) {
      if box.type == .itemData, box.content.count >= 8 {
        return box.content.lowerBound + 8..<box.content.upperBound
      }
    }
    return nil
  }

  private mutating func readFreeForm(_ item: Box) {
    var name: ArraySlice<UInt8> = []
    var meaning: ArraySlice<UInt8> = []
    var list = boxes(in: item.content)
    while let box = list.next(&damage) {
      let text = bytes[box.content].dropFirst(4)
      if box.type == .meaning { meaning = text }
      if box.type == .name { name = text }
    }
    guard let range = readData(item) else { return }
    if meaning.elementsEqual(GaplessTag.meaning), name.elementsEqual(GaplessTag.name) {
      movie.gaplessTag = movie.gaplessTag ?? GaplessTag(text: bytes[range])
    } else if meaning.elementsEqual(RecordingMetadata.meaning) {
      if name.elementsEqual(RecordingMetadata.gapsName) {
        movie.notes.append(gaps: bytes[range])
      } else if name.elementsEqual(RecordingMetadata.startName), movie.notes.startText == nil {
        movie.notes.startText = String(decoding: bytes[range], as: UTF8.self)
      }
    } else {
      storeUnknownItem(item)
    }
  }
}
