import AacornCodec
import Foundation

/// Counts the instructions of a frame with valgrind, which are reproducible, unlike times.
enum Instructions {
  private static let counts = [60, 260]

  static func run() throws {
    guard let valgrind = Child.find("valgrind") else {
      print("\nInstructions are counted with valgrind, which is not installed.")
      return
    }
    let log = FileManager.default.temporaryDirectory
      .appendingPathComponent("aacorn-bench-\(getpid()).log").path
    defer { try? FileManager.default.removeItem(atPath: log) }
    print("\nInstructions of a stereo frame at 128 kb/s")
    Table.row("", "thousands")
    for effort in AACEncoder.Effort.allCases {
      // The cost of start and synthesis is the same in both runs, and cancels.
      let totals = try counts.map { count in
        _ = try Child.run(
          valgrind,
          [
            "--tool=callgrind", "--callgrind-out-file=/dev/null", CommandLine.arguments[0],
            "frames", "\(effort)", "\(count)",
          ], output: log)
        return try collected(log)
      }
      let perFrame = Double(totals[1] - totals[0]) / Double(counts[1] - counts[0])
      Table.row("\(effort)", Table.number(perFrame / 1000, 0))
    }
  }

  private static func collected(_ log: String) throws -> Int {
    let text = try String(contentsOfFile: log, encoding: .utf8)
    for line in text.split(separator: "\n") where line.contains("Collected :") {
      if let number = line.split(separator: " ").last.flatMap({ Int($0) }) { return number }
    }
    throw Failure("valgrind said nothing of instructions")
  }

  /// Encodes the first `frames` frames of a fixed signal, for counting instructions.
  static func encode(effort: String, frames: Int) throws {
    let effort = AACEncoder.Effort.allCases.first { "\($0)" == effort } ?? .balanced
    var music = Music()
    let samples = music.samples(frames: 300 * 1024)
    var encoder = try AACEncoder(.init(sampleRate: Music.rate, channelCount: 2, effort: effort))
    encoder.encode(interleaved: samples.span)
    var unit = AccessUnit()
    for _ in 0..<frames { _ = encoder.nextAccessUnit(into: &unit) }
  }
}
