import AacornRecording

/// An output that could not be created.
struct UnavailableOutput: PacketOutput {
  let name: String
  let reason: OutputError

  var byteCount: Int { 0 }
  mutating func open() throws(OutputError) { throw reason }
  mutating func begin(_ segment: SegmentStart) throws(OutputError) { throw reason }
  mutating func write(_ packet: EncodedPacket) throws(OutputError) { throw reason }
  mutating func record(_ gap: RecordingGap) throws(OutputError) {}
  mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? { nil }
  mutating func abandon() -> OutputSummary? { nil }
}
