package import AacornRecording

/// An output that reports its state to a list.
///
/// An output that cannot be opened fails alone: the others begin nonetheless, unless the list's
/// `cannotBegin` is true.
package struct WatchedOutput: PacketOutput {
  private var output: any PacketOutput
  private let index: Int
  private let list: OutputList
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
    _ output: any PacketOutput, _ index: Int, on list: OutputList,
    isConnected: Bool = false
  ) {
    self.output = output
    self.index = index
    self.list = list
    self.isConnected = isConnected
    count()
  }

  /// The output, if it has segments.
  private var hls: HLSOutput? { output as? HLSOutput }

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
      let error = error.afterSaving(upTo: output.savedPosition)
      list.fail(index, error)
      // When too many outputs have failed, the recording does not begin.
      if list.cannotBegin { throw error }
      openingFailure = error
    }
  }

  package mutating func begin(_ segment: SegmentStart) throws(OutputError) {
    if let openingFailure { throw openingFailure }
    try watch { (output: inout any PacketOutput) throws(OutputError) in
      try output.begin(segment)
    }
    if !isConnected { list.begin(index) }
  }

  package mutating func write(_ packet: EncodedPacket) throws(OutputError) {
    try watch { (output: inout any PacketOutput) throws(OutputError) in
      try output.write(packet)
    }
    if packet.rendition > 0 { return }
    firstPosition = firstPosition ?? max(0, packet.position)
    frameLength = packet.sampleCount
    frameCount += 1
    count()
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
    count()
    if !isConnected {
      // The final playlists may have failed, which the output reports later.
      if let failure = hls?.failure { list.fail(index, failure) }
      list.end(index)
    }
    return summary
  }

  private func count() {
    list.count(
      index, frameCount: frameCount, byteCount: output.byteCount, segmentCount: hls?.segmentCount)
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
      let error = error.afterSaving(upTo: output.savedPosition)
      hasFailed = true
      // The segments of an output that has failed are not counted anymore.
      count()
      list.fail(index, error)
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
