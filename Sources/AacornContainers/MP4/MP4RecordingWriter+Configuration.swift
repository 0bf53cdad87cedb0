public import AacornCodec

extension MP4RecordingWriter {
  /// What must be known before the first frame.
  public struct Configuration: Sendable {
    /// The stream's configuration.
    public let stream: AudioSpecificConfig
    /// Its timing, as far as known.
    public var timing: StreamTiming
    /// Tags.
    public var tags = MP4Tags()
    /// When the recording was started: ISO 8601 with fractional seconds.
    public var started: String?
    /// Seconds since the start of 1904; 0 keeps files reproducible.
    public var creationTime: UInt64 = 0
    /// Frames per fragment, the most a crash can cost; nil for about half a second.
    public var unitsPerFragment: Int?
    /// How many frames there will be, if known; room for their tables is then reserved in front.
    public var expectedUnitCount: Int?
    /// Room for the final tables in front of the audio, unless `expectedUnitCount` determines it.
    ///
    /// Tables that do not fit go after the audio.
    public var reservedByteCount = 16_384

    /// A recording without tags.
    public init(stream: AudioSpecificConfig) {
      self.stream = stream
      timing = StreamTiming(stream)
    }
  }
}
