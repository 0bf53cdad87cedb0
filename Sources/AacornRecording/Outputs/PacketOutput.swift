public import AacornCodec

/// A destination for packets: a file, a server, a page.
///
/// Each output has its own thread and bounded queue, so one that waits delays neither the capture
/// nor another output. `open` is called before there is a thread; everything else runs on it, in
/// sequence: for every segment `begin`, then `write` and `note` any number of times, then `end`.
public protocol PacketOutput: Sendable {
  /// Its display name, such as a path or an address.
  var name: String { get }

  /// Bytes written so far, in all segments.
  var byteCount: Int { get }

  /// Whether it takes the packets of every rendition, and not only of one.
  var takesRenditions: Bool { get }

  /// Which rendition it takes, unless it takes every one: 0 is the recording's coding, and its
  /// further codings follow.
  ///
  /// It is told of no other, and the packets it gets have the number 0.
  var rendition: Int { get }

  /// The sample of the recording up to which its files hold the sound; nil if it has no files.
  ///
  /// What lies behind it when the recording has ended counts as not saved
  /// (``OutputSummary/unsavedSampleCount``).
  var savedPosition: Int? { get }

  /// How long it may make no progress while it is being closed, before it is abandoned.
  var patience: Duration { get }

  /// Prepares the output, for example by reserving the file's name, while the capture is already
  /// running and its first samples wait.
  mutating func open() throws(OutputError)

  /// Begins a segment.
  mutating func begin(_ segment: SegmentStart) throws(OutputError)

  /// Writes the next packet of the segment.
  mutating func write(_ packet: EncodedPacket) throws(OutputError)

  /// Records an entry for the ledger.
  mutating func note(_ gap: RecordingGap) throws(OutputError)

  /// Completes the segment.
  mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary?

  /// Closes what is open after an error, here or earlier, so that its contents are kept.
  mutating func abandon() -> OutputSummary?

  /// Checks whether what was written is still in place, and returns what happened to it since the
  /// last check; called twice a second and after every end.
  mutating func look() throws(OutputError) -> [OutputMishap]
}

/// What others have done to an output, which continues nonetheless.
public enum OutputMishap: Sendable, Equatable {
  /// It has another name.
  case moved(from: String, to: String)
  /// Part of it may be lost; the error says what, and where the audio goes from here on.
  case lost(name: String, OutputError)
  /// Complete files are no longer where they were written, which is no loss: they may have been moved.
  case away([String])
}

extension PacketOutput {
  /// Most outputs have nothing that others could take away.
  public mutating func look() throws(OutputError) -> [OutputMishap] { [] }

  /// Most outputs take one.
  public var takesRenditions: Bool { false }

  /// Most outputs take the first.
  public var rendition: Int { 0 }

  /// Most outputs have no files.
  public var savedPosition: Int? { nil }

  /// Ten seconds: a pipe that stalls for that long has no reader.
  public var patience: Duration { .seconds(10) }
}

/// What an output needs to know before the first packet of a segment.
public struct SegmentStart: Sendable {
  /// Which segment, counted from 0.
  public var index: Int
  /// The format of the packets.
  public var format: PacketFormat
  /// The format of the packets of further renditions, if the output takes them.
  ///
  /// All begin and end with the same samples. Those of one profile of AAC have packets that are
  /// equally long; in HE-AAC they are twice as long as in AAC-LC.
  public var furtherFormats: [PacketFormat] = []
  /// Where the segment begins in the recording, in samples.
  public var position: Int
  /// The wall clock there, in nanoseconds since 1970.
  public var wallTime: Int64
  /// The number of packets that the segment will have, if known.
  public var expectedPacketCount: Int?
}

/// The format of packets.
public enum PacketFormat: Sendable, Equatable {
  /// AAC access units of a stream with this configuration and timing.
  case aac(AudioSpecificConfig, StreamTiming)
  /// Interleaved little-endian 16-bit integers.
  case int16(sampleRate: Int, channelCount: Int)
  /// Interleaved little-endian single-precision numbers.
  case float32(sampleRate: Int, channelCount: Int)

  /// Samples per second.
  public var sampleRate: Int {
    switch self {
    case .aac(_, let timing): timing.sampleRate
    case .int16(let sampleRate, _), .float32(let sampleRate, _): sampleRate
    }
  }
}

/// What is known at the end of a segment.
public struct SegmentEnd: Sendable {
  /// The number of audio samples in it: those that were encoded, should the encoder have failed.
  public var sampleCount: Int
  /// What to cut from the decoded audio; nothing for PCM.
  public var trim: StreamTrim
  /// What to cut from that of further renditions, if the output takes them.
  public var furtherTrims: [StreamTrim] = []
}
