/// A completed recording of the studio.
public struct StudioRecording: Sendable, Equatable {
  /// The name of its file in the studio's folder.
  public var name: String
  /// How much audio is in it.
  public var seconds: Double
  /// The size of the file.
  public var byteCount: Int
  /// How often audio was lost.
  public var gapCount: Int

  /// Creates a recording with these properties.
  public init(name: String, seconds: Double, byteCount: Int, gapCount: Int) {
    self.name = name
    self.seconds = seconds
    self.byteCount = byteCount
    self.gapCount = gapCount
  }
}
