/// Where the leader's time line is at a time of the monotonic clock.
struct TimeReference {
  /// A place in the recording, in frames.
  var position: Double
  /// When the frame there was captured, in nanoseconds of the monotonic clock.
  var time: Int64
  /// How many frames of the recording a second of that clock has.
  var framesPerSecond: Double

  /// The place of what is captured at a time.
  func position(at time: Int64) -> Double {
    position + Double(time - self.time) * 1e-9 * framesPerSecond
  }
}

/// Holds a device to the leader's time line, by making its sound a little longer or shorter.
///
/// A second-order loop: its integral is the difference of the two crystals, which it finds by
/// itself, and its proportional part leads what is out of place back. The places come from the two
/// devices' clocks (``DeviceClock``), whose jitter is larger than a sample; so the loop is fast at
/// first and becomes slow, until its time constant is a hundred seconds. The ratio changes by at most
/// 300 millionths a second, which nobody hears.
struct TrackAlignment {
  /// How many millionths more samples the sound is to have.
  private(set) var partsPerMillion = 0.0
  /// The part of that which stays when nothing is out of place.
  private var drift = 0.0
  /// Seconds since it began.
  private var age = 0.0

  private static let slowest = 0.01
  private static let damping = 0.8
  /// Millionths a second.
  private static let slope = 300.0
  private static let limit = 1000.0
  /// Seconds between two looks at most; they come with the blocks.
  private static let longest = 1.0

  /// Takes note that after so many seconds more the sound lies so many seconds too early.
  mutating func correct(_ error: Double, after seconds: Double) {
    guard seconds > 0 else { return }
    // A device that was away was not out of place all that time.
    let seconds = min(seconds, Self.longest)
    age += seconds
    let omega = max(Self.slowest, 1 / (2 + age / 4))
    drift += omega * omega * error * 1e6 * seconds
    drift = min(max(drift, -Self.limit), Self.limit)
    let wanted = drift + 2 * Self.damping * omega * error * 1e6
    let step = Self.slope * seconds
    partsPerMillion = min(max(wanted, partsPerMillion - step), partsPerMillion + step)
    partsPerMillion = min(max(partsPerMillion, -Self.limit), Self.limit)
  }
}
