/// A place in the sound that has a name.
public struct MP4Chapter: Equatable, Sendable {
  /// Where it begins, in units of 100 nanoseconds from the first sample that is heard.
  public var start: UInt64
  /// Its name.
  public var title: String

  /// A chapter that begins here.
  public init(start: UInt64, title: String) {
    self.start = start
    self.title = title
  }

  /// Whether both begin together and have the same name, byte by byte: more than that takes tables of
  /// Unicode, which the browser's module does not have.
  public static func == (first: MP4Chapter, second: MP4Chapter) -> Bool {
    first.start == second.start && first.title.utf8.elementsEqual(second.title.utf8)
  }

  /// How many units of time a second has.
  public static let unitsPerSecond: UInt64 = 10_000_000
  /// The most chapters that are written, and read.
  public static let writtenLimit = 4096

  /// The most that a list has: their number takes a byte.
  private static let listLimit = 255
  /// Where the last one may begin: so far from overflow that times can be added.
  package static let startLimit: UInt64 = 1 << 60
  /// The longest name of a list, in bytes: its length takes one.
  private static let listTitleLimit = 255
  /// The longest name of a text track, in bytes: its length takes two.
  static let trackTitleLimit = 65_535

  /// The name for a list.
  private var listTitle: ArraySlice<UInt8> { titleBytes(limit: Self.listTitleLimit) }
  /// The name for a text track.
  var trackTitle: ArraySlice<UInt8> { titleBytes(limit: Self.trackTitleLimit) }

  /// Whether the name is as long as a list's can be, so that its end may be missing.
  var mayBeShortened: Bool { title.utf8.count > Self.listTitleLimit - 4 }

  /// The name, shortened between characters if it is too long.
  private func titleBytes(limit: Int) -> ArraySlice<UInt8> {
    let bytes = Array(title.utf8)
    var count = min(bytes.count, limit)
    // Bytes 10xxxxxx continue a character.
    while count > 0, count < bytes.count, bytes[count] & 0xC0 == 0x80 { count -= 1 }
    return bytes[..<count]
  }

  /// Writes `chpl`, the list that Nero established, in which others look for chapters as well.
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
        box.put64(chapter.start)
        box.put8(UInt8(title.count))
        box.put(Array(title))
      }
    }
  }
}

extension FourCharacterCode {
  static let chapterList = FourCharacterCode("c", "h", "p", "l")
  static let trackReference = FourCharacterCode("t", "r", "e", "f")
  static let chapterReference = FourCharacterCode("c", "h", "a", "p")
  static let textHandler = FourCharacterCode("t", "e", "x", "t")
  static let subtitleHandler = FourCharacterCode("s", "b", "t", "l")
}
