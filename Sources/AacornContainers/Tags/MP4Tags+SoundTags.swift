extension MP4Tags {
  /// Creates the tags of an M4A file from the tags of another sound file.
  ///
  /// Several values of a text are joined with semicolons. Tags without an M4A item become custom
  /// tags, which keep each value.
  package init(_ tags: SoundTags) {
    self.init()
    var rest = tags.entries
    for row in TagItem.rows {
      guard let index = row.names.firstIndex(in: rest) else { continue }
      let entry = rest[index]
      // A tag that does not fit stays, and becomes a custom tag.
      guard put(entry, to: row.item, totals: &rest) else { continue }
      let text = Self.joined(entry.values)
      rest = rest.filter { other in
        !row.names.contains { TagNames.isSame($0.utf8, other.name) }
          || !TagNames.isSame(other.name, entry.name)
            && !row.item.covers(text, Self.joined(other.values))
      }
    }
    for entry in rest {
      let texts = entry.values.map { Array($0.utf8) }
      addFreeForm(FreeFormTag(meaning: GaplessTag.meaning, name: entry.name, texts: texts))
    }
    coverImage = tags.coverImage
    chapters = tags.chapters
    // Each chapter ends at the start of the next one.
    chapters.sort { $0.start < $1.start }
  }

  /// Stores a tag in its item; returns false if its value does not fit there.
  private mutating func put(
    _ entry: SoundTags.Entry, to item: TagItem, totals: inout [SoundTags.Entry]
  ) -> Bool {
    let text = Self.joined(entry.values)
    switch item {
    case .text(let name) where Self.textNames.contains(name): self[name] = text
    case .text(let name): addItem(name, Array(text.utf8), kind: .utf8)
    case .trackNumber:
      return putNumbers(
        text, as: .trackNumber, byteCount: 8, totals: &totals,
        named: ["TRACKTOTAL", "TOTALTRACKS"])
    case .diskNumber:
      return putNumbers(
        text, as: .diskNumber, byteCount: 6, totals: &totals, named: ["DISCTOTAL", "TOTALDISCS"])
    case .number(let name):
      guard let number = Self.number(text.utf8[...]) else { return false }
      addItem(name, [UInt8(number >> 8), UInt8(number & 255)], kind: .integer)
    case .flag(let name):
      guard let flag = Self.flag(text) else { return false }
      addItem(name, [flag], kind: .integer)
    }
    return true
  }

  /// Stores a number and a total, which may have its own tag, in an item of `byteCount` bytes.
  private mutating func putNumbers(
    _ text: String, as name: FourCharacterCode, byteCount: Int,
    totals: inout [SoundTags.Entry], named names: [String]
  ) -> Bool {
    guard var pair = Self.numbers(text) else { return false }
    if let index = names.firstIndex(in: totals),
      let total = Self.number(totals[index].values[0].utf8[...]),
      // Use the total of the separate tag unless the number contains another total.
      pair.total == 0 || pair.total == total
    {
      pair.total = total
      totals = totals.filter { other in
        !names.contains { TagNames.isSame($0.utf8, other.name) }
      }
    }
    let data =
      [0, 0, UInt8(pair.number >> 8), UInt8(pair.number & 255)]
      + [UInt8(pair.total >> 8), UInt8(pair.total & 255)]
    addItem(name, data + [UInt8](repeating: 0, count: byteCount - data.count), kind: .numbers)
    return true
  }

  private mutating func addItem(
    _ name: FourCharacterCode, _ data: [UInt8], kind: ContentKind
  ) {
    otherItems.append(BoxWriter.bytes { $0.box(name) { $0.putData(data, kind: kind) } })
  }

  private static func joined(_ values: [String]) -> String {
    var text = values[0]
    for value in values.dropFirst() { text += "; " + value }
    return text
  }

  /// Parses a number and a total, as in “3/12”; returns nil if the text contains anything else.
  private static func numbers(_ text: String) -> (number: UInt16, total: UInt16)? {
    let parts = text.utf8.split(separator: 0x2F, maxSplits: 1, omittingEmptySubsequences: false)
    guard let number = number(parts[0]) else { return nil }
    if parts.count == 1 { return (number, 0) }
    // Some programs write a slash without a total.
    if parts[1].isEmpty { return (number, 0) }
    return Self.number(parts[1]).map { (number, $0) }
  }

  /// Parses decimal digits between spaces, with only zeros after the decimal point.
  private static func number(_ text: Substring.UTF8View) -> UInt16? {
    let text = text.drop { $0 == 0x20 }
    let digits = text.prefix { (0x30...0x39).contains($0) }
    guard (1...9).contains(digits.count) else { return nil }
    let isInteger = text.dropFirst(digits.count).allSatisfy { [0x20, 0x2E, 0x30].contains($0) }
    let number = digits.reduce(0) { 10 * $0 + Int($1 - 0x30) }
    return isInteger ? UInt16(exactly: number) : nil
  }

  private static func flag(_ text: String) -> UInt8? {
    if ["1", "true", "yes"].contains(where: { TagNames.isSame($0.utf8, text.utf8) }) { return 1 }
    if ["0", "false", "no"].contains(where: { TagNames.isSame($0.utf8, text.utf8) }) { return 0 }
    return nil
  }
}

extension [String] {
  /// Returns the index of the entry with the first of these names that any entry has.
  fileprivate func firstIndex(in entries: [SoundTags.Entry]) -> Int? {
    for name in self {
      let index = entries.firstIndex { TagNames.isSame($0.name, name.utf8) }
      if let index { return index }
    }
    return nil
  }
}

/// The item of an M4A file that stores a tag.
enum TagItem {
  /// An item with a text.
  case text(FourCharacterCode)
  /// The next two items contain a number and a total; the total may have its own tag.
  case trackNumber
  case diskNumber
  /// An item with a 16-bit number.
  case number(FourCharacterCode)
  /// An item with one byte, 0 or 1.
  case flag(FourCharacterCode)

  /// Each item with the names of its tags, in order of precedence.
  ///
  /// A computed property, because the compiler cannot lay out arrays of arrays as static data.
  static var rows: [(item: TagItem, names: [String])] {
    [
      (.text(.title), ["TITLE"]),
      (.text(.artist), ["ARTIST"]),
      (.text(.album), ["ALBUM"]),
      (.text(.date), ["DATE", "YEAR"]),
      (.text(.comment), ["COMMENT", "COMMENTS", "DESCRIPTION"]),
      (.text(.albumArtist), ["ALBUMARTIST", "ALBUM ARTIST", "ALBUM_ARTIST"]),
      (.text(.composer), ["COMPOSER"]),
      (.text(.genre), ["GENRE"]),
      (.trackNumber, ["TRACKNUMBER", "TRACK"]),
      (.diskNumber, ["DISCNUMBER", "DISC"]),
      (.flag(.compilation), ["COMPILATION"]),
      (.number(.tempo), ["BPM", "TEMPO"]),
      (.text(.lyrics), ["LYRICS", "UNSYNCEDLYRICS", "UNSYNCED LYRICS", "USLT"]),
      (.text(.copyright), ["COPYRIGHT"]),
      (.text(.grouping), ["GROUPING", "CONTENTGROUP"]),
      // Not the item of comments, because a file may have both a comment and a description.
      (.text(.summary), ["DESCRIPTION", "PODCASTDESC"]),
      (.text(.synopsis), ["LONGDESCRIPTION", "SYNOPSIS"]),
      (.text(.titleOrder), ["TITLESORT", "TITLESORTORDER"]),
      (.text(.artistOrder), ["ARTISTSORT", "ARTISTSORTORDER"]),
      (.text(.albumOrder), ["ALBUMSORT", "ALBUMSORTORDER"]),
      (.text(.albumArtistOrder), ["ALBUMARTISTSORT", "ALBUMARTISTSORTORDER"]),
      (.text(.composerOrder), ["COMPOSERSORT", "COMPOSERSORTORDER"]),
    ]
  }

  /// Returns whether an existing text contains all information of another one.
  func covers(_ text: String, _ other: String) -> Bool {
    if text.utf8.elementsEqual(other.utf8) { return true }
    if case .text(.date) = self { return text.utf8.starts(with: other.utf8) }
    return false
  }
}
