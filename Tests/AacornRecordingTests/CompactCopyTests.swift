import AacornCodec
import AacornContainers
import AacornSystem
import Foundation
import Simulation
import Testing

@testable import AacornRecording

/// Compact copies of long recordings.
@Suite(.simulated(seeds: 2), .needsSimulation) struct CompactCopyTests {
  private let folder: Folder
  private var path: String { folder.file("long.m4a") }

  /// The bytes of a frame.
  private static let frameByteCount = 64_000

  init() throws { folder = try Folder() }

  /// Records frames of arbitrary bytes.
  private func record(
    frameCount: Int, _ options: FileOutput.Options = FileOutput.Options()
  ) throws -> (output: FileOutput, end: SegmentEnd) {
    let segment = try Bench.segment(.m4a)
    var output = FileOutput(path, .m4a, options: options)
    try output.open()
    var start = segment.start
    start.expectedPacketCount = nil
    try output.begin(start)
    let packet = try #require(segment.packets.last)
    for index in 0..<frameCount {
      var packet = packet
      packet.bytes = [UInt8](repeating: UInt8(index & 0x3F), count: Self.frameByteCount)
      packet.position = index * packet.sampleCount
      packet.gaps = []
      try output.write(packet)
    }
    var end = try #require(segment.end)
    let total = frameCount * packet.sampleCount
    end.trim.remainder = 0
    end.trim.sampleCount = total - end.trim.priming
    end.sampleCount = end.trim.sampleCount
    return (output, end)
  }

  /// Whether the file has movie fragments.
  private func isFragmented() throws -> Bool {
    try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data("moof".utf8)) != nil
  }

  /// A long interview has more than 64 MB.
  @Test func longRecordingBecomesCompact() throws {
    var (output, end) = try record(frameCount: 1200)
    let summary = try #require(try output.end(end))
    #expect(summary.compactFailure == nil && summary.byteCount > 1200 * Self.frameByteCount)
    #expect(try !isFragmented() && folder.names == ["long.m4a"])
    // All frames follow each other.
    let bytes = try folder.bytes("long.m4a")
    let reader = MP4Reader(file: bytes)
    let first = Int(try #require(reader.sample(at: 0)).offset)
    for index in 0..<1200 {
      #expect(bytes[first + index * Self.frameByteCount] == UInt8(index & 0x3F))
    }
  }

  /// A copy between two parts is limited to a minute, because the next part waits.
  ///
  /// The disk flushes 8 MB twice. Other copies of 20 MB are limited to 79 s.
  @Test(
    arguments: [
      (.automatic, false, 35, true), (.automatic, true, 35, false), (.automatic, true, 45, true),
      (.compact, false, 35, false), (.compact, false, 45, true), (.inPlace, false, 45, false),
    ] as [(FileOutput.Finish, Bool, Int, Bool)])
  func timeOfACopyIsLimited(
    finish: FileOutput.Finish, isLast: Bool, flushSeconds: Int, isGivenUp: Bool
  ) throws {
    let disk = Disk(folder.path)
    var options = FileOutput.Options()
    options.finish = finish
    var (output, end) = try record(frameCount: 320, options)
    disk.flushTime = flushSeconds * 1000
    end.isLast = isLast
    let summary = try #require(try output.end(end))
    #expect(summary.compactFailure?.kind == (isGivenUp ? .tooSlow : nil))
    #expect(try isFragmented() == (isGivenUp || finish == .inPlace))
    #expect(folder.names == ["long.m4a"])
    if let failure = summary.compactFailure {
      #expect(
        failure.message
          == "“\(path)” is complete, but not compact: its disk was too slow for a copy. Simple "
          + "players may not play all of it. Copy its frames to another file where there is room.")
    }
  }

  @Test func secondRequestCancelsOnlyTheCopy() throws {
    let disk = Disk(folder.path)
    var options = FileOutput.Options()
    options.interruption = Interruption()
    let interruption = options.interruption
    var (output, end) = try record(frameCount: 320, options)
    disk.flushTime = 5000
    #expect(interruption.request(2))
    let folder = folder
    let thread = try #require(
      WorkerThread("test") {
        while !folder.names.contains(where: { $0.hasPrefix(".aacorn") }) {
          System.sleep(milliseconds: 10)
        }
        #expect(interruption.request(2))
        System.sleep(milliseconds: 200)
        #expect(interruption.request(2), "A duplicate does not count.")
        System.sleep(milliseconds: 100)
        #expect(!interruption.request(2), "The third request ends the process.")
      })
    let summary = try #require(try output.end(end))
    thread.join()
    #expect(summary.compactFailure?.message.contains("the copy was canceled") == true)
    #expect(try isFragmented() && folder.names == ["long.m4a"])
    #expect(!interruption.request(2), "Without a copy, the second request ends the process.")
  }

  @Test func copyThatDoesNotFitIsReported() throws {
    let disk = Disk(folder.path)
    var (output, end) = try record(frameCount: 100)
    disk.capacity = disk.byteCount * 3 / 2
    let summary = try #require(try output.end(end))
    #expect(summary.compactFailure?.kind == .diskFull)
    #expect(try isFragmented() && folder.names == ["long.m4a"])
  }
}
