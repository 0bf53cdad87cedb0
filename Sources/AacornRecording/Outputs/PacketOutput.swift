public import AacornCodec
import AacornSoundFiles

/// A destination for packets: a file, a server, a page.
///
/// Each output has its own thread and limited queue, so an output that blocks delays neither the
/// capture nor another output. `open` is called before the thread starts. All other calls are made
/// on the thread, in sequence: for every segment `begin`, then `write` and `record` any number of
/// times, then `end`.
public protocol PacketOutput: Sendable {
  /// The display name of the output, such as a path or an address.
  var name: String { get }

  /// Bytes written up to now, in all segments.
  var byteCount: Int { get }

  /// Whether the output accepts the packets of all renditions, and not only of one.
  var acceptsRenditions: Bool { get }

  /// The rendition of an output that does not accept all: 0 is the recording's coding, and 1, 2 and
  /// so on are its further codings.
  ///
  /// The output receives only this rendition, renumbered as 0.
  var rendition: Int { get }

  /// The end of the saved audio in samples of the recording; nil for an output without files.
  ///
  /// At the end of the recording, later samples count as unsaved
  /// (``OutputSummary/unsavedSampleCount``).
  var savedPosition: Int? { get }

  /// The maximum time without progress while the output is being closed; then it is abandoned.
  var closeTimeout: Duration { get }

  /// Prepares the output, for example by reserving the file's name.
  ///
  /// The capture is already running, and its first samples wait.
  mutating func open() throws(OutputError)

  /// Begins a segment.
  mutating func begin(_ segment: SegmentStart) throws(OutputError)

  /// Writes the next packet of the segment.
  mutating func write(_ packet: EncodedPacket) throws(OutputError)

  /// Writes an entry of the ledger.
  mutating func record(_ gap: RecordingGap) throws(OutputError)

  /// Completes the segment.
  mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary?

  /// Closes open files with their current contents: after an error, or when the recording ends.
  mutating func abandon() -> OutputSummary?

  /// Checks the written files, and returns the changes by other programs since the last check;
  /// called twice a second and after every end.
  mutating func poll() throws(OutputError) -> [OutputIncident]
}

/// A change of an output by another program; the output continues nonetheless.
public enum OutputIncident: Sendable, Equatable {
  /// The file was renamed.
  case moved(from: String, to: String)
  /// A part may be lost; the error describes the loss and names the file in which the recording
  /// continues.
  case lost(name: String, OutputError)
  /// Complete files are missing, which is not a loss: they may have been moved.
  case missing([String])
}

extension PacketOutput {
  /// Returns no changes, for outputs without files.
  public mutating func poll() throws(OutputError) -> [OutputIncident] { [] }

  /// False: most outputs accept one rendition.
  public var acceptsRenditions: Bool { false }

  /// The recording's coding.
  public var rendition: Int { 0 }

  /// Nil, for outputs without files.
  public var savedPosition: Int? { nil }

  /// Ten seconds: a pipe that stalls for that long has no reader.
  public var closeTimeout: Duration { .seconds(10) }
}

/// The description of a segment, before its first packet.
public struct SegmentStart: Sendable {
  /// The index of the segment, from 0.
  public var index: Int
  /// The format of the packets.
  public var format: PacketFormat
  /// The format of the packets of further renditions, if the output accepts them.
  ///
  /// All renditions begin and end with the same samples. Within an AAC profile the packets have the
  /// same length; in HE-AAC they are twice as long as in AAC-LC.
  public var furtherFormats: [PacketFormat] = []
  /// The start of the segment in the recording, in samples.
  public var position: Int
  /// The wall clock at the start, in nanoseconds since 1970.
  public var wallTime: Int64
  /// The number of packets that the segment will have, if known.
  public var expectedPacketCount: Int?
}

/// The description of a complete segment.
public struct SegmentEnd: Sendable {
  /// The number of audio samples in it; only the encoded samples if the encoder failed.
  public var sampleCount: Int
  /// The samples to trim from the decoded audio; none for PCM.
  public var trim: StreamTrim
  /// The samples to trim from further renditions, if the output accepts them.
  public var furtherTrims: [StreamTrim] = []
  /// Whether the segment is the last one of the recording.
  public var isLast = false
}

// Clients may pass any number to an output. The limits prevent overflows when outputs add these
// numbers.
extension PacketOutput {
  /// Throws if the segment begins at an impossible position.
  package func check(_ segment: SegmentStart) throws(OutputError) {
    try check(OutputNumbers.isPosition(segment.position))
  }

  /// Throws if the packet has an impossible position or length.
  package func check(_ packet: EncodedPacket) throws(OutputError) {
    try check(
      OutputNumbers.isPosition(packet.position)
        && OutputNumbers.lengths.contains(packet.sampleCount))
    for gap in packet.gaps { try check(gap) }
  }

  /// Throws if the gap has an impossible position or length.
  package func check(_ gap: RecordingGap) throws(OutputError) {
    try check(OutputNumbers.isPosition(gap.position) && OutputNumbers.isPosition(gap.length))
  }

  /// Throws if the segment has an impossible length.
  package func check(_ end: SegmentEnd) throws(OutputError) {
    try check(OutputNumbers.isPosition(end.sampleCount))
    for trim in [end.trim] + end.furtherTrims {
      try check(
        OutputNumbers.lengths.contains(trim.priming)
          && OutputNumbers.lengths.contains(trim.remainder)
          && OutputNumbers.isPosition(trim.sampleCount))
    }
  }

  private func check(_ isPossible: Bool) throws(OutputError) {
    if isPossible { return }
    throw OutputError(
      .unsupported,
      "“\(name)” received a packet, a gap or a segment with an impossible position or length.")
  }
}

private enum OutputNumbers {
  /// Samples in a packet, a delay or a padding.
  static let lengths = 0...1 << 31

  /// Returns whether a recording can have this position: nearly 3,000 years at 48 kHz.
  static func isPosition(_ count: Int) -> Bool { count.magnitude <= 1 << 52 }
}
