/// Records the fate of several outputs, each under its number.
package protocol OutputBoard: AnyObject, Sendable {
  /// Whether so much has failed that a recording should not begin at all.
  var isHopeless: Bool { get }

  /// An output now accepts packets.
  func begin(_ index: Int)

  /// It has written this much.
  func count(_ index: Int, frameCount: Int, byteCount: Int)

  /// It is complete, or closed with what it has.
  func end(_ index: Int)

  /// It cannot continue.
  func fail(_ index: Int, _ error: OutputError)
}

/// An output whose fate is recorded on a board.
///
/// One that cannot be opened fails alone: the others begin nonetheless, unless the board is
/// hopeless.
package struct WatchedOutput: PacketOutput {
  private var output: any PacketOutput
  private let index: Int
  private let board: any OutputBoard
  /// Whether a connection reports its state itself.
  private let isConnected: Bool
  private var openingFailure: OutputError?
  private var frameCount = 0

  /// Wraps an output under this number; one that `isConnected` reports its state itself.
  package init(
    _ output: any PacketOutput, _ index: Int, on board: any OutputBoard, isConnected: Bool = false
  ) {
    self.output = output
    self.index = index
    self.board = board
    self.isConnected = isConnected
  }

  package var name: String { output.name }
  package var byteCount: Int { output.byteCount }
  package var takesRenditions: Bool { output.takesRenditions }
  package var rendition: Int { output.rendition }
  package var savedPosition: Int? { output.savedPosition }
  package var patience: Duration { output.patience }

  package mutating func open() throws(OutputError) {
    do throws(OutputError) {
      try output.open()
    } catch {
      board.fail(index, error)
      // The last output to fail ends the recording.
      if board.isHopeless { throw error }
      openingFailure = error
    }
  }

  package mutating func begin(_ segment: SegmentStart) throws(OutputError) {
    if let openingFailure { throw openingFailure }
    try watch { (output: inout any PacketOutput) throws(OutputError) in
      try output.begin(segment)
    }
    if !isConnected { board.begin(index) }
  }

  package mutating func write(_ packet: EncodedPacket) throws(OutputError) {
    try watch { (output: inout any PacketOutput) throws(OutputError) in
      try output.write(packet)
    }
    if packet.rendition > 0 { return }
    frameCount += 1
    board.count(index, frameCount: frameCount, byteCount: output.byteCount)
  }

  package mutating func note(_ gap: RecordingGap) throws(OutputError) {
    try watch { (output: inout any PacketOutput) throws(OutputError) in try output.note(gap) }
  }

  package mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
    try watch { (output: inout any PacketOutput) throws(OutputError) in try output.end(end) }
  }

  package mutating func abandon() -> OutputSummary? {
    let summary = output.abandon()
    board.count(index, frameCount: frameCount, byteCount: output.byteCount)
    if !isConnected { board.end(index) }
    return summary
  }

  package mutating func look() throws(OutputError) -> [OutputMishap] {
    try watch { (output: inout any PacketOutput) throws(OutputError) in try output.look() }
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
