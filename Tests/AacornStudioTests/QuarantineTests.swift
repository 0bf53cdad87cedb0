import AacornSystem
import Foundation
import Simulation
import SoundRigs
import Testing

@testable import AacornStudio

/// Files that ended the studio's process.
@Suite(.simulated(seeds: 2)) struct QuarantineTests {
  /// Leaves the work mark of a file, like a killed process.
  private func leaveMark(_ folder: StudioFolderRig, _ name: String, _ text: String) throws {
    let path = folder.path + "/" + WorkMarks.folderName
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  private func marks(in folder: StudioFolderRig) -> [String]? {
    try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + WorkMarks.folderName)
  }

  @Test func fileInWorkIsQuarantinedUntilAUserTriesItAgain() throws {
    let folder = try StudioFolderRig()
    do {
      let rig = try LibraryRig(in: folder)
      try rig.put(LibrarySound.m4a, "a.m4a")
      try rig.put(LibrarySound.m4a, "b.m4a")
    }
    let status = try System.status(of: folder.path + "/a.m4a")
    try leaveMark(folder, "a.m4a", "\(status.size) \(status.modified)")
    try leaveMark(folder, "gone.m4a", "5 5")
    for _ in 0..<2 {
      // The quarantine persists over restarts.
      let rig = try LibraryRig(in: folder)
      #expect(rig.known("b.m4a")["status"] as? String == "fine")
      let known = rig.known("a.m4a")
      #expect(known["status"] as? String == "quarantined")
      #expect((known["problem"] as? String)?.contains("Try it again") == true)
      #expect(known["seconds"] is NSNull, "The file was not examined.")
      #expect(rig.waveform("a.m4a").status == 409)
      #expect(rig.post(["recordings", "a.m4a", "repair"]).status == 409)
      #expect(rig.post(["recordings", "a.m4a", "rename"], [("to", "c")]).status == 200)
      #expect(rig.known("c.m4a")["status"] as? String == "quarantined")
      #expect(rig.post(["recordings", "c.m4a", "rename"], [("to", "a")]).status == 200)
      #expect(eventually { marks(in: folder) == ["a.m4a"] })
    }
    let rig = try LibraryRig(in: folder)
    #expect(rig.known("a.m4a")["status"] as? String == "quarantined")
    #expect(rig.post(["recordings", "a.m4a", "retry"]).status == 200)
    #expect(rig.known("a.m4a")["status"] as? String == "fine")
    #expect(eventually { marks(in: folder) == nil })
  }

  @Test func changedFileIsReleased() throws {
    let folder = try StudioFolderRig()
    do { try LibraryRig(in: folder).put(LibrarySound.m4a, "a.m4a") }
    try leaveMark(folder, "a.m4a", "1 1")
    let rig = try LibraryRig(in: folder)
    #expect(rig.known("a.m4a")["status"] as? String == "fine")
  }

  @Test func uploadInWorkBecomesAQuarantinedRecording() throws {
    let folder = try StudioFolderRig()
    let uploads = folder.path + "/.aacorn-uploads"
    let id = "0123456789abcdef0123456789abcdef"
    try FileManager.default.createDirectory(atPath: uploads, withIntermediateDirectories: true)
    try Data("gift.m4a".utf8).write(to: URL(fileURLWithPath: uploads + "/\(id).name"))
    try Data(LibrarySound.killed).write(to: URL(fileURLWithPath: uploads + "/" + id))
    try StudioFolderRig.age(uploads + "/" + id, 700)
    try leaveMark(folder, id, "")
    let rig = try LibraryRig(in: folder)
    #expect(eventually { rig.bytes("gift.m4a") != nil })
    #expect(rig.known("gift.m4a")["status"] as? String == "quarantined")
    #expect(rig.bytes("gift.m4a") == LibrarySound.killed, "The file was not repaired.")
    #expect(rig.post(["recordings", "gift.m4a", "delete"]).status == 200)
  }

  @Test func marksAreOnTheDiskDuringWorkOnly() throws {
    let folder = try StudioFolderRig()
    try Data([1]).write(to: URL(fileURLWithPath: folder.path + "/a.m4a"))
    let disk = LibraryFolder(path: folder.path)
    let version = RecordingVersion(size: 1, modified: 2)
    var marks = WorkMarks(disk)
    marks.begin("a.m4a", version)
    marks.begin("a.m4a", version)
    #expect(self.marks(in: folder) == ["a.m4a"])
    // Another studio does not treat the marks of this one as its own.
    var other = WorkMarks(disk)
    let isQuarantined = other.isQuarantined("a.m4a", version)
    #expect(!isQuarantined)
    marks.end("a.m4a")
    #expect(self.marks(in: folder) == ["a.m4a"])
    marks.end("a.m4a")
    #expect(self.marks(in: folder) == nil)
  }
}
