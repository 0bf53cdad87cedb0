/// Records the states of several outputs, each under its index.
package protocol OutputStatusRecorder: AnyObject, Sendable {
  /// Whether too many outputs have failed for the recording to begin.
  var cannotBegin: Bool { get }

  /// Records that an output accepts packets.
  func begin(_ index: Int)

  /// Records the amount that an output has written.
  func count(_ index: Int, frameCount: Int, byteCount: Int)

  /// Records that an output is complete, or closed with its current content.
  func end(_ index: Int)

  /// Records that an output has failed.
  func fail(_ index: Int, _ error: OutputError)
}

/// An output that reports its state to an `OutputStatusRecorder`.
///
/// An output that cannot be opened fails alone: the others begin nonetheless, unless the recorder's
/// `cannotBegin` is true.
package struct WatchedOutput: PacketOutput {
  private var output: any PacketOutput
  private let index: Int
  private let statusRecorder: any OutputStatusRecorder
  /// Whether the output reports the state of its connection itself.
  private let isConnected: Bool
  private var openingFailure: OutputError?
  private var frameCount = 0
  /// The position of the first frame, and samples per frame.
  private var firstPosition: Int?
  private var frameLength = 0
  private var hasFailed = false

  /// Wraps an output under this index; with `isConnected`, the output reports the state of its
  /// connection itself.
  package init(
    _ output: any PacketOutput, _ index: Int, on statusRecorder: any OutputStatusRecorder,
    isConnected: Bool = false
  ) {
    self.output = output
    self.index = index
    self.statusRecorder = statusRecorder
    self.isConnected = isConnected
  }

  package var name: String { output.name }
  package var byteCount: Int { output.byteCount }
  package var acceptsRenditions: Bool { output.acceptsRenditions }
  package var rendition: Int { output.rendition }
  package var savedPosition: Int? { output.savedPosition }
  package var closeTimeout: Duration { output.closeTimeout }

  package mutating func open() throws(OutputError) {
    do throws(OutputError) {
      try output.open()
    } catch {
      statusRecorder.fail(index, error)
      // When too many outputs have failed, the recording does not begin.
      if statusRecorder.cannotBegin { throw error }
      openingFailure = error
    }
  }

  package mutating func begin(_ segment: SegmentStart) throws(OutputError) {
    if let openingFailure { throw openingFailure }
    try watch { (output: inout any PacketOutput) throws(OutputError) in
      try output.begin(segment)
    }
    if !isConnected { statusRecorder.begin(index) }
  }

  package mutating func write(_ packet: EncodedPacket) throws(OutputError) {
    try watch { (output: inout any PacketOutput) throws(OutputError) in
      try output.write(packet)
    }
    if packet.rendition > 0 { return }
    firstPosition = firstPosition ?? max(0, packet.position)
    frameLength = packet.sampleCount
    frameCount += 1
    statusRecorder.count(index, frameCount: frameCount, byteCount: output.byteCount)
  }

  package mutating func record(_ gap: RecordingGap) throws(OutputError) {
    try watch { (output: inout any PacketOutput) throws(OutputError) in try output.record(gap) }
  }

  package mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
    try watch { (output: inout any PacketOutput) throws(OutputError) in try output.end(end) }
  }

  package mutating func abandon() -> OutputSummary? {
    let summary = output.abandon()
    if hasFailed { omitUnsavedFrames() }
    statusRecorder.count(index, frameCount: frameCount, byteCount: output.byteCount)
    if !isConnected { statusRecorder.end(index) }
    return summary
  }

  package mutating func poll() throws(OutputError) -> [OutputIncident] {
    try watch { (output: inout any PacketOutput) throws(OutputError) in try output.poll() }
  }

  private mutating func watch<Result>(
    _ body: (inout any PacketOutput) throws(OutputError) -> Result
  ) throws(OutputError) -> Result {
    do throws(OutputError) {
      return try body(&output)
    } catch {
      hasFailed = true
      statusRecorder.fail(index, error)
      throw error
    }
  }

  /// Reduces the frame count to the saved frames, if the output writes files.
  private mutating func omitUnsavedFrames() {
    guard let position = output.savedPosition, let firstPosition, frameLength > 0 else { return }
    let (length, overflow) = position.subtractingReportingOverflow(firstPosition)
    if !overflow { frameCount = min(frameCount, max(0, length / frameLength)) }
  }
}
