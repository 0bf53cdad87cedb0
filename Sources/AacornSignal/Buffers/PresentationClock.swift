/// Finds what is missing between an app's buffers, from when each is due.
///
/// Times are late or early by a little without any loss. So the distances from what is expected are
/// summed up, and only if the sum is more than any jitter is there a gap. A clock that runs faster
/// or slower than the rate says, by half a thousandth at most, is followed.
public struct PresentationClock: Sendable {
  /// How a buffer follows the one before.
  @frozen
  public enum Step: Equatable, Sendable {
    /// Without anything between.
    case follows
    /// After so many frames that did not come.
    case gap(Int)
    /// So many frames too early: more came than time has passed.
    case surplus(Int)
  }

  /// When the next buffer should begin, in nanoseconds of the line on which all buffers follow each
  /// other.
  private var expected: Int64?
  /// How much later the last buffers were than expected.
  private var lateness: Int64 = 0
  /// By how much the line is ahead of the buffers' times, in nanoseconds: what came too much.
  public private(set) var lead: Int64 = 0

  /// The shortest blocks of usual hardware last longer, times of capture err by less.
  private static let tolerance: Int64 = 4_000_000
  /// The reciprocal of how much clocks may differ.
  private static let driftDivisor: Int64 = 2000
  /// 127 years.
  private static let farthest: Int64 = 4_000_000_000_000_000_000

  /// A clock that has yet to see a buffer.
  public init() {}

  /// Places the next buffer, which follows the one before if it has no time of its own.
  public mutating func place(_ time: MediaTime?, frameCount: Int, sampleRate: Int) -> Step {
    let rate = Int64(max(1, min(sampleRate, 1_000_000)))
    let (seconds, rest) = Int64(frameCount).quotientAndRemainder(dividingBy: rate)
    let duration = min(seconds, 1 << 32) &* 1_000_000_000 &+ rest &* 1_000_000_000 / rate
    guard let time else {
      if let expected { self.expected = Self.bounded(expected &+ duration) }
      return .follows
    }
    let start = Self.bounded(time.nanoseconds &+ lead)
    guard let expected else {
      self.expected = Self.bounded(start &+ duration)
      return .follows
    }
    lateness &+= start &- expected
    var step = Step.follows
    var beginning = start
    if lateness > Self.tolerance {
      // What came too much has been accounted for already.
      let repaid = min(lead, lateness)
      lead &-= repaid
      beginning &-= repaid
      let frames = MediaTime.frames(nanoseconds: lateness &- repaid, sampleRate: sampleRate)
      if frames > 0 { step = .gap(Int(clamping: frames)) }
      lateness = 0
    } else if lateness < -Self.tolerance {
      let frames = MediaTime.frames(nanoseconds: 0 &- lateness, sampleRate: sampleRate)
      step = .surplus(Int(clamping: frames))
      beginning = Self.bounded(beginning &- lateness)
      lead = Self.bounded(lead &- lateness)
      lateness = 0
    } else {
      let drift = duration / Self.driftDivisor
      lateness &-= min(max(lateness, -drift), drift)
    }
    self.expected = Self.bounded(beginning &+ duration)
    return step
  }

  private static func bounded(_ nanoseconds: Int64) -> Int64 {
    min(max(nanoseconds, -farthest), farthest)
  }
}
