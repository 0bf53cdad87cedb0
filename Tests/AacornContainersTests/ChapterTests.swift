import AacornCodec
import Testing

@testable import AacornContainers

struct ChapterTests {
  private func chapters(_ count: Int) -> [MP4Chapter] {
    (0..<count).map { MP4Chapter(start: UInt64($0) * 12_345_678, title: "Chapter \($0)") }
  }

  private func numbered(_ numbers: Range<Int>) -> [MP4Chapter] {
    numbers.map { MP4Chapter(start: UInt64($0) * 50_000, title: "\($0)") }
  }

  @Test(arguments: [MP4Writer.Layout.faststart, .moovAtEnd, .fragmented])
  func chaptersThatAreWrittenAreRead(layout: MP4Writer.Layout) throws {
    var tags = MP4Tags()
    tags.chapters = chapters(255)
    tags.chapters[7].title = ""
    tags.title = "A title"
    let reader = MP4Reader(file: try mp4File(tags, layout))
    #expect(reader.damage == [])
    #expect(reader.tags.chapters == tags.chapters)
    #expect(reader.tags.title == "A title")
  }

  /// The tags that one module passes to another one include all chapters.
  @Test func itemsOfTagsContainChapters() {
    var tags = MP4Tags()
    tags.title = "A title"
    tags.chapters = numbered(0..<300)
    tags.chapters[3].title = String(repeating: "ü", count: 200)
    tags.chapters[4].title = ""
    var other = MP4Tags()
    other.fill(fromItems: tags.items)
    #expect(other.title == "A title" && other.chapters == tags.chapters)
    #expect(other.otherItems.isEmpty)
    // An entry without content, and one with an impossible start.
    for bytes: [UInt8] in [
      [0, 0, 0, 8] + "chpl".utf8,
      [0, 0, 0, 17] + "chpl".utf8 + [UInt8](repeating: 0xFF, count: 8) + "x".utf8,
    ] {
      var hostile = MP4Tags()
      hostile.fill(fromItems: bytes)
      #expect(hostile.chapters.count == 1 && hostile.chapters[0].start <= MP4Chapter.startLimit)
    }
  }

  @Test(arguments: MP4WriterTests.layouts)
  func aListHasNoMoreThanAByteCounts(layout: MP4Writer.Layout) throws {
    var tags = MP4Tags()
    tags.chapters = numbered(0..<300)
    tags.chapters[0].title = String(repeating: "ü", count: 200)
    let read = MP4Reader(file: try mp4File(tags, layout)).tags.chapters
    // A fragmented file has no chapter track, but only the list `chpl`, which counts chapters in
    // one byte.
    let count = layout == .fragmented ? 255 : 300
    // The list limits the names to 255 bytes; “ü” has two bytes.
    if layout == .fragmented { tags.chapters[0].title = String(repeating: "ü", count: 127) }
    #expect(read == Array(tags.chapters[..<count]))
  }

  @Test(arguments: [2, 300])
  func theTimeBeforeTheFirstChapterIsKept(count: Int) throws {
    var tags = MP4Tags()
    tags.chapters = numbered(1..<count + 1)
    let written = try mp4File(tags)
    #expect(MP4Reader(file: written).tags.chapters == tags.chapters)
    // The chapter list of a file (chpl) has up to 255 chapters. Further chapters have their names
    // only in the media data before the list, where a reader of a pipe cannot go back to.
    var piped = CodedFileReader(byteCount: nil)
    _ = try codedSteps(of: &piped, written, isPiped: true)
    #expect(piped.movie?.hasUnreadChapters == (count > 255))
    // A first chapter without a name is kept.
    var unnamed = tags
    unnamed.chapters[0].start = 0
    unnamed.chapters[0].title = ""
    #expect(MP4Reader(file: try mp4File(unnamed)).tags.chapters == unnamed.chapters)
    // If the list is removed, the chapter track still has all chapters.
    var trackOnly = written
    let list = find("chpl", in: written)
    trackOnly.replaceSubrange(list..<list + 4, with: Array("free".utf8))
    #expect(MP4Reader(file: trackOnly).tags.chapters == tags.chapters)
  }

  @Test(arguments: [255, 256, 70_000])
  func longNamesAreWholeInTheTrack(length: Int) throws {
    var tags = MP4Tags()
    tags.chapters = [
      MP4Chapter(start: 0, title: "Short"),
      MP4Chapter(start: 5_000_001, title: String(repeating: "x", count: length)),
    ]
    let read = MP4Reader(file: try mp4File(tags)).tags.chapters
    #expect(read.map(\.start) == [0, 5_000_001])
    #expect(read.map(\.title.utf8.count) == [5, min(length, 65_535)])
  }

  @Test func foreignTagsAreUnchanged() throws {
    var box = BoxWriter()
    box.box(FourCharacterCode("t", "r", "k", "n")) { box in
      box.fullBox(.itemData) { box in
        box.putZeros(4)
        box.put([0, 0, 0, 1, 0, 2, 0, 0])
      }
    }
    let number = box.bytes
    box = BoxWriter()
    box.box(.freeForm) { box in
      box.fullBox(.meaning) { $0.put(Array("com.apple.iTunes".utf8)) }
      box.fullBox(.name) { $0.put(Array("MOOD".utf8)) }
      box.fullBox(.itemData, flags: 1) { box in
        box.putZeros(4)
        box.put(Array("calm".utf8))
      }
    }
    var tags = MP4Tags()
    tags.otherItems = [number, box.bytes]
    let written = try mp4File(tags)
    let reader = MP4Reader(file: written)
    #expect(reader.damage == [])
    #expect(reader.tags.otherItems == tags.otherItems)
    #expect(reader.lostTagCount == 0)
    #expect(reader.gaplessTag?.priming == 1024)
    // Writing the tags again adds nothing.
    #expect(try mp4File(reader.tags) == written)
  }

  @Test func furtherValuesOfATagAreKept() throws {
    func value(_ text: String, to box: inout BoxWriter) {
      box.fullBox(.itemData, flags: 1) { box in
        box.putZeros(4)
        box.put(Array(text.utf8))
      }
    }
    var second = BoxWriter()
    second.box(.artist) { box in
      value("B", to: &box)
      value("C", to: &box)
    }
    var same = BoxWriter()
    same.box(.artist) { value("A", to: &$0) }
    var tags = MP4Tags()
    tags.artist = "A"
    tags.otherItems = [same.bytes, second.bytes]
    let reader = MP4Reader(file: try mp4File(tags))
    #expect(reader.tags.artist == "A" && reader.tags.otherItems == [second.bytes])
    // Without the first entry, the other entry supplies the artist, and the item after it is kept.
    tags.artist = nil
    tags.otherItems = [second.bytes]
    let rest = MP4Reader(file: try mp4File(tags)).tags
    var third = BoxWriter()
    third.box(.artist) { value("C", to: &$0) }
    #expect(rest.artist == "B" && rest.otherItems == [third.bytes])
    #expect(rest.withoutFurtherValues(rest.otherItems).isEmpty)
    #expect(MP4Tags().withoutFurtherValues(rest.otherItems) == rest.otherItems)
  }

  @Test func aTagThatIsTooLongIsCounted() throws {
    var box = BoxWriter()
    box.box(FourCharacterCode("l", "o", "n", "g")) { $0.putZeros(1 << 20) }
    var tags = MP4Tags()
    tags.otherItems = [box.bytes]
    let reader = MP4Reader(file: try mp4File(tags))
    #expect(reader.tags.otherItems.isEmpty && reader.lostTagCount == 1)
  }

  // MARK: - Chapter tracks

  private func boxes(_ bytes: ArraySlice<UInt8>) -> [(FourCharacterCode, [UInt8])] {
    var list = BoxList(Array(bytes), in: 0..<bytes.count, fileOffset: 0)
    var damage = DamageLog()
    var boxes: [(FourCharacterCode, [UInt8])] = []
    let all = Array(bytes)
    while let box = list.next(&damage) { boxes.append((box.type, Array(all[box.content]))) }
    return boxes
  }

  /// Returns a file with a text track after the audio, with one of these names every half second.
  private func file(withTrack names: [[UInt8]], list: [MP4Chapter] = []) throws -> [UInt8] {
    let original = try mp4File(MP4Tags())
    var writer = BoxWriter()
    var movie: [UInt8] = []
    for (type, content) in boxes(original[...]) {
      if type == .movie { movie = content }
      // The audio keeps its position.
      writer.box(type == .movie ? .free : type) { $0.put(content) }
    }
    let offset = writer.byteCount + 8
    writer.box(.free) { box in
      for name in names {
        box.put16(UInt16(name.count))
        box.put(name)
      }
    }
    writer.box(.movie) { box in
      for (type, content) in boxes(movie[...]) {
        box.box(type) { box in
          box.put(content)
          if type == .track {
            box.box(.trackReference) { $0.box(.chapterReference) { $0.put32(2) } }
          }
        }
      }
      putTextTrack(names, at: offset, to: &box)
      box.box(.userData) { MP4Chapter.put(list, to: &$0) }
    }
    return writer.bytes
  }

  private func putTextTrack(_ names: [[UInt8]], at offset: Int, to box: inout BoxWriter) {
    box.box(.track) { box in
      box.fullBox(.trackHeader, flags: 1) { box in
        box.putZeros(8)
        box.put32(2)
        box.putZeros(68)
      }
      box.box(.media) { box in
        box.fullBox(.mediaHeader) { box in
          box.putZeros(8)
          box.put32(1000)
          box.putZeros(8)
        }
        box.fullBox(.handler) { box in
          box.putZeros(4)
          box.put(.textHandler)
          box.putZeros(13)
        }
        box.box(.mediaInformation) { box in
          box.box(.sampleTable) { box in
            box.fullBox(.timeToSample) { box in
              for number in [1, UInt32(names.count), 500] { box.put32(number) }
            }
            box.fullBox(.sampleToChunk) { box in
              for number in [1, 1, UInt32(names.count), 1] { box.put32(number) }
            }
            box.fullBox(.sampleSizes) { box in
              box.put32(0)
              box.put32(UInt32(names.count))
              for name in names { box.put32(UInt32(name.count + 2)) }
            }
            box.fullBox(.chunkOffsets) { box in
              box.put32(1)
              box.put32(UInt32(offset))
            }
          }
        }
      }
    }
  }

  private static let names: [[UInt8]] = [
    Array("Einführung".utf8), [], [0xFE, 0xFF, 0x00, 0x41, 0xD8, 0x3C, 0xDF, 0xB5],
    [0xFF, 0xFE, 0x42, 0x00],
  ]

  @Test func theNamesOfATrackAreRead() throws {
    let reader = MP4Reader(file: try file(withTrack: Self.names))
    #expect(reader.damage == [])
    #expect(reader.completeUnitCount == 90 && reader.ignoredTrackCount == 0)
    #expect(reader.tags.chapters.map(\.title) == ["Einführung", "", "A\u{1F3B5}", "B"])
    #expect(reader.tags.chapters.map(\.start) == [0, 5_000_000, 10_000_000, 15_000_000])
  }

  @Test func longerChapterSourceIsUsed() throws {
    let short = try file(withTrack: Self.names, list: chapters(2))
    #expect(MP4Reader(file: short).tags.chapters.count == 4)
    let long = try file(withTrack: Self.names, list: chapters(5))
    #expect(MP4Reader(file: long).tags.chapters == chapters(5))
  }

  @Test func unreachableChapterTrackIsIgnored() throws {
    let whole = try file(withTrack: Self.names)
    // The names are beyond the end of any file.
    var file = whole
    let table = try #require(Self.lastOffset(of: "stco", in: file))
    for index in 0..<4 { file[table + 16 + index] = 0x7F }
    let reader = MP4Reader(file: file)
    #expect(reader.tags.chapters.isEmpty && reader.damage == [])
    #expect(reader.completeUnitCount == 90)
    // A file that is truncated anywhere only loses chapters; reading it does not trap.
    for end in stride(from: whole.count - 400, to: whole.count, by: 7) {
      _ = MP4Reader(file: Array(whole[..<end])).tags.chapters
    }
  }

  private static func lastOffset(of name: String, in file: [UInt8]) -> Int? {
    let name = Array(name.utf8)
    return file.indices.reversed().first { file[$0...].starts(with: name) }.map { $0 - 4 }
  }
}
