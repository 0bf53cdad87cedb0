import AacornSystem
import Foundation
import SoundRigs
import Testing

@testable import AacornStudio

extension RecorderSuites {
  @Suite("What others do to files of the studio") struct MishapTests {
    init() { RiggedSystem.reset(["mic", "line"]) }

    @Test(arguments: [true, false])
    func aRecordingThatIsTakenAwayIsSavedAndSaid(isRemoved: Bool) throws {
      let rig = try RecorderRig()
      let begun = try rig.post("record", [("device", "tone"), ("format", "wav")])
      #expect(rig.waitForSound(0.3))
      if isRemoved {
        try FileManager.default.removeItem(atPath: rig.path(begun.name))
      } else {
        try Data().write(to: URL(fileURLWithPath: rig.path(begun.name)))
      }
      #expect(comesTrue { rig.messages.contains { $0.contains("while it was being written") } })
      let isSaid = rig.messages.contains { $0.contains(begun.name) }
      #expect(isSaid)
      let ended = try rig.post("stop")
      // Never that all is well with a file that is gone.
      #expect(ended.status == 200 && ended.name != begun.name && rig.files.contains(ended.name))
      #expect(rig.bytes(ended.name).count == ended.json["bytes"] as? Int)
      let losses = try #require(ended.json["losses"] as? [String])
      #expect(losses.count == 1 && losses[0].contains("while it was being written"), "\(losses)")
    }

    @Test func aRecordingThatIsWholeHasNoLosses() throws {
      let rig = try RecorderRig()
      try rig.post("record", [("device", "tone"), ("format", "wav")])
      #expect(rig.waitForSound(0.3))
      #expect(try rig.post("stop").json["losses"] as? [String] == [])
      // What has ended before the studio does is not told as how the studio has ended.
      #expect(rig.recorder.stop() == nil)
    }

    /// The recording before it is in the folder, and would be told as saved.
    @Test func theEndOfTheStudioTellsOfThisRecordingAlone() throws {
      let above = try StudioFolderRig()
      let place = try StudioFolderRig(at: above.path + "/sound")
      let mishaps = Lock<[String]>([])
      let rig = try RecorderRig(in: place) { mishap in mishaps.withLock { $0.append(mishap) } }
      let first = try rig.post("record", [("device", "tone"), ("format", "wav"), ("name", "a")])
      #expect(rig.waitForSound(0.3))
      #expect(try rig.post("stop").status == 200)
      let second = try rig.post("record", [("device", "tone"), ("format", "wav"), ("name", "b")])
      #expect(rig.waitForSound(0.3))
      try FileManager.default.removeItem(atPath: place.path)
      #expect(comesTrue { mishaps.withLock { !$0.isEmpty } })
      let ending = try #require(rig.recorder.stop())
      #expect(ending.recording == nil && rig.recorder.lastRecording?.name == first.name)
      let path = above.path + "/" + second.name.replacing(".wav", with: "-002.wav")
      #expect(ending.pathElsewhere == path && FileManager.default.fileExists(atPath: path))
      #expect(ending.losses.first == mishaps.withLock { $0.first })
      #expect(ending.losses.last?.contains("not in the studio's folder") == true)
    }

    @Test(arguments: [true, false])
    func aFolderThatIsTakenAwayIsSaid(isRenamed: Bool) throws {
      let above = try StudioFolderRig()
      let place = try StudioFolderRig(at: above.path + "/sound")
      let rig = try RecorderRig(in: place)
      let begun = try rig.post("record", [("device", "tone"), ("format", "wav")])
      #expect(rig.waitForSound(0.3))
      if isRenamed {
        try FileManager.default.moveItem(atPath: place.path, toPath: above.path + "/moved")
      } else {
        try FileManager.default.removeItem(atPath: place.path)
      }
      let part = isRenamed ? "/moved/" : "/"
      let name = isRenamed ? begun.name : begun.name.replacing(".wav", with: "-002.wav")
      #expect(comesTrue { rig.messages.contains { $0.contains(part + name) } })
      let ended = try rig.post("stop")
      #expect(ended.status == 500 && ended.error.contains("It is “\(above.path)\(part)\(name)”"))
      #expect(FileManager.default.fileExists(atPath: above.path + part + name))

      // It is not made anew: it may be on a disk that was taken out.
      let second = try rig.post("record", [("device", "tone"), ("format", "wav")])
      #expect(second.status == 503 && second.error.contains("the studio's folder"))
    }
  }
}

@Suite("Files that other programs write") struct TakenFileTests {
  @Test func aFileThatIsBeingWrittenIsLeftAlone() throws {
    let rig = try LibraryRig()
    try rig.put(LibrarySound.wav, "a.wav")
    let writer = try #require(try System.takeFile(rig.file("a.wav")))
    for (action, fields) in [("rename", [("to", "b")]), ("delete", nil)] {
      let answer = rig.post(["recordings", "a.wav", action], fields)
      #expect(answer.status == 409, "\(action)")
      #expect(answer.error.contains("is being written by “"), "\(answer.error)")
      #expect(answer.error.contains("(process \(System.processNumber))"), "\(answer.error)")
    }
    #expect(rig.names == ["a.wav"])
    try System.close(writer)
    #expect(rig.post(["recordings", "a.wav", "rename"], [("to", "b")]).status == 200)
  }
}
