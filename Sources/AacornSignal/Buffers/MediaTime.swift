/// A point in time, in seconds, as a fraction of two integers, like `CMTime`.
///
/// Two times are equal if both `value` and `timescale` are equal: 1/2 s is not equal to 2/4 s.
@frozen
public struct MediaTime: Equatable, Sendable {
  /// The number of units of 1/`timescale` s.
  public let value: Int64
  /// The number of units per second; above 0.
  public let timescale: Int32

  /// Creates a time of `value` units of 1/`timescale` s; nil unless `timescale` is above 0.
  public init?(value: Int64, timescale: Int32) {
    guard timescale > 0 else { return nil }
    self.init(value, timescale)
  }

  private init(_ value: Int64, _ timescale: Int32) {
    self.value = value
    self.timescale = timescale
  }

  /// Creates a time in nanoseconds.
  public init(nanoseconds: Int64) {
    self.init(nanoseconds, Self.billion)
  }

  /// Returns time 0 with `sampleRate` as the timescale.
  public static func zero(sampleRate: Int) -> MediaTime {
    MediaTime(0, Int32(clamping: max(1, sampleRate)))
  }

  private static let billion: Int32 = 1_000_000_000
  /// 127 years; farther times are clamped, so that sums and differences do not overflow.
  private static let farthestSecond: Int64 = 4_000_000_000

  /// The time in nanoseconds, rounded to the nearest and at most 127 years from 0.
  public var nanoseconds: Int64 {
    let (seconds, rest) = value.quotientAndRemainder(dividingBy: Int64(timescale))
    if seconds >= Self.farthestSecond { return Self.farthestSecond &* 1_000_000_000 }
    if seconds <= -Self.farthestSecond { return -Self.farthestSecond &* 1_000_000_000 }
    return seconds &* 1_000_000_000
      &+ Self.rounded(rest &* 1_000_000_000, over: Int64(timescale))
  }

  /// Returns the time `frames` frames later; the number may be negative.
  ///
  /// The result is exact if the least common multiple of `timescale` and the rate fits in 32 bits;
  /// it is then the timescale of the result. Otherwise it is rounded to nanoseconds, for example if
  /// frames at 44.1 kHz are added to a time in nanoseconds.
  public func adding(frames: Int64, sampleRate: Int) -> MediaTime {
    let rate = Int64(max(1, min(sampleRate, 1_000_000_000)))
    let scale = Int64(timescale)
    let parts = rate / scale.greatestCommonDivisor(with: rate)
    // Both factors have at most 31 bits, so the product does not overflow.
    let common = scale &* parts
    let perFrame = common / rate
    if common <= Int64(Int32.max), Self.isAtMost(Int64.max / 2 / parts, value),
      Self.isAtMost(Int64.max / 2 / perFrame, frames)
    {
      return MediaTime(value &* parts &+ frames &* perFrame, Int32(common))
    }
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: rate)
    let bounded = min(max(seconds, -Self.farthestSecond), Self.farthestSecond)
    let distance =
      bounded &* 1_000_000_000 &+ Self.rounded(rest &* 1_000_000_000, over: rate)
    return MediaTime(nanoseconds: nanoseconds &+ distance)
  }

  /// Returns the number of frames from `other` to this time, rounded; negative if `other` is later.
  public func frames(since other: MediaTime, sampleRate: Int) -> Int64 {
    Self.frames(nanoseconds: nanoseconds &- other.nanoseconds, sampleRate: sampleRate)
  }

  /// Returns the number of frames in a duration, rounded.
  static func frames(nanoseconds: Int64, sampleRate: Int) -> Int64 {
    let rate = Int64(max(1, min(sampleRate, 1_000_000)))
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return seconds &* rate &+ rounded(rest &* rate, over: 1_000_000_000)
  }

  private static func isAtMost(_ limit: Int64, _ number: Int64) -> Bool {
    number >= -limit && number <= limit
  }

  /// Returns a quotient rounded to the nearest integer, halves away from 0.
  private static func rounded(_ dividend: Int64, over divisor: Int64) -> Int64 {
    let half = divisor / 2
    return (dividend < 0 ? dividend &- half : dividend &+ half) / divisor
  }
}

extension FixedWidthInteger {
  func greatestCommonDivisor(with other: Self) -> Self {
    var (a, b) = (self, other)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
