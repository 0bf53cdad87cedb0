import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

@Suite struct InputListTests {
  @Test func foldersAreSearchedInAStableOrder() throws {
    let folder = TemporaryFolder()
    for name in ["b.wav", "a.AIFF", "sub/c.caf", "Z.wav", "notes.txt", ".hidden.wav", "x.m4a"] {
      try folder.write([0], to: name)
    }
    let list = InputList([folder.path], interruption: Interruption())
    #expect(list.entries.map { FileName.last($0.path) } == ["Z.wav", "a.AIFF", "b.wav", "c.caf"])
    #expect(list.entries.map(\.subfolder) == ["", "", "", "sub"])
    #expect(list.failures.isEmpty)
    #expect(list.skipped.map { FileName.last($0.path) } == ["x.m4a"])
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
    let names = list.skipped.map { FileName.joined($0.subfolder, FileName.last($0.path)) }
    #expect(names == ["a.wma", "k.ts", "sub/b.MKV", "z.ape"])
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
    #expect(list.outranked.map { FileName.last($0.path) } == ["a.flac", "b.mp3"])
    #expect(list.skipped.isEmpty)
    // Files that are named explicitly are all used.
    let named = InputList(
      [folder.path("a.flac"), folder.path("a.wav")], interruption: Interruption())
    #expect(named.entries.count == 2)
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
