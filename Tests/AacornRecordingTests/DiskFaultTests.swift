import AacornCodec
import AacornSystem
import Foundation
import Simulation
import TestSignals
import Testing

@testable import AacornRecording

@Suite(.simulated(seeds: 1), .needsSimulation) struct DiskFaultTests {
  private let reader: RecordedSound

  init() throws { reader = try RecordedSound() }

  private static let formats = [FileFormat.m4a, .aac, .wav, .caf]

  private struct Run {
    let folder: Folder
    let name: String
    let disk: Disk
    let start = System.nanoseconds
    let hasGap: Bool
    var problems: [OutputError] = []
    var summaries: [OutputSummary] = []

    /// Whether the call that failed writes the list of gaps, the only temporary file of a recording with a gap.
    var failsList: Bool {
      guard hasGap, let (call, name) = disk.failedCall else { return false }
      return switch call {
      case .open, .write, .rename, .synchronize:
        name.hasPrefix(".aacorn-") || name.hasSuffix(".gaps.json")
      default: false
      }
    }

    /// Writes a segment in its own time, with a gap in the middle.
    init(
      _ segment: MemoryOutput.Segment, _ format: FileFormat, before: [UInt8]? = nil,
      _ change: (Disk) -> Void = { _ in }
    ) throws {
      folder = try Folder()
      name = "a.\(format.rawValue)"
      hasGap = before == nil
      if let before { try folder.write(before, to: name) }
      disk = Disk(folder.path)
      change(disk)
      var output = FileOutput(
        folder.file(name), format, options: before == nil ? .init() : .replacing)
      do throws(OutputError) {
        try output.open()
      } catch {
        problems = [error]
        return
      }
      let runner = try #require(OutputRunner(output) { _ in })
      runner.send(.begin(segment.start))
      for (index, packet) in segment.packets.enumerated() {
        let end = start + Int64(packet.position + packet.sampleCount) * 1_000_000 / 48
        System.sleep(milliseconds: max(0, Int((end - System.nanoseconds) / 1_000_000)))
        runner.send(.packet(packet))
        if hasGap, index == segment.packets.count / 2 {
          let gap = RecordingGap(
            position: packet.position, length: 100, cause: .overrun, wallTime: 0)
          runner.send(.gap(gap))
        }
      }
      runner.send(.end(try #require(segment.end)))
      summaries = runner.close()
      problems = [runner.failure].compactMap(\.self) + runner.losses
    }
  }

  /// Checks that a recording kept what it could, and reported success only for bytes on the disk.
  private func judge(_ run: Run, _ format: FileFormat, _ whole: [Float], _ words: String) throws {
    for problem in run.problems {
      let isExpected =
        problem.message.contains("“" + run.folder.file("a")) && problem.message.hasSuffix(".")
        && !problem.message.contains("another program")
      #expect(isExpected, "\(problem.message): \(words)")
    }
    let stored = run.disk.stored
    if run.problems.isEmpty {
      let bytes = try #require(stored[run.name], "\(words)")
      try reader.expect(bytes, beginsWith: whole, count: whole.count, "\(words)")
      if run.hasGap && format != .m4a {
        let list = try #require(stored[run.name + ".gaps.json"], "\(words)")
        #expect(throws: Never.self, "\(words)") {
          try JSONSerialization.jsonObject(with: Data(list))
        }
      }
    }
    for summary in run.summaries {
      let bytes = try #require(FileManager.default.contents(atPath: summary.name), "\(words)")
      let isFirst = summary.name.hasSuffix(run.name)
      try reader.expect(
        Array(bytes), beginsWith: whole, count: isFirst ? summary.sampleCount : 0, "\(words)")
    }
    guard let failureTime = run.disk.failureTime else { return }
    let written = Int((failureTime - run.start) * 48 / 1_000_000)
    let promised = written - FileOutput.promisedLoss(format)
    if promised > 0 {
      try reader.expect(
        run.folder.bytes(run.name), beginsWith: whole, count: promised, "before the error: \(words)"
      )
    }
  }

  @Test(arguments: isDebugBuild ? [FileFormat.aac] : [.m4a, .aac, .wav])
  func eachFailingCallIsReported(format: FileFormat) throws {
    let segment = try Bench.segment(format)
    var listFailureCount = 0
    for before in [nil, [UInt8](repeating: 7, count: 9000)] {
      let good = try Run(segment, format, before: before)
      let whole = try reader.samples(of: good.folder.bytes(good.name))
      try judge(good, format, whole, "no error")
      #expect(good.problems.isEmpty)
      let callCount = try Disk.eachFailure(isLasting: format == .m4a && before == nil) { calls in
        let run = try Run(segment, format, before: before) { $0.failure = (calls, .device) }
        try judge(run, format, whole, "calls \(calls) of \(good.disk.callCount)")
        let problems = run.problems.filter { $0.message.hasPrefix("The list of gaps") }
        for problem in problems {
          #expect(problem.message.contains("the device reports an error"), "calls \(calls)")
        }
        // The calls of a recording vary with the time of its flushes, so some runs fail another call.
        if format != .m4a, run.failsList {
          listFailureCount += 1
          #expect(problems.count == 1, "calls \(calls)")
        }
        return run.disk
      }
      #expect(callCount > 40)
    }
    #expect(listFailureCount > 0 || format == .m4a)
  }

  @Test func slowFlushesLeaveTimeForWriting() throws {
    let segment = try Bench.segment(.aac)
    let folder = try Folder()
    let disk = Disk(folder.path)
    var output = FileOutput(folder.file("a.aac"), .aac)
    try output.open()
    try output.begin(segment.start)
    disk.flushTime = 700
    try expectDuration(0.7...0.71) {
      for packet in segment.packets { try output.write(packet) }
    }
    System.sleep(milliseconds: 700)
    try expectDuration(0.7...0.71) { try output.write(#require(segment.packets.last)) }
    _ = output.abandon()
  }

  /// A name is given in several calls, each of which can fail; the last ones after the file has it.
  @Test(arguments: [false, true]) func newFileIsCompleteUnlessAnErrorIsThrown(
    replacing: Bool
  ) throws {
    let callCount = try Disk.eachFailure { calls in
      let folder = try Folder()
      let disk = Disk(folder.path)
      disk.failure = (calls, .device)
      var hasFailed = false
      do throws(AACFileError) {
        let file = try OutputFile(
          folder.file("a"), replacing: replacing, interruption: Interruption())
        defer { file.discard() }
        try file.write([1, 2, 3])
        try file.commit()
      } catch {
        hasFailed = true
      }
      disk.failure = nil
      let bytes = try? folder.bytes("a")
      #expect(bytes == [1, 2, 3] || hasFailed && bytes == nil, "calls \(calls)")
      return disk
    }
    #expect(callCount > 4)
  }

  @Test(arguments: formats) func fullDiskKeepsWhatFits(format: FileFormat) throws {
    var segment = try Bench.segment(format)
    // The tables of an M4A follow the sound if too few packets are expected.
    segment.start.expectedPacketCount = 1
    let good = try Run(segment, format)
    let bytes = try good.folder.bytes(good.name)
    let whole = try reader.samples(of: bytes)
    var numbers = Simulation.numbers
    for index in 0..<30 {
      // The first numbers concern the whole recording and its compact copy, the others the tables.
      let range = index < 20 ? 0..<bytes.count * 2 : bytes.count - 600..<bytes.count + 100
      let capacity = Int.random(in: range, using: &numbers)
      let run = try Run(segment, format) { $0.capacity = capacity }
      try judge(run, format, whole, "room for \(capacity) bytes")
      #expect(run.folder.names.allSatisfy { $0.hasPrefix("a") }, "room for \(capacity) bytes")
    }
  }

  @Test(arguments: formats) func errorOfFullDiskStatesThatNothingWasRecorded(
    format: FileFormat
  ) throws {
    let run = try Run(Bench.segment(format), format) { $0.capacity = 0 }
    let path = run.folder.file(run.name)
    #expect(
      run.problems.map(\.message) == [
        "The disk of “\(path)” is full, so nothing was recorded. Make room, or choose another disk."
      ])
    #expect(run.summaries.isEmpty && run.folder.names.isEmpty)
  }

  /// A compact copy is written in pieces of 256 KB.
  @Test func longCompactCopyHasAllAudio() throws {
    var bench = Bench()
    bench.configuration.coding = .constant(320_000)
    bench.frameCount = 720_000
    let segment = try #require(bench.run().segments.first)
    let folder = try Folder()
    var sounds: [[Float]] = []
    for finish in [FileOutput.Finish.inPlace, .automatic] {
      var options = FileOutput.Options()
      options.finish = finish
      var output = FileOutput(folder.file("\(finish).m4a"), .m4a, options: options)
      try output.open()
      try output.begin(segment)
      #expect(try output.end(#require(segment.end))?.sampleCount == 720_000)
      let bytes = try folder.bytes("\(finish).m4a")
      #expect(bytes.count > 1 << 18)
      sounds.append(try reader.samples(of: bytes))
    }
    #expect(sounds[0].count == 2 * 720_000 && sounds[0] == sounds[1])
  }

  @Test(arguments: formats) func slowDiskAndPartialWritesChangeNoByte(format: FileFormat) throws {
    let segment = try Bench.segment(format)
    let good = try Run(segment, format)
    let slow = try Run(segment, format) { disk in
      disk.flushTime = 3000
      disk.writesParts = true
    }
    #expect(slow.problems.isEmpty && slow.summaries.count == 1)
    #expect(slow.folder.names == good.folder.names)
    for name in good.folder.names {
      #expect(try slow.folder.bytes(name) == good.folder.bytes(name))
    }
  }
}
