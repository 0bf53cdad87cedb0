/// A point in time as a fraction of whole numbers, as Core Media has it.
///
/// Two are equal if they have the same numbers: 1/2 is not 2/4.
@frozen
public struct MediaTime: Equatable, Sendable {
  /// How many parts of a second.
  public let value: Int64
  /// Parts in a second; above 0.
  public let timescale: Int32

  /// So many parts of a second; nil unless there are any in one.
  public init?(value: Int64, timescale: Int32) {
    guard timescale > 0 else { return nil }
    self.init(value, timescale)
  }

  private init(_ value: Int64, _ timescale: Int32) {
    self.value = value
    self.timescale = timescale
  }

  /// A time in nanoseconds.
  public init(nanoseconds: Int64) {
    self.init(nanoseconds, Self.billion)
  }

  /// The beginning of a time that is counted in frames.
  public static func zero(sampleRate: Int) -> MediaTime {
    MediaTime(0, Int32(clamping: max(1, sampleRate)))
  }

  private static let billion: Int32 = 1_000_000_000
  /// 127 years; what is farther away counts as this, so that sums and differences fit.
  private static let farthestSecond: Int64 = 4_000_000_000

  /// The nearest nanosecond, at most 127 years from 0.
  public var nanoseconds: Int64 {
    let (seconds, rest) = value.quotientAndRemainder(dividingBy: Int64(timescale))
    if seconds >= Self.farthestSecond { return Self.farthestSecond &* 1_000_000_000 }
    if seconds <= -Self.farthestSecond { return -Self.farthestSecond &* 1_000_000_000 }
    return seconds &* 1_000_000_000
      &+ Self.rounded(rest &* 1_000_000_000, over: Int64(timescale))
  }

  /// This time and so many frames, which may be negative.
  ///
  /// It is exact if a common scale fits in 32 bits, which then is that of the result. Otherwise it
  /// is the nearest nanosecond: as after times in nanoseconds, at 44.1 kHz.
  public func adding(frames: Int64, sampleRate: Int) -> MediaTime {
    let rate = Int64(max(1, min(sampleRate, 1_000_000_000)))
    let scale = Int64(timescale)
    let parts = rate / Self.greatestCommonDivisor(scale, rate)
    // Both factors have at most 31 bits.
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

  /// How many frames pass from another time to this one, to the nearest; negative if it is later.
  public func frames(since other: MediaTime, sampleRate: Int) -> Int64 {
    Self.frames(nanoseconds: nanoseconds &- other.nanoseconds, sampleRate: sampleRate)
  }

  /// How many frames last so long, to the nearest.
  static func frames(nanoseconds: Int64, sampleRate: Int) -> Int64 {
    let rate = Int64(max(1, min(sampleRate, 1_000_000)))
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return seconds &* rate &+ rounded(rest &* rate, over: 1_000_000_000)
  }

  private static func isAtMost(_ limit: Int64, _ number: Int64) -> Bool {
    number >= -limit && number <= limit
  }

  /// A quotient to the nearest, halves away from 0.
  private static func rounded(_ dividend: Int64, over divisor: Int64) -> Int64 {
    let half = divisor / 2
    return (dividend < 0 ? dividend &- half : dividend &+ half) / divisor
  }

  private static func greatestCommonDivisor(_ a: Int64, _ b: Int64) -> Int64 {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
