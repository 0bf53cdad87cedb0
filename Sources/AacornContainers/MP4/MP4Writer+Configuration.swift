public import AacornCodec

extension MP4Writer {
  /// How the parts of a file are arranged.
  public enum Layout: Equatable, Sendable {
    /// The tables before the audio, so that playback can start while a file arrives.
    case faststart
    /// The tables after the audio; one small patch near the start.
    case moovAtEnd
    /// Small tables before every second of audio: nothing is ever patched, and a truncated file
    /// plays as far as it goes.
    case fragmented
  }

  /// What must be known before the first frame.
  public struct Configuration: Sendable {
    /// The stream's configuration.
    public let stream: AudioSpecificConfig
    /// Its timing; only `fragmented` needs the priming and the bitrate in advance.
    public var timing: StreamTiming
    /// The arrangement of the file.
    public var layout: Layout = .faststart
    /// Tags.
    public var tags = MP4Tags()
    /// How many frames there will be, if known; then `faststart` does not need to move anything.
    public var expectedUnitCount: Int?
    /// How many parts of the sound there will be, for which room is kept likewise.
    public var expectedPartCount = 1
    /// Seconds since the start of 1904; 0 keeps files reproducible.
    public var creationTime: UInt64 = 0
    /// When a recording was started, as written by its recorder.
    public var started: String?
    /// The gap notes of a recording, each a JSON object.
    public var gapEntries: [[UInt8]] = []

    /// A progressive file without tags.
    public init(stream: AudioSpecificConfig, layout: Layout = .faststart) {
      self.stream = stream
      timing = StreamTiming(stream)
      self.layout = layout
    }

    /// Both of the above; notes that do not fit are left out.
    var notes: RecordingNotes {
      var notes = RecordingNotes(startText: started)
      for entry in gapEntries { _ = notes.append(gap: entry) }
      return notes
    }
  }
}
