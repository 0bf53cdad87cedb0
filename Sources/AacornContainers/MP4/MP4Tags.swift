/// The metadata of an M4A file, in the item list that iTunes established.
public struct MP4Tags: Sendable {
  /// The title of the piece.
  public var title: String?
  /// The performer or speaker.
  public var artist: String?
  /// The album or series that the piece belongs to.
  public var album: String?
  /// The year, or an ISO 8601 date.
  public var date: String?
  /// Anything else.
  public var comment: String?
  /// The program that made the file.
  public var encoder: String?
  /// A JPEG or PNG file; when reading, empty: see ``MP4Reader/coverImage``.
  public var coverImage: [UInt8] = []
  /// Other entries of the item list, each a whole box, kept as they are: genre, track number,
  /// further artists or tags of other programs, say.
  public var otherItems: [[UInt8]] = []
  /// Chapters, in order; more than ``MP4Chapter/writtenLimit`` are not written, and in fragmented
  /// files no more than 255.
  public var chapters: [MP4Chapter] = []
  /// How loud the sound is; nil if nothing is said about it.
  public var loudness: MP4Loudness?

  /// No tags.
  public init() {}

  /// The longest tags that are written; readers load them whole.
  static let byteLimit = 1 << 26

  /// The longest entry of others that is kept when reading.
  static let itemLimit = 1 << 20
  /// The same of all of them together.
  static let otherItemsLimit = 1 << 22

  /// Whether bytes are one box with a size of 32 bits.
  static func isItem(_ bytes: ArraySlice<UInt8>) -> Bool {
    var size = 0
    for byte in bytes.prefix(4) { size = size << 8 | Int(byte) }
    return bytes.count >= 8 && size == bytes.count
  }

  /// Those of other entries that are no further values of what is set here.
  package func withoutFurtherValues(_ items: [[UInt8]]) -> [[UInt8]] {
    var names: [[UInt8]] = []
    if title != nil { names.append(FourCharacterCode.title.bytes) }
    if artist != nil { names.append(FourCharacterCode.artist.bytes) }
    if album != nil { names.append(FourCharacterCode.album.bytes) }
    if date != nil { names.append(FourCharacterCode.date.bytes) }
    if comment != nil { names.append(FourCharacterCode.comment.bytes) }
    if !coverImage.isEmpty { names.append(FourCharacterCode.cover.bytes) }
    return items.filter { !names.contains(Array($0.dropFirst(4).prefix(4))) }
  }

  /// How a `data` box identifies the format of its content.
  enum ContentKind: UInt32 {
    case numbers = 0
    case utf8 = 1
    case jpeg = 13
    case png = 14
    /// A signed number, big-endian.
    case integer = 21
  }

  /// The largest cover that is taken from another file, in bytes.
  package static let coverLimit = 8_000_000

  /// The format of the cover, detected from its first bytes.
  var coverKind: ContentKind? { Self.coverKind(coverImage[...]) }

  /// Whether a picture is a JPEG or PNG file, as M4A files can have it.
  package static func isCover(_ picture: ArraySlice<UInt8>) -> Bool { coverKind(picture) != nil }

  private static func coverKind(_ picture: ArraySlice<UInt8>) -> ContentKind? {
    if picture.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if picture.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    return nil
  }

  /// Throws if the tags cannot be written.
  func validate() throws(ContainerError) {
    guard coverImage.isEmpty || coverKind != nil else { throw .unrecognizedCoverImage }
    var count = coverImage.count
    for text in [title, artist, album, date, comment, encoder] { count += text?.utf8.count ?? 0 }
    for item in otherItems { count += item.count }
    guard count <= Self.byteLimit else {
      throw .tagsTooLong(byteCount: count, limit: Self.byteLimit)
    }
  }

  /// Whether there is nothing to write.
  package var isEmpty: Bool {
    title == nil && artist == nil && album == nil && date == nil && comment == nil
      && encoder == nil && coverImage.isEmpty && otherItems.isEmpty && chapters.isEmpty
      && loudness == nil
  }
}

extension BoxWriter {
  /// Writes `udta` with the chapters, and the tags followed by custom tags.
  mutating func putUserData(_ tags: MP4Tags, freeForm: [FreeFormTag]) {
    if tags.isEmpty && freeForm.isEmpty { return }
    box(.userData) { box in
      MP4Chapter.put(tags.chapters, to: &box)
      box.fullBox(.metadata) { box in
        box.fullBox(.handler) { box in
          box.putZeros(4)
          box.put(.iTunesHandler)
          box.put(.apple)
          // Two reserved words and an empty name.
          box.putZeros(9)
        }
        box.box(.itemList) { box in
          box.putItems(tags)
          for tag in freeForm { box.putFreeForm(tag) }
        }
      }
    }
  }

  /// Writes the entries of the item list.
  mutating func putItems(_ tags: MP4Tags) {
    putItem(.title, text: tags.title)
    putItem(.artist, text: tags.artist)
    putItem(.album, text: tags.album)
    putItem(.date, text: tags.date)
    putItem(.comment, text: tags.comment)
    putItem(.encoder, text: tags.encoder)
    if let kind = tags.coverKind { box(.cover) { $0.putData(tags.coverImage, kind: kind) } }
    for item in tags.otherItems where MP4Tags.isItem(item[...]) { put(item) }
  }

  private mutating func putItem(_ type: FourCharacterCode, text: String?) {
    guard let text else { return }
    box(type) { $0.putData(Array(text.utf8), kind: .utf8) }
  }

  /// Writes a custom tag as an entry of the item list.
  mutating func putFreeForm(_ tag: FreeFormTag) {
    box(.freeForm) { box in
      box.fullBox(.meaning) { $0.put(tag.meaning) }
      box.fullBox(.name) { $0.put(tag.name) }
      box.putData(tag.text, kind: .utf8)
      for text in tag.furtherTexts { box.putData(text, kind: .utf8) }
    }
  }

  /// Writes the content of an item.
  mutating func putData(_ bytes: [UInt8], kind: MP4Tags.ContentKind) {
    // The flags of the box hold the kind; a zero locale follows.
    fullBox(.itemData, flags: kind.rawValue) { box in
      box.putZeros(4)
      box.put(bytes)
    }
  }
}
