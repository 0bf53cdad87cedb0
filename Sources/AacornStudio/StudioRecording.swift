/// A recording of the studio that has ended.
public struct StudioRecording: Sendable, Equatable {
  /// The name of its file in the studio's folder.
  public var name: String
  /// How much sound is in it.
  public var seconds: Double
  /// The size of the file.
  public var byteCount: Int
  /// How often sound was lost.
  public var gapCount: Int

  /// A recording with these properties.
  public init(name: String, seconds: Double, byteCount: Int, gapCount: Int) {
    self.name = name
    self.seconds = seconds
    self.byteCount = byteCount
    self.gapCount = gapCount
  }
}
