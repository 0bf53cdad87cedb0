/// Detects gaps between an app's buffers from their presentation times.
///
/// Times jitter even if nothing is lost. So the deviations from the expected times are accumulated,
/// and only a sum of more than 4 ms is a gap or a surplus. The clock follows a buffer clock that
/// drifts from the nominal rate by at most 0.05 %.
public struct PresentationClock: Sendable {
  /// The relation of a buffer to the previous buffer.
  @frozen
  public enum Step: Equatable, Sendable {
    /// The buffer follows directly.
    case contiguous
    /// This number of frames is missing before the buffer.
    case gap(Int)
    /// The buffer is early by this number of frames: there are more frames than time has passed.
    case surplus(Int)
  }

  /// The expected time of the next buffer, in nanoseconds of a timeline without gaps.
  private var expected: Int64?
  /// The accumulated delay of the buffers relative to the expected times, less the allowed drift,
  /// in nanoseconds.
  private var lateness: Int64 = 0
  /// The lead of the timeline over the buffers' times, in nanoseconds: the accumulated surplus.
  public private(set) var lead: Int64 = 0

  /// The maximum of `lateness` that is not a gap or a surplus, in nanoseconds: shorter than the
  /// smallest blocks of common hardware, but above the jitter of capture times.
  private static let tolerance: Int64 = 4_000_000
  /// The reciprocal of the maximum drift that is not a gap or a surplus: 0.05 %.
  private static let driftDivisor: Int64 = 2000
  /// The limit of all times, in nanoseconds, so that sums do not overflow: 127 years.
  private static let farthest: Int64 = 4_000_000_000_000_000_000

  /// Creates a clock that has received no buffer.
  public init() {}

  /// Returns the relation of the next buffer to the previous one; `contiguous` for a nil `time`.
  public mutating func append(_ time: MediaTime?, frameCount: Int, sampleRate: Int) -> Step {
    let rate = Int64(max(1, min(sampleRate, 1_000_000)))
    let (seconds, rest) = Int64(frameCount).quotientAndRemainder(dividingBy: rate)
    let duration = min(seconds, 1 << 32) &* 1_000_000_000 &+ rest &* 1_000_000_000 / rate
    guard let time else {
      if let expected { self.expected = Self.bounded(expected &+ duration) }
      return .contiguous
    }
    let start = Self.bounded(time.nanoseconds &+ lead)
    guard let expected else {
      self.expected = Self.bounded(start &+ duration)
      return .contiguous
    }
    lateness &+= start &- expected
    var step = Step.contiguous
    var beginning = start
    if lateness > Self.tolerance {
      // The late time first repays an earlier surplus; only the remainder is a gap.
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
