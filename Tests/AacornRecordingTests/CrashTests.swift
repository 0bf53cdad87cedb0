import AacornCodec
import AacornDevices
import AacornInspection
import AacornSignal
import AacornSoundFiles
import AacornSystem
import DeviceRigs
import Foundation
import Simulation
import TestSignals
import Testing

@testable import AacornRecording

/// The files that each crash of a recording leaves, on a simulated disk.
@Suite(.simulated(seeds: 2), .needsSimulation) struct CrashTests {
  private let folder: Folder
  private let reader: RecordedSound

  init() throws {
    folder = try Folder()
    reader = try RecordedSound()
  }

  /// Records a counter, and checks the file of `name` after each crash; returns the number of crashes.
  private func record(
    _ name: String, _ options: FileOutput.Options = FileOutput.Options(), before: [UInt8]? = nil
  ) throws -> Int {
    let format = try #require(FileFormat(path: name))
    var bench = Bench.counter(format)
    bench.pacing = .realTime
    bench.faults = SyntheticFaults([.at(20_000, .loss(frameCount: 480, cause: .overrun))])
    let frameCount = bench.frameCount
    let disk = Disk(folder.path)
    let start = System.nanoseconds
    let outcome = try bench.run(to: FileOutput(folder.file(name), format, options: options))
    #expect(outcome.summary.failure == nil && outcome.summary.losses.isEmpty)
    let whole = try reader.samples(of: folder.bytes(name))
    // ADTS cannot specify the priming, so it is played.
    let skipped = format == .aac ? -(outcome.packets.first?.position ?? 0) : 0
    #expect(whole.count >= frameCount + skipped)
    var count = 0
    try disk.eachCrash { crash in
      count += 1
      if isDebugBuild && count % 4 != 0 { return }
      // The device delivers blocks of 10 ms. A crash can precede the block of the same time.
      let delivered = Int((crash.nanoseconds - start - 1_000_000) / 10_000_000) * 480
      let loss = FileOutput.promisedLoss(format, isPowerFailure: crash.isPowerFailure)
      let promised = min(frameCount, delivered - loss) + skipped
      if let list = crash.files[name + ".gaps.json"], !crash.isPowerFailure {
        #expect(throws: Never.self, "\(crash)") {
          try JSONSerialization.jsonObject(with: Data(list))
        }
      }
      if let before, crash.files[name] == before || promised <= skipped {
        #expect(crash.files[name] != nil, "\(crash)")
        return
      }
      if promised <= skipped { return }
      let bytes = try #require(crash.files[name], "\(crash)")
      try reader.expect(bytes, beginsWith: whole, count: promised, "\(crash)")
      // The repaired file has no fault.
      let repaired = try reader.repaired(bytes, "\(crash)")
      try reader.expect(repaired, beginsWith: whole, count: promised, "repaired: \(crash)")
      #expect(try reader.repaired(repaired, "\(crash)") == repaired)
    }
    return count
  }

  @Test(arguments: ["a.m4a", "a.aac", "a.wav", "a.caf"])
  func eachCrashLeavesPromisedSound(name: String) throws {
    #expect(try record(name) > 100)
  }

  @Test(arguments: ["a.m4a", "a.wav"])
  func eachCrashLeavesOldFileOrNewOne(name: String) throws {
    let old = [UInt8](repeating: 7, count: 9000)
    try folder.write(old, to: name)
    #expect(try record(name, .replacing, before: old) > 100)
  }
}

extension CrashTests {
  /// Replaces a file, with the steps of an encoder that moves frames and completes the header at the end.
  private func replace(_ name: String) throws {
    let file = try OutputFile(
      folder.file(name), replacing: true, interruption: Interruption())
    for _ in 0..<10 { try file.write([UInt8](repeating: 1, count: 9000)) }
    try file.move(20_000..<90_000, by: 10)
    try file.write([2, 3], at: 20_000)
    try file.commit()
  }

  @Test func eachCrashOfAnEncoderLeavesOldFileOrNewOne() throws {
    let old = [UInt8](repeating: 7, count: 9000)
    try folder.write(old, to: "x")
    let disk = Disk(folder.path)
    try replace("x")
    let new = try folder.bytes("x")
    #expect(disk.stored["x"] == new)
    var count = 0
    try disk.eachCrash { crash in
      count += 1
      let found = try #require(crash.files["x"])
      #expect(found == old || found == new, "\(crash)")
    }
    #expect(count > 50)
  }

  @Test func failingDiskLeavesOldFileOrNewOne() throws {
    let old = [UInt8](repeating: 7, count: 9000)
    try folder.write(old, to: "x")
    try replace("x")
    let new = try folder.bytes("x")
    let callCount = try Disk.eachFailure(isLasting: true) { calls in
      try folder.write(old, to: "x")
      let disk = Disk(folder.path)
      disk.failure = (calls, .device)
      do {
        try replace("x")
        let isStored = disk.stored["x"] == new
        #expect(isStored, "calls \(calls)")
      } catch let error as AACFileError {
        #expect(disk.failureTime != nil && error.message.contains("“\(folder.file("x"))”"))
        #expect(error.message.hasSuffix("."))
        let found = try folder.bytes("x")
        #expect(
          found == old || found == new && error.message.contains("complete"), "calls \(calls)")
      }
      return disk
    }
    #expect(callCount >= 15)
  }

  @Test func aFileInANewFolderIsOnTheDiskAfterAFailedAttempt() throws {
    let callCount = try Disk.eachFailure { calls in
      let folder = try Folder()
      let disk = Disk(folder.path)
      disk.failure = (calls, .device)
      let path = folder.file("new/x")
      func write() throws(AACFileError) {
        try OutputFile.makeFolders(for: path)
        let file = try OutputFile(path, replacing: true, interruption: Interruption())
        try file.write([1, 2, 3])
        try file.commit()
      }
      if (try? write()) == nil { try write() }
      #expect(disk.stored["new/x"] == [1, 2, 3], "calls \(calls)")
      return disk
    }
    #expect(callCount >= 10)
  }

  @Test func theNameOfAFolderWithATrailingSlashIsOnTheDisk() throws {
    let folder = try Folder()
    let disk = Disk(folder.path)
    try System.makeFolder(folder.file("new/"))
    let file = try OutputFile(
      folder.file("new/x"), replacing: true, interruption: Interruption())
    try file.write([1, 2, 3])
    try file.commit()
    #expect(disk.stored["new/x"] == [1, 2, 3])
  }

  @Test func eachCrashOfARepairInPlaceLeavesPlayableFile() throws {
    let segment = try Bench.segment(.m4a)
    var output = FileOutput(folder.file("a.m4a"), .m4a)
    try output.open()
    try output.begin(segment)
    let bytes = try folder.bytes("a.m4a")
    let whole = try reader.samples(of: bytes)
    let path = try folder.write(bytes, to: "b.m4a")
    guard case .repairable(let plan) = try RecordedSound.repair(of: bytes).outcome() else {
      Issue.record("The file is not damaged.")
      return
    }
    let disk = Disk(folder.path)
    try #require(plan.inPlace).apply(to: path, planned: try System.status(of: path))
    var count = 0
    try disk.eachCrash { crash in
      count += 1
      let left = try #require(crash.files["b.m4a"])
      try reader.expect(left, beginsWith: whole, count: whole.count, "\(crash)")
      let repaired = try reader.repaired(left, "\(crash)")
      try reader.expect(repaired, beginsWith: whole, count: whole.count, "repaired: \(crash)")
    }
    #expect(count > 0)
    #expect(try reader.repaired(folder.bytes("b.m4a"), "") == folder.bytes("b.m4a"))
  }
}

extension Bench {
  /// A recording of 1.3 s with one channel.
  static func counter(_ format: FileFormat) -> Bench {
    var bench = Bench()
    bench.channelCount = 1
    bench.configuration.channelCount = 1
    if !format.isPCM { bench.configuration.coding = .constant(64_000) }
    bench.frameCount = 62_400
    return bench
  }

  static func segment(_ format: FileFormat) throws -> MemoryOutput.Segment {
    try #require(counter(format).run().segments.first)
  }
}

extension FileOutput {
  /// The samples that a crash may cost at 48 kHz, as documented in FilesThatSurvive.md.
  static func promisedLoss(_ format: FileFormat, isPowerFailure: Bool = false) -> Int {
    let seconds =
      switch format {
      case _ where isPowerFailure: 1.0
      case .m4a: 0.6
      case .aac: 0.06
      case .wav, .caf: 0.03
      }
    return Int(seconds * 48_000)
  }
}

/// Reads recorded files in memory.
struct RecordedSound {
  private let folder: Folder

  init() throws { folder = try Folder() }

  func samples(of bytes: [UInt8]) throws -> [Float] {
    try folder.write(bytes, to: "a")
    return try folder.samples("a", pieces: 48_000)
  }

  /// Expects that the first `count` decoded samples of a file equal the samples `whole`.
  func expect(
    _ bytes: [UInt8], beginsWith whole: [Float], count: Int, _ words: @autoclosure () -> String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    do {
      let samples = try samples(of: bytes)
      if samples.count < count {
        Issue.record(
          "\(samples.count) of \(count) samples: \(words())", sourceLocation: sourceLocation)
      } else if unsafe memcmp(samples, whole, 4 * count) != 0 {
        let first = (0..<count).first { samples[$0] != whole[$0] } ?? 0
        Issue.record(
          "Sample \(first) of \(count) is wrong: \(words())", sourceLocation: sourceLocation)
      }
    } catch {
      Issue.record("\(error): \(words())", sourceLocation: sourceLocation)
    }
  }

  static func repair(of bytes: [UInt8]) -> RepairWork<SystemError> {
    RepairWork(byteCount: bytes.count) { (offset, count) throws(SystemError) in
      Array(bytes.dropFirst(offset).prefix(count))
    }
  }

  /// The file that a repair makes of this one.
  func repaired(
    _ bytes: [UInt8], _ words: @autoclosure () -> String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [UInt8] {
    let work = Self.repair(of: bytes)
    let file: RepairedFile
    if try work.holdsSamples() {
      switch try work.sampleOutcome() {
      case .intact: return bytes
      case .repairable(let repair): file = repair.newFile
      case .irreparable(let reason):
        Issue.record("\(reason): \(words())", sourceLocation: sourceLocation)
        return bytes
      }
    } else {
      switch try work.outcome() {
      case .intact: return bytes
      case .repairable(let plan): file = plan.newFile
      case let outcome:
        Issue.record("\(outcome): \(words())", sourceLocation: sourceLocation)
        return bytes
      }
    }
    var result: [UInt8] = []
    for step in file {
      switch step {
      case .bytes(let new): result += new
      case .copy(let range): result += bytes[Int(range.lowerBound)..<Int(range.upperBound)]
      case .patch(let write):
        let start = Int(write.offset)
        result.replaceSubrange(
          start..<min(result.count, start + write.bytes.count), with: write.bytes)
      }
    }
    return result
  }
}
