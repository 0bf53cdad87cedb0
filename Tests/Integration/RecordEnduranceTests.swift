import Foundation
import SoundRigs
import TestSignals
import Testing

/// A killed recording, run as a process.
@Suite struct RecordEnduranceTests {
  let folder = WorkFolder()

  /// After a kill, the audio in the file plays without repair.
  ///
  /// `CrashTests` tries a kill after each call of the system, in a simulation.
  @Test func aKillLeavesAPlayableFile() throws {
    let run = try folder.start([
      "record", "--device", "tone", "--rate", "16000", "--channels", "1", "-b", "24k", "-o",
      "a.m4a",
    ])
    #expect(folder.waitForGrowth(of: "a.m4a", by: 3000), "It grows.")
    run.signal(SIGKILL)
    #expect(try run.wait().status == -SIGKILL)
    #expect(try decodedSeconds(of: "a.m4a", in: folder) > 0.3)
  }
}

/// The seconds of audio that ffmpeg decodes from a file, whatever its tables state.
func decodedSeconds(of name: String, in folder: WorkFolder) throws -> Double {
  let outcome = try Program.ffmpeg().run(
    ["-nostdin", "-v", "error", "-i", name, "-f", "s16le", "-ac", "1", "-ar", "8000", "-"],
    in: folder)
  #expect(outcome.status == 0, "\(outcome.errors)")
  return Double(outcome.output.count) / 16_000
}
