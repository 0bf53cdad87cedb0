import AacornContainers
import Foundation
import TestSignals
import Testing

/// Many recordings and long recordings, run as processes.
@Suite struct RecordEnduranceTests {
  let folder: WorkFolder

  init() throws {
    folder = try WorkFolder()
  }

  /// After a kill at any time, all audio in the file plays without repair.
  ///
  /// The amount of audio in the file depends on the machine. A test without a clock checks the
  /// required amount.
  @Test func aHundredKillsLeaveAHundredPlayableFiles() throws {
    var random = SeededNumbers(seed: 7)
    for batch in 0..<10 {
      var runs: [(run: Program.Run, name: String, units: Int)] = []
      for index in 0..<10 {
        let name = "k\(batch)-\(index).m4a"
        // Ten recordings run at the same time, so each uses little CPU time.
        let run = try Program.aacorn.get().start(
          [
            "record", "--json", "--device", "tone", "--rate", "16000", "--channels", "1", "-b",
            "24k", "--effort", "fast", "-o", name,
          ], in: folder)
        runs.append((run, name, 0))
      }
      for entry in runs {
        #expect(folder.waitForGrowth(of: entry.name, by: 3000), "\(entry.name) grows.")
      }
      for index in runs.indices {
        // Random times, any of which may be critical. The test does not wait for a condition.
        usleep(UInt32.random(in: 0...150_000, using: &random))
        runs[index].units = try units(in: runs[index].name)
        runs[index].run.signal(SIGKILL)
      }
      for entry in runs {
        #expect(try entry.run.wait().status == -SIGKILL)
        #expect(entry.units > 10)
        // The first unit is the encoder's priming, and the resampler adds a short delay.
        let seen = Double(entry.units - 1) * 1024 / 16_000
        let kept = try decodedSeconds(of: entry.name, in: folder)
        #expect(kept > seen - 0.01, "\(entry.name): \(kept) s of \(seen) s")
      }
    }
  }

  /// The number of complete access units in a file.
  private func units(in name: String) throws -> Int {
    MP4Reader(file: try folder.read(name)).completeSampleCount
  }

  @Test func longRecordingNeedsConstantMemory() throws {
    let run = try Program.aacorn.get().start(
      [
        "record", "--device", "silence", "--unpaced", "--rate", "8000", "--channels", "1",
        "-b", "16k", "--effort", "fast", "--no-sync", "-d", "8h", "-o", "hours.aac",
      ], in: folder)
    var peaks: [Int] = []
    let deadline = Date() + 600
    while run.isRunning && Date() < deadline {
      // Ten polls per second of a value that only grows. Their number does not matter.
      usleep(100_000)
      if let peak = Self.residentKilobytes(of: run.identifier) { peaks.append(peak) }
    }
    #expect(try run.wait().status == 0)
    #expect(try folder.read("hours.aac").count > 3_000_000)
    let early = try #require(peaks.dropFirst(peaks.count / 10).first)
    let late = try #require(peaks.last)
    // At any time, up to 8 MiB of packets may wait for a slow disk. A leak of 100 bytes per frame
    // would add 22 MB.
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
