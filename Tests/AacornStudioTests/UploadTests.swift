import AacornRecording
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import Testing

@testable import AacornStudio

@Suite("Uploads into the library", .simulated(seeds: 2)) struct UploadTests {
  @Test(arguments: ["m4a", "aac", "wav"])
  func aFileInPiecesBecomesARecording(suffix: String) throws {
    let rig = try LibraryRig()
    let bytes = LibrarySound.bytes(try #require(FileFormat(rawValue: suffix)))
    let name = "From the page.\(suffix)"
    #expect(rig.upload(bytes, as: name).text("name") == name && rig.bytes(name) == bytes)
    // The file counts as complete immediately, although it is recent.
    #expect(rig.known(name)["status"] as? String == "fine")
    #expect(rig.upload(bytes, as: name).text("name") == "From the page-2.\(suffix)")
    #expect(rig.names(in: ".aacorn-uploads") == [])
  }

  @Test func uploadIsListedAndRejectsChanges() throws {
    let rig = try LibraryRig()
    let id = try #require(rig.post(["uploads"], [("name", "a.wav")]).text("id"))
    #expect(id.count == 32)
    #expect(rig.put([1, 2, 3], at: 0, to: id).json["bytes"] as? Int == 3)
    #expect(rig.status("a.wav") == "uploading")
    #expect(rig.recording("a.wav")?["bytes"] as? Int == 3)
    for action in ["rename", "delete", "repair"] {
      #expect(rig.post(["recordings", "a.wav", action], [("to", "x")]).status == 409, "\(action)")
    }
    #expect(rig.ask("GET", ["recordings", "a.wav"]).status == 409)
    #expect(rig.library.freeName(requestedName: "a", suffix: "wav").text == "a-2.wav")
    #expect(rig.ask("DELETE", ["api", "uploads", id]).status == 200)
    #expect(rig.recordings.isEmpty)
    #expect(rig.post(["uploads", id, "finish"]).status == 404)
  }

  @Test func piecesMayOverlapAndComeAgainButLeaveNoGap() throws {
    let rig = try LibraryRig()
    let id = try #require(rig.post(["uploads"], [("name", "a.wav")]).text("id"))
    #expect(rig.put([1, 2, 3, 4], at: 0, to: id).json["bytes"] as? Int == 4)
    #expect(rig.put([5, 6], at: 3, to: id).json["bytes"] as? Int == 5)
    #expect(rig.put([9], at: 1, to: id).json["bytes"] as? Int == 5)
    #expect(rig.put([], at: 5, to: id).json["bytes"] as? Int == 5)
    let answer = rig.put([7], at: 6, to: id)
    #expect(answer.status == 409)
    #expect(answer.error.contains("Continue at byte 5"))
    #expect(rig.put([7], at: -1, to: id).status == 400)
    #expect(rig.put([7], at: .max, to: id).status == 400)
    #expect(rig.ask("PUT", ["api", "uploads", id], body: [1]).status == 400)
    #expect(rig.put([UInt8](repeating: 0, count: (1 << 20) + 1), at: 0, to: id).status == 413)
    #expect(rig.put([7], at: 5, to: id).json["bytes"] as? Int == 6)
    #expect(rig.post(["uploads", id, "finish"]).text("name") == "a.wav")
    #expect(rig.bytes("a.wav") == [1, 9, 3, 5, 6, 7])
  }

  @Test func namesAreMadeFitAndOthersRefused() throws {
    let rig = try LibraryRig()
    for name in ["", "a", "a.exe", "a.caf", ".wav", "wav"] {
      let answer = rig.post(["uploads"], [("name", name)])
      #expect(answer.status == 400, "\(name)")
      #expect(answer.error.hasSuffix("."))
    }
    #expect(rig.post(["uploads"]).status == 400)
    #expect(rig.upload([1], as: "../../up.wav").text("name") == "-..-up.wav")
    #expect(rig.upload([1], as: "a\u{0}b\u{7}.WAV").text("name") == "a b.WAV")
    let long = try #require(
      rig.upload([1], as: String(repeating: "ü", count: 300) + ".m4a").text("name"))
    #expect(long.utf8.count <= 255 && long.hasSuffix("ü.m4a"))
    #expect(rig.upload([], as: "empty.wav").status == 422)
    #expect(!rig.names.contains("empty.wav"))
  }

  /// Other programs can change the files of uploads, but a changed upload is not reported as
  /// complete.
  @Test(arguments: [true, false])
  func uploadChangedByOtherProgramIsRejected(isEmptied: Bool) throws {
    let rig = try LibraryRig()
    let id = try #require(rig.post(["uploads"], [("name", "a.wav")]).text("id"))
    #expect(rig.put([1, 2, 3], at: 0, to: id).status == 200)
    let path = rig.file(".aacorn-uploads/" + id)
    let descriptor = try System.open(path, for: .appending)
    defer { try? System.close(descriptor) }
    if isEmptied {
      try System.truncate(descriptor, to: 0)
    } else {
      _ = try System.write(descriptor, [7], from: 0)
    }
    for answer in [rig.put([4], at: 3, to: id), rig.post(["uploads", id, "finish"])] {
      #expect(answer.status == 409, "\(answer.error)")
      #expect(answer.error.contains("was changed by another program"), "\(answer.error)")
    }
    #expect(!rig.names.contains("a.wav"))
    // A repeated upload succeeds.
    let again = try #require(rig.post(["uploads"], [("name", "a.wav")]).text("id"))
    #expect(rig.put([1, 2, 3], at: 0, to: again).status == 200)
    #expect(rig.post(["uploads", again, "finish"]).status == 200)
    #expect(rig.bytes("a.wav") == [1, 2, 3])
    // The studio does not write to a file that another program has locked.
    let other = try #require(rig.post(["uploads"], [("name", "b.wav")]).text("id"))
    #expect(rig.put([1], at: 0, to: other).status == 200)
    let holder = try #require(try System.takeFile(rig.file(".aacorn-uploads/" + other)))
    #expect(rig.put([2], at: 1, to: other).status >= 400)
    try System.close(holder)
    #expect(rig.put([2], at: 1, to: other).status == 200)
    #expect(rig.post(["uploads", other, "finish"]).status == 200)
    #expect(rig.bytes("b.wav") == [1, 2])
  }

  @Test func thereAreOnlySoManyAtATime() throws {
    let rig = try LibraryRig()
    var ids: [String] = []
    for number in 0..<8 {
      ids.append(try #require(rig.post(["uploads"], [("name", "\(number).wav")]).text("id")))
    }
    #expect(Set(ids).count == 8)
    let answer = rig.post(["uploads"], [("name", "more.wav")])
    #expect(answer.status == 429)
    #expect(answer.error.contains("8 uploads"))
    #expect(rig.put([1], at: 0, to: ids[3]).status == 200)
    #expect(rig.post(["uploads", ids[3], "finish"]).status == 200)
    #expect(rig.post(["uploads"], [("name", "more.wav")]).status == 200)
  }

  @Test func uploadIsRejectedBelowDiskReserve() throws {
    let rig = try LibraryRig()
    let free = try #require(rig.list["freeBytes"] as? Int)
    var limits = StudioLibrary.Limits()
    limits.reservedByteCount = free * 2
    let full = try LibraryRig(limits)
    let answer = full.post(["uploads"], [("name", "a.wav")])
    #expect(answer.status == 507)
    #expect(answer.error.contains("no room"))
    #expect(full.names.isEmpty)
  }

  @Test func abandonedUploadIsKeptIfItContainsAudio() throws {
    var limits = StudioLibrary.Limits()
    limits.silence = 300_000_000
    limits.maintenanceInterval = 50_000_000
    let rig = try LibraryRig(limits)
    func abandon(_ bytes: [UInt8], _ name: String) throws {
      let id = try #require(rig.post(["uploads"], [("name", name)]).text("id"))
      #expect(rig.put(bytes, at: 0, to: id).status == 200)
    }
    try abandon(LibrarySound.killed, "killed.m4a")
    try abandon(Array(LibrarySound.aac.dropLast(10)), "cut.aac")
    try abandon(Array(LibrarySound.wav.prefix(10_000)), "short.wav")
    try abandon([UInt8](repeating: 0x55, count: 1000), "noise.aac")
    try abandon([], "empty.wav")
    try abandon(Array(LibrarySound.wav.prefix(44)), "header.wav")
    #expect(
      eventually { rig.names == [".aacorn-uploads", "cut.aac", "killed.m4a", "short.wav"] },
      "\(rig.names)")
    #expect(eventually { rig.names(in: ".aacorn-uploads") == [] })
    for name in ["killed.m4a", "cut.aac", "short.wav"] {
      #expect(rig.known(name)["status"] as? String == "fine", "\(rig.known(name))")
    }
    #expect(abs((rig.known("killed.m4a")["seconds"] as? Double ?? 0) - 3) < 0.7)
  }

  @Test func uploadResumesAfterRestart() throws {
    let folder = try StudioFolderRig()
    var id = ""
    do {
      let rig = try LibraryRig(in: folder)
      id = try #require(rig.post(["uploads"], [("name", "a.wav")]).text("id"))
      #expect(rig.put(Array(LibrarySound.wav.prefix(1000)), at: 0, to: id).status == 200)
    }
    let rig = try LibraryRig(in: folder)
    #expect(rig.put(Array(LibrarySound.wav[1000..<5000]), at: 1000, to: id).status == 200)
    #expect(rig.post(["uploads", id, "finish"]).text("name") == "a.wav")
    #expect(rig.bytes("a.wav") == Array(LibrarySound.wav.prefix(5000)))
  }

  @Test func oldUploadsOfPreviousRunAreCompleted() throws {
    let folder = try StudioFolderRig()
    let uploads = folder.path + "/.aacorn-uploads"
    do {
      let rig = try LibraryRig(in: folder)
      for (name, bytes) in [
        ("old.wav", LibrarySound.wav), ("noise.m4a", [1, 2, 3]), ("young.wav", LibrarySound.wav),
      ] {
        let id = try #require(rig.post(["uploads"], [("name", name)]).text("id"))
        for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
          let part = Array(bytes[start..<min(bytes.count, start + 1 << 20)])
          #expect(rig.put(part, at: start, to: id).status == 200)
        }
        if name != "young.wav" { try StudioFolderRig.age(uploads + "/" + id, 700) }
      }
      for name in ["/repair-0123", "/.aacorn-1-1.tmp"] {
        try Data([1]).write(to: URL(fileURLWithPath: uploads + name))
        try StudioFolderRig.age(uploads + name, 700)
      }
    }
    let rig = try LibraryRig(in: folder)
    #expect(eventually { rig.names == [".aacorn-uploads", "old.wav"] }, "\(rig.names)")
    #expect(rig.bytes("old.wav") == LibrarySound.wav)
    #expect(eventually { rig.names(in: ".aacorn-uploads")?.count == 2 })
  }
}
