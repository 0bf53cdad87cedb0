/// How a recording that was in progress when the studio was stopped has ended.
public struct StudioEnding: Sendable, Equatable {
  /// The recording in the studio's folder; nil if there is none, or it is elsewhere.
  public var recording: StudioRecording?
  /// Where its file is instead, because it or the folder was moved or removed; nil if it is in the
  /// folder, or there is none.
  public var pathElsewhere: String?
  /// Why it is not whole, or not where it should be, in sentences; empty if all is well.
  public var losses: [String]

  /// Creates the ending of a recording.
  public init(_ recording: StudioRecording?, pathElsewhere: String? = nil, losses: [String] = []) {
    self.recording = recording
    self.pathElsewhere = pathElsewhere
    self.losses = losses
  }
}
