import AacornNetwork
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import Testing

@testable import AacornStudio

/// A library on a full or failing disk, on a simulated disk.
@Suite("Library on a full disk", .simulated(seeds: 3), .needsSimulation)
struct LibraryDiskTests {
  private let rig: LibraryRig
  private let disk: Disk

  init() throws {
    var limits = StudioLibrary.Limits()
    limits.reservedByteCount = .min / 2
    limits.silence = 60_000_000_000
    let folder = try StudioFolderRig()
    disk = Disk(folder.path)
    rig = try LibraryRig(limits, in: folder)
  }

  private func fillDisk(leaving byteCount: Int = 0) { disk.capacity = disk.byteCount + byteCount }

  private func names(_ folder: String) -> [String] {
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
    let sound = LibrarySound.wav
    fillDisk(leaving: 250_000)
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
    #expect(rig.bytes(".aacorn-uploads/\(id)") == Array(sound[..<size]))
    disk.capacity = nil
    while size < sound.count {
      let piece = Array(sound[size..<min(size + 100_000, sound.count)])
      #expect(rig.put(piece, at: size, to: id).status == 200)
      size += piece.count
    }
    #expect(rig.post(["uploads", id, "finish"]).text("name") == "a.wav")
    #expect(rig.bytes("a.wav") == sound)
    #expect(names(".aacorn-uploads").isEmpty)
  }

  /// A flush takes five minutes, as on a network that fails.
  @Test func stopAbandonsADiskThatHangs() throws {
    let id = try #require(rig.post(["uploads"], [("name", "a.wav")]).text("id"))
    #expect(rig.put(LibrarySound.wav, at: 0, to: id).status == 200)
    disk.flushTime = 300_000
    let isHandled = rig.library.handle(
      ["api", "uploads", id, "finish"], HTTPRequest(method: "POST", components: [])
    ) { _ in }
    #expect(isHandled)
    let hasEnded = expectDuration(60...60.01) { rig.library.stop() }
    #expect(!hasEnded)
    disk.flushTime = 0
    System.sleep(milliseconds: 600_000)
    #expect(rig.bytes("a.wav") == LibrarySound.wav)
  }

  @Test func completeUploadCanFinishOnFullDisk() throws {
    let sound = LibrarySound.wav
    let id = try #require(rig.post(["uploads"], [("name", "a.wav")]).text("id"))
    #expect(rig.put(sound, at: 0, to: id).status == 200)
    fillDisk()
    #expect(rig.post(["uploads", id, "finish"]).text("name") == "a.wav")
    #expect(rig.bytes("a.wav") == sound)
    #expect(rig.post(["recordings", "a.wav", "rename"], [("to", "b")]).status == 200)
    #expect(rig.bytes("b.wav") == sound)
  }

  @Test func aRepairThatDoesNotFitLeavesNothing() throws {
    let list = [UInt8](repeating: 0x20, count: 100_000)
    try rig.put(LibrarySound.killed, "a.m4a")
    try rig.put(list, "a.m4a.gaps.json")
    _ = rig.known("a.m4a")
    fillDisk(leaving: 16_384)
    expectFull(rig.post(["recordings", "a.m4a", "repair"]))
    #expect(names(".aacorn-uploads").isEmpty)
    #expect(rig.listedNames == ["a.m4a"] && rig.bytes("a.m4a") == LibrarySound.killed)
    // Room for the audio but not for the list of gaps: no list is better than half a list.
    fillDisk(leaving: LibrarySound.killed.count + 50_000)
    let name = try #require(rig.post(["recordings", "a.m4a", "repair"]).text("name"))
    #expect(rig.known(name)["status"] as? String == "fine")
    #expect(!rig.names.contains(name + ".gaps.json"))
    #expect(rig.bytes("a.m4a.gaps.json") == list)
  }

  @Test func abandonedUploadIsCompletedOnFullDisk() throws {
    let sound = LibrarySound.killed
    let id = try #require(rig.post(["uploads"], [("name", "a.m4a")]).text("id"))
    #expect(rig.put(sound, at: 0, to: id).status == 200)
    fillDisk()
    // The tables of a recording fit in the space reserved before the audio.
    #expect(eventually { rig.names.contains("a.m4a") })
    let entry = rig.known("a.m4a")
    #expect(entry["status"] as? String == "fine", "\(entry)")
    #expect(abs((entry["seconds"] as? Double ?? 0) - 3) < 0.7)
    #expect(eventually { names(".aacorn-uploads").isEmpty })
  }

  enum Action: CaseIterable, Sendable { case delete, rename, upload, repair }

  /// An action succeeds, or changes nothing and can be repeated, whichever of its calls fails.
  @Test func failingCallKeepsRecording() throws {
    try rig.put(LibrarySound.killed, "a.m4a")
    let repaired = try rig.bytes(#require(perform(.repair).text("name")))
    try #require(repaired != nil && repaired != LibrarySound.killed)
    for action in Action.allCases {
      let callCount = try Disk.eachFailure { calls in
        try rig.put(LibrarySound.killed, "a.m4a")
        try rig.put(Array("[]".utf8), "a.m4a.gaps.json")
        _ = rig.known("a.m4a")
        let start = disk.callCount
        disk.failure = (start + calls.lowerBound..<start + calls.upperBound, .diskFull)
        let answer = perform(action)
        disk.failure = nil
        let words = "\(action), calls \(calls): \(answer.response)"
        if answer.status != 200 {
          #expect(
            answer.error.contains("the disk is full") && answer.error.hasSuffix("."), "\(words)")
          #expect(rig.bytes("a.m4a") == LibrarySound.killed, "\(words)")
          #expect(rig.bytes("a.m4a.gaps.json") == Array("[]".utf8), "\(words)")
          #expect(perform(action).status == 200, "\(words)")
        } else {
          #expect(try hasSucceeded(action, answer, repaired), "\(words)")
        }
        for id in names(".aacorn-uploads") { _ = rig.ask("DELETE", ["api", "uploads", id]) }
        for name in rig.names {
          try? FileManager.default.removeItem(atPath: rig.file(name))
        }
        return disk
      }
      #expect(callCount >= 3)
    }
  }

  /// No crash loses the recording or leaves half of a result under its name, and a reported result is on the disk.
  @Test(arguments: Action.allCases) func eachCrashKeepsRecording(action: Action) throws {
    try rig.put(LibrarySound.killed, "a.m4a")
    try rig.put(Array("[]".utf8), "a.m4a.gaps.json")
    _ = rig.known("a.m4a")
    let disk = Disk(rig.path)
    let answer = perform(action)
    let stored = disk.stored
    rig.library.stop()
    try #require(answer.status == 200, "\(answer.response)")
    let name = answer.text("name")
    #expect((name == nil) == (action == .delete))
    let result = try name.map { try #require(rig.bytes($0)) }
    if let name { #expect(stored[name] == result) }
    #expect((stored["a.m4a"] == nil) == (action == .delete || action == .rename))
    #expect(stored.values.contains(LibrarySound.killed))
    var count = 0
    try disk.eachCrash { crash in
      count += 1
      #expect(crash.files.values.contains(LibrarySound.killed), "\(crash)")
      if let name { #expect(crash.files[name] == nil || crash.files[name] == result, "\(crash)") }
      try crash.restore()
      let next = try LibraryRig(in: rig.rig)
      let names = crash.files.keys.filter { !$0.hasPrefix(".") && !$0.hasSuffix(".gaps.json") }
      #expect(next.listedNames.sorted() == names.sorted(), "\(crash)")
    }
    #expect(count >= 5)
  }

  private func hasSucceeded(
    _ action: Action, _ answer: LibraryRig.Answer, _ repaired: [UInt8]?
  ) throws -> Bool {
    switch action {
    case .delete: !rig.names.contains("a.m4a")
    case .rename: rig.bytes("b.m4a") == LibrarySound.killed
    case .upload: rig.bytes("c.aac") == LibrarySound.aac
    case .repair: try rig.bytes(#require(answer.text("name"))) == repaired
    }
  }

  private func perform(_ action: Action) -> LibraryRig.Answer {
    switch action {
    case .delete: rig.post(["recordings", "a.m4a", "delete"])
    case .rename: rig.post(["recordings", "a.m4a", "rename"], [("to", "b")])
    case .upload: rig.upload(LibrarySound.aac, as: "c.aac")
    case .repair: rig.post(["recordings", "a.m4a", "repair"])
    }
  }
}
