public import AacornCodec

extension MP4Writer {
  /// The arrangement of a file.
  public enum Layout: Equatable, Sendable {
    /// The tables before the audio, so that playback can start during a download.
    case faststart
    /// The tables after the audio, with one small patch near the start.
    case moovAtEnd
    /// Small tables before every second of audio. Nothing is ever patched, and a truncated file
    /// plays up to its end.
    case fragmented
  }

  /// The settings required before the first frame.
  public struct Configuration: Sendable {
    /// The decoder's configuration of the stream.
    public let stream: AudioSpecificConfig
    /// The timing of the stream; only `fragmented` needs the priming and the bitrate in advance.
    public var timing: StreamTiming
    /// The arrangement of the file.
    public var layout: Layout = .faststart
    /// The tags of the file.
    public var tags = MP4Tags()
    /// The number of frames, if known; then `faststart` does not need to move the audio.
    public var expectedUnitCount: Int?
    /// The expected number of played parts, for which space is reserved.
    public var expectedPartCount = 1
    /// The creation time in seconds since the start of 1904; 0 keeps files reproducible.
    public var creationTime: UInt64 = 0
    /// The start time of a recording, as written by its recorder.
    public var started: String?
    /// The gap entries of a recording, each a JSON object.
    public var gapEntries: [[UInt8]] = []

    /// Creates the configuration of a file without tags.
    public init(stream: AudioSpecificConfig, layout: Layout = .faststart) {
      self.stream = stream
      timing = StreamTiming(stream)
      self.layout = layout
    }

    /// The start time and the gap entries; entries that do not fit are omitted.
    var notes: RecordingMetadata {
      var notes = RecordingMetadata(startText: started)
      for entry in gapEntries { _ = notes.append(gap: entry) }
      return notes
    }
  }
}
