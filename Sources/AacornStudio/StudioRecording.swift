/// A completed recording of the studio.
public struct StudioRecording: Sendable, Equatable {
  /// The name of its file in the studio's folder.
  public var name: String
  /// The duration of the audio, including filled gaps.
  public var duration: Duration
  /// The size of the file in bytes.
  public var byteCount: Int
  /// The number of gaps in the captured audio.
  public var gapCount: Int

  /// Creates a recording with these properties.
  public init(name: String, duration: Duration, byteCount: Int, gapCount: Int) {
    self.name = name
    self.duration = duration
    self.byteCount = byteCount
    self.gapCount = gapCount
  }
}

/// The losses at the end of a studio, and the result of a recording that was in progress.
public struct StudioShutdownResult: Sendable, Equatable {
  /// The recording in the studio's folder; nil if no recording was in progress, or its file is
  /// elsewhere.
  public var recording: StudioRecording?
  /// The path of the file if the file or the folder was moved or removed during the recording; nil
  /// if the file is in the folder, or there is no file.
  public var pathElsewhere: String?
  /// The reasons why the recording is incomplete or not in the folder, and a message about abandoned
  /// changes of the library, in sentences; empty without problems.
  public var losses: [String]

  /// Creates the result of a studio's end.
  public init(_ recording: StudioRecording?, pathElsewhere: String? = nil, losses: [String] = []) {
    self.recording = recording
    self.pathElsewhere = pathElsewhere
    self.losses = losses
  }
}
