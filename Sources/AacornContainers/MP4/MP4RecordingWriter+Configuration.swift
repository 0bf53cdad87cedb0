public import AacornCodec

extension MP4RecordingWriter {
  /// What has to be known before the first frame.
  public struct Configuration: Sendable {
    /// The stream's configuration.
    public let stream: AudioSpecificConfig
    /// Its timing, as far as it is known.
    public var timing: StreamTiming
    /// Tags.
    public var tags = MP4Tags()
    /// When the recording was started: ISO 8601 with a fraction of a second.
    public var started: String?
    /// Seconds since the start of 1904; 0 keeps files reproducible.
    public var creationTime: UInt64 = 0
    /// Frames in a fragment, which is what a crash can cost; nil for about half a second.
    public var unitsPerFragment: Int?
    /// How many frames there will be, if that is known; then their tables get room in front.
    public var expectedUnitCount: Int?
    /// Room for the final tables in front of the sound, where `expectedUnitCount` does not say it.
    ///
    /// Tables that do not fit go behind the sound.
    public var reservedByteCount = 16_384

    /// A recording without tags.
    public init(stream: AudioSpecificConfig) {
      self.stream = stream
      timing = StreamTiming(stream)
    }
  }
}
