/// A named position in the audio.
public struct MP4Chapter: Equatable, Sendable {
  /// The start, in units of 100 nanoseconds from the first played sample.
  public var start: UInt64
  /// The title.
  public var title: String

  /// Creates a chapter.
  public init(start: UInt64, title: String) {
    self.start = start
    self.title = title
  }

  /// Returns whether two chapters have the same start and title.
  ///
  /// Titles are compared byte by byte: other comparisons need Unicode tables, which the browser's
  /// module does not have.
  public static func == (first: MP4Chapter, second: MP4Chapter) -> Bool {
    first.start == second.start && first.title.utf8.elementsEqual(second.title.utf8)
  }

  /// The number of time units per second.
  public static let unitsPerSecond: UInt64 = 10_000_000
  /// The maximum number of chapters to read or write.
  public static let writtenLimit = 4096

  /// The maximum number of chapters in a list, whose count is one byte.
  private static let listLimit = 255
  /// The maximum start of a chapter, chosen so that sums of times do not overflow.
  package static let startLimit: UInt64 = 1 << 60
  /// The maximum length of a title in a list, in bytes; its length field is one byte.
  private static let listTitleLimit = 255
  /// The maximum length of a title in a text track, in bytes; its length field has two bytes.
  static let trackTitleLimit = 65_535

  /// The title, shortened for a list.
  private var listTitle: ArraySlice<UInt8> { titleBytes(limit: Self.listTitleLimit) }
  /// The title, shortened for a text track.
  var trackTitle: ArraySlice<UInt8> { titleBytes(limit: Self.trackTitleLimit) }

  /// Whether the title may have been shortened for a list: shortening between characters leaves 252
  /// to 255 bytes.
  var mayBeShortened: Bool { title.utf8.count > Self.listTitleLimit - 4 }

  /// Returns the title, shortened between characters if it is too long.
  private func titleBytes(limit: Int) -> ArraySlice<UInt8> {
    let bytes = Array(title.utf8)
    var count = min(bytes.count, limit)
    // Bytes 10xxxxxx continue a character.
    while count > 0, count < bytes.count, bytes[count] & 0xC0 == 0x80 { count -= 1 }
    return bytes[..<count]
  }

  /// Writes the chapter as an entry of `MP4Tags.items`: its start, and its title in the remaining
  /// bytes.
  func putItem(to box: inout BoxWriter) {
    box.box(.chapterList) { box in
      box.put(start, bits: 64)
      box.put(Array(trackTitle))
    }
  }

  /// Reads an entry of `MP4Tags.items`.
  init(item: [UInt8]) {
    start = min(item[8...].prefix(8).number(), Self.startLimit)
    title = String(decoding: item.dropFirst(16), as: UTF8.self)
  }

  /// Writes `chpl`, the chapter list introduced by Nero, which other players read as well.
  ///
  ///     version 1, flags   zero   count   start   length   name …
  ///     4 bytes            4      1       8       1        length
  static func put(_ chapters: [MP4Chapter], to box: inout BoxWriter) {
    if chapters.isEmpty { return }
    box.fullBox(.chapterList, version: 1) { box in
      box.putZeros(4)
      box.put8(UInt8(min(chapters.count, listLimit)))
      for chapter in chapters.prefix(listLimit) {
        let title = chapter.listTitle
        box.put(chapter.start, bits: 64)
        box.put8(UInt8(title.count))
        box.put(Array(title))
      }
    }
  }
}
