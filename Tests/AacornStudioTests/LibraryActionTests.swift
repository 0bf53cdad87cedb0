import AacornSystem
import Foundation
import Simulation
import SoundRigs
import Testing

@testable import AacornStudio

@Suite("Actions on recordings", .simulated(seeds: 2)) struct LibraryActionTests {
  @Test func aRenamedRecordingKeepsItsSuffixItsGapsAndWhatIsKnown() throws {
    let rig = try LibraryRig()
    let pause = "{\"position\":3,\"cause\":\"paused\",\"filled\":false}"
    // Written first, or the library could examine the recording without its list of gaps.
    try rig.put(Array("[{\"position\":1},{\"position\":2},\(pause)]".utf8), "a.wav.gaps.json")
    try rig.put(LibrarySound.wav, "a.wav")
    #expect(rig.known("a.wav")["gapCount"] as? Int == 2)
    for (requestedName, name) in [
      ("b", "b.wav"), ("c.wav", "c.wav"), ("d.WAV", "d.wav"), ("e.m4a", "e.m4a.wav"),
      (" Interview 2.5 ", "Interview 2.5.wav"),
    ] {
      let old = try #require(rig.listedNames.first)
      #expect(
        rig.post(["recordings", old, "rename"], [("to", requestedName)]).text("name") == name)
      #expect(rig.names == [name, name + ".gaps.json"])
      #expect(rig.status(name) == "fine")
      #expect(rig.recording(name)?["gapCount"] as? Int == 2)
    }
  }

  @Test func renameToExistingNameFails() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.wav, "a.wav")
    try rig.put([1, 2, 3], "b.wav")
    try rig.put([4], "c.wav.gaps.json")
    for name in ["b", "c", "b.wav"] {
      let answer = rig.post(["recordings", "a.wav", "rename"], [("to", name)])
      #expect(answer.status == 409)
      #expect(answer.error.contains("already"))
    }
    #expect(rig.bytes("b.wav") == [1, 2, 3])
    #expect(rig.post(["recordings", "a.wav", "rename"], [("to", "a")]).text("name") == "a.wav")
    #expect(rig.post(["recordings", "a.wav", "rename"], [("to", "A.wav")]).status == 200)
    #expect(rig.post(["recordings", "gone.wav", "rename"], [("to", "x")]).status == 404)
  }

  @Test(arguments: [
    "", "   ", ".wav", ".hidden", "a/b", "a\\b", "../a", "a\u{0}", "a\nb", "a\u{1B}[2J",
    "a\u{2028}", "a\u{202E}vaw", "\u{200B}a", "a\u{200D}b", "a\u{FEFF}", "a\u{E0041}", "\u{61C}",
    "a\u{2066}b\u{2069}",
    String(repeating: "x", count: 252),
  ])
  func namesThatCannotBeAreRefused(requestedName: String) throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.wav, "a.wav")
    let answer = rig.post(["recordings", "a.wav", "rename"], [("to", requestedName)])
    #expect(answer.status == 400)
    #expect(answer.error.hasSuffix("."))
    #expect(!answer.error.contains("\u{1B}") && !answer.error.hasUnseen)
    #expect(rig.post(["recordings", "a.wav", "rename"]).status == 400)
    #expect(rig.names == ["a.wav"])
  }

  /// Other programs may create files with deceptive names; the user must be able to remove them.
  @Test func aFileWhoseNameDeceivesIsListedAndCanBeRenamed() throws {
    let rig = try LibraryRig()
    let name = "talk\u{202E}a4m.wav"
    try rig.put(LibrarySound.wav, name)
    #expect(rig.listedNames == [name])
    let file = rig.ask("GET", ["recordings", name], query: [("download", "")])
    #expect(file.status == 200)
    #expect(file.header("Content-Disposition")?.hasSuffix("''talka4m.wav") == true)
    #expect(rig.post(["recordings", name, "rename"], [("to", name)]).status == 400)
    let deleted = rig.post(["recordings", name, "delete"])
    #expect(rig.post(["deleted", deleted.text("id") ?? "", "restore"]).text("name") == name)
    #expect(rig.post(["recordings", name, "rename"], [("to", "talk")]).text("name") == "talk.wav")
  }

  /// Hidden folders grant no more access than the library's folder.
  @Test(arguments: [0o700, 0o750]) func hiddenFoldersAreAsOpenAsTheLibrary(mode: Int) throws {
    let rig = try LibraryRig()
    #expect(unsafe chmod(rig.path, mode_t(mode)) == 0)
    try rig.put(LibrarySound.wav, "a.wav")
    let id = try #require(rig.post(["recordings", "a.wav", "delete"]).text("id"))
    #expect(rig.post(["uploads"], [("name", "b.wav")]).status == 200)
    for name in [".aacorn-deleted", ".aacorn-deleted/\(id)", ".aacorn-uploads"] {
      let permissions = try System.status(of: rig.file(name)).permissions & 0o777
      // The umask may remove the permissions of other users.
      #expect(permissions & ~mode == 0 && permissions & 0o700 == 0o700, "\(name)")
    }
  }

  @Test func deletedRecordingCanBeRestoredOrErased() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.wav, "a.wav")
    try rig.put([5], "a.wav.gaps.json")
    let id = try #require(rig.post(["recordings", "a.wav", "delete"]).text("id"))
    #expect(rig.recordings.isEmpty)
    #expect(rig.names == [".aacorn-deleted"])
    let item = try #require(rig.deleted.first)
    #expect(item["id"] as? String == id)
    #expect(item["name"] as? String == "a.wav")
    #expect(item["bytes"] as? Int == LibrarySound.wav.count)
    let age = studioWallTime - Double(try #require(item["deletedAt"] as? Int)) / 1000
    #expect((0..<60) ~= age)
    #expect(rig.post(["recordings", "a.wav", "delete"]).status == 404)

    #expect(rig.post(["deleted", id, "restore"]).text("name") == "a.wav")
    #expect(rig.bytes("a.wav") == LibrarySound.wav)
    #expect(rig.bytes("a.wav.gaps.json") == [5])
    #expect(rig.deleted.isEmpty)
    #expect(rig.post(["deleted", id, "restore"]).status == 404)

    let second = try #require(rig.post(["recordings", "a.wav", "delete"]).text("id"))
    try rig.put([1], "a.wav")
    #expect(rig.post(["deleted", second, "restore"]).text("name") == "a-2.wav")
    #expect(rig.bytes("a.wav") == [1])
    #expect(rig.bytes("a-2.wav.gaps.json") == [5])

    let third = try #require(rig.post(["recordings", "a-2.wav", "delete"]).text("id"))
    #expect(rig.post(["deleted", third, "erase"]).status == 200)
    #expect(rig.deleted.isEmpty)
    #expect(rig.names == [".aacorn-deleted", "a.wav"])
    #expect(rig.names(in: ".aacorn-deleted") == [])
  }

  @Test func deletedRecordingsSurviveRestartUntilExpiry() throws {
    let folder = try StudioFolderRig()
    var id = ""
    do {
      let rig = try LibraryRig(in: folder)
      try rig.put(LibrarySound.wav, "a.wav")
      try rig.put(LibrarySound.wav, "b.wav")
      _ = rig.post(["recordings", "a.wav", "delete"])
      id = try #require(rig.post(["recordings", "b.wav", "delete"]).text("id"))
    }
    // One file was deleted six days ago, the other eight.
    let deleted = folder.path + "/.aacorn-deleted/"
    let now = Int(studioWallTime * 1000)
    let old = "\(now - 8 * 86_400_000)-0123456789abcdef"
    let young = "\(now - 6 * 86_400_000)-0123456789abcdef"
    for name in try FileManager.default.contentsOfDirectory(atPath: deleted) {
      try FileManager.default.moveItem(
        atPath: deleted + name, toPath: deleted + (name == id ? young : old))
    }
    // The library does not remove foreign folders.
    try FileManager.default.createDirectory(
      atPath: deleted + "other", withIntermediateDirectories: false)
    let rig = try LibraryRig(in: folder)
    #expect(eventually { rig.deleted.count == 1 })
    #expect(rig.deleted.first?["name"] as? String == "b.wav")
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: deleted)) == ["other", young])
    #expect(rig.post(["deleted", young, "restore"]).text("name") == "b.wav")
  }

  @Test func aFolderThatIsALinkTakesNothingOut() throws {
    let rig = try LibraryRig()
    let outside = try StudioFolderRig()
    try rig.put(LibrarySound.wav, "a.wav")
    for name in [".aacorn-deleted", ".aacorn-uploads"] {
      try FileManager.default.createSymbolicLink(
        atPath: rig.file(name), withDestinationPath: outside.path)
    }
    #expect(rig.post(["recordings", "a.wav", "delete"]).status >= 400)
    #expect(rig.post(["uploads"], [("name", "b.wav")]).status >= 400)
    #expect(rig.listedNames == ["a.wav"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
  }

  @Test func aFolderThatCannotBeWrittenToIsExplained() throws {
    try asOrdinaryUser { try checkClosedFolder(of: LibraryRig()) }
  }

  private func checkClosedFolder(of rig: LibraryRig) throws {
    try rig.put(LibrarySound.wav, "a.wav")
    #expect(rig.recordings.count == 1)
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: rig.path)
    for answer in [
      rig.post(["recordings", "a.wav", "delete"]),
      rig.post(["recordings", "a.wav", "rename"], [("to", "b")]),
      rig.post(["uploads"], [("name", "c.wav")]),
    ] {
      #expect(answer.status == 403)
      #expect(answer.error.contains("permission denied"))
    }
    #expect(rig.ask("GET", ["recordings", "a.wav"]).status == 200)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: rig.path)
  }

  @Test func requestAfterStopIsAnswered503() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.killed, "a.m4a")
    rig.library.stop()
    for answer in [
      rig.ask("GET", ["api", "recordings"]), rig.ask("GET", ["recordings", "a.m4a"]),
      rig.post(["recordings", "a.m4a", "delete"]), rig.post(["recordings", "a.m4a", "repair"]),
    ] {
      #expect(
        answer.status == 503 && answer.error.contains("The studio is shutting down"),
        "\(answer.status)")
    }
    #expect(rig.bytes("a.m4a") == LibrarySound.killed)
  }
}
