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
  /// A comment.
  public var comment: String?
  /// The program that made the file.
  public var encoder: String?
  /// The cover, a JPEG or PNG file; empty when read: see ``MP4Reader/coverImage``.
  public var coverImage: [UInt8] = []
  /// Other entries of the item list, each a complete box, kept unchanged: for example the genre,
  /// the track number, further artists or tags of other programs.
  public var otherItems: [[UInt8]] = []
  /// The chapters, in order.
  ///
  /// At most ``MP4Chapter/writtenLimit`` are written, and at most 255 in fragmented files.
  public var chapters: [MP4Chapter] = []
  /// The loudness; nil if unknown.
  public var loudness: MP4Loudness?

  /// Creates empty tags.
  public init() {}

  /// The names of the entries whose texts are properties, in the order of a written list.
  ///
  /// A computed property, so that no global array is initialized at its first use.
  static var textNames: [FourCharacterCode] {
    [.title, .artist, .album, .date, .comment, .encoder]
  }

  /// Accesses the property with the text of an entry; nil for all names except `textNames`.
  subscript(name: FourCharacterCode) -> String? {
    get {
      switch name {
      case .title: title
      case .artist: artist
      case .album: album
      case .date: date
      case .comment: comment
      case .encoder: encoder
      default: nil
      }
    }
    set {
      switch name {
      case .title: title = newValue
      case .artist: artist = newValue
      case .album: album = newValue
      case .date: date = newValue
      case .comment: comment = newValue
      case .encoder: encoder = newValue
      default: break
      }
    }
  }

  /// The maximum size of written tags in bytes; readers load them as a whole.
  static let byteLimit = 1 << 26

  /// The maximum size of one other entry that is kept when reading, in bytes.
  static let itemLimit = 1 << 20
  /// The maximum size of all other entries together, in bytes.
  static let otherItemsLimit = 1 << 22

  /// Returns whether bytes are one box with a 32-bit size.
  static func isItem(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count >= 8 && bytes.prefix(4).number() == UInt64(bytes.count)
  }

  /// Returns `items` without additional values of properties that are set here.
  package func withoutFurtherValues(_ items: [[UInt8]]) -> [[UInt8]] {
    var names = Self.textNames.filter { $0 != .encoder && self[$0] != nil }
    if !coverImage.isEmpty { names.append(.cover) }
    return items.filter { item in
      !names.contains { item.dropFirst(4).starts(with: $0.bytes) }
    }
  }

  /// The format of the content of a `data` box.
  enum ContentKind: UInt32 {
    case numbers = 0
    case utf8 = 1
    case jpeg = 13
    case png = 14
    /// A signed number, big-endian.
    case integer = 21
  }

  /// The maximum size of a cover from another file, in bytes.
  package static let coverLimit = 8_000_000

  /// The format of the cover, detected from its first bytes.
  var coverKind: ContentKind? { Self.coverKind(coverImage[...]) }

  /// Returns whether a picture is a JPEG or PNG file, the formats of covers in M4A files.
  package static func isCover(_ picture: ArraySlice<UInt8>) -> Bool { coverKind(picture) != nil }

  private static func coverKind(_ picture: ArraySlice<UInt8>) -> ContentKind? {
    if picture.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if picture.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    return nil
  }

  func validate() throws(ContainerError) {
    guard coverImage.isEmpty || coverKind != nil else { throw .unrecognizedCoverImage }
    var count = coverImage.count
    for name in Self.textNames { count += self[name]?.utf8.count ?? 0 }
    for item in otherItems { count += item.count }
    guard count <= Self.byteLimit else {
      throw .tagsTooLong(byteCount: count, limit: Self.byteLimit)
    }
  }

  /// Whether no tags are set.
  package var isEmpty: Bool {
    Self.textNames.allSatisfy { self[$0] == nil } && coverImage.isEmpty && otherItems.isEmpty
      && chapters.isEmpty && loudness == nil
  }
}

extension BoxWriter {
  /// Writes `udta` with the chapters, and the tags followed by custom tags.
  mutating func putUserData(_ tags: MP4Tags, freeForm: [FreeFormTag]) {
    if tags.isEmpty && freeForm.isEmpty { return }
    box(.userData) { box in
      MP4Chapter.put(tags.chapters, to: &box)
      box.fullBox(.metadata) { box in
        box.putHandler(.iTunesHandler, manufacturer: .apple, name: "")
        box.box(.itemList) { box in
          box.putItems(tags)
          for tag in freeForm { box.putFreeForm(tag) }
        }
      }
    }
  }

  mutating func putItems(_ tags: MP4Tags) {
    for name in MP4Tags.textNames {
      if let text = tags[name] { box(name) { $0.putData(Array(text.utf8), kind: .utf8) } }
    }
    if let kind = tags.coverKind { box(.cover) { $0.putData(tags.coverImage, kind: kind) } }
    for item in tags.otherItems where MP4Tags.isItem(item[...]) { put(item) }
  }

  /// Writes a custom tag as an entry of the item list.
  mutating func putFreeForm(_ tag: FreeFormTag) {
    box(.freeForm) { box in
      box.fullBox(.meaning) { $0.put(tag.meaning) }
      box.fullBox(.name) { $0.put(tag.name) }
      for text in tag.texts { box.putData(text, kind: .utf8) }
    }
  }

  mutating func putData(_ bytes: [UInt8], kind: MP4Tags.ContentKind) {
    // The flags of the box hold the kind; a zero locale follows.
    fullBox(.itemData, flags: kind.rawValue) { box in
      box.putZeros(4)
      box.put(bytes)
    }
  }
}

// Passes tags from the module that reads one file to the module that writes another file.
extension MP4Tags {
  /// The entries of the item list, concatenated: all tags except the loudness box.
  ///
  /// A separate entry for each chapter follows, in a form that exists only here.
  package var items: [UInt8] {
    BoxWriter.bytes { box in
      box.putItems(self)
      for chapter in chapters { chapter.putItem(to: &box) }
    }
  }

  /// Adds a custom tag to the entries of the item list.
  mutating func addFreeForm(_ tag: FreeFormTag) {
    otherItems.append(BoxWriter.bytes { $0.putFreeForm(tag) })
  }

  /// Removes entries that describe the previous encoding.
  package mutating func removeEncodingParameters() {
    otherItems = otherItems.filter { item in
      FreeFormTag(item: item)?.name.elementsEqual("Encoding Params".utf8) != true
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
    if isNamed(.chapterList) { return chapters.append(MP4Chapter(item: item)) }
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

/// A custom tag in the item list: its domain, its name, and one or more texts.
struct FreeFormTag: Equatable, Sendable {
  /// The domain of the program that defined the tag, such as "com.apple.iTunes".
  var meaning: [UInt8]
  var name: [UInt8]
  /// The texts in UTF-8.
  var texts: [[UInt8]]
}

extension FreeFormTag {
  /// Reads an entry of the item list; returns nil if it is not a custom tag.
  init?(item: [UInt8]) {
    guard MP4Tags.isItem(item[...]),
      item[4..<8].elementsEqual(FourCharacterCode.freeForm.bytes)
    else { return nil }
    self.init(meaning: [], name: [], texts: [])
    var list = BoxList(item, in: 8..<item.count, fileOffset: 0)
    // The damage of the item was reported when the file was read.
    var ignored = DamageLog()
    while let box = list.next(&ignored) {
      // A kind and a locale precede the text; version and flags precede the other contents.
      switch box.type {
      case .meaning: meaning = Array(item[box.content].dropFirst(4))
      case .name: name = Array(item[box.content].dropFirst(4))
      case .itemData: texts.append(Array(item[box.content].dropFirst(8)))
      default: break
      }
    }
  }
}
