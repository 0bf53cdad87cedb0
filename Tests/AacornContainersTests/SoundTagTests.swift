import Testing

@testable import AacornContainers

/// The conversion of tags of all kinds of audio files to the tags of M4A files.
@Suite struct SoundTagTests {
  private typealias Fixtures = SoundTagFixtures

  private static let entries = [
    "title=A title", "ARTIST=One", "ARTIST=Two", "ALBUM=Album", "DATE=2001-02-03", "YEAR=2001",
    "DESCRIPTION=Remark", "ALBUMARTIST=All", "ALBUM ARTIST=All", "TRACKNUMBER=03", "TRACKTOTAL=12",
    "DISCNUMBER=1/2", "COMPILATION=1", "BPM=128", "LYRICS=La la", "GENRE=Rock",
    "MUSICBRAINZ_TRACKID=abc", "REPLAYGAIN_TRACK_GAIN=-3.20 dB", "Performer=x", "PERFORMER=y",
    "ENCODER=old", "encoder settings=q5", "CUESHEET=FILE",
  ]

  private static let items = [
    "aART=All", "©gen=Rock", "trkn=[0, 0, 0, 3, 0, 12, 0, 0]", "disk=[0, 0, 0, 1, 0, 2]",
    "cpil=[1]", "tmpo=[0, 128]", "©lyr=La la", "MUSICBRAINZ_TRACKID=abc",
    "REPLAYGAIN_TRACK_GAIN=-3.20 dB", "PERFORMER=x|y", "CUESHEET=FILE",
  ]

  @Test func commentsOfFLACAndOggAreMapped() {
    let comment = Fixtures.comment(Self.entries)
    let vorbis = [Array("\u{1}vorbis".utf8), Array("\u{3}vorbis".utf8) + comment + [1]]
    let files = [
      Fixtures.flac([(4, comment)]), Fixtures.id3([]) + Fixtures.flac([(4, comment)]),
      Fixtures.ogg(vorbis), Fixtures.ogg(vorbis, segmentCount: 255),
      Fixtures.ogg([Array("OpusHead".utf8), Array("OpusTags".utf8) + comment]),
      Fixtures.ogg([Array("\u{7F}FLAC".utf8), Fixtures.flacBlock(4, isLast: true, comment)]),
    ]
    for file in files {
      let tags = MP4Tags(Fixtures.tags(file))
      #expect(tags.title == "A title" && tags.artist == "One; Two" && tags.album == "Album")
      #expect(tags.date == "2001-02-03" && tags.comment == "Remark" && tags.encoder == nil)
      #expect(tags.itemTexts == Self.items)
    }
  }

  @Test func valuesWithoutAPlaceAreKeptAsCustomTags() {
    let entries = [
      "TRACKNUMBER=A1", "BPM=128.5", "COMPILATION=maybe", "YEAR=1999", "DATE=2001", "COMMENT=a",
      "DESCRIPTION=b", "COMPOSERSORT=c",
    ]
    let tags = MP4Tags(Fixtures.tags(Fixtures.flac([(4, Fixtures.comment(entries))])))
    #expect(tags.date == "2001" && tags.comment == "a")
    #expect(
      tags.itemTexts == [
        "desc=b", "soco=c", "TRACKNUMBER=A1", "BPM=128.5", "COMPILATION=maybe", "YEAR=1999",
      ])
  }

  /// The time grows with the length of a file, not with its square.
  @Test func manyLongTagsTakeLittleTime() {
    let digits = String(repeating: "1", count: 1900)
    let names = (0..<4096).map { "CHAPTER\(digits)\(1000 + $0)" }
    let chapters = names.map { $0 + "=00:00:01.0" } + names.map { $0 + "NAME=t" }
    #expect(Fixtures.tags(Fixtures.flac([(4, Fixtures.comment(chapters))])).chapters.isEmpty)

    // One million values, of which the first 1024 are kept.
    let values = String((0..<20_000).flatMap { "\($0)\0" }.dropLast())
    let tag = Fixtures.id3([(name: String, text: String)](repeating: ("TIT2", values), count: 50))
    let tags = Fixtures.tags(tag)
    #expect(tags.entries.map(\.values.count) == [1024])
    #expect(tags.lostCount == 1_000_000 - 1024)

    // Names and values that differ only at their ends.
    let long = String(repeating: "X", count: 250)
    let value = String(repeating: "y", count: 3500)
    let entries = (0..<500).map { "\(long)\($0)=a" } + (0..<500).map { "A=\(value)\($0)" }
    let comment = Fixtures.tags(Fixtures.flac([(4, Fixtures.comment(entries + entries))]))
    #expect(comment.entries.count == 501 && comment.entries.last?.values.count == 500)
  }

  @Test func textsOfCAFAfterTheLastOneThatFitsAreLost() {
    let strings = (0..<3000).flatMap { Array("name\($0)\0value\0".utf8) }
    var tags = SoundTags()
    ChunkTags.readStrings(strings[...], &tags)
    #expect(tags.entries.count == 1024 && tags.lostCount == 3000 - 1024)
  }

  @Test func chaptersAreFoundByTheirWholeNumbers() {
    let numbers = ["1", "01", "001", "999999999", "2"]
    let entries = numbers.map { "CHAPTER\($0)=00:00:0\($0.count).0" }
    let names = numbers.reversed().map { "chapter\($0)name=\($0)" }
    let tags = Fixtures.tags(Fixtures.flac([(4, Fixtures.comment(entries + names))]))
    #expect(tags.chapters.map(\.title) == numbers)
  }

  @Test func chaptersHaveTheirTitlesInAnyOrder() {
    let entries = [
      "CHAPTER002NAME=Two", "CHAPTER001=00:00:00.000", "CHAPTER002=00:01:00.500",
      "CHAPTER003=00:02:00",
      "CHAPTER001NAME=One", "CHAPTERS=not one",
    ]
    let tags = MP4Tags(Fixtures.tags(Fixtures.flac([(4, Fixtures.comment(entries))])))
    #expect(tags.chapters.map(\.title) == ["One", "Two", ""])
    #expect(
      tags.chapters.map(\.start) == [
        0, 121 * MP4Chapter.unitsPerSecond / 2, 120 * MP4Chapter.unitsPerSecond,
      ])
    #expect(tags.itemTexts == ["CHAPTERS=not one"])
  }

  @Test func longNamesAndTooManyValuesAreCounted() {
    let name = String(repeating: "N", count: 256)
    let long = Fixtures.tags(
      Fixtures.id3([("TIT2", "a")]) + Fixtures.ape([(name, Array("a\0b".utf8), 0)]))
    #expect(long.lostCount == 1)
    let many = (0..<2000).map { "N\($0)=a" } + ["\(name)=a"]
    let tags = Fixtures.tags(Fixtures.flac([(4, Fixtures.comment(many))]))
    #expect(tags.lostCount == 2001 - 1024)
    #expect(MP4Tags(tags).itemTexts.count == 1024)
  }

  @Test func theFrontCoverIsTakenIfItIsAPicture() {
    let other: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB]
    let block = Fixtures.picture()
    let front = Fixtures.tags(Fixtures.flac([(6, Fixtures.picture(other, kind: 4)), (6, block)]))
    #expect(front.coverImage == Fixtures.jpeg && front.coverLoss == nil)
    let back = Fixtures.tags(Fixtures.flac([(6, block), (6, Fixtures.picture(other, kind: 4))]))
    #expect(back.coverImage == Fixtures.jpeg)
    let text = "METADATA_BLOCK_PICTURE=" + base64(block)
    let opus = [Array("OpusHead".utf8), Array("OpusTags".utf8) + Fixtures.comment([text])]
    #expect(Fixtures.tags(Fixtures.ogg(opus)).coverImage == Fixtures.jpeg)
    let gif = Fixtures.tags(Fixtures.flac([(6, Fixtures.picture(Array("GIF89a".utf8)))]))
    #expect(gif.coverImage.isEmpty && gif.coverLoss == .otherFormat)
    let large = [UInt8](repeating: 0xFF, count: MP4Tags.coverLimit + (1 << 16))
    let title = Fixtures.comment(["TITLE=a"])
    let huge = Fixtures.tags(Fixtures.flac([(6, Fixtures.picture(large)), (4, title)]))
    #expect(huge.coverImage.isEmpty && huge.coverLoss == .tooLong && MP4Tags(huge).title == "a")
  }

  @Test func chunksOfWAVAndAIFFAreRead() {
    let info = [
      ("INAM", "Name\0"), ("IART", "G\u{FC}n\0\0"), ("ITRK", "4\0"), ("IXYZ", "z"), ("ISFT", "x"),
    ]
    var list = Array("INFO".utf8)
    for (name, text) in info {
      list += Fixtures.chunk(name, text.unicodeScalars.map { UInt8($0.value) })
    }
    let id3 = Fixtures.id3([("TIT2", "A long name"), ("TPE2", "All")])
    let wav = Fixtures.wav(
      Fixtures.chunk("LIST", list) + Fixtures.chunk("data", [1, 2, 3]) + Fixtures.chunk("id3 ", id3)
    )
    let tags = MP4Tags(Fixtures.tags(wav))
    #expect(tags.title == "A long name" && tags.artist == "Gün")
    #expect(tags.itemTexts == ["aART=All", "trkn=[0, 0, 0, 4, 0, 0, 0, 0]", "IXYZ=z"])
    let aiff = Fixtures.aiff([
      ("NAME", Array("Piece".utf8)), ("SSND", [0]), ("AUTH", Array("Me".utf8)),
      ("ANNO", Array("One".utf8)), ("ANNO", Array("Two".utf8)), ("(c) ", Array("2001".utf8)),
    ])
    let texts = MP4Tags(Fixtures.tags(aiff))
    #expect(texts.title == "Piece" && texts.artist == "Me" && texts.comment == "One; Two")
    #expect(texts.itemTexts == ["cprt=2001"])
  }

  @Test func tagsAfterMP3SetMissingTags() {
    let sound: [UInt8] = [0xFF, 0xFB, 0x90, 0] + [UInt8](repeating: 0, count: 600)
    let old = Fixtures.id3v1(title: "Old", artist: "Me", track: 9, genre: 17)
    let alone = MP4Tags(Fixtures.tags(sound + old))
    #expect(alone.title == "Old" && alone.artist == "Me" && alone.date == "1999")
    #expect(alone.itemTexts == ["©gen=Rock", "trkn=[0, 0, 0, 9, 0, 0, 0, 0]"])
    let ape = Fixtures.ape([
      ("Title", Array("Ape".utf8), 0), ("Mood", Array("a\0b".utf8), 0),
      ("Cover Art (Front)", Array("a.jpg\0".utf8) + Fixtures.jpeg, 1),
    ])
    let both = MP4Tags(Fixtures.tags(Fixtures.id3([("TIT2", "New")]) + sound + ape + old))
    #expect(both.title == "New" && both.artist == nil && both.coverImage == Fixtures.jpeg)
    #expect(both.itemTexts == ["MOOD=a|b"])
  }

  @Test func itemsCarryTagsToAnotherModule() {
    let file = Fixtures.flac([(4, Fixtures.comment(Self.entries)), (6, Fixtures.picture())])
    let tags = MP4Tags(Fixtures.tags(file))
    var copy = MP4Tags()
    copy.title = "Other"
    copy.encoder = "This"
    copy.fill(fromItems: tags.items)
    #expect(copy.title == "Other" && copy.artist == "One; Two" && copy.encoder == "This")
    #expect(copy.date == tags.date && copy.comment == tags.comment && copy.album == tags.album)
    #expect(copy.coverImage == Fixtures.jpeg && copy.otherItems == tags.otherItems)
    // Items that are cut off contain the tags up to there, and none that is changed.
    var partialCount = 0
    for count in tags.items.indices {
      var part = MP4Tags()
      part.fill(fromItems: Array(tags.items[..<count]))
      for text in [\MP4Tags.title, \.artist, \.album, \.date, \.comment] {
        #expect(part[keyPath: text] == nil || part[keyPath: text] == tags[keyPath: text])
      }
      #expect(part.coverImage.isEmpty || part.coverImage == tags.coverImage)
      #expect(tags.otherItems.starts(with: part.otherItems))
      if part.title != nil, part.otherItems != tags.otherItems { partialCount += 1 }
    }
    #expect(partialCount > 0)
  }

  @Test func filesThatAreCutOffOrClaimTooMuchAreReadAsFarAsTheyGo() {
    let comment = Fixtures.comment([
      "TITLE=a", "METADATA_BLOCK_PICTURE=" + base64(Fixtures.picture()),
    ])
    let files = [
      Fixtures.flac([(4, comment), (6, Fixtures.picture())]),
      Fixtures.ogg([Array("OpusHead".utf8), Array("OpusTags".utf8) + comment]),
      Fixtures.wav(Fixtures.chunk("LIST", Array("INFO".utf8) + Fixtures.chunk("INAM", [0x61]))),
      Fixtures.aiff([("NAME", [0x61]), ("ID3 ", Fixtures.id3([("TIT2", "a")]))]),
      Fixtures.id3([("TIT2", "a")]) + Fixtures.ape([("Title", [0x61], 0)]),
    ]
    for file in files {
      #expect(MP4Tags(Fixtures.tags(file)).title == "a")
      for count in 0..<file.count { _ = MP4Tags(Fixtures.tags(Array(file[..<count]))) }
      for index in file.indices {
        var changed = file
        changed[index] = 0xFF
        _ = MP4Tags(Fixtures.tags(changed))
      }
    }
    let cut = Fixtures.flac([(4, Fixtures.comment(["TITLE=a", "ARTIST=b"]).dropLast(2))])
    #expect(Fixtures.tags(cut).isDamaged && MP4Tags(Fixtures.tags(cut)).title == "a")
  }

  private func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for index in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[index..<min(index + 3, bytes.count)]
      let bits = (group + [0, 0]).prefix(3).reduce(0) { $0 << 8 | Int($1) }
      let digits = [18, 12, 6, 0].map { letters[bits >> $0 & 63] }
      text += digits.prefix(group.count + 1) + [UInt8](repeating: 0x3D, count: 3 - group.count)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
