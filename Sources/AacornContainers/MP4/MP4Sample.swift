/// One frame of a track.
public struct MP4Sample: Equatable, Sendable {
  /// The file offset of the frame.
  public let offset: UInt64
  /// The size in bytes.
  public let byteCount: UInt32
  /// The decoding time, in ticks of the track.
  public let time: UInt64
  /// The duration, in ticks of the track.
  public let duration: UInt32
}
