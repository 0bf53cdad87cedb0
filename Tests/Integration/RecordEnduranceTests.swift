import Foundation
import SoundRigs
import TestSignals
import Testing

/// Killed recordings and long recordings, run as processes.
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

  @Test func longRecordingNeedsConstantMemory() throws {
    let hours = isDebugBuild ? 1 : 8
    let run = try folder.start([
      "record", "--device", "silence", "--unpaced", "--rate", "8000", "--channels", "1",
      "-b", "16k", "--effort", "fast", "--no-sync", "-d", "\(hours)h", "-o", "hours.aac",
    ])
    var peaks: [Int] = []
    let deadline = Date() + 600
    while run.isRunning && Date() < deadline {
      // Ten polls per second of a value that only grows. Their number does not matter.
      usleep(100_000)
      if let peak = Self.residentKilobytes(of: run.identifier) { peaks.append(peak) }
    }
    #expect(try run.wait().status == 0)
    #expect(try folder.read("hours.aac").count > hours * 375_000)
    let early = try #require(peaks.dropFirst(peaks.count / 10).first)
    let late = try #require(peaks.last)
    // At any time, up to 8 MiB of packets may wait for a slow disk. In eight hours, a leak of 100
    // bytes per frame would add 22 MB.
    #expect(late < 32_000)
    #expect(late - early < 10_000, "\(early) kB became \(late) kB")
  }

  private static func residentKilobytes(of process: Int32) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix("VmHWM:") {
      return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    }
    return nil
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
