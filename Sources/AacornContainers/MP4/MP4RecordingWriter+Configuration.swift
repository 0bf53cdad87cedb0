public import AacornCodec

extension MP4RecordingWriter {
  /// The settings required before the first frame.
  public struct Configuration: Sendable {
    /// The decoder's configuration of the stream.
    public let stream: AudioSpecificConfig
    /// The timing of the stream, if known.
    public var timing: StreamTiming
    /// The tags of the file.
    public var tags = MP4Tags()
    /// The start time of the recording: ISO 8601 with fractional seconds.
    public var started: String?
    /// The creation time in seconds since the start of 1904; 0 keeps files reproducible.
    public var creationTime: UInt64 = 0
    /// The number of frames per fragment, the maximum loss in a crash; nil for about half a second.
    public var unitsPerFragment: Int?
    /// The number of frames, if known; space for their tables is then reserved before the audio.
    public var expectedUnitCount: Int?
    /// The space for the final tables before the audio in bytes, unless `expectedUnitCount`
    /// determines it.
    ///
    /// Tables that do not fit are written after the audio.
    public var reservedByteCount = 16_384

    /// Creates the configuration of a recording without tags.
    public init(stream: AudioSpecificConfig) {
      self.stream = stream
      timing = StreamTiming(stream)
    }
  }
}
