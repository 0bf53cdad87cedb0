import AacornContainers
import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

@Suite struct TextTests {
  @Test func jsonIsNeverInvalidUnicode() {
    let name = PathText.decode([0x61, 0xFF])
    #expect(JSONValue.text(name).encoded == "\"a\u{FFFD}\"")
  }

  @Test(
    arguments: [
      Array("plain.wav".utf8), Array("ümläut 日本.wav".utf8), [0xFF], [0x61, 0xC3, 0x62],
      [0xE2, 0x82], [0xED, 0xA0, 0x80], [0x80, 0xC3, 0xA9, 0x80], [],
      // The UTF-8 form of the private character that represents the byte 0xCB.
      [0xF4, 0x8F, 0xBB, 0x8B], [0xFF, 0xF4, 0x8F, 0xBB, 0x8B, 0x61],
    ] as [[UInt8]])
  func fileNamesKeepTheirBytes(bytes: [UInt8]) {
    #expect(PathText.encode(PathText.decode(bytes)) == bytes)
  }

  @Test(
    arguments: [
      "", "plain.wav", "ümläut 日本 🎙", "\u{0}", "\u{FFFD}", "\u{10FFFF}", "e\u{301}", "\u{FEFF}a",
    ])
  func validUTF8IsText(text: String) {
    // Strings with different scalars may be equal, so the test compares bytes.
    #expect(String(utf8: Array(text.utf8)).map { Array($0.utf8) } == Array(text.utf8))
  }

  // A continuation byte, truncated, overlong, a surrogate, and above the last scalar.
  @Test(
    arguments: [
      [0x80], [0xFF], [0x61, 0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x8E], [0xC0, 0x80],
      [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3, 0x62, 0x63],
    ] as [[UInt8]])
  func invalidUTF8BytesYieldNil(bytes: [UInt8]) {
    #expect(String(utf8: bytes) == nil)
    #expect(String(utf8: [0x61] + bytes + [0x62]) == nil)
  }

  @Test func controlCharactersAreShownNotSent() {
    #expect(displayed("a\u{1B}[2Jb\n") == "a\\x1b[2Jb\\x0a")
    #expect(displayed("x\u{202E}gpj") == "x\\x202egpj")
    #expect(displayed("Größe 日本") == "Größe 日本")
    // Byte 0x9B starts a control sequence in a terminal without UTF-8. Byte 0xE9 is a letter there.
    #expect(displayed(PathText.decode([0x61, 0x9B, 0x32, 0x4A])) == "a\\x9b2J")
    #expect(displayed(PathText.decode([0xE9])) == PathText.decode([0xE9]))
  }

  @Test func invisibleAndBidirectionalCharactersAreEscaped() {
    let values: [ClosedRange<UInt32>] = [
      0xAD...0xAD, 0x61C...0x61C, 0x180E...0x180E, 0x200B...0x200F, 0x2028...0x202E,
      0x2060...0x206F, 0xFEFF...0xFEFF, 0xE0000...0xE007F,
    ]
    for value in values.joined() {
      let scalar = Unicode.Scalar(value).map(String.init) ?? ""
      #expect(displayed("a\(scalar)b") == "a\\x\(String(value, radix: 16))b")
    }
    // Right-to-left letters, combining accents, and emoji with variation selectors.
    for text in [
      "שלום", "مرحبا", "e\u{301}", "❤\u{FE0F}", "☎\u{FE0E}", "🎙", "👩\u{200D}💻",
      "👩🏽\u{200D}🚀", "🏳\u{FE0F}\u{200D}🌈",
    ] { #expect(displayed(text) == text) }
    for text in ["\u{200D}", "👩\u{200D}", "\u{200D}💻", "a\u{200D}💻", "1\u{200D}2"] {
      #expect(displayed(text).contains("\\x200d"))
    }
  }

  @Test func nearestNameForgivesOneMistakeInThreeLetters() {
    let names = ["--bitrate", "--bandwidth", "--force"]
    #expect(NearestName.to("--bitrat", among: names) == "--bitrate")
    #expect(NearestName.to("--badnwidth", among: names) == "--bandwidth")
    #expect(NearestName.to("--forec", among: names) == "--force")
    // Swapped letters are one mistake.
    #expect(NearestName.to("--arb", among: ["--abr"]) == "--abr")
    #expect(NearestName.to("--band", among: names) == "--bandwidth")
    #expect(NearestName.to("--quality", among: names) == nil)
    #expect(NearestName.to("-x", among: ["-o", "-b"]) == nil)
    #expect(NearestName.to("", among: names) == nil)
  }

  @Test func pathsAreSplitIntoComponents() {
    #expect(FileName.last("a/b/c.wav") == "c.wav")
    #expect(FileName.last("a/b/") == "b")
    #expect(FileName.folder("a/b/c.wav") == "a/b")
    #expect(FileName.folder("c.wav") == ".")
    #expect(FileName.folder("/c.wav") == "/")
    #expect(FileName.suffix("a.b/C.WAV") == "wav")
    #expect(FileName.suffix("a.b/c") == "")
    #expect(FileName.suffix(".hidden") == "")
    #expect(FileName.replacingSuffix("a.b/c", with: "m4a") == "a.b/c.m4a")
    #expect(FileName.replacingSuffix("x.y.wav", with: "m4a") == "x.y.m4a")
    #expect(FileName.replacingSuffix("/x.wav", with: "m4a") == "/x.m4a")
    #expect(FileName.replacingSuffix("./x.wav", with: "m4a") == "x.m4a")
    #expect(FileName.joined("/", "x") == "/x")
  }

  @Test func pathsInMissingFoldersHaveOneSpelling() {
    let folder = TemporaryFolder()
    for (name, same) in [
      ("missing/../x", "x"), ("missing/./../x", "x"), ("missing/a/../../x", "x"), ("./x", "x"),
      ("missing/./x", "missing/x"), ("missing/a/../x", "missing/x"),
    ] {
      #expect(FileName.canonical(folder.path(name)) == FileName.canonical(folder.path(same)))
    }
  }

  @Test func exitStatusOfManyFilesIsTheirCommonReason() {
    #expect(ExitStatus.combining([]) == .success)
    #expect(ExitStatus.combining([.cannotRead, .cannotRead]) == .cannotRead)
    #expect(ExitStatus.combining([.cannotRead, .cannotWrite]) == .failed)
    #expect(ExitStatus.combining([.failed, .interrupted(by: 2)]).code == 130)
  }
}
