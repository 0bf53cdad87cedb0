public import AacornCodec

/// An AAC track as described by its boxes.
public struct MP4Track: Equatable, Sendable {
  /// One entry of an edit list.
  public struct Edit: Equatable, Sendable {
    /// The duration in ticks of the movie; 0 in fragmented files means the whole track.
    public var duration: UInt64
    /// The start in ticks of the track; -1 is silence.
    public var mediaTime: Int64
  }

  /// The number of the track.
  public var identifier: UInt32 = 0
  /// Ticks of the track per second.
  public var timescale: UInt32 = 0
  /// Ticks of the movie per second.
  public var movieTimescale: UInt32 = 0
  /// The stated length in ticks of the track.
  public var duration: UInt64 = 0
  /// The edit list, empty if there is none.
  public var edits: [Edit] = []
  /// The decoder's configuration.
  public var stream: AudioSpecificConfig
  /// The kind of stream: 0x40 for MPEG-4 audio, 0x66…0x68 for MPEG-2 AAC.
  public var objectTypeIndication: UInt8
  /// The channel count in the sample description.
  public var channelCount: UInt16 = 0
  /// The rate in the sample description, in hertz; 0 above 65535.
  public var sampleRate: UInt16 = 0
  /// The stated size of the decoder's buffer in bytes.
  public var bufferByteCount: UInt32
  /// The stated maximum bitrate over a second, in bits per second.
  public var maximumBitrate: UInt32
  /// The stated average bitrate, in bits per second.
  public var averageBitrate: UInt32
  /// The number of frames to decode in advance, negative; nil without roll groups.
  public var rollDistance: Int16?
  /// Whether frames are assigned to roll groups.
  public var hasRollGroups = false

  /// Whether the stream is MPEG-2 AAC.
  package var isMPEG2: Bool { Self.isMPEG2(objectTypeIndication) }

  static func isMPEG2(_ indication: UInt8) -> Bool { (0x66...0x68).contains(indication) }
}
