import AacornContainers
import Foundation
import Testing

/// Many recordings, and long ones, as a shell and the system treat them.
@Suite struct RecordEnduranceTests {
  let folder: WorkFolder

  init() throws {
    folder = try WorkFolder()
  }

  /// Whenever it is killed, all that was in the file plays without repair.
  ///
  /// How much sound was in it by then is a matter of the machine; how much has to be is tested where
  /// no clock runs.
  @Test func aHundredKillsLeaveAHundredPlayableFiles() throws {
    var random = SeededNoise(state: 7)
    for batch in 0..<10 {
      var runs: [(run: Program.Run, name: String, units: Int)] = []
      for index in 0..<10 {
        let name = "k\(batch)-\(index).m4a"
        // Ten at a time, so each of them is to be light.
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
        // Moments by chance, of which any may be the wrong one; none is awaited.
        usleep(UInt32.random(in: 0...150_000, using: &random))
        runs[index].units = try units(in: runs[index].name)
        runs[index].run.signal(SIGKILL)
      }
      for entry in runs {
        #expect(try entry.run.wait().status == -SIGKILL)
        #expect(entry.units > 10)
        // The first unit is the encoder's priming, and a resampler takes a moment.
        let seen = Double(entry.units - 1) * 1024 / 16_000
        let kept = try decodedSeconds(of: entry.name, in: folder)
        #expect(kept > seen - 0.01, "\(entry.name): \(kept) s of \(seen) s")
      }
    }
  }

  /// The access units that are whole in a file so far.
  private func units(in name: String) throws -> Int {
    MP4Reader(file: try folder.read(name)).completeSampleCount
  }

  @Test func hoursOfRecordingTakeNoMoreMemoryThanTheFirst() throws {
    let run = try Program.aacorn.get().start(
      [
        "record", "--device", "silence", "--unpaced", "--rate", "8000", "--channels", "1",
        "-b", "16k", "--effort", "fast", "--no-sync", "-d", "8h", "-o", "hours.aac",
      ], in: folder)
    var peaks: [Int] = []
    let deadline = Date() + 600
    while run.isRunning && Date() < deadline {
      // Ten looks a second at what only grows; how many there are is all the same.
      usleep(100_000)
      if let peak = Self.residentKilobytes(of: run.identifier) { peaks.append(peak) }
    }
    #expect(try run.wait().status == 0)
    #expect(try folder.read("hours.aac").count > 3_000_000)
    let early = try #require(peaks.dropFirst(peaks.count / 10).first)
    let late = try #require(peaks.last)
    // Of a slow disk's packets 8 MiB may wait, at any time; a hundred bytes a frame would be 22 MB.
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

/// Seconds of sound that ffmpeg gets out of a file, whatever its tables say.
func decodedSeconds(of name: String, in folder: WorkFolder) throws -> Double {
  let outcome = try Program.ffmpeg().run(
    ["-nostdin", "-v", "error", "-i", name, "-f", "s16le", "-ac", "1", "-ar", "8000", "-"],
    in: folder)
  #expect(outcome.status == 0, "\(outcome.errors)")
  return Double(outcome.output.count) / 16_000
}
