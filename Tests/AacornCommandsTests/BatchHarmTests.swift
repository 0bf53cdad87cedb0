import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// Harm to files that a manifest or a command line must not cause.
@Suite struct BatchHarmTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()
  private let sound = wavFile(frames: 3000)

  init() throws {
    try folder.write(sound, to: "a.wav")
  }

  @Test func noOutputIsAnInputThroughALink() throws {
    folder.link("link.m4a", to: "a.wav")
    try folder.write(wavFile(frames: 4000), to: "b.wav")
    for input in ["a.wav", "b.wav"] {
      let path = try folder.write(lines: [folder.line(input, output: "link.m4a")])
      captured.aacorn("batch", "-f", path, status: .failed)
      #expect(try folder.read("a.wav") == sound)
    }
    captured.expectErrors("is an input and cannot also be the output", "is a symbolic link")
  }

  @Test func foldersAreComparedHoweverTheyAreSpelled() throws {
    try folder.write(sound, to: "in/a.m4a")
    folder.link("other", to: "in")
    for output in ["other/a.m4a", "missing/../in/a.m4a", "in/../other/./a.m4a"] {
      for input in ["in/a.m4a", "a.wav"] {
        let path = try folder.write(lines: [
          folder.line(input, output: output), folder.line("in/a.m4a", output: "c.m4a"),
        ])
        captured.aacorn("batch", "-f", path, status: .usage)
        #expect(try folder.read("in/a.m4a") == sound)
      }
    }
    captured.expectErrors("would replace its own input", "which line 2 reads")
    let twice = try folder.write(lines: [
      folder.line("a.wav", output: "in/b.m4a"), folder.line("a.wav", output: "other/b.m4a"),
    ])
    captured.aacorn("batch", twice, status: .usage, errors: "Lines 1 and 2 both write")
  }

  /// A list made by `find` contains the manifest itself.
  @Test func manifestThatListsItselfFailsOnlyThatLine() throws {
    let path = try folder.write(lines: [folder.path("a.wav"), folder.path("all.txt")])
    captured.aacorn("batch", path, status: .failed)
    captured.expectErrors("all.txt” is a file of this run and cannot be an input or output")
    #expect(folder.names.contains("a.m4a") && !folder.names.contains("all.m4a"))
  }

  @Test func everyPartFindsTheConflictsOfItsOutputs() throws {
    var lines = (1...900).map { "\(folder.path("\($0).wav"))" }
    lines[850] = folder.path("./11.wav")
    lines[870] = folder.line("20.m4a", output: "x.m4a")
    let path = try folder.write(lines: lines)
    func faults(_ shard: Shard = Shard()) throws -> [String] {
      var settings = BatchCommand()
      settings.shard = shard
      let check = try ManifestCheck(path, settings, Interruption())
      #expect(check.faultCount == check.faults.count)
      if shard.count == 1 { #expect(check.lineCount == 900) }
      return check.faults
    }
    let all = try faults()
    #expect(all.count == 2)
    #expect(all.first?.hasPrefix("Lines 11 and 851 both write “") == true)
    #expect(all.last?.hasPrefix("Line 20 would replace “") == true)
    #expect(all.last?.hasSuffix("which line 871 reads.") == true)
    // A fault is found by the shard that writes the affected file.
    let ofParts = try (0..<3).flatMap { try faults(Shard(index: $0, count: 3)) }
    #expect(Set(ofParts) == Set(all))
    #expect(folder.names == ["a.wav", "all.txt"])
  }

  @Test(arguments: [
    ("effects", "@secret.txt", "reads its effects from a file"),
    ("cover", "/etc/c.jpg", "reads the cover “/etc/c.jpg” from outside the folder of its input"),
    ("cover", "FOLDER/c.jpg", "reads the cover “FOLDER/c.jpg” from outside"),
    ("cover", "FOLDER/sounds/../c.jpg", "reads the cover “FOLDER/sounds/../c.jpg” from outside"),
    ("cover", "FOLDER/sounds/link.jpg", "reads the cover “FOLDER/sounds/link.jpg” from outside"),
    ("raw-format", "s16le", "reads its input as raw samples"),
    ("cover", "FOLDER/soundsheet/c.jpg", "reads the cover “FOLDER/soundsheet/c.jpg” from outside"),
  ])
  func manifestLineCannotReadOtherFiles(
    setting: String, value: String, words: String
  ) throws {
    try folder.write(sound, to: "sounds/a.wav")
    try folder.write([0xFF, 0xD8, 0xFF, 1], to: "soundsheet/c.jpg")
    folder.link("sounds/link.jpg", to: folder.path("soundsheet/c.jpg"))
    let value = value.replacing("FOLDER", with: folder.path)
    let words = words.replacing("FOLDER", with: folder.path)
    let path = try folder.write(lines: [
      folder.line("a.wav", output: "a.m4a"),
      "{\"input\": \"\(folder.path("sounds/a.wav"))\", \"\(setting)\": \"\(value)\"}",
    ])
    captured.aacorn("batch", path, status: .usage)
    captured.expectErrors("Line 2 \(words)", ", which needs --trust-manifest.")
    #expect(!folder.names.contains("a.m4a"))
  }

  @Test func coversBesideTheInputAndThoseOfATrustedManifestAreRead() throws {
    try folder.write(sound, to: "sounds/a.wav")
    for name in ["sounds/c.jpg", "sounds/art/c.jpg", "c.jpg"] {
      try folder.write([0xFF, 0xD8, 0xFF, 1], to: name)
    }
    for (index, cover) in ["sounds/c.jpg", "sounds/art/../art/c.jpg", "c.jpg"].enumerated() {
      let path = try folder.write(lines: [
        folder.line("sounds/a.wav", cover: cover, output: "\(index).m4a")
      ])
      let options = index == 2 ? ["--trust-manifest"] : []
      captured.aacorn(["batch", path] + options)
    }
    let path = try folder.write(lines: [
      "{\"input\": \"\(folder.path("a.wav"))\", \"cover\": \"-\"}"
    ])
    captured.aacorn("batch", "--trust-manifest", path, status: .usage)
  }

  @Test func coverOfTheCommandLineNeedsNoTrustInTheManifest() throws {
    try folder.write(sound, to: "sounds/a.wav")
    let cover = try folder.write([0xFF, 0xD8, 0xFF, 1], to: "covers/c.jpg")
    let path = try folder.write(lines: [folder.line("sounds/a.wav", output: "a.m4a")])
    captured.aacorn("batch", path, "--cover", cover)
    #expect(folder.names.contains("a.m4a"))
  }

  /// A worker would wait forever for a writer to open the pipe.
  @Test func aCoverThatIsANamedPipeIsRefused() throws {
    folder.makePipe("c.jpg")
    let path = try folder.write(lines: [folder.line("a.wav", cover: "c.jpg")])
    captured.aacorn("batch", path, status: .usage)
    captured.expectErrors("Line 1 names “", "c.jpg”, which is not a file.")
    #expect(!folder.names.contains("a.m4a"))
  }

  @Test func theLedgerReplacesNothing() throws {
    let path = try folder.write(lines: [folder.line("a.wav", output: "a.m4a")])
    let before = try folder.read("all.txt")
    try folder.write([1, 2], to: "notes")
    let arguments: [([String], AacornCommands.ExitStatus)] = [
      (["--ledger", path], .usage), (["--ledger", folder.path("a.wav")], .usage),
      (["--ledger", folder.path("notes")], .cannotWrite),
    ]
    for (words, status) in arguments {
      #expect(captured.run(["batch", path] + words) == status, "\(words)")
    }
    #expect(try folder.read("all.txt") == before)
    #expect(try folder.read("a.wav") == sound)
    #expect(try folder.read("notes") == [1, 2])
    #expect(!folder.names.contains("a.m4a"))
    captured.expectErrors("is not a ledger")
  }

  @Test func ledgerWithTruncatedFirstLineResumes() throws {
    let path = try folder.write(lines: [folder.line("a.wav", output: "a.m4a")])
    try folder.write(#"{"line":1,"inp"#, to: "all.txt.ledger")
    captured.aacorn("batch", path)
    captured.aacorn("batch", path, output: "1 already done")
  }

  @Test func namedPipeAsManifestFails() throws {
    folder.makePipe("pipe")
    captured.aacorn("batch", folder.path("pipe"), status: .cannotRead)
    captured.expectErrors("through standard input")
    captured.aacorn("batch", "--ledger", folder.path("l"), "/dev/null")
  }

  @Test func invalidUTF8NamesGetSeparateOutputs() throws {
    var bytes: [UInt8] = []
    for byte: UInt8 in [0xE8, 0xE9] {
      let name = Array((folder.path + "/caf").utf8) + [byte] + Array(".wav".utf8)
      bytes += name + [0x0A]
      let file = try OutputFile(
        PathText.decode(name), replacing: true, interruption: Interruption())
      try file.write(wavFile(frames: 3000 + Int(byte)))
      try file.commit()
    }
    let path = try folder.write(bytes, to: "all.txt")
    captured.aacorn("batch", path, output: "2 files encoded")
    captured.aacorn("batch", path, output: "2 already done")
  }

  @Test func aLongLineIsAFaultOfTheManifest() throws {
    let path = try folder.write(lines: [
      folder.path("a.wav"), String(repeating: "a", count: 1 << 21),
    ])
    captured.aacorn("batch", path, status: .usage, errors: "Line 2 is longer than 1 MB")
    #expect(!folder.names.contains("a.m4a"))
  }

  @Test func pathThroughFileIsPostponedWithoutRetry() throws {
    try folder.write([0], to: "wall")
    for output in ["wall/a.m4a", "wall/b/a.m4a"] {
      let path = try folder.write(lines: [folder.line("a.wav", output: output)])
      captured.aacorn("batch", path, status: .failed)
      let last = try folder.read("all.txt.ledger").split(separator: UInt8(ascii: "\n")).last
      let entry = try #require(last.flatMap { LedgerEntry($0) })
      #expect(entry.outcome == .postponed && entry.attemptCount == 1)
    }
  }

  @Test func existingOutputWithLongNameIsCompared() throws {
    let name = String(repeating: "n", count: 251) + ".m4a"
    let path = try folder.write(lines: [folder.line("a.wav", output: name)])
    captured.aacorn("batch", path)
    try System.remove(path + ".ledger")
    captured.aacorn("batch", path)
  }
}
