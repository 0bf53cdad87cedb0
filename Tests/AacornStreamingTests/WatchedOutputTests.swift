import AacornCodec
import AacornNetwork
import AacornSystem
import Testing

@testable import AacornRecording
@testable import AacornStreaming

/// Outputs that report their states to a list.
struct WatchedOutputTests {
  /// An output whose files have the samples before position 2500.
  ///
  /// It fails at position 4000, or always.
  private struct SavedOutput: PacketOutput {
    static let failure = OutputError(.diskFull, "full")
    let name = "saved"
    var failsAlways = false
    let savedPosition: Int? = 2500
    let acceptsRenditions = true
    let rendition = 2
    let closeTimeout = Duration.seconds(3)
    var byteCount = 0

    private func check(_ position: Int = 0) throws(OutputError) {
      if failsAlways || position >= 4000 { throw Self.failure }
    }

    mutating func open() throws(OutputError) { try check() }
    mutating func begin(_ segment: SegmentStart) throws(OutputError) { try check() }
    mutating func write(_ packet: EncodedPacket) throws(OutputError) {
      try check(packet.position)
      byteCount += packet.bytes.count
    }
    mutating func record(_ gap: RecordingGap) throws(OutputError) { try check() }
    mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
      try check()
      return nil
    }
    mutating func abandon() -> OutputSummary? { nil }
    mutating func poll() throws(OutputError) -> [OutputIncident] {
      try check()
      return []
    }
  }

  private let states = Lock<[String]>([])
  private let segment = SegmentStart(
    index: 0, format: .int16(sampleRate: 48_000, channelCount: 2), position: 0, wallTime: 0)

  private func makeList(needsAll: Bool = false) -> OutputList {
    OutputList(Redactor([]), needsAll: needsAll) { [states] index, _, state in
      states.withLock { $0.append("\(index) \(state.keyword)") }
    }
  }

  private func packet(at position: Int, rendition: Int = 0) -> EncodedPacket {
    var packet = EncodedPacket(bytes: [0, 0], position: position, sampleCount: 1000)
    packet.rendition = rendition
    return packet
  }

  @Test(arguments: [false, true], [false, true])
  func framesOfTheFirstRenditionAreCounted(isConnected: Bool, fails: Bool) throws {
    let list = makeList()
    var output = WatchedOutput(
      SavedOutput(), list.add(.save, name: "saved"), on: list, isConnected: isConnected)
    try output.open()
    try output.begin(segment)
    #expect(list.all[0].state == (isConnected ? .ready : .live))
    for index in 0..<4 {
      for rendition in 0...1 {
        try output.write(packet(at: 1000 * index, rendition: rendition))
      }
      // The bytes of the other rendition are counted with the next frame.
      #expect(list.all[0].frameCount == index + 1 && list.all[0].byteCount == 4 * index + 2)
    }
    if fails {
      #expect(throws: SavedOutput.failure) { try output.write(packet(at: 4000)) }
    }
    #expect(output.abandon() == nil)
    // Two of the frames are complete in the saved file.
    #expect(list.all[0].frameCount == (fails ? 2 : 4) && list.all[0].byteCount == 16)
    let ownStates = isConnected ? [] : fails ? ["0 live"] : ["0 live", "0 stopped"]
    #expect(states.withLock { $0 } == ownStates + (fails ? ["0 failed"] : []))
  }

  @Test(arguments: [false, true]) func outputThatCannotOpenFailsAlone(cannotBegin: Bool) throws {
    let list = makeList(needsAll: cannotBegin)
    // With another output that works, the recording can begin.
    _ = list.add(.save, name: "other")
    let index = list.add(.save, name: "saved")
    var output = WatchedOutput(SavedOutput(failsAlways: true, byteCount: 7), index, on: list)
    #expect(output.name == "saved" && output.byteCount == 7 && output.savedPosition == 2500)
    #expect(output.acceptsRenditions && output.rendition == 2)
    #expect(output.closeTimeout == .seconds(3))
    if cannotBegin {
      #expect(throws: SavedOutput.failure) { try output.open() }
    } else {
      try output.open()
    }
    #expect(list.all[1].state.failure?.keyword == "disk-full")
    #expect(list.all[1].problem?.message == "full" && states.withLock { $0 } == ["1 failed"])
    if !cannotBegin {
      #expect(throws: SavedOutput.failure) { try output.begin(segment) }
    }
  }

  @Test func everyFailureIsReported() {
    let gap = RecordingGap(position: 0, length: 1, cause: .overrun, wallTime: 0)
    let end = SegmentEnd(
      sampleCount: 0, trim: StreamTrim(priming: 0, remainder: 0, sampleCount: 0))
    let actions: [(inout WatchedOutput) throws -> Void] = [
      { try $0.record(gap) }, { _ = try $0.end(end) }, { _ = try $0.poll() },
    ]
    for action in actions {
      let list = makeList()
      let index = list.add(.save, name: "saved")
      var output = WatchedOutput(SavedOutput(failsAlways: true), index, on: list)
      #expect(throws: SavedOutput.failure) { try action(&output) }
      #expect(list.all[0].hasFailed)
    }
  }
}
