import AacornSystem
import Foundation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornStudio

extension RecorderSuites {
  @Suite("Interference of other programs") struct FileIncidentTests {
    init() { RiggedSystem.reset(["mic", "line"]) }

    /// A recorder whose folder can be removed, and the reported incidents.
    private struct RemovableFolder {
      let above: StudioFolderRig
      let folder: StudioFolderRig
      let rig: RecorderRig
      private let lock = Lock<[String]>([])

      var incidents: [String] { lock.withLock { $0 } }

      init() throws {
        above = try StudioFolderRig()
        folder = try StudioFolderRig(at: above.path + "/sound")
        let lock = lock
        rig = try RecorderRig(in: folder) { incident in lock.withLock { $0.append(incident) } }
      }

      /// Starts a recording, and waits for its first audio.
      func record(_ name: String) throws -> String {
        let fields = [("device", "tone"), ("format", "wav"), ("name", name)]
        let answer = try rig.post("record", fields)
        #expect(answer.status == 200, "\(answer.error)")
        #expect(rig.waitForSound(0.3))
        return answer.name
      }

      /// Removes the folder during a recording; returns the start of the path of the new file.
      func remove(during name: String) -> String {
        folder.remove()
        let beginning = above.path + "/" + name.replacing(".wav", with: "-0")
        #expect(eventually { incidents.contains { $0.contains(beginning) } })
        return beginning
      }
    }

    @Test(arguments: [true, false])
    func removedRecordingIsSavedAndReported(isRemoved: Bool) throws {
      let rig = try RecorderRig()
      let begun = try rig.post("record", [("device", "tone"), ("format", "wav")])
      #expect(rig.waitForSound(0.3))
      if isRemoved {
        try FileManager.default.removeItem(atPath: rig.path(begun.name))
      } else {
        try Data().write(to: URL(fileURLWithPath: rig.path(begun.name)))
      }
      #expect(eventually { rig.messages.contains { $0.contains("while it was being written") } })
      let isReported = rig.messages.contains { $0.contains(begun.name) }
      #expect(isReported)
      let ended = try rig.post("stop")
      // A missing file is never reported as saved.
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
      // The recording ended before the studio did, so `stop` does not report it.
      #expect(rig.recorder.stop() == nil)
    }

    /// The previous recording is still in the folder and must not be reported as this one.
    @Test func shutdownResultCoversCurrentRecordingOnly() throws {
      let disk = try RemovableFolder()
      let first = try disk.record("a")
      #expect(try disk.rig.post("stop").status == 200)
      let beginning = disk.remove(during: try disk.record("b"))
      let ending = try #require(disk.rig.recorder.stop())
      #expect(ending.recording == nil && disk.rig.recorder.lastRecording?.name == first)
      let path = try #require(ending.pathElsewhere)
      #expect(path.hasPrefix(beginning) && FileManager.default.fileExists(atPath: path))
      #expect(ending.losses.first == disk.incidents.first)
      #expect(ending.losses.last?.contains("not in the studio's folder") == true)
    }

    @Test(arguments: [true, false])
    func removedFolderIsReported(isRenamed: Bool) throws {
      let disk = try RemovableFolder()
      let (rig, above) = (disk.rig, disk.above)
      let begun = try disk.record("a")
      if isRenamed {
        try FileManager.default.moveItem(atPath: disk.folder.path, toPath: above.path + "/moved")
      } else {
        disk.folder.remove()
      }
      let part = above.path + (isRenamed ? "/moved/" : "/")
      let beginning = isRenamed ? begun : begun.replacing(".wav", with: "-0")
      #expect(eventually { rig.messages.contains { $0.contains(part + beginning) } })
      let ended = try rig.post("stop")
      let names = try FileManager.default.contentsOfDirectory(atPath: part)
      let name = try #require(names.first { $0.hasPrefix(beginning) })
      #expect(ended.status == 500 && ended.error.contains("The recording is now “\(part)\(name)”"))
    }

    /// The loss stays reported, and the next recording needs no help from the user.
    @Test func aFolderThatWasRemovedIsMadeAgainByTheNextRecording() throws {
      let disk = try RemovableFolder()
      let (rig, folder) = (disk.rig, disk.folder)
      let first = try disk.record("a")
      _ = disk.remove(during: first)
      #expect(try rig.post("stop").status == 500)
      #expect(!FileManager.default.fileExists(atPath: folder.path))

      let second = try disk.record("b")
      #expect(try System.status(of: folder.path).permissions == 0o700)
      let message = disk.incidents.last ?? ""
      #expect(message.contains("“\(folder.path)” was removed"), "\(message)")
      #expect(message.contains("It was created again"), "\(message)")
      #expect(rig.messages.contains(message))
      #expect(rig.messages.contains { $0.contains(first) && $0.contains("removed") })
      let ended = try rig.post("stop")
      #expect(ended.status == 200 && ended.name == second, "\(ended.error)")
      #expect(ended.json["losses"] as? [String] == [])
      #expect(rig.files == [second])
      // The studio leaves an existing folder unchanged.
      let count = disk.incidents.count
      #expect(unsafe chmod(folder.path, 0o750) == 0)
      _ = try disk.record("c")
      #expect(try rig.post("stop").status == 200)
      #expect(try System.status(of: folder.path).permissions == 0o750)
      #expect(disk.incidents.count == count)
    }

    /// The parent is then another folder, such as the empty mount point of the disk.
    @Test func folderOfRemovedDiskIsNotRecreated() throws {
      let above = try StudioFolderRig()
      let disk = above.path + "/disk"
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
      let rig = try RecorderRig(in: try StudioFolderRig(at: disk + "/sound"))
      try FileManager.default.moveItem(atPath: disk, toPath: above.path + "/away")
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
      let answer = try rig.post("record", [("device", "tone"), ("format", "wav")])
      #expect(answer.status == 503 && answer.error.contains("the studio's folder"))
      #expect(!FileManager.default.fileExists(atPath: disk + "/sound"))
    }
  }
}
