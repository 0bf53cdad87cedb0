public import AacornCodec

/// Where packets go: a file, a server, a page.
///
/// Each output has a thread and a bounded queue of its own, so one that waits holds up neither the
/// capture nor another output. `open` is called before there is a thread; all else on it, one
/// after the other: for every segment `begin`, then `write` and `note` any number of times, then
/// `end`.
public protocol PacketOutput: Sendable {
  /// What people call it: a path, an address.
  var name: String { get }

  /// Bytes put out so far, in all segments.
  var byteCount: Int { get }

  /// Whether it takes the packets of every rendition, and not only of the first one.
  var takesRenditions: Bool { get }

  /// How long it may do nothing at all while it is being closed, before it is given up.
  var patience: Duration { get }

  /// Looks whether there will be a way: takes the file's name, for example. The capture runs
  /// already, and its first samples wait.
  mutating func open() throws(OutputError)

  /// A segment begins.
  mutating func begin(_ segment: SegmentStart) throws(OutputError)

  /// The next packet of the segment.
  mutating func write(_ packet: Packet) throws(OutputError)

  /// An entry for the ledger.
  mutating func note(_ gap: Gap) throws(OutputError)

  /// The segment is complete.
  mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary?

  /// Something went wrong, here or before: close what is open so that what it holds is kept.
  mutating func abandon() -> OutputSummary?

  /// Looks whether what was put out is still where it was put, and says what happened to it since
  /// the last look; called twice a second and after every end.
  mutating func look() throws(OutputError) -> [OutputMishap]
}

/// What others have done to an output, which goes on all the same.
public enum OutputMishap: Sendable, Equatable {
  /// It has another name.
  case moved(from: String, to: String)
  /// Something of it may be lost; the words say what, and where the sound goes from here on.
  case lost(name: String, OutputError)
}

extension PacketOutput {
  /// Most outputs have nothing that others could take away.
  public mutating func look() throws(OutputError) -> [OutputMishap] { [] }

  /// Most outputs take one.
  public var takesRenditions: Bool { false }

  /// Ten seconds: nobody reads a pipe that stands still for so long.
  public var patience: Duration { .seconds(10) }
}

/// What an output has to know before the first packet of a segment.
public struct SegmentStart: Sendable {
  /// Which segment, counted from 0.
  public var index: Int
  /// The form of the packets.
  public var format: PacketFormat
  /// The form of the packets of further renditions.
  ///
  /// All begin and end with the same samples and have as many packets.
  public var furtherFormats: [PacketFormat] = []
  /// Where the segment begins in the recording, in samples.
  public var position: Int
  /// The wall clock there, in nanoseconds since 1970.
  public var wallTime: Int64
  /// Packets that the segment will have, if that is known.
  public var expectedPacketCount: Int?
}

/// The form of packets.
public enum PacketFormat: Sendable, Equatable {
  /// AAC access units of a stream with this configuration and timing.
  case aac(AudioSpecificConfig, StreamTiming)
  /// Interleaved little-endian 16-bit integers.
  case int16(sampleRate: Int, channelCount: Int)
  /// Interleaved little-endian numbers of single precision.
  case float32(sampleRate: Int, channelCount: Int)

  /// Samples a second.
  public var sampleRate: Int {
    switch self {
    case .aac(_, let timing): timing.sampleRate
    case .int16(let sampleRate, _), .float32(let sampleRate, _): sampleRate
    }
  }
}

/// What is known at the end of a segment.
public struct SegmentEnd: Sendable {
  /// Samples of sound in it.
  public var sampleCount: Int
  /// What to cut from the decoded sound; nothing for PCM.
  public var trim: Trim
}
