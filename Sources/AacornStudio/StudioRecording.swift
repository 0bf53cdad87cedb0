/// A completed recording of the studio.
public struct StudioRecording: Sendable, Equatable {
  /// The name of its file in the studio's folder.
  public var name: String
  /// How much audio is in it.
  public var duration: Duration
  /// The size of the file.
  public var byteCount: Int
  /// How often audio was lost.
  public var gapCount: Int

  /// Creates a recording with these properties.
  public init(name: String, duration: Duration, byteCount: Int, gapCount: Int) {
    self.name = name
    self.duration = duration
    self.byteCount = byteCount
    self.gapCount = gapCount
  }
}
