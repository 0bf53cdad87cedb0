/// Passes a further coding of a recording, instead of the first coding, to an output.
///
/// One capture can go to a file as AAC-LC and to a server as HE-AAC:
///
///     var configuration = RecordingConfiguration(bitrate: 128_000)
///     configuration.furtherCodings = [
///       .aac(
///         rateControl: .constant(bitsPerSecond: 48_000), effort: .balanced,
///         profile: .highEfficiency)
///     ]
///     let outputs: [any PacketOutput] = [
///       FileOutput("show.m4a", .m4a), RenditionOutput(live, rendition: 1),
///     ]
public struct RenditionOutput: PacketOutput {
  private var output: any PacketOutput
  /// The rendition to pass on: 0 is the recording's coding, and 1, 2 and so on are its further
  /// codings.
  public let rendition: Int

  /// Creates an output that receives the rendition with this number.
  ///
  /// A recording without this rendition does not begin.
  public init(_ output: any PacketOutput, rendition: Int) {
    self.output = output
    self.rendition = rendition
  }

  /// The name of the output.
  public var name: String { output.name }
  /// Bytes that the output has written.
  public var byteCount: Int { output.byteCount }
  /// The end of the audio that the output has saved.
  public var savedPosition: Int? { output.savedPosition }
  /// The close timeout of the output.
  public var closeTimeout: Duration { output.closeTimeout }

  /// Prepares the output.
  public mutating func open() throws(OutputError) { try output.open() }

  /// Begins a segment, with only the output's own coding.
  public mutating func begin(_ segment: SegmentStart) throws(OutputError) {
    try output.begin(segment)
  }

  /// Writes the next packet.
  public mutating func write(_ packet: EncodedPacket) throws(OutputError) {
    try output.write(packet)
  }

  /// Records an entry for the ledger.
  public mutating func record(_ gap: RecordingGap) throws(OutputError) { try output.record(gap) }

  /// Completes the segment.
  public mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
    try output.end(end)
  }

  /// Closes open files.
  public mutating func abandon() -> OutputSummary? { output.abandon() }

  /// Checks the output's files.
  public mutating func poll() throws(OutputError) -> [OutputIncident] { try output.poll() }
}

extension OutputError {
  static func noRendition(_ rendition: Int, of count: Int, for name: String) -> OutputError {
    OutputError(
      .unsupported,
      "“\(name)” cannot record rendition \(rendition): the renditions are numbered from 0 to "
        + "\(count - 1). Choose one of these, or add a coding.")
  }
}
