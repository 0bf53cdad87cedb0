import Recording

/// An output of a stream whose fate is written on the board.
///
/// One that cannot be opened fails alone: the others begin nonetheless, unless there are none.
struct WatchedOutput: PacketOutput {
  private var output: any PacketOutput
  private let index: Int
  private let board: StreamBoard
  /// Whether a connection tells state and numbers itself.
  private let isConnected: Bool
  private var openingFailure: OutputError?
  private var frameCount = 0

  init(_ output: any PacketOutput, _ index: Int, on board: StreamBoard, isConnected: Bool = false) {
    self.output = output
    self.index = index
    self.board = board
    self.isConnected = isConnected
  }

  var name: String { output.name }
  var byteCount: Int { output.byteCount }
  var takesRenditions: Bool { output.takesRenditions }

  mutating func open() throws(OutputError) {
    do throws(OutputError) {
      try output.open()
    } catch {
      board.fail(index, error)
      // The last one to fail takes the recording with it.
      if board.haveAllFailed { throw error }
      openingFailure = error
    }
  }

  mutating func begin(_ segment: SegmentStart) throws(OutputError) {
    if let openingFailure { throw openingFailure }
    try watch { (output: inout any PacketOutput) throws(OutputError) in
      try output.begin(segment)
    }
    if !isConnected { board.change(index, to: .live) }
  }

  mutating func write(_ packet: Packet) throws(OutputError) {
    try watch { (output: inout any PacketOutput) throws(OutputError) in
      try output.write(packet)
    }
    if isConnected || packet.rendition > 0 { return }
    frameCount += 1
    board.count(index, frameCount: frameCount, byteCount: output.byteCount)
  }

  mutating func note(_ gap: Gap) throws(OutputError) {
    try watch { (output: inout any PacketOutput) throws(OutputError) in try output.note(gap) }
  }

  mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
    try watch { (output: inout any PacketOutput) throws(OutputError) in try output.end(end) }
  }

  mutating func abandon() -> OutputSummary? {
    let summary = output.abandon()
    if !isConnected {
      board.count(index, frameCount: frameCount, byteCount: output.byteCount)
      board.change(index, to: .stopped)
    }
    return summary
  }

  private mutating func watch<Result>(
    _ body: (inout any PacketOutput) throws(OutputError) -> Result
  ) throws(OutputError) -> Result {
    do throws(OutputError) {
      return try body(&output)
    } catch {
      board.fail(index, error)
      throw error
    }
  }
}

/// An output that could not even be made.
struct UnavailableOutput: PacketOutput {
  let name: String
  let reason: OutputError

  var byteCount: Int { 0 }
  mutating func open() throws(OutputError) { throw reason }
  mutating func begin(_ segment: SegmentStart) throws(OutputError) { throw reason }
  mutating func write(_ packet: Packet) throws(OutputError) { throw reason }
  mutating func note(_ gap: Gap) throws(OutputError) {}
  mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? { nil }
  mutating func abandon() -> OutputSummary? { nil }
}
