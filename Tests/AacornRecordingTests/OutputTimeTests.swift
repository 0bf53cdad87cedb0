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

  private func packet(byteCount: Int, at position: Int = 0, rendition: Int = 0) -> EncodedPacket {
    var packet = EncodedPacket(
      bytes: [UInt8](repeating: 0, count: byteCount), position: position, sampleCount: 1000,
      segment: 0, captureTime: 0)
    packet.rendition = rendition
    return packet
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
    #expect(output.closeTimeout == .seconds(60))
    try output.begin(segment)
    try output.write(packet(byteCount: 3 << 20))
    #expect(RenditionOutput(output, rendition: 1).closeTimeout == .seconds(63))
    _ = output.abandon()
    #expect(unsafe mkfifo(folder.file("pipe"), 0o600) == 0)
    let reader = unsafe open(folder.file("pipe"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    var pipe = FileOutput(folder.file("pipe"), .aac)
    try pipe.open()
    #expect(pipe.closeTimeout == .seconds(10))
    _ = pipe.abandon()
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

  // MARK: Watched outputs

  private final class StatusLog: OutputStatusRecorder {
    let cannotBegin = false
    let lines = Lock<[String]>([])
    private func add(_ line: String) { lines.withLock { $0.append(line) } }
    func begin(_ index: Int) { add("begin") }
    func count(_ index: Int, frameCount: Int, byteCount: Int) { add("\(frameCount) \(byteCount)") }
    func end(_ index: Int) { add("end") }
    func fail(_ index: Int, _ error: OutputError) { add("fail \(error.problem)") }
  }

  /// An output whose files have the samples before a position.
  private struct Saved: SilentOutput {
    static let failure = OutputError(.diskFull, "full")
    let name = "saved"
    var savedPosition: Int? = 2500
    var byteCount = 0
    mutating func write(_ packet: EncodedPacket) throws(OutputError) {
      if packet.position >= 4000 { throw Self.failure }
      byteCount += packet.bytes.count
    }
  }

  @Test(arguments: [false, true], [false, true])
  func framesOfTheFirstRenditionAreCounted(isConnected: Bool, fails: Bool) throws {
    let log = StatusLog()
    var output = WatchedOutput(Saved(), 0, on: log, isConnected: isConnected)
    try output.open()
    try output.begin(segment)
    for index in 0..<4 {
      for rendition in 0...1 {
        try output.write(packet(byteCount: 2, at: 1000 * index, rendition: rendition))
      }
    }
    if fails {
      #expect(throws: Saved.failure) { try output.write(packet(byteCount: 2, at: 4000)) }
    }
    _ = output.abandon()
    // Two of the frames are complete in the saved file.
    let left = fails ? ["fail full", "2 16"] : ["4 16"]
    let (begin, end) = isConnected ? ([], []) : (["begin"], ["end"])
    #expect(log.lines.withLock { $0 } == begin + ["1 2", "2 6", "3 10", "4 14"] + left + end)
  }
}
