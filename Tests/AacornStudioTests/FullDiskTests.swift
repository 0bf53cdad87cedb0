#if os(Linux)
import Foundation
@testable import AacornStudio
import AacornSystem
import Simulation
import SoundRigs
import StreamRigs
import Testing

@Suite("Library on a read-only disk") struct ReadOnlyDiskTests {
  @Test func unwritableDiskIsReportedAtStart() throws {
    let disk = try SmallDisk(byteCount: 1 << 20, isReadOnly: true)
    let studio = try StudioServer(StudioConfiguration(folder: disk.path))
    defer { studio.stop() }
    let problem = try #require(studio.folderProblem)
    #expect(problem.contains("“\(disk.path)” is not writable: the disk is read-only."))
    // The files can be played, and the error of a recording names the file.
    #expect(try studioAnswer(studio, "/api/recordings").status == 200)
    let answer = try studioAnswer(studio, "/api/record", form: "device=tone&name=talk")
    #expect(answer.status == 503 && answer.text.contains("“talk.m4a” cannot be written to"))
    let other = try StudioFolderRig()
    let writable = try StudioServer(StudioConfiguration(folder: other.path))
    #expect(writable.folderProblem == nil)
    writable.stop()
  }
}

extension RecorderSuites {
  @Suite("Recording on a full disk") struct FullDiskRecorderTests {
    @Test(.tags(.smoke), .realTime) func recordingOnFullDiskKeepsWrittenAudio() throws {
      let disk = try SmallDisk(byteCount: 2 << 20)
      let incidents = Lock<[String]>([])
      let rig = try RecorderRig(in: StudioFolderRig(at: disk.path)) { incident in
        incidents.withLock { $0.append(incident) }
      }
      try disk.fill(leaving: 60_000)
      let answer = try rig.post("record", [("device", "tone"), ("name", "a")])
      #expect(answer.status == 200, "\(answer.text)")
      #expect(eventually { rig.phase == "idle" })
      let name = "a.m4a"
      #expect(
        rig.messages.contains {
          $0.contains("The disk of “\(name)” is full. The recording until then is kept")
        },
        "\(rig.messages)")
      #expect(
        rig.messages.contains {
          $0.contains("“\(name)” is incomplete: its last ")
            && $0.contains(" of audio could not be saved.")
        },
        "\(rig.messages)")
      #expect(
        incidents.withLock { $0 } == [
          "The disk of “\(name)” is full. The recording until then is kept and can be played. "
            + "Make room on the disk."
        ])
      #expect(rig.files == [name])
      #expect(rig.bytes(name).count > 30_000)
      let facts = try SoundExaminer(FileBytes(rig.path(name))).facts()
      #expect(facts.isComplete, "\(facts)")
      let last = try #require(rig.state["last"] as? [String: Any])
      #expect(last["name"] as? String == name)
      #expect((last["seconds"] as? Double ?? 0) > 1)
      // The file can be downloaded and renamed immediately.
      try disk.empty()
      #expect(try rig.post("record", [("device", "tone")]).status == 200)
      #expect(rig.waitForSound(0.2))
      #expect(try rig.post("stop").status == 200)
    }

    @Test func recordingOnFullDiskIsRejected() throws {
      let disk = try SmallDisk(byteCount: 1 << 20)
      let rig = try RecorderRig(in: StudioFolderRig(at: disk.path))
      try disk.fill()
      let answer = try rig.post("record", [("device", "tone"), ("name", "a")])
      #expect(answer.status == 507, "\(answer.text)")
      #expect(
        answer.error
          == "The disk of “a.m4a” is full, so nothing was recorded. Make room on the disk.")
      #expect(rig.phase == "idle" && rig.files.isEmpty && rig.messages.isEmpty)
    }
  }
}
#endif
