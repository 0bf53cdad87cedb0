import Testing

@testable import AacornContainers

/// The conversion of ID3v2 tags to the tags of M4A files.
@Suite struct ID3ParserTests {
  /// Returns a tag of version 2.2, 2.3 or 2.4.
  private func tag(_ version: UInt8, flags: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
    let size = content.count
    return Array("ID3".utf8) + [version, 0, flags, 0, UInt8(size >> 14), UInt8(size >> 7 & 127)]
      + [UInt8(size & 127)] + content
  }

  /// Returns a frame.
  ///
  /// Sizes below 128 have the same coding in all versions, except for the number of bytes.
  private func frame(_ name: String, flags: UInt8 = 0, _ body: [UInt8]) -> [UInt8] {
    let size = UInt8(body.count)
    return Array(name.utf8) + (name.utf8.count == 3 ? [0, 0, size] : [0, 0, 0, size, 0, flags])
      + body
  }

  private func latin(_ text: String) -> [UInt8] { [0] + Array(text.utf8) }

  /// Returns an item with a name that has no property: type and locale, then these bytes.
  private func item(_ name: [UInt8], _ kind: UInt8, _ data: [UInt8]) -> [UInt8] {
    let inner = [0, 0, 0, UInt8(16 + data.count)] + Array("data".utf8)
    return [0, 0, 0, UInt8(24 + data.count)] + name + inner
      + [0, 0, 0, kind, 0, 0, 0, 0] + data
  }

  @Test(arguments: [UInt8(2), 3, 4])
  func textsOfAllVersionsAreRead(version: UInt8) {
    let names =
      version == 2
      ? ["TT2", "TP1", "TAL", "TYE", "TRK", "TCO"]
      : ["TIT2", "TPE1", "TALB", version == 3 ? "TYER" : "TDRC", "TRCK", "TCON"]
    let values = ["A title", "Somebody", "An album", "2001", "3/12", "(17)"]
    var content = zip(names, values).flatMap { frame($0, latin($1)) }
    content += [UInt8](repeating: 0, count: 20)
    let tags = MP4Tags(id3: tag(version, content) + [0xFF, 0xF1])
    #expect(tags.title == "A title" && tags.artist == "Somebody" && tags.album == "An album")
    #expect(tags.date == "2001" && tags.comment == nil && tags.coverImage.isEmpty)
    let items = [
      item([0xA9] + Array("gen".utf8), 1, Array("Rock".utf8)),
      item(Array("trkn".utf8), 0, [0, 0, 0, 3, 0, 12, 0, 0]),
    ]
    #expect(tags.otherItems == items)
  }

  @Test func textsOfAllEncodingsAreRead() {
    func title(_ body: [UInt8]) -> String? { MP4Tags(id3: tag(4, frame("TIT2", body))).title }
    #expect(title([0, 0x47, 0xFC, 0x6E, 0]) == "Gün")
    #expect(title([1, 0xFF, 0xFE, 0x47, 0, 0xFC, 0, 0x3D, 0xD8, 0, 0xDE]) == "Gü😀")
    #expect(title([1, 0xFE, 0xFF, 0, 0x47, 0, 0xFC, 0, 0]) == "Gü")
    #expect(title([2, 0, 0x47, 0, 0xFC]) == "Gü")
    #expect(title([3] + Array("Gün".utf8)) == "Gün")
    // Several values, and no value.
    #expect(title([3] + Array("A\0B\0".utf8)) == "A; B")
    #expect(title([0]) == nil && title([]) == nil)
  }

  @Test func everyTextMayHaveItsOwnByteOrder() {
    // An empty description without a byte order mark, then a big-endian text; then both with
    // different marks.
    for description: [UInt8] in [[0, 0], [0xFF, 0xFE, 0, 0]] {
      let body: [UInt8] = [1, 0x65, 0x6E, 0x67] + description + [0xFE, 0xFF, 0, 0x48, 0, 0xFC]
      #expect(MP4Tags(id3: tag(3, frame("COMM", body))).comment == "Hü")
    }
  }

  @Test func commentsGenresAndPicturesAreRead() {
    let note = frame("COMM", latin("engiTunNORM\0 00001")) + frame("TENC", latin("x"))
    let comment = frame("COMM", latin("eng\0Well said"))
    let genre = frame("TCON", latin("(8)Jazz"))
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2]
    let picture = frame("APIC", latin("image/jpeg\0\u{3}Front\0") + jpeg)
    let tags = MP4Tags(id3: tag(3, note + comment + genre + picture))
    #expect(tags.comment == "Well said" && tags.coverImage == jpeg)
    #expect(tags.otherItems == [item([0xA9] + Array("gen".utf8), 1, Array("Jazz".utf8))])
    let old = frame("PIC", latin("JPG\u{3}\0") + jpeg)
    #expect(MP4Tags(id3: tag(2, old)).coverImage == jpeg)
    // A picture that cannot be written is skipped.
    let other = frame("APIC", latin("-->\0\u{3}\0https://example.org/a.jpg"))
    #expect(MP4Tags(id3: tag(3, other)).isEmpty)
  }

  @Test func flagsAreHonored() {
    // A zero after 0xFF is not part of the content.
    let safe = frame("TIT2", flags: 2, [0, 0xFF, 0, 0x41])
    #expect(MP4Tags(id3: tag(4, safe)).title == "ÿA")
    // With a group identifier and a data length indicator.
    let grouped = frame("TIT2", flags: 0x41, [7, 0, 0, 0, 2, 0, 0x41])
    #expect(MP4Tags(id3: tag(4, grouped)).title == "A")
    #expect(MP4Tags(id3: tag(4, frame("TIT2", flags: 8, latin("A")))).title == nil)
    // An extended header.
    let extended = [0, 0, 0, 6, 0, 0, 0, 0, 0, 0] + frame("TIT2", latin("A"))
    #expect(MP4Tags(id3: tag(3, flags: 0x40, extended)).title == "A")
  }

  @Test func namedTextsAndIdentifiersBecomeCustomTags() {
    let frames = [
      frame("TXXX", latin("MusicBrainz Album Id\0abc")), frame("TXXX", latin("MOOD\0calm")),
      frame("TXXX", latin("MOOD\0wild")), frame("TSRC", latin("DE123")),
      frame("UFID", Array("http://musicbrainz.org\0xyz".utf8)),
      frame("WXXX", latin("\0http://example.org")), frame("WOAR", Array("http://a.example".utf8)),
      frame("COMM", latin("engnote\0remark")), frame("TSSE", latin("encoder")),
    ]
    let tags = MP4Tags(id3: tag(3, frames.flatMap(\.self)))
    #expect(
      tags.itemTexts == [
        "MusicBrainz Album Id=abc", "MOOD=calm|wild", "ISRC=DE123", "MUSICBRAINZ_TRACKID=xyz",
        "URL=http://example.org", "WOAR=http://a.example", "note=remark",
      ])
    #expect(tags.comment == nil)
  }

  @Test func datesOfVersion3AndChaptersAreRead() {
    let date = frame("TYER", latin("2001")) + frame("TDAT", latin("3105"))
    func chapter(_ milliseconds: UInt8, _ title: String) -> [UInt8] {
      let title = frame("TIT2", latin(title))
      return frame(
        "CHAP",
        Array("c\0".utf8) + [0, 0, milliseconds, 0] + [UInt8](repeating: 0, count: 12) + title)
    }
    let tags = MP4Tags(id3: tag(3, date + chapter(2, "Two") + chapter(0, "One")))
    #expect(tags.date == "2001-05-31")
    #expect(
      tags.chapters == [
        MP4Chapter(start: 0, title: "One"), MP4Chapter(start: 512 * 10_000, title: "Two"),
      ])
  }

  @Test func sizesWithAllBitsAreRead() {
    // The size is 256 with eight bits per byte; with seven bits per byte it would be 128.
    let body = latin(String(repeating: "a", count: 255))
    let long = Array("TIT2".utf8) + [0, 0, 1, 0, 0, 0] + body
    let tags = MP4Tags(id3: tag(4, long + frame("TALB", latin("b"))))
    #expect(tags.title?.utf8.count == 255 && tags.album == "b")
  }

  @Test(arguments: [
    ("(17)", "Rock"), ("17", "Rock"), ("(31)(39)", "Trance; Noise"), ("(RX)", "Remix"),
    ("((x)", "(x)"), ("(4)Eurodisco", "Eurodisco"), ("999", "999"), ("(999)", "(999)"),
  ])
  func genresAreNamed(text: String, genre: String) {
    let tags = MP4Tags(id3: tag(3, frame("TCON", latin(text))))
    #expect(tags.otherItems == [item([0xA9] + Array("gen".utf8), 1, Array(genre.utf8))])
  }

  @Test func truncatedOrForeignTagIsEmpty() {
    #expect(MP4Tags(id3: []).isEmpty)
    #expect(MP4Tags(id3: Array("ID3".utf8)).isEmpty)
    #expect(MP4Tags(id3: Array("RIFF, and then more".utf8)).isEmpty)
    let whole = tag(4, frame("TIT2", latin("A title")))
    for count in 0..<whole.count { #expect(MP4Tags(id3: Array(whole[..<count])).isEmpty) }
  }
}
