public import AacornCodec

extension MP4Writer {
  /// How the parts of a file are arranged.
  public enum Layout: Equatable, Sendable {
    /// The tables before the sound, so that playing can start while a file arrives.
    case faststart
    /// The tables after the sound; one small patch near the start.
    case moovAtEnd
    /// Small tables before every second of sound: nothing is ever patched, and a file that was
    /// cut off plays as far as it goes.
    case fragmented
  }

  /// What has to be known before the first frame.
  public struct Configuration: Sendable {
    /// The stream's configuration.
    public let stream: AudioSpecificConfig
    /// Its timing; only `fragmented` needs to know the priming and the bitrate in advance.
    public var timing: StreamTiming
    /// The arrangement of the file.
    public var layout: Layout = .faststart
    /// Tags.
    public var tags = MP4Tags()
    /// How many frames there will be, if that is known; with it, `faststart` needs no moving.
    public var expectedUnitCount: Int?
    /// Seconds since the start of 1904; 0 keeps files reproducible.
    public var creationTime: UInt64 = 0
    /// When a recording was started, in the words of its recorder.
    public var started: String?
    /// The notes of a recording's gaps, each a JSON object.
    public var gapEntries: [[UInt8]] = []

    /// A progressive file without tags.
    public init(stream: AudioSpecificConfig, layout: Layout = .faststart) {
      self.stream = stream
      timing = StreamTiming(stream)
      self.layout = layout
    }

    /// Both of the above together; notes for which there is no room are left out.
    var notes: RecordingNotes {
      var notes = RecordingNotes(startText: started)
      for entry in gapEntries { _ = notes.append(gap: entry) }
      return notes
    }
  }
}
