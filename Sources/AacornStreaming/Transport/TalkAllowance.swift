/// How much a server may send to a publisher: little continuously, more now and then.
///
/// Such a server sends some kilobytes when it accepts the stream, and then a few bytes a minute.
/// Endless data would have to be read, decrypted and answered, and occupy a core of this machine.
struct TalkAllowance {
  /// Bytes that may arrive at once.
  static let burst = 128_000
  /// Bytes per second that may arrive continuously.
  static let bytesPerSecond = 16_000

  private var rest = burst
  /// Up to when `rest` has grown, in nanoseconds; nil before the first bytes.
  private var time: Int64?

  /// Counts received bytes; false if they are too many.
  mutating func take(_ count: Int, at now: Int64) -> Bool {
    if let time {
      // Ten seconds fill it, and the product of a longer time could overflow.
      let elapsed = max(0, min(now - time, 10_000_000_000))
      rest = min(Self.burst, rest + Int(elapsed * Int64(Self.bytesPerSecond) / 1_000_000_000))
    }
    time = now
    rest -= count
    return rest >= 0
  }
}
