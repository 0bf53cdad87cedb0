/// One frame of a track.
public struct MP4Sample: Equatable, Sendable {
  /// Where its bytes begin in the file.
  public let offset: UInt64
  /// How many bytes it has.
  public let byteCount: UInt32
  /// When its decoding starts, in the track's ticks.
  public let time: UInt64
  /// How long it lasts, in the track's ticks.
  public let duration: UInt32
}
