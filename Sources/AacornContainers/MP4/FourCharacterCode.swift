/// Four bytes that name a box, a brand or a format (ISO/IEC 14496-12, 4.2).
@frozen
public struct FourCharacterCode: RawRepresentable, Equatable, Sendable {
  /// The four bytes as one big-endian number.
  public let rawValue: UInt32

  /// Wraps a number.
  @inlinable
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Creates the code spelled by four ASCII letters.
  public init(_ a: Unicode.Scalar, _ b: Unicode.Scalar, _ c: Unicode.Scalar, _ d: Unicode.Scalar) {
    rawValue = a.value << 24 | (b.value & 255) << 16 | (c.value & 255) << 8 | d.value & 255
  }

  /// The bytes, first to last.
  public var bytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
  }

  /// The bytes, with question marks for bytes that are not printable ASCII.
  package var printableBytes: [UInt8] {
    bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }
  }
}

// The boxes of a file, from the outermost inward.
extension FourCharacterCode {
  static let fileType = FourCharacterCode("f", "t", "y", "p")
  static let segmentType = FourCharacterCode("s", "t", "y", "p")
  static let segmentIndex = FourCharacterCode("s", "i", "d", "x")
  static let free = FourCharacterCode("f", "r", "e", "e")
  static let skip = FourCharacterCode("s", "k", "i", "p")
  static let wide = FourCharacterCode("w", "i", "d", "e")
  static let userDefined = FourCharacterCode("u", "u", "i", "d")
  static let mediaData = FourCharacterCode("m", "d", "a", "t")

  static let movie = FourCharacterCode("m", "o", "o", "v")
  static let movieHeader = FourCharacterCode("m", "v", "h", "d")
  static let track = FourCharacterCode("t", "r", "a", "k")
  static let trackHeader = FourCharacterCode("t", "k", "h", "d")
  static let edit = FourCharacterCode("e", "d", "t", "s")
  static let editList = FourCharacterCode("e", "l", "s", "t")
  static let trackReference = FourCharacterCode("t", "r", "e", "f")
  static let chapterReference = FourCharacterCode("c", "h", "a", "p")
  static let media = FourCharacterCode("m", "d", "i", "a")
  static let mediaHeader = FourCharacterCode("m", "d", "h", "d")
  static let handler = FourCharacterCode("h", "d", "l", "r")
  static let mediaInformation = FourCharacterCode("m", "i", "n", "f")
  static let soundMediaHeader = FourCharacterCode("s", "m", "h", "d")
  static let baseMediaHeader = FourCharacterCode("g", "m", "h", "d")
  static let baseMediaInformation = FourCharacterCode("g", "m", "i", "n")
  static let dataInformation = FourCharacterCode("d", "i", "n", "f")
  static let dataReference = FourCharacterCode("d", "r", "e", "f")
  static let url = FourCharacterCode("u", "r", "l", " ")

  static let sampleTable = FourCharacterCode("s", "t", "b", "l")
  static let sampleDescription = FourCharacterCode("s", "t", "s", "d")
  static let mpegAudio = FourCharacterCode("m", "p", "4", "a")
  static let encryptedAudio = FourCharacterCode("e", "n", "c", "a")
  static let protectedAudio = FourCharacterCode("d", "r", "m", "s")
  static let text = FourCharacterCode("t", "e", "x", "t")
  static let textEncoding = FourCharacterCode("e", "n", "c", "d")
  static let elementaryStreamDescriptor = FourCharacterCode("e", "s", "d", "s")
  static let quickTimeWave = FourCharacterCode("w", "a", "v", "e")
  static let timeToSample = FourCharacterCode("s", "t", "t", "s")
  static let sampleToChunk = FourCharacterCode("s", "t", "s", "c")
  static let sampleSizes = FourCharacterCode("s", "t", "s", "z")
  static let compactSampleSizes = FourCharacterCode("s", "t", "z", "2")
  static let chunkOffsets = FourCharacterCode("s", "t", "c", "o")
  static let largeChunkOffsets = FourCharacterCode("c", "o", "6", "4")
  static let sampleGroupDescription = FourCharacterCode("s", "g", "p", "d")
  static let sampleToGroup = FourCharacterCode("s", "b", "g", "p")

  static let movieExtends = FourCharacterCode("m", "v", "e", "x")
  static let trackExtends = FourCharacterCode("t", "r", "e", "x")
  static let movieFragment = FourCharacterCode("m", "o", "o", "f")
  static let movieFragmentHeader = FourCharacterCode("m", "f", "h", "d")
  static let trackFragment = FourCharacterCode("t", "r", "a", "f")
  static let trackFragmentHeader = FourCharacterCode("t", "f", "h", "d")
  static let trackFragmentDecodeTime = FourCharacterCode("t", "f", "d", "t")
  static let trackRun = FourCharacterCode("t", "r", "u", "n")

  static let userData = FourCharacterCode("u", "d", "t", "a")
  static let chapterList = FourCharacterCode("c", "h", "p", "l")
  static let loudness = FourCharacterCode("l", "u", "d", "t")
  static let trackLoudness = FourCharacterCode("t", "l", "o", "u")
  static let metadata = FourCharacterCode("m", "e", "t", "a")
  static let itemList = FourCharacterCode("i", "l", "s", "t")
  static let itemData = FourCharacterCode("d", "a", "t", "a")
  static let freeForm = FourCharacterCode("-", "-", "-", "-")
  static let meaning = FourCharacterCode("m", "e", "a", "n")
  static let name = FourCharacterCode("n", "a", "m", "e")

  // Contents of boxes: brands, handlers, groupings and tags.
  static let brandM4A = FourCharacterCode("M", "4", "A", " ")
  static let brandMP42 = FourCharacterCode("m", "p", "4", "2")
  static let brandISO = FourCharacterCode("i", "s", "o", "m")
  static let brandISO6 = FourCharacterCode("i", "s", "o", "6")
  static let brandMediaSegment = FourCharacterCode("m", "s", "d", "h")
  static let soundHandler = FourCharacterCode("s", "o", "u", "n")
  static let textHandler = FourCharacterCode("t", "e", "x", "t")
  static let subtitleHandler = FourCharacterCode("s", "b", "t", "l")
  static let iTunesHandler = FourCharacterCode("m", "d", "i", "r")
  static let apple = FourCharacterCode("a", "p", "p", "l")
  static let roll = FourCharacterCode("r", "o", "l", "l")
  static let title = FourCharacterCode("©", "n", "a", "m")
  static let artist = FourCharacterCode("©", "A", "R", "T")
  static let album = FourCharacterCode("©", "a", "l", "b")
  static let date = FourCharacterCode("©", "d", "a", "y")
  static let comment = FourCharacterCode("©", "c", "m", "t")
  static let encoder = FourCharacterCode("©", "t", "o", "o")
  static let albumArtist = FourCharacterCode("a", "A", "R", "T")
  static let composer = FourCharacterCode("©", "w", "r", "t")
  static let genre = FourCharacterCode("©", "g", "e", "n")
  static let trackNumber = FourCharacterCode("t", "r", "k", "n")
  static let diskNumber = FourCharacterCode("d", "i", "s", "k")
  static let cover = FourCharacterCode("c", "o", "v", "r")
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
