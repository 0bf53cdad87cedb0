import Foundation
import TestSignals
import Testing

/// `aacorn record`, run as a process.
@Suite(.serialized) struct RecordProcessTests {
  let folder = WorkFolder()

  @Test(arguments: ["a.m4a", "a.aac", "a.wav"])
  func aFullDiskEndsTheRecordingAndKeepsWhatFitted(name: String) throws {
    let disk = folder.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let program = try Program.aacorn.get().path
    // A separate file system of 300 kB for the recording.
    let script =
      "mount -t tmpfs -o size=300k none '\(disk)' || exit 99; "
      + "'\(program)' record --device tone --unpaced -d 10m -o '\(disk)/\(name)'; status=$?; "
      + "cp '\(disk)/'* .; exit $status"
    let outcome = try Program.find("unshare", package: "util-linux").run(
      ["-rm", "sh", "-c", script], in: folder)
    #expect(outcome.status != 99, "A tmpfs cannot be mounted here: \(outcome.errors)")
    #expect(outcome.status == 5, "\(outcome.errors)")
    #expect(outcome.errors.contains("full"))
    #expect(outcome.text.contains(" after it not saved"))
    if name.hasSuffix("wav") {
      #expect(try folder.read(name).count > 250_000)
    } else {
      // The tables for ten minutes occupy more than a third of the file system.
      #expect(try decodedSeconds(of: name, in: folder) > 10)
      try folder.aacorn("inspect", name)
    }
  }

  /// faad stops at the first header of a fragment, so it needs a compact copy.
  @Test(arguments: [("200m", true), ("40m", false)])
  func recordingPlaysInSimplePlayersIfACopyFits(diskSize: String, hasRoom: Bool) throws {
    let disk = folder.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let program = try Program.aacorn.get().path
    let script =
      "mount -t tmpfs -o size=\(diskSize) none '\(disk)' || exit 99; "
      + "'\(program)' record --device tone --unpaced -d 20 -o '\(disk)/a.m4a'; status=$?; "
      + "cp '\(disk)/'* .; exit $status"
    let outcome = try Program.find("unshare", package: "util-linux").run(
      ["-rm", "sh", "-c", script], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let isReported = (outcome.text + outcome.errors).contains(
      "is complete, but not compact: its disk has too little room for a copy. Simple players may not "
        + "play all of it. “aacorn cut FILE -o OUT.m4a” makes a compact copy, also on another disk."
    )
    #expect(isReported == !hasRoom)
    func isComplete(_ name: String) throws -> Bool {
      try Decoders.faad(name, channels: 2, in: folder)[0].count > 19 * 48_000
    }
    #expect(try isComplete("a.m4a") == hasRoom)
    try folder.aacorn("cut", "a.m4a", "-o", "b.m4a")
    #expect(try isComplete("b.m4a"))
  }

  /// `CrashTests` tries a kill after each call of the system, in a simulation.
  @Test func killedRecordingPlaysWithoutRepair() throws {
    let run = try folder.start([
      "record", "--device", "tone", "--rate", "16000", "--channels", "1", "-b", "24k", "-o",
      "a.m4a",
    ])
    #expect(folder.waitForGrowth(of: "a.m4a", by: 3000), "It grows.")
    run.signal(SIGKILL)
    #expect(try run.wait().status == -SIGKILL)
    #expect(try decodedSeconds(of: "a.m4a", in: folder) > 0.3)
  }

  @Test func recordingToPipeEqualsFile() throws {
    let outcome = try folder.aacorn("record", "--device", "tone", "--unpaced", "-d", "3", "-o", "-")
    try folder.aacorn("record", "--device", "tone", "--unpaced", "-d", "3", "-o", "b.aac")
    #expect([UInt8](outcome.output) == (try folder.read("b.aac")))
  }

  /// The environment of a machine without audio devices.
  private var silentMachine: [String: String] {
    [
      "PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
      "PULSE_SERVER": "unix:\(folder.path("none"))", "ALSA_CONFIG_PATH": "/dev/null",
    ]
  }

  @Test func missingMicrophoneListsTriedSystems() throws {
    let run = try folder.start(["record", "-o", "a.m4a"], environment: silentMachine)
    let outcome = try run.wait()
    #expect(outcome.status == 3)
    for words in ["No microphone was found.", "PulseAudio", "ALSA", "--device tone"] {
      #expect(outcome.errors.contains(words))
    }
    #expect(!folder.names.contains("a.m4a"))
    let list = try folder.start(["devices"], environment: silentMachine).wait()
    #expect(list.status == 3)
    #expect(list.errors.split(separator: "\n").count == 3)
    #expect(list.text.contains("Test signals"))
  }
}

/// The seconds of audio that ffmpeg decodes from a file, whatever its tables state.
private func decodedSeconds(of name: String, in folder: WorkFolder) throws -> Double {
  let outcome = try Program.ffmpeg().run(
    ["-nostdin", "-v", "error", "-i", name, "-f", "s16le", "-ac", "1", "-ar", "8000", "-"],
    in: folder)
  #expect(outcome.status == 0, "\(outcome.errors)")
  return Double(outcome.output.count) / 16_000
}
