import AacornRecording
import AacornSystem
import Foundation
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

  private func manifest(_ lines: [String]) throws -> String {
    try folder.write(lines.map { $0 + "\n" }.joined(), to: "all.txt")
  }

  private func line(_ input: String, _ output: String) -> String {
    "{\"input\": \"\(folder.path(input))\", \"output\": \"\(folder.path(output))\"}"
  }

  @Test func noOutputIsAnInputThroughALink() throws {
    #expect(unsafe symlink("a.wav", folder.path("link.m4a")) == 0)
    try folder.write(wavFile(frames: 4000), to: "b.wav")
    for input in ["a.wav", "b.wav"] {
      let path = try manifest([line(input, "link.m4a")])
      #expect(captured.run(["batch", "-f", path]) == .failed)
      #expect(try folder.read("a.wav") == sound)
    }
    #expect(captured.errors.contains("is an input and cannot also be the output"))
    #expect(captured.errors.contains("is a symbolic link"))
  }

  @Test func foldersAreComparedHoweverTheyAreSpelled() throws {
    try folder.write(sound, to: "in/a.m4a")
    #expect(unsafe symlink("in", folder.path("other")) == 0)
    for output in ["other/a.m4a", "missing/../in/a.m4a", "in/../other/./a.m4a"] {
      for input in ["in/a.m4a", "a.wav"] {
        let path = try manifest([line(input, output), line("in/a.m4a", "c.m4a")])
        #expect(captured.run(["batch", "-f", path]) == .usage)
        #expect(try folder.read("in/a.m4a") == sound)
      }
    }
    #expect(captured.errors.contains("would replace its own input"))
    #expect(captured.errors.contains("which line 2 reads"))
    // The error is reported even if the two lines belong to different shards.
    let twice = try manifest([line("a.wav", "in/b.m4a"), line("a.wav", "other/b.m4a")])
    for part in ["1/1", "1/2", "2/2"] {
      let console = CapturedConsole()
      let status = console.run(["batch", "--shard", part, twice])
      #expect(status == .usage || console.output.contains("No files encoded"))
    }
    #expect(captured.run(["batch", twice]) == .usage)
    #expect(captured.errors.contains("Lines 1 and 2 both write"))
  }

  @Test(arguments: [
    ("effects", "ladspa ./evil.so:x", "loads the plugin “./evil.so” by its path"),
    ("effects", "gain 1, ladspa /tmp/evil.so:x", "loads the plugin “/tmp/evil.so” by its path"),
    ("effects", "@secret.txt", "reads its effects from a file"),
    ("cover", "/etc/c.jpg", "reads the cover “/etc/c.jpg” from outside the folder of its input"),
    ("cover", "FOLDER/c.jpg", "reads the cover “FOLDER/c.jpg” from outside"),
    ("cover", "FOLDER/sounds/../c.jpg", "reads the cover “FOLDER/sounds/../c.jpg” from outside"),
    ("cover", "FOLDER/sounds/link.jpg", "reads the cover “FOLDER/sounds/link.jpg” from outside"),
    ("raw-format", "s16le", "reads its input as raw samples"),
    ("cover", "FOLDER/soundsheet/c.jpg", "reads the cover “FOLDER/soundsheet/c.jpg” from outside"),
  ])
  func manifestLineCannotLoadCodeOrReadOtherFiles(
    setting: String, value: String, words: String
  ) throws {
    try folder.write(sound, to: "sounds/a.wav")
    try folder.write([0xFF, 0xD8, 0xFF, 1], to: "soundsheet/c.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("sounds/link.jpg"), withDestinationPath: folder.path("soundsheet/c.jpg"))
    let value = value.replacing("FOLDER", with: folder.path)
    let words = words.replacing("FOLDER", with: folder.path)
    let path = try manifest([
      line("a.wav", "a.m4a"),
      "{\"input\": \"\(folder.path("sounds/a.wav"))\", \"\(setting)\": \"\(value)\"}",
    ])
    #expect(captured.run(["batch", path]) == .usage)
    #expect(captured.errors.contains("Line 2 \(words)"), "\(captured.errors)")
    #expect(captured.errors.contains(", which needs --trust-manifest."))
    #expect(!folder.names.contains("a.m4a"))
  }

  @Test func coversBesideTheInputAndThoseOfATrustedManifestAreRead() throws {
    try folder.write(sound, to: "sounds/a.wav")
    for name in ["sounds/c.jpg", "sounds/art/c.jpg", "c.jpg"] {
      try folder.write([0xFF, 0xD8, 0xFF, 1], to: name)
    }
    for (index, cover) in ["sounds/c.jpg", "sounds/art/../art/c.jpg", "c.jpg"].enumerated() {
      let path = try manifest([
        "{\"input\": \"\(folder.path("sounds/a.wav"))\", \"cover\": \"\(folder.path(cover))\", "
          + "\"output\": \"\(folder.path("\(index).m4a"))\"}"
      ])
      let options = index == 2 ? ["--trust-manifest"] : []
      #expect(captured.run(["batch", path] + options) == .success, "\(captured.errors)")
    }
    let path = try manifest(["{\"input\": \"\(folder.path("a.wav"))\", \"cover\": \"-\"}"])
    #expect(captured.run(["batch", "--trust-manifest", path]) == .usage)
  }

  /// A worker would wait forever for a writer to open the pipe.
  @Test func aCoverThatIsANamedPipeIsRefused() throws {
    folder.makePipe("c.jpg")
    let path = try manifest([
      "{\"input\": \"\(folder.path("a.wav"))\", \"cover\": \"\(folder.path("c.jpg"))\"}"
    ])
    #expect(captured.run(["batch", path]) == .usage)
    #expect(
      captured.errors.contains(
        "c.jpg” from a named pipe or a device, which needs --trust-manifest."),
      "\(captured.errors)")
    #expect(!folder.names.contains("a.m4a"))
  }

  @Test func theLedgerAndTheNumbersReplaceNothing() throws {
    let path = try manifest([line("a.wav", "a.m4a")])
    let before = try folder.read("all.txt")
    try folder.write([1, 2], to: "notes")
    let arguments: [([String], AacornCommands.ExitStatus)] = [
      (["--metrics", path], .usage), (["--ledger", path], .usage),
      (["--ledger", folder.path("l"), "--metrics", folder.path("l")], .usage),
      (["--ledger", folder.path("a.wav")], .usage),
      (["--metrics", folder.path("a.wav")], .usage),
      (["--ledger", folder.path("notes")], .cannotWrite),
      (["--metrics", folder.path("notes")], .usage),
    ]
    for (words, status) in arguments {
      #expect(captured.run(["batch", path] + words) == status, "\(words)")
    }
    #expect(try folder.read("all.txt") == before)
    #expect(try folder.read("a.wav") == sound)
    #expect(try folder.read("notes") == [1, 2])
    #expect(!folder.names.contains("a.m4a"))
    #expect(captured.errors.contains("is not a ledger"))
  }

  @Test func ledgerWithTruncatedFirstLineResumes() throws {
    let path = try manifest([line("a.wav", "a.m4a")])
    try folder.write("{\"line\":1,\"inp", to: "all.txt.ledger")
    #expect(captured.run(["batch", path]) == .success)
    #expect(captured.run(["batch", path]) == .success)
    #expect(captured.output.contains("1 already done"))
  }

  @Test func namedPipeAsManifestFails() throws {
    folder.makePipe("pipe")
    #expect(captured.run(["batch", folder.path("pipe")]) == .cannotRead)
    #expect(captured.errors.contains("through standard input"))
    #expect(captured.run(["batch", "--ledger", folder.path("l"), "/dev/null"]) == .success)
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
    #expect(captured.run(["batch", path]) == .success)
    #expect(captured.output.contains("2 files encoded"))
    #expect(captured.run(["batch", path]) == .success)
    #expect(captured.output.contains("2 already done"))
  }

  @Test func aLongLineIsAFaultOfTheManifest() throws {
    let path = try manifest([folder.path("a.wav"), String(repeating: "a", count: 1 << 21)])
    #expect(captured.run(["batch", path]) == .usage)
    #expect(captured.errors.contains("Line 2 is longer than 1 MB"))
    #expect(!folder.names.contains("a.m4a"))
  }

  @Test func pathThroughFileIsPostponedWithoutRetry() throws {
    try folder.write([0], to: "wall")
    for output in ["wall/a.m4a", "wall/b/a.m4a"] {
      let path = try manifest([line("a.wav", output)])
      #expect(captured.run(["batch", path]) == .failed)
      let last = try folder.read("all.txt.ledger").split(separator: UInt8(ascii: "\n")).last
      let entry = try #require(last.flatMap { LedgerEntry($0) })
      #expect(entry.outcome == .postponed && entry.attemptCount == 1)
    }
  }

  @Test func ledgerWriteErrorOmitsResultsMessage() throws {
    let path = try manifest([line("a.wav", "a.m4a")])
    #expect(captured.run(["batch", path, "--ledger", "/dev/full"]) == .cannotWrite)
    #expect(!captured.output.contains("The results of the lines"))
  }

  @Test func existingOutputWithLongNameIsCompared() throws {
    let name = String(repeating: "n", count: 251) + ".m4a"
    let path = try manifest([line("a.wav", name)])
    #expect(captured.run(["batch", path]) == .success)
    try System.remove(path + ".ledger")
    #expect(captured.run(["batch", path]) == .success)
  }
}
