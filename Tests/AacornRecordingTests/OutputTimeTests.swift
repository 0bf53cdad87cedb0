import AacornCodec
import AacornDevices
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import Testing

@testable import AacornRecording

/// The time limits and the queue of an output's thread.
@Suite(.simulated(seeds: 3)) struct OutputTimeTests {
  /// An output whose first packets take seconds each.
  private struct Slow: SilentOutput {
    let name = "slow"
    let seconds: Int
    var slowCount = 1
    mutating func write(_ packet: EncodedPacket) throws(OutputError) {
      slowCount -= 1
      if slowCount >= 0 { System.sleep(milliseconds: 1000 * seconds) }
    }
  }

  private let segment = SegmentStart(
    index: 0, format: .int16(sampleRate: 48_000, channelCount: 2), position: 0, wallTime: 0)

  private func packet(byteCount: Int, at position: Int = 0) -> EncodedPacket {
    EncodedPacket(
      bytes: [UInt8](repeating: 0, count: byteCount), position: position, sampleCount: 1000,
      segment: 0, captureTime: 0)
  }

  /// An output without progress is abandoned after the timeout of the protocol, ten seconds.
  @Test(arguments: [9, 11, 60]) func anOutputHasTenSecondsPerPacket(seconds: Int) throws {
    let runner = try #require(OutputRunner(Slow(seconds: seconds)) { _ in })
    runner.send(.packet(packet(byteCount: 1)))
    System.sleep(milliseconds: 1)
    let wanted = Double(min(seconds, 10))
    _ = expectDuration(wanted - 0.002...wanted + 0.002) { runner.close() }
    #expect(runner.failure?.kind == (seconds > 10 ? .tooSlow : nil))
  }

  @Test func timeoutOfAFileGrowsWithItsSize() throws {
    let folder = try Folder()
    var output = FileOutput(folder.file("x.wav"), .wav)
    #expect(output.closeTimeout == .seconds(60))
    try output.open()
    #expect(output.closeTimeout == .seconds(120))
    try output.begin(segment)
    try output.write(packet(byteCount: 3 << 20))
    #expect(RenditionOutput(output, rendition: 1).closeTimeout == .seconds(123))
    _ = output.abandon()
    #expect(unsafe mkfifo(folder.file("pipe"), 0o600) == 0)
    let reader = unsafe open(folder.file("pipe"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    var pipe = FileOutput(folder.file("pipe"), .aac)
    try pipe.open()
    #expect(pipe.closeTimeout == .seconds(10))
    _ = pipe.abandon()
  }

  @Test(.needsSimulation) func fileIsFlushedEvery400Milliseconds() throws {
    let folder = try Folder()
    let disk = Disk(folder.path)
    var output = FileOutput(folder.file("x.wav"), .wav)
    try output.open()
    try output.begin(segment)
    System.sleep(milliseconds: 1000)
    try output.write(packet(byteCount: 4))
    disk.flushTime = 10
    // The time of a flush counts.
    let steps = [(399, 0), (2, 0.01), (388, 0), (3, 0.01)]
    for (index, (pause, flushTime)) in steps.enumerated() {
      System.sleep(milliseconds: pause)
      try expectDuration(flushTime...flushTime + 0.0005) {
        try output.write(packet(byteCount: 4, at: 1000 * (index + 1)))
      }
    }
    disk.flushTime = 0
    _ = output.abandon()
  }

  /// A queue of more than 32 MB closes the output; a source that can wait leaves it at 8 MB.
  @Test func theQueueOfAnOutputIsLimited() throws {
    let mebibyte = packet(byteCount: 1 << 20)
    let runner = try #require(OutputRunner(Slow(seconds: 2, slowCount: 40)) { _ in })
    for _ in 0..<7 { runner.send(.packet(mebibyte)) }
    expectDuration(0...0.001) { runner.waitForRoom { true } }
    for _ in 7..<10 { runner.send(.packet(mebibyte)) }
    // Seven packets and their overhead are less than 8 MB.
    expectDuration(5.99...6.01) { runner.waitForRoom { true } }
    for _ in 7..<31 { runner.send(.packet(mebibyte)) }
    #expect(runner.failure == nil)
    expectDuration(0...0.001) { runner.waitForRoom { false } }
    runner.send(.packet(mebibyte))
    #expect(runner.failure?.kind == .tooSlow)
    expectDuration(0...0.001) { runner.waitForRoom { true } }
    // The queued packets are still written.
    _ = expectDuration(61.99...62.01) { runner.close() }
  }

  @Test func recordingContinuesAndReportsRemovedFile() async throws {
    let folder = try Folder()
    let log = RecordingLog()
    let session = log.session(.stereo(.int16))
    let source = SyntheticSource.test(pacing: .realTime)
    try session.start(source, outputs: [FileOutput(folder.file("x.wav"), .wav)])
    #expect(eventually { session.takeStatus().byteCount > 100_000 }, "The file has no audio.")
    try folder.remove("x.wav")
    let isReported = eventually {
      log.events.contains { if case .outputLost = $0 { true } else { false } }
    }
    #expect(isReported, "The loss was not reported.")
    session.stop()
    let summary = await session.end()
    #expect(summary.failure == nil)
    #expect(summary.losses.map(\.kind) == [.lost])
    #expect(summary.outputs.map(\.name) == [folder.file("x-002.wav")])
    #expect(summary.outputs.first?.sampleCount == summary.sampleCount)
  }

  // MARK: Changes by other programs

  /// An output whose files other programs change, and which cannot write.
  private struct Disturbed: SilentOutput {
    static let full = OutputError(.diskFull, "full")
    let name = "disturbed"
    /// The changes that are found at the end of each segment.
    let changes: [[OutputIncident]]
    var segmentCount = 0
    var incidents: [OutputIncident] = []

    mutating func write(_ packet: EncodedPacket) throws(OutputError) { throw Self.full }
    mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? { nextSummary() }
    mutating func abandon() -> OutputSummary? { nextSummary() }
    mutating func poll() throws(OutputError) -> [OutputIncident] {
      defer { incidents = [] }
      return incidents
    }
    mutating func nextSummary() -> OutputSummary {
      incidents = changes[segmentCount]
      segmentCount += 1
      return OutputSummary(name: "\(segmentCount)", sampleCount: 0, byteCount: 0)
    }
  }

  private let end = SegmentEnd(
    sampleCount: 0, trim: StreamTrim(priming: 0, remainder: 0, sampleCount: 0))

  /// A lost or missing file is no longer a result.
  @Test(arguments: [false, true])
  func changesByOtherProgramsAreReportedInOrder(fails: Bool) throws {
    let lost = OutputError(.lost, "lost")
    let changes: [[OutputIncident]] = [
      [], [.moved(from: "a", to: "b")], [.lost(name: "1", lost)],
      [.lost(name: "2", Disturbed.full)], [.missing(["3", "x"])],
    ]
    let events = Lock<[RecorderEvent]>([])
    let runner = try #require(
      OutputRunner(Disturbed(changes: changes), track: "mic") { event in
        events.withLock { $0.append(event) }
      })
    runner.send(.begin(segment))
    for _ in 0..<4 { runner.send(.end(end)) }
    if fails {
      for _ in 0..<10 { runner.send(.packet(packet(byteCount: 1 << 20))) }
      System.sleep(milliseconds: 1)
      let limit = System.seconds + 1
      expectDuration(0...0.01) { runner.waitForRoom { System.seconds < limit } }
    }
    #expect(runner.close().map(\.name) == ["2", "4", "5"])
    #expect(runner.losses == [lost, Disturbed.full])
    #expect(runner.failure == (fails ? Disturbed.full : nil))
    func closed(_ number: Int) -> RecorderEvent {
      .outputClosed(
        OutputSummary(name: "\(number)", sampleCount: 0, byteCount: 0, track: "mic"))
    }
    let expected: [RecorderEvent] = [
      .outputOpened("disturbed"), closed(1), .outputMoved(from: "a", to: "b"), closed(2),
      .outputLost(name: "1", lost), closed(3), .outputLost(name: "2", Disturbed.full), closed(4),
    ]
    let last: [RecorderEvent] =
      fails
      ? [
        .outputFailed(name: "disturbed", Disturbed.full), closed(5), .outputsMissing(["3", "x"]),
      ] : [.outputsMissing(["3", "x"]), closed(5)]
    #expect(events.withLock { $0 } == expected + last)
  }

  private struct Broken: SilentOutput {
    static let failure = OutputError(.diskFull, "full")
    let name = "broken"
    mutating func open() throws(OutputError) { throw Self.failure }
    mutating func record(_ gap: RecordingGap) throws(OutputError) { throw Self.failure }
    mutating func poll() throws(OutputError) -> [OutputIncident] { throw Self.failure }
  }

  @Test func errorsPassThroughRenditionOutputs() {
    let gap = RecordingGap(position: 0, length: 1, cause: .overrun, wallTime: 0)
    var rendition = RenditionOutput(Broken(), rendition: 1)
    #expect(throws: Broken.failure) { try rendition.open() }
    #expect(throws: Broken.failure) { try rendition.record(gap) }
    #expect(throws: Broken.failure) { try rendition.poll() }
  }
}
