import Foundation
import TestSignals
import Testing

/// `aacorn inspect` on damaged files.
@Suite struct InspectDamageTests {
  let folder: WorkFolder

  init() throws {
    folder = try WorkFolder()
    try folder.write(Sound.music(frames: 20_000, rate: 44_100, channels: 2).wav, to: "in.wav")
    for name in ["good.aac", "crc.aac", "good.m4a", "good.latm"] {
      let options = name == "crc.aac" ? ["--crc"] : []
      let outcome = try Program.aacorn.get().run(
        ["encode", "-q", "in.wav", "-o", name] + options, in: folder)
      #expect(outcome.status == 0)
    }
    let piped = try Program.aacorn.get().run(
      ["encode", "-q", "in.wav", "-o", "-"], in: folder)
    try folder.write(piped.output, to: "fragments.m4a")
  }

  struct Report {
    var status: Int32
    var faults: [[String: Any]]
    var frames: Int
  }

  /// Inspects bytes.
  ///
  /// For any input, the program exits soon, without a crash and with a report.
  private func inspect(
    _ bytes: some Sequence<UInt8>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Report {
    try folder.write(bytes, to: "damaged")
    let outcome = try Program.aacorn.get().run(
      ["inspect", "--json", "damaged"], in: folder)
    #expect(!outcome.wasKilled, "The program hangs.", sourceLocation: sourceLocation)
    #expect(
      outcome.status == 0 || outcome.status == 1, "\(outcome.errors)",
      sourceLocation: sourceLocation)
    let object = try #require(
      JSONSerialization.jsonObject(with: outcome.output) as? [String: Any],
      sourceLocation: sourceLocation)
    return Report(
      status: outcome.status, faults: object["faults"] as? [[String: Any]] ?? [],
      frames: object["frames"] as? Int ?? -1)
  }

  static let files = ["good.aac", "crc.aac", "good.m4a", "good.latm", "fragments.m4a"]

  @Test(arguments: files)
  func goodFilesHaveNoFaults(name: String) throws {
    let report = try inspect(folder.read(name))
    #expect(report.status == 0)
    #expect(report.faults.isEmpty)
    #expect(report.frames == 21)
  }

  @Test(arguments: files)
  func cutFilesAreFaulty(name: String) throws {
    let bytes = try folder.read(name)
    var random = SeededNumbers(seed: 5)
    let lengths =
      [1, 2, 3, 7, 8, 20, 40, bytes.count / 2, bytes.count - 1]
      + (0..<12).map { _ in Int(UInt64.random(in: 1..<UInt64(bytes.count), using: &random)) }
    for length in lengths {
      let report = try inspect(bytes[..<length])
      #expect(report.frames <= 21)
      // A stream that is cut between two frames is complete.
      if name == "good.m4a" || length == bytes.count - 1 {
        #expect(report.status == 1, "cut at \(length)")
      }
      // Only the offset of a missing frame may be past the end of the file.
      for fault in report.faults where fault["kind"] as? String != "sample-outside-file" {
        let offset = fault["offset"] as? Int ?? 0
        #expect((0...length).contains(offset), "\(fault)")
      }
    }
  }

  /// The start offsets of the frames of an ADTS stream.
  private func frameStarts(_ bytes: [UInt8]) -> [Int] {
    var starts: [Int] = []
    var start = 0
    while start + 7 <= bytes.count {
      starts.append(start)
      start +=
        Int(bytes[start + 3] & 3) << 11 | Int(bytes[start + 4]) << 3 | Int(bytes[start + 5] >> 5)
    }
    return starts
  }

  @Test func faultsAreReportedWhereTheyAre() throws {
    let bytes = try folder.read("good.aac")
    let starts = frameStarts(bytes)
    #expect(starts.count == 21)
    var random = SeededNumbers(seed: 9)
    for frame in [1, 7, 20] {
      // Garbage between two frames.
      let garbage = [UInt8](repeating: 0x55, count: 33)
      var damaged = bytes
      damaged.insert(contentsOf: garbage, at: starts[frame])
      var report = try inspect(damaged)
      #expect(report.status == 1)
      #expect(report.frames == 21)
      #expect(report.faults.count == 1)
      #expect(report.faults.first?["offset"] as? Int == starts[frame])
      #expect(report.faults.first?["length"] as? Int == garbage.count)
      // A truncated last frame.
      damaged = Array(bytes[..<(starts[frame] + 50)])
      report = try inspect(damaged)
      #expect(report.status == 1)
      #expect(report.frames == frame)
      #expect(report.faults.first?["offset"] as? Int == starts[frame])
    }
    // Garbage before the first frame.
    let report = try inspect(random.bytes(100).map { $0 & 0x7F } + bytes)
    #expect(report.status == 1)
    #expect(report.frames == 21)
    #expect(report.faults.first?["offset"] as? Int == 0)
    #expect(report.faults.first?["length"] as? Int == 100)
  }

  @Test func aWrongChecksumIsFound() throws {
    let bytes = try folder.read("crc.aac")
    let starts = frameStarts(bytes)
    for frame in [0, 5, 20] {
      var damaged = bytes
      damaged[starts[frame] + 7] ^= 1
      let report = try inspect(damaged)
      #expect(report.status == 1)
      #expect(report.faults.count == 1)
      let offset = try #require(report.faults.first?["offset"] as? Int)
      #expect((starts[frame]..<starts[frame] + 10).contains(offset))
    }
  }

  @Test(arguments: files)
  func flippedBitsNeverCrashInspector(name: String) throws {
    let bytes = try folder.read(name)
    var random = SeededNumbers(seed: 77)
    for round in 0..<60 {
      var damaged = bytes
      // Half of the damage affects the first bytes, which contain the lengths.
      for _ in 0..<(1 + round % 9) {
        let limit = round % 2 == 0 ? bytes.count : min(bytes.count, 700)
        let offset = Int(UInt64.random(in: 0..<UInt64(limit), using: &random))
        damaged[offset] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try inspect(damaged)
    }
  }

  @Test func randomBytesNeverCrashInspector() throws {
    var random = SeededNumbers(seed: 1234)
    for round in 0..<60 {
      var bytes = random.bytes([0, 1, 2, 9, 100, 5000, 60_000][round % 7])
      // Some of the inputs start with a valid signature.
      let heads: [[UInt8]] = [
        [], [0xFF, 0xF1, 0x50, 0x80], [0x56, 0xE0], Array("ADIF".utf8),
        [0, 0, 0, 24] + Array("ftypM4A ".utf8), [0, 0, 0, 1] + Array("moov".utf8),
      ]
      bytes.insert(contentsOf: heads[round % heads.count], at: 0)
      let report = try inspect(bytes)
      if bytes.count < 100 { #expect(report.status == 1) }
    }
    #expect(try inspect([UInt8](repeating: 0, count: 3_000_000)).status == 1)
    #expect(try inspect([UInt8](repeating: 0xFF, count: 3_000_000)).status == 1)
  }

  /// Boxes with a length of zero, or a length beyond the end of the file.
  @Test(arguments: [UInt32(0), 1, 2, 7, 8, 9, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])
  func wrongBoxLengthsNeverHangInspector(length: UInt32) throws {
    for name in ["good.m4a", "fragments.m4a"] {
      let bytes = try folder.read(name)
      var offset = 4
      var tried = 0
      while offset + 4 < bytes.count, tried < 25 {
        let tag = bytes[offset..<offset + 4]
        guard tag.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }) else {
          offset += 1
          continue
        }
        var damaged = bytes
        for shift in 0..<4 {
          damaged[offset - 4 + shift] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * shift))
        }
        _ = try inspect(damaged)
        tried += 1
        offset += 4
      }
      #expect(tried > 10)
    }
  }
}
