import Foundation
import Platform
import Testing

@testable import Studio

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
      #expect(comesTrue { rig.messages.contains { $0.contains("while it was written") } })
      let isSaid = rig.messages.contains { $0.contains(begun.name) }
      #expect(isSaid)
      let ended = try rig.post("stop")
      // Never that all is well with a file that is gone.
      #expect(ended.status == 200 && ended.name != begun.name && rig.files.contains(ended.name))
      #expect(rig.bytes(ended.name).count == ended.json["bytes"] as? Int)
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
      #expect(answer.error.contains("is being written by another program"), "\(action)")
    }
    #expect(rig.names == ["a.wav"])
    try System.close(writer)
    #expect(rig.post(["recordings", "a.wav", "rename"], [("to", "b")]).status == 200)
  }
}
