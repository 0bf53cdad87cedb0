public import AacornSignal

/// The frames to trim from a buffer, derived from its times before and after trimming.
public struct PacketTrims: Equatable, Sendable {
  /// Frames at the beginning.
  public let leading: Int
  /// Frames at the end.
  public let trailing: Int

  /// Computes the trims from the times of a buffer and of its output; a missing time trims nothing.
  public init(
    start: MediaTime?, outputStart: MediaTime?, duration: MediaTime?, outputDuration: MediaTime?,
    sampleRate: Int
  ) {
    leading = Self.frames(from: start, to: outputStart, sampleRate)
    let all = Self.frames(from: outputDuration, to: duration, sampleRate)
    trailing = max(0, all - leading)
  }

  private static func frames(from start: MediaTime?, to end: MediaTime?, _ sampleRate: Int) -> Int {
    guard let start, let end else { return 0 }
    return Int(clamping: max(0, end.frames(since: start, sampleRate: sampleRate)))
  }
}
