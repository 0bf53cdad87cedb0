import AacornInspection
import AacornRecording
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import Testing

@testable import AacornStudio

@Suite("Repair in the studio", .simulated(seeds: 2)) struct RepairActionTests {
  @Test(arguments: [FileFormat.m4a, .wav, .caf])
  func aRecordingOfAKilledProgramIsOfferedRepairAndMadeWhole(format: FileFormat) throws {
    let rig = try LibraryRig()
    let bytes = LibrarySound.bytes(format, isBrokenOff: true)
    let (name, suffix) = ("talk.\(format.rawValue)", format.rawValue)
    try rig.put(bytes, name)
    let entry = rig.known(name)
    // The movie is intact, but the headers of samples have a wrong length.
    let (status, problem) =
      format == .m4a ? ("unfinished", "a repair completes it") : ("damaged", "can be recovered")
    #expect(entry["status"] as? String == status)
    #expect((entry["problem"] as? String ?? "").contains(problem))
    #expect(abs((entry["seconds"] as? Double ?? 0) - 3) < 0.7)
    #expect(entry["repairedName"] is NSNull)
    let newName = "talk-repaired.\(suffix)"
    #expect(rig.post(["recordings", name, "repair"]).text("name") == newName)
    let repaired = rig.known(newName)
    #expect(repaired["status"] as? String == "fine" && repaired["problem"] is NSNull)
    #expect(abs((repaired["seconds"] as? Double ?? 0) - 3) < 0.7)
    #expect(rig.post(["recordings", newName, "repair"]).status == 409)
    #expect(rig.bytes(name) == bytes)
    #expect(rig.names(in: ".aacorn-uploads") == [])
  }

  /// The list offers no second repair, as long as there is a file from the first one.
  @Test func repairedRecordingNamesItsCopy() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.killed, "talk.m4a")
    func repair() -> LibraryRig.Answer { rig.post(["recordings", "talk.m4a", "repair"]) }
    func repairedName(in rig: LibraryRig) -> Any? { rig.known("talk.m4a")["repairedName"] }
    #expect(rig.known("talk.m4a")["status"] as? String == "unfinished")
    #expect(repair().text("name") == "talk-repaired.m4a")
    // The catalog has the copy before it is examined.
    let answer = repair()
    #expect(
      answer.status == 409 && answer.error.contains("already repaired as “talk-repaired.m4a”"))
    #expect(rig.known("talk-repaired.m4a")["status"] as? String == "fine")
    #expect(repairedName(in: rig) as? String == "talk-repaired.m4a")
    // The copy is found after a restart and by its new name.
    let reopened = try LibraryRig(in: rig.rig)
    _ = reopened.known("talk-repaired.m4a")
    #expect(repairedName(in: reopened) as? String == "talk-repaired.m4a")
    #expect(
      rig.post(["recordings", "talk-repaired.m4a", "rename"], [("to", "show")]).status == 200)
    #expect(repairedName(in: rig) as? String == "show.m4a")
    // Another file with the old name of the copy does not count, nor a copy that is deleted.
    try rig.put(LibrarySound.m4a, "talk-repaired.m4a", secondsAgo: 50)
    #expect(rig.post(["recordings", "show.m4a", "delete"]).status == 200)
    _ = rig.known("talk-repaired.m4a")
    #expect(repairedName(in: rig) is NSNull)
    #expect(repair().text("name") == "talk-repaired-2.m4a")
    _ = rig.known("talk-repaired-2.m4a")
    #expect(repairedName(in: rig) as? String == "talk-repaired-2.m4a")
    // The original was changed after its repair.
    try rig.put(Array(LibrarySound.killed.dropLast(2000)), "talk.m4a", secondsAgo: 90)
    #expect(repairedName(in: rig) is NSNull)
  }

  @Test(arguments: ["m4a", "aac"])
  func aFileThatIsCutOffInTheMiddleIsSavedUpToThere(suffix: String) throws {
    let rig = try LibraryRig()
    let whole = suffix == "m4a" ? LibrarySound.m4a : LibrarySound.aac
    try rig.put(Array(whole.prefix(whole.count * 6 / 10)), "cut." + suffix)
    try rig.put(Array("[{}]".utf8), "cut.\(suffix).gaps.json")
    #expect(rig.known("cut." + suffix)["status"] as? String == "damaged")
    let answer = rig.post(["recordings", "cut." + suffix, "repair"])
    #expect(answer.text("name") == "cut-repaired." + suffix, "\(answer.error)")
    let entry = rig.known("cut-repaired." + suffix)
    #expect(entry["status"] as? String == "fine")
    #expect((1.0..<2.5) ~= (entry["seconds"] as? Double ?? 0))
    #expect(rig.bytes("cut-repaired.\(suffix).gaps.json") == Array("[{}]".utf8))
  }

  /// The repaired file keeps the owner, the group and the permissions of the original, whatever the
  /// umask.
  ///
  /// Only root can change the owner of a file. Other users can only set a group of which they are
  /// members.
  @Test func newFilesKeepOwnerAndPermissions() throws {
    let isRoot = geteuid() == 0
    let user: uid_t = isRoot ? 12_345 : geteuid()
    let group: gid_t = try isRoot ? 12_346 : ownGroups().first { $0 != getegid() } ?? getegid()
    let rig = try LibraryRig()
    try rig.put(LibrarySound.killed, "talk.m4a")
    try rig.put(Array("[{}]".utf8), "talk.m4a.gaps.json")
    // Neither the owners nor the permissions are the defaults of a new file.
    for (name, permissions) in [("talk.m4a", 0o664), ("talk.m4a.gaps.json", 0o604)] {
      #expect(unsafe chown(rig.file(name), user, group) == 0)
      try FileManager.default.setAttributes(
        [.posixPermissions: permissions], ofItemAtPath: rig.file(name))
    }
    #expect(rig.known("talk.m4a")["status"] as? String == "unfinished")
    #expect(rig.post(["recordings", "talk.m4a", "repair"]).text("name") == "talk-repaired.m4a")
    let repaired = [("talk-repaired.m4a", 0o664), ("talk-repaired.m4a.gaps.json", 0o604)]
    for (name, permissions) in repaired {
      let attributes = try FileManager.default.attributesOfItem(atPath: rig.file(name))
      #expect(attributes[.ownerAccountID] as? Int == Int(user), "\(name)")
      #expect(attributes[.groupOwnerAccountID] as? Int == Int(group), "\(name)")
      #expect(attributes[.posixPermissions] as? Int == permissions, "\(name)")
    }
    // The damaged files are unchanged.
    let old = try FileManager.default.attributesOfItem(atPath: rig.file("talk.m4a"))
    #expect(old[.ownerAccountID] as? Int == Int(user))
    #expect(old[.groupOwnerAccountID] as? Int == Int(group))
  }

  /// Returns the groups that this process may assign to its files.
  private func ownGroups() throws -> [gid_t] {
    let count = getgroups(0, nil)
    var groups = [gid_t](repeating: 0, count: Int(max(0, count)))
    let filled = unsafe getgroups(Int32(groups.count), &groups)
    try #require(filled >= 0)
    return Array(groups.prefix(Int(filled)))
  }

  /// The file of a paused recording does not grow, and is unfinished until the recording ends.
  @Test func fileLockedByOtherProgramIsUnchanged() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.killed, "talk.m4a")
    #expect(rig.known("talk.m4a")["status"] as? String == "unfinished")
    let writer = try #require(try System.takeFile(rig.file("talk.m4a")))
    for action in ["repair", "rename", "delete"] {
      let answer = rig.post(["recordings", "talk.m4a", action], [("to", "b")])
      #expect(answer.status == 409, "\(action)")
      #expect(answer.error.contains("is being written by “"), "\(answer.error)")
      #expect(answer.error.contains("(process \(System.processNumber))"), "\(answer.error)")
    }
    #expect(rig.listedNames == ["talk.m4a"])
    try System.close(writer)
    #expect(rig.post(["recordings", "talk.m4a", "repair"]).text("name") == "talk-repaired.m4a")
    #expect(rig.post(["recordings", "talk.m4a", "rename"], [("to", "b")]).status == 200)
  }

  /// Returns the in-place repair of a file with these bytes, or nil if the file needs another
  /// repair.
  private func repairInPlace(of bytes: [UInt8]) throws -> InPlaceRepair? {
    let work = RepairWork(byteCount: bytes.count) { (offset, count) throws(SystemError) in
      Array(bytes[min(offset, bytes.count)...].prefix(count))
    }
    guard case .repairable(let plan) = try work.outcome() else { return nil }
    return plan.inPlace
  }

  /// The file may then contain another recording, with other lengths.
  @Test func fileChangedAfterExaminationIsNotRepairedInPlace() throws {
    let rig = try LibraryRig()
    let killed = LibrarySound.killed
    let repair = try #require(try repairInPlace(of: killed))
    let path = rig.file("talk.m4a")
    for isReplaced in [true, false] {
      try rig.put(killed, "talk.m4a")
      let planned = try System.status(of: path)
      if isReplaced {
        try rig.put(killed, "talk.m4a")
      } else {
        let descriptor = try System.open(path, for: .appending)
        defer { try? System.close(descriptor) }
        _ = try System.write(descriptor, [0], from: 0)
      }
      let before = rig.bytes("talk.m4a")
      let error = #expect(throws: InPlaceRepair.ApplyError.self) {
        try repair.apply(to: path, planned: planned)
      }
      #expect(error == .changed && rig.bytes("talk.m4a") == before)
    }
    try rig.put(killed, "talk.m4a")
    try repair.apply(to: path, planned: try System.status(of: path))
    #expect(rig.known("talk.m4a")["status"] as? String == "fine")
  }

  /// The repair then changes a file without a name, so it must not report success.
  @Test(arguments: [true, false])
  func fileUnlinkedDuringRepairThrows(isReplaced: Bool) throws {
    let rig = try LibraryRig()
    let repair = try #require(try repairInPlace(of: LibrarySound.killed))
    try rig.put(LibrarySound.killed, "talk.m4a")
    let path = rig.file("talk.m4a")
    let planned = try System.status(of: path)
    // The repair opens the file, waits for the lock, and resumes when this holder closes the file.
    var holder = try System.takeFile(path)
    #expect(holder != nil)
    var failure: (any Error)?
    let error = #expect(throws: InPlaceRepair.ApplyError.self) {
      try repair.apply(
        to: path, planned: planned, timeout: Int64(TestTimeout.milliseconds) * 1_000_000,
        pause: {
          guard let descriptor = holder else { return }
          holder = nil
          do {
            if isReplaced {
              try rig.put(LibrarySound.aac, "talk.m4a")
            } else {
              try System.remove(path)
            }
            try System.close(descriptor)
          } catch {
            failure = error
          }
        })
    }
    #expect(error == .disturbed && holder == nil && failure == nil)
    #expect(rig.bytes("talk.m4a") == (isReplaced ? LibrarySound.aac : nil))
  }

  @Test func noiseInARecordingBecomesSilenceAndNothingWithErrorsIsHandedOut() throws {
    let rig = try LibraryRig()
    var noisy = LibrarySound.m4a
    for index in noisy.count / 2..<noisy.count / 2 + 2000 { noisy[index] ^= 0x5A }
    try rig.put(noisy, "noisy.m4a")
    let answer = rig.post(["recordings", "noisy.m4a", "repair"])
    #expect(answer.text("name") == "noisy-repaired.m4a", "\(answer.error)")
    let repaired = try #require(rig.bytes("noisy-repaired.m4a"))
    _ = try soundReport(repaired)
    #expect(
      rig.known("noisy-repaired.m4a")["seconds"] as? Double == rig.known("noisy.m4a")["seconds"]
        as? Double)
  }

  @Test func intactAndUnrecoverableFilesAreRejected() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.m4a, "fine.m4a")
    try rig.put(LibrarySound.wav, "fine.wav")
    try rig.put([UInt8](repeating: 0x55, count: 5000), "noise.aac")
    try rig.put([], "empty.m4a")
    try rig.put(Array(LibrarySound.wav.prefix(20_000)), "short.wav")
    for name in ["fine.m4a", "fine.wav"] {
      #expect(rig.post(["recordings", name, "repair"]).status == 409)
    }
    for name in ["noise.aac", "empty.m4a"] {
      #expect(rig.known(name)["status"] as? String == "unreadable")
      #expect((rig.known(name)["problem"] as? String ?? "").hasSuffix("."))
      let answer = rig.post(["recordings", name, "repair"])
      #expect(answer.status == 422)
      #expect(answer.error.contains("cannot be recovered"))
    }
    #expect(rig.known("short.wav")["status"] as? String == "damaged")
    #expect((rig.known("short.wav")["problem"] as? String ?? "").contains("states a wrong length"))
    #expect(rig.post(["recordings", "gone.m4a", "repair"]).status == 404)
    #expect(rig.names.filter { $0.contains("repaired") }.isEmpty)
  }
}
