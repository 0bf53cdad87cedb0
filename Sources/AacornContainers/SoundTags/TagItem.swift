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

extension FourCharacterCode {
  static let compilation = FourCharacterCode("c", "p", "i", "l")
  static let tempo = FourCharacterCode("t", "m", "p", "o")
  static let lyrics = FourCharacterCode("©", "l", "y", "r")
  static let copyright = FourCharacterCode("c", "p", "r", "t")
  static let grouping = FourCharacterCode("©", "g", "r", "p")
  static let summary = FourCharacterCode("d", "e", "s", "c")
  static let synopsis = FourCharacterCode("l", "d", "e", "s")
  static let titleOrder = FourCharacterCode("s", "o", "n", "m")
  static let artistOrder = FourCharacterCode("s", "o", "a", "r")
  static let albumOrder = FourCharacterCode("s", "o", "a", "l")
  static let albumArtistOrder = FourCharacterCode("s", "o", "a", "a")
  static let composerOrder = FourCharacterCode("s", "o", "c", "o")
}
