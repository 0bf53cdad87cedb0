#if os(Linux)
import Foundation
@testable import AacornStudio
import AacornSystem
import SoundRigs
import Testing

@Suite("Library on a full disk") struct FullDiskTests {
  /// Creates a library on a small disk that accepts uploads until the disk is full.
  private func rig(on disk: SmallDisk, silence: Int64? = nil) throws -> LibraryRig {
    var limits = StudioLibrary.Limits()
    limits.reservedByteCount = .min / 2
    if let silence {
      limits.silence = silence
      limits.maintenanceInterval = 50_000_000
    }
    return try LibraryRig(limits, in: StudioFolderRig(at: disk.path))
  }

  private func put(_ bytes: [UInt8], _ name: String, _ rig: LibraryRig) throws {
    // The file is renamed after its time is set, so that the library never sees it change.
    let path = rig.file(".new")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -100)], ofItemAtPath: path)
    try System.rename(path, to: rig.file(name))
  }

  @Test func unwritableDiskIsReportedAtStart() throws {
    let disk = try SmallDisk(byteCount: 1 << 20, isReadOnly: true)
    let studio = try StudioServer(StudioConfiguration(folder: disk.path))
    defer { studio.stop() }
    let problem = try #require(studio.folderProblem)
    #expect(problem.contains("“\(disk.path)” is not writable: the disk is read-only."))
    // The files can be played, and the error of a recording names the file.
    #expect(try studioAnswer(studio, "/api/recordings").status == 200)
    let answer = try studioAnswer(
      studio, "/api/record", method: "POST",
      headers: ["Content-Type: application/x-www-form-urlencoded"],
      body: Array("device=tone&name=talk".utf8))
    #expect(answer.status == 503 && answer.text.contains("“talk.m4a” cannot be written to"))
    let other = try StudioFolderRig()
    let writable = try StudioServer(StudioConfiguration(folder: other.path))
    #expect(writable.folderProblem == nil)
    writable.stop()
  }

  private func names(_ folder: String, _ rig: LibraryRig) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: rig.file(folder)))?.sorted() ?? []
  }

  private func expectFull(
    _ answer: LibraryRig.Answer, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(answer.status == 507, sourceLocation: sourceLocation)
    #expect(answer.error.contains("the disk is full"), sourceLocation: sourceLocation)
    #expect(answer.error.hasSuffix("."), sourceLocation: sourceLocation)
  }

  @Test func uploadResumesWhenDiskHasRoomAgain() throws {
    let disk = try SmallDisk(byteCount: 2 << 20)
    let rig = try rig(on: disk)
    let sound = LibrarySound.wav
    try disk.fill(leaving: 250_000)
    let id = try #require(rig.post(["uploads"], [("name", "a.wav")]).text("id"))
    var size = 0
    var answer: LibraryRig.Answer
    repeat {
      answer = rig.put(Array(sound[size..<min(size + 100_000, sound.count)]), at: size, to: id)
      if answer.status == 200 { size += 100_000 }
    } while answer.status == 200 && size < sound.count
    #expect(size == 200_000)
    expectFull(answer)
    // The incomplete piece was removed.
    let bytes = FileManager.default.contents(atPath: rig.file(".aacorn-uploads/\(id)"))
    #expect(bytes.map { Array($0) } == Array(sound[..<size]))
    try disk.empty()
    while size < sound.count {
      let piece = Array(sound[size..<min(size + 100_000, sound.count)])
      #expect(rig.put(piece, at: size, to: id).status == 200)
      size += piece.count
    }
    #expect(rig.post(["uploads", id, "finish"]).text("name") == "a.wav")
    #expect(rig.bytes("a.wav") == sound)
    #expect(names(".aacorn-uploads", rig).isEmpty)
  }

  @Test func completeUploadCanFinishOnFullDisk() throws {
    let disk = try SmallDisk(byteCount: 2 << 20)
    let rig = try rig(on: disk)
    let sound = LibrarySound.wav
    let id = try #require(rig.post(["uploads"], [("name", "a.wav")]).text("id"))
    #expect(rig.put(sound, at: 0, to: id).status == 200)
    try disk.fill()
    #expect(rig.post(["uploads", id, "finish"]).text("name") == "a.wav")
    #expect(rig.bytes("a.wav") == sound)
    #expect(rig.post(["recordings", "a.wav", "rename"], [("to", "b")]).status == 200)
    #expect(rig.bytes("b.wav") == sound)
  }

  /// Each value of `free` makes the creation of another file or folder fail.
  @Test(arguments: 0...5) func failedFileCreationKeepsRecordingAndLeavesNoFile(free: Int) throws {
    let disk = try SmallDisk(byteCount: 4 << 20, fileCount: 2 + free)
    let rig = try rig(on: disk)
    try put(LibrarySound.killed, "a.m4a", rig)
    try put(Array("[]".utf8), "a.m4a.gaps.json", rig)
    // The studio writes a mark next to a file while it examines the file.
    _ = rig.known("a.m4a")

    // `delete` creates the folder of all deleted files and the folder of this recording.
    let deleted = rig.post(["recordings", "a.m4a", "delete"])
    if let id = deleted.text("id") {
      #expect(free >= 2)
      #expect(names(".aacorn-deleted/" + id, rig) == ["a.m4a", "a.m4a.gaps.json"])
      #expect(rig.post(["deleted", id, "restore"]).text("name") == "a.m4a")
    } else {
      #expect(free < 2)
      expectFull(deleted)
    }
    #expect(names(".aacorn-deleted", rig).isEmpty)
    try? FileManager.default.removeItem(atPath: rig.file(".aacorn-deleted"))
    _ = rig.known("a.m4a")

    // An upload creates a folder, the file of its name and the file of its bytes.
    let begun = rig.post(["uploads"], [("name", "b.wav")])
    if let id = begun.text("id") {
      #expect(free >= 3)
      #expect(rig.ask("DELETE", ["api", "uploads", id]).status == 200)
    } else {
      #expect(free < 3)
      expectFull(begun)
    }
    #expect(names(".aacorn-uploads", rig).isEmpty)

    // `repair` creates the mark and its folder, a folder for the new file, the new file, and its
    // list of gaps. Without the list, the repair still succeeds.
    let repaired = rig.post(["recordings", "a.m4a", "repair"])
    if let name = repaired.text("name") {
      #expect(free >= 4)
      #expect(rig.known(name)["status"] as? String == "fine")
      #expect(rig.names.contains(name + ".gaps.json") == (free >= 5))
    } else {
      #expect(free < 4)
      expectFull(repaired)
    }
    #expect(names(".aacorn-uploads", rig).isEmpty)
    #expect(rig.bytes("a.m4a") == LibrarySound.killed)
    #expect(rig.bytes("a.m4a.gaps.json") == Array("[]".utf8))
  }

  @Test func aRepairThatDoesNotFitLeavesNothing() throws {
    let disk = try SmallDisk(byteCount: 2 << 20)
    let rig = try rig(on: disk)
    let list = [UInt8](repeating: 0x20, count: 100_000)
    try put(LibrarySound.killed, "a.m4a", rig)
    try put(list, "a.m4a.gaps.json", rig)
    try disk.fill(leaving: 16_384)
    expectFull(rig.post(["recordings", "a.m4a", "repair"]))
    #expect(names(".aacorn-uploads", rig).isEmpty)
    #expect(rig.listedNames == ["a.m4a"] && rig.bytes("a.m4a") == LibrarySound.killed)
    try disk.empty()
    // Room for the audio but not for the list of gaps: no list is better than half a list.
    try disk.fill(leaving: LibrarySound.killed.count + 50_000)
    let name = try #require(rig.post(["recordings", "a.m4a", "repair"]).text("name"))
    #expect(rig.known(name)["status"] as? String == "fine")
    #expect(!rig.names.contains(name + ".gaps.json"))
    #expect(rig.bytes("a.m4a.gaps.json") == list)
  }

  @Test func abandonedUploadIsCompletedOnFullDisk() throws {
    let disk = try SmallDisk(byteCount: 2 << 20)
    let sound = LibrarySound.killed
    let rig = try rig(on: disk, silence: 1_000_000_000)
    let id = try #require(rig.post(["uploads"], [("name", "a.m4a")]).text("id"))
    #expect(rig.put(sound, at: 0, to: id).status == 200)
    try disk.fill()
    // The tables of a recording fit in the space reserved before the audio.
    #expect(eventually { rig.names.contains("a.m4a") })
    let entry = rig.known("a.m4a")
    #expect(entry["status"] as? String == "fine", "\(entry)")
    #expect(abs((entry["seconds"] as? Double ?? 0) - 3) < 0.7)
    #expect(eventually { names(".aacorn-uploads", rig).isEmpty })
  }
}

extension RecorderSuites {
  @Suite("Recording on a full disk") struct FullDiskRecorderTests {
    @Test(arguments: [("wav", 250_000), ("m4a", 60_000), ("aac", 40_000)])
    func recordingOnFullDiskKeepsWrittenAudio(format: String, byteCount: Int) throws {
      let disk = try SmallDisk(byteCount: 2 << 20)
      let rig = try RecorderRig(in: StudioFolderRig(at: disk.path))
      try disk.fill(leaving: byteCount)
      let answer = try rig.post("record", [("device", "tone"), ("format", format), ("name", "a")])
      #expect(answer.status == 200, "\(answer.text)")
      #expect(eventually { rig.phase == "idle" })
      let name = "a." + format
      #expect(
        rig.messages.contains { $0.contains("The disk of “\(name)” is full.") },
        "\(rig.messages)")
      #expect(
        rig.messages.contains {
          $0.contains("“\(name)” is incomplete: its last ")
            && $0.contains(" of audio could not be saved.")
        },
        "\(rig.messages)")
      #expect(rig.files == [name])
      #expect(rig.bytes(name).count > byteCount / 2)
      let facts = try SoundExaminer(FileBytes(rig.path(name))).facts()
      #expect(facts.isComplete, "\(facts)")
      let last = try #require(rig.state["last"] as? [String: Any])
      #expect(last["name"] as? String == name)
      #expect((last["seconds"] as? Double ?? 0) > 1)
      // The file can be downloaded and renamed immediately.
      try disk.empty()
      #expect(try rig.post("record", [("device", "tone"), ("format", format)]).status == 200)
      #expect(rig.waitForSound(0.2))
      #expect(try rig.post("stop").status == 200)
    }

    @Test func fullDiskRejectsRecording() throws {
      let disk = try SmallDisk(byteCount: 1 << 20, fileCount: 1)
      let rig = try RecorderRig(in: StudioFolderRig(at: disk.path))
      try disk.fill()
      for format in ["m4a", "wav"] {
        let fields = [("device", "tone"), ("format", format), ("name", "a")]
        let answer = try rig.post("record", fields)
        #expect(answer.status == 507, "\(answer.text)")
        #expect(answer.error.contains("Make room"), "\(answer.error)")
        #expect(rig.phase == "idle" && rig.files.isEmpty, "\(rig.files)")
      }
      try disk.empty()
      #expect(try rig.post("record", [("device", "tone"), ("name", "a")]).name == "a.m4a")
      #expect(rig.waitForSound(0.2))
      #expect(try rig.post("stop").status == 200)
    }
  }
}
#endif
