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
