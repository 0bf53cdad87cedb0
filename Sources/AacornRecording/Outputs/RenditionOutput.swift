/// An output that gets a further coding of a recording instead of the first.
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
  /// Which rendition it takes: 0 is the recording's coding, and its further codings follow.
  public let rendition: Int

  /// Gives an output that takes one rendition the one with this number.
  ///
  /// A recording that has none with it does not begin.
  public init(_ output: any PacketOutput, rendition: Int) {
    self.output = output
    self.rendition = rendition
  }

  /// The name of the output.
  public var name: String { output.name }
  /// Bytes that the output has written.
  public var byteCount: Int { output.byteCount }
  /// Up to where the output has saved the recording.
  public var savedPosition: Int? { output.savedPosition }
  /// The patience of the output.
  public var patience: Duration { output.patience }

  /// Prepares the output.
  public mutating func open() throws(OutputError) { try output.open() }

  /// Begins a segment, of whose codings the output sees only its own.
  public mutating func begin(_ segment: SegmentStart) throws(OutputError) {
    try output.begin(segment)
  }

  /// Writes the next packet.
  public mutating func write(_ packet: EncodedPacket) throws(OutputError) {
    try output.write(packet)
  }

  /// Records an entry for the ledger.
  public mutating func note(_ gap: RecordingGap) throws(OutputError) { try output.note(gap) }

  /// Completes the segment.
  public mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
    try output.end(end)
  }

  /// Closes what is open.
  public mutating func abandon() -> OutputSummary? { output.abandon() }

  /// Checks whether what was written is still in place.
  public mutating func look() throws(OutputError) -> [OutputMishap] { try output.look() }
}

extension OutputError {
  /// A recording has no such rendition.
  static func noRendition(_ rendition: Int, of count: Int, for name: String) -> OutputError {
    OutputError(
      .unsupported,
      "“\(name)” was to get rendition \(rendition) of a recording that numbers its renditions from "
        + "0 to \(count - 1). Choose one of these, or add a coding.")
  }
}
