import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// No command writes a file that it reads, under any of the file's names.
@Suite struct SourceFilesTests {
  /// The kinds of other names for a file.
  enum Alias: CaseIterable, Sendable { case same, spelling, link, hardLink }

  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  /// A path of a file in the folder, by this kind of alias; an alias has the suffix of `other`.
  private func name(_ name: String, by alias: Alias, as other: String) throws -> String {
    switch alias {
    case .same: return folder.path(name)
    case .spelling: return folder.path("./../\(FileName.last(folder.path))/\(name)")
    case .link: folder.link(other, to: name)
    case .hardLink: try System.link(folder.path(name), to: folder.path(other))
    }
    return folder.path(other)
  }

  private func tone(_ name: String) throws -> [UInt8] {
    CapturedConsole(running: ["encode", "--tone", "1", "-o", folder.path(name)])
    return try folder.read(name)
  }

  /// Checks that a command refuses to write its output, and changes no file.
  private func expectRejection(
    _ arguments: [String], keeping files: [String: [UInt8]]
  ) throws {
    let captured = CapturedConsole()
    let names = folder.names
    captured.aacorn(arguments, status: .cannotWrite)
    captured.expectErrors("is an input and cannot also be the output.")
    for (name, bytes) in files { #expect(try folder.read(name) == bytes, "\(arguments)") }
    #expect(folder.names == names)
  }

  // MARK: - SourceFiles

  @Test(arguments: Alias.allCases) func aFileIsKnownUnderAllItsNames(alias: Alias) throws {
    try folder.write([1], to: "a.wav")
    try folder.write([1], to: "b.wav")
    let sources = SourceFiles([folder.path("a.wav")])
    #expect(sources.contains(try name("a.wav", by: alias, as: "other.m4a")))
    #expect(!sources.contains(folder.path("b.wav")))
    #expect(!sources.contains(folder.path("missing.wav")))
    // The reverse case: the source is the link.
    let alias = try name("b.wav", by: alias, as: "another.m4a")
    #expect(SourceFiles([alias]).contains(folder.path("b.wav")))
  }

  @Test func missingFileIsRecognizedByPath() throws {
    let sources = SourceFiles([folder.path("now.txt")])
    #expect(sources.contains(folder.path("./now.txt")))
    #expect(!sources.contains(folder.path("then.txt")))
  }

  @Test func devicesMayBeBoth() {
    #expect(!SourceFiles(["/dev/null"]).contains("/dev/null"))
  }

  @Test func laterFilesOfARecordingCountToo() throws {
    for name in ["talk-002.wav", "talk-x02.wav", "talk-2.wav", "talks-002.wav", "talk-003.m4a"] {
      try folder.write([1], to: name)
    }
    func replaced(_ source: String, _ path: String = "talk.wav") -> String? {
      SourceFiles([folder.path(source)]).replaced(byRecordingTo: folder.path(path))
    }
    #expect(replaced("talk-002.wav") == folder.path("talk-002.wav"))
    for name in ["talk-x02.wav", "talk-2.wav", "talks-002.wav", "talk-003.m4a"] {
      #expect(replaced(name) == nil, "\(name)")
    }
    #expect(replaced("talk.wav.gaps.json") == folder.path("talk.wav.gaps.json"))
    #expect(replaced("talk-002.wav", "talk") == nil)
    try folder.write([1], to: "talk-002")
    #expect(replaced("talk-002", "talk") == folder.path("talk-002"))
  }

  // MARK: - Every option that writes, with every file that its command reads

  @Test(arguments: Alias.allCases) func plotNeverOverwritesItsInput(alias: Alias) throws {
    let sound = try tone("k.m4a")
    let picture = try name("k.m4a", by: alias, as: "k.svg")
    for force in [["-f"], []] {
      try expectRejection(
        ["inspect"] + force + ["--plot", picture, folder.path("k.m4a")], keeping: ["k.m4a": sound])
    }
    let gaps = try folder.write("[\n]\n", to: "k.m4a.gaps.json")
    try expectRejection(
      ["inspect", "-f", "--plot", gaps, folder.path("k.m4a")],
      keeping: ["k.m4a.gaps.json": Array("[\n]\n".utf8)])
    captured.aacorn("inspect", "--plot", folder.path("new.svg"), folder.path("k.m4a"))
  }

  @Test(arguments: Alias.allCases) func encodingNeverReplacesACoverOrAnInput(alias: Alias) throws {
    let cover: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 1, count: 100)
    let wav = wavFile(frames: 3000)
    try folder.write(cover, to: "cover.jpg")
    try folder.write(wav, to: "a.wav")
    try folder.write(wav, to: "b.wav")
    try folder.write(wav, to: "c.sound")
    let files = ["cover.jpg": cover, "a.wav": wav, "b.wav": wav, "c.sound": wav]
    try expectRejection(
      [
        "encode", "-f", "--format", "m4a", "--cover", folder.path("cover.jpg"),
        folder.path("a.wav"),
        "-o", try name("cover.jpg", by: alias, as: "cover.m4a"),
      ], keeping: files)
    try expectRejection(
      ["encode", "-f", "--format", "m4a", folder.path("c.sound"), "-o"]
        + [try name("c.sound", by: alias, as: "c.m4a")], keeping: files)
    // The output of the second input is the first input.
    if alias == .link || alias == .hardLink {
      _ = try name("a.wav", by: alias, as: "b.m4a")
      let console = CapturedConsole(
        running: ["encode", "-f", folder.path("a.wav"), folder.path("b.wav")], status: .failed)
      console.expectErrors("is an input and cannot also be the output.")
      #expect(try folder.read("a.wav") == wav)
    }
  }

  @Test(arguments: Alias.allCases) func partsAndSamplesNeverReplaceTheirInput(alias: Alias) throws {
    let files = ["j.m4a": try tone("j.m4a"), "k.m4a": try tone("k.m4a")]
    let input = folder.path("k.m4a")
    let output = try name("k.m4a", by: alias, as: "l.m4a")
    try expectRejection(["cut", "-f", input, "--start", "0.2", "-o", output], keeping: files)
    try expectRejection(["join", "-f", folder.path("j.m4a"), input, "-o", output], keeping: files)
    if alias == .link || alias == .hardLink {
      let samples = try name("k.m4a", by: alias, as: "l.wav")
      try expectRejection(["decode", "-f", input, "-o", samples], keeping: files)
    }
  }

  @Test(arguments: Alias.allCases) func repairNeverReplacesAnotherInput(alias: Alias) throws {
    let sound = try tone("a.aac")
    let damaged = Array(sound[..<1000]) + [UInt8](repeating: 0, count: 50) + sound[1000...]
    try folder.write(damaged, to: "a.aac")
    let other = try folder.write(sound, to: "a-repaired.aac")
    let spelled = alias == .same ? other : try name("a-repaired.aac", by: alias, as: "z.aac")
    let console = CapturedConsole(
      running: ["repair", "-f", folder.path("a.aac"), spelled], status: .failed)
    console.expectErrors("is an input and cannot also be the output.")
    #expect(try folder.read("a-repaired.aac") == sound)
    #expect(try folder.read("a.aac") == damaged)
    let itself = try name("a.aac", by: alias, as: "y.aac")
    console.aacorn("repair", "-f", folder.path("a.aac"), "-o", itself, status: .cannotWrite)
    console.expectErrors("is the damaged file itself")
    #expect(try folder.read("a.aac") == damaged)
  }

  @Test(arguments: Alias.allCases) func recordingNeverOverwritesPlayedFile(alias: Alias) throws {
    let wav = wavFile(frames: 44_100)
    let input = try folder.write(wav, to: "in.wav")
    let output = try name("in.wav", by: alias, as: "out.wav")
    let base = ["record", "-f", "--device", "file:" + input, "--unpaced"]
    try expectRejection(base + [output], keeping: ["in.wav": wav])
    // The input is the third file of a split recording.
    _ = try name("in.wav", by: alias == .link ? .link : .hardLink, as: "part-003.wav")
    try expectRejection(
      base + ["--split", "10m", folder.path("part.wav")], keeping: ["in.wav": wav])
    captured.aacorn(base + [folder.path("new.wav")])
    let console = CapturedConsole(running: base + ["--json", output], status: .cannotWrite)
    console.expectOutput(#""error":"exists""#)
  }

  @Test(arguments: Alias.allCases) func streamNeverOverwritesItsInput(alias: Alias) throws {
    let wav = wavFile(frames: 44_100)
    let input = try folder.write(wav, to: "in.wav")
    try folder.write("One - First\n", to: "now.txt")
    let files = ["in.wav": wav, "now.txt": Array("One - First\n".utf8)]
    let saved = try name("in.wav", by: alias, as: "in.m4a")
    if alias == .link || alias == .hardLink {
      try expectRejection(["stream", "-f", "--unpaced", input, "--save", saved], keeping: files)
      try expectRejection(
        ["stream", "-f", "--unpaced", "--device", "file:" + input, "--save", saved], keeping: files)
      try expectRejection(
        [
          "stream", "-f", "--unpaced", input, "--metadata-file", folder.path("now.txt"), "--save",
          try name("now.txt", by: alias, as: "now.aac"),
        ], keeping: files)
    }
    // A playlist has a fixed name, so the metadata file that the stream reads may have the same
    // name.
    try folder.write("One - First\n", to: "hls/stream-0.m3u8")
    let listed = try name("hls/stream-0.m3u8", by: alias == .spelling ? alias : .same, as: "")
    try expectRejection(
      [
        "stream", "--unpaced", input, "--metadata-file", listed, "--hls", folder.path("hls"),
      ], keeping: files.merging(["hls/stream-0.m3u8": Array("One - First\n".utf8)]) { $1 })
  }

  @Test func outputMayShareFolderWithInput() throws {
    let wav = wavFile(frames: 44_100)
    let input = try folder.write(wav, to: "in.wav")
    captured.aacorn("stream", "--unpaced", input, "--hls", folder.path)
    #expect(try folder.read("in.wav") == wav)
  }
}
