import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

@Suite struct InputListTests {
  /// The names of the skipped files and folders, with their subfolders.
  private func skipped(_ list: InputList) -> [String] {
    list.skipped.map { FileName.joined($0.entry.subfolder, FileName.last($0.entry.path)) }
  }

  @Test func foldersAreSearchedInAStableOrder() throws {
    let folder = TemporaryFolder()
    for name in ["b.wav", "a.AIFF", "sub/c.caf", "Z.wav", "notes.txt", ".hidden.wav", "x.m4a"] {
      try folder.write([0], to: name)
    }
    let list = InputList([folder.path], interruption: Interruption())
    #expect(
      list.entries.map { FileName.last($0.path) }
        == [".hidden.wav", "Z.wav", "a.AIFF", "b.wav", "c.caf"])
    #expect(list.entries.map(\.subfolder) == ["", "", "", "", "sub"])
    #expect(list.entries.allSatisfy { $0.isFound })
    #expect(list.failures.isEmpty)
    #expect(skipped(list) == ["x.m4a"])
  }

  @Test func folderSearchSkipsOtherAudioAndIgnoresOtherFiles() throws {
    let folder = TemporaryFolder()
    for name in [
      "a.wma", "sub/b.MKV", "c.wav", "d.txt", "e.jpg", "f.json", ".g.wma", "h", "i.gaps.json",
      "j.ts", "l.FLAC", "m.mp3", "n.opus", "z.ape",
    ] {
      try folder.write([0], to: name)
    }
    try folder.write(transportStream, to: "k.ts")
    let list = InputList([folder.path], interruption: Interruption())
    #expect(
      list.entries.map { FileName.last($0.path) } == ["c.wav", "l.FLAC", "m.mp3", "n.opus"])
    #expect(skipped(list) == [".g.wma", "a.wma", "k.ts", "sub/b.MKV", "z.ape"])
    for suffixes in InputList.Wanted.sounds.suffixes + InputList.Wanted.streams.suffixes {
      #expect(suffixes.isSubset(of: SoundSuffixes.all))
    }
  }

  @Test func ofFilesThatDifferInTheirSuffixesThePreferredIsTaken() throws {
    let folder = TemporaryFolder()
    for name in ["a.flac", "a.wav", "b.flac", "b.mp3", "c.mp3", "sub/a.mp3", "a.b.mp3"] {
      try folder.write([0], to: name)
    }
    let list = InputList([folder.path], interruption: Interruption())
    let names = list.entries.map { FileName.joined($0.subfolder, FileName.last($0.path)) }
    #expect(names == ["a.b.mp3", "a.wav", "b.flac", "c.mp3", "sub/a.mp3"])
    #expect(skipped(list) == ["a.flac", "b.mp3"])
    #expect(list.skipped.allSatisfy { $0.reason == .sameName })
    // Files that are named explicitly are all used.
    let named = InputList(
      [folder.path("a.flac"), folder.path("a.wav")], interruption: Interruption())
    #expect(named.entries.count == 2)
  }

  /// Everything that a folder contains is an input, or skipped, or not audio.
  @Test func hiddenFilesAreInputsAndOtherThingsAreSkipped() throws {
    let folder = TemporaryFolder()
    let metadata: [UInt8] = [0, 5, 0x16, 7, 0, 2, 0, 0]
    for name in [
      "...Baby One More Time.wav", ".38 Special/x.wav", "._.wav", "ok.wav", ".Trash-1000/a.wav",
      ".Trashes/b.wav", ".aacorn-uploads/c.wav", ".git/config", ".wav",
    ] {
      try folder.write([0], to: name)
    }
    try folder.write(metadata, to: "._ok.wav")
    folder.makePipe("pipe.wav")
    folder.makePipe("pipe.txt")
    folder.link("broken.wav", to: "missing")
    folder.link("more", to: ".")
    folder.link("linked.wav", to: "ok.wav")
    let list = InputList([folder.path], interruption: Interruption())
    #expect(
      list.entries.map { FileName.joined($0.subfolder, FileName.last($0.path)) } == [
        "...Baby One More Time.wav", ".38 Special/x.wav", "._.wav", ".wav", "linked.wav", "ok.wav",
      ])
    let reasons = Dictionary(grouping: zip(skipped(list), list.skipped)) { $0.1.reason }
      .mapValues { $0.map(\.0) }
    #expect(
      reasons == [
        .systemFolder: [".Trash-1000", ".Trashes", ".aacorn-uploads"],
        .notFile: ["broken.wav", "pipe.wav"], .linkedFolder: ["more"],
      ])
    #expect(list.failures.isEmpty)
  }

  @Test func foldersBelowTheDepthLimitAreReported() throws {
    let folder = TemporaryFolder()
    let path = String(repeating: "d/", count: 64) + "x.wav"
    try folder.write([0], to: path)
    let list = InputList([folder.path], interruption: Interruption())
    #expect(list.entries.isEmpty && list.skipped.map(\.reason) == [.deepFolder])
  }

  @Test func namedFilesAreTakenWhateverTheirSuffix() throws {
    let folder = TemporaryFolder()
    let path = try folder.write([0], to: "sound.xyz")
    let list = InputList([path, "-"], interruption: Interruption())
    #expect(list.entries.map(\.path) == [path, "-"])
  }

  @Test func missingFilesAndEmptyFoldersAreReported() throws {
    let folder = TemporaryFolder()
    let list = InputList([folder.path, folder.path("none")], interruption: Interruption())
    #expect(list.entries.isEmpty)
    #expect(list.failures.map(\.failure.kind) == [.cannotRead, .cannotRead])
    #expect(list.failures.first?.failure.message.contains("contains no sound files") == true)
  }
}
