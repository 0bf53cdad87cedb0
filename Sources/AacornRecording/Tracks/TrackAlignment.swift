/// The leader's position at a time of the monotonic clock.
struct TimeReference {
  /// The position in the recording, in frames.
  var position: Double
  /// The capture time of that frame, in nanoseconds of the monotonic clock.
  var time: Int64
  /// Frames of the recording per second of the monotonic clock.
  var framesPerSecond: Double

  /// Returns the position of a frame captured at `time`.
  func position(at time: Int64) -> Double {
    position + Double(time - self.time) * 1e-9 * framesPerSecond
  }
}

/// Keeps a device aligned with the leader's time line by stretching its audio slightly.
///
/// A second-order loop. Its integral converges to the difference of the two crystals, and its
/// proportional part corrects the misalignment. The positions come from the two devices' clocks
/// (``DeviceClock``), whose jitter is larger than a sample. So the loop starts fast and slows to a
/// time constant of a hundred seconds. The ratio changes by at most 300 millionths a second, which
/// is inaudible.
struct TrackAlignment {
  /// The millionths by which the audio is lengthened.
  private(set) var partsPerMillion = 0.0
  /// The integral part, which remains when the track is aligned.
  private var drift = 0.0
  /// Seconds since the start.
  private var age = 0.0

  /// The minimum bandwidth of the loop, in radians per second.
  private static let minBandwidth = 0.01
  private static let damping = 0.8
  /// The maximum change, in millionths per second.
  private static let maxChangePerSecond = 300.0
  private static let maxPartsPerMillion = 1000.0
  /// The maximum duration of audio, in seconds, that one update accounts for.
  ///
  /// Usually updates follow the blocks, which are shorter.
  private static let maxUpdateSeconds = 1.0

  /// Updates the ratio for audio that is `error` seconds early, `seconds` after the last update.
  mutating func correct(_ error: Double, after seconds: Double) {
    guard seconds > 0 else { return }
    // After the device was absent, `seconds` is long, but the error did not exist all that time. So
    // the step is limited.
    let seconds = min(seconds, Self.maxUpdateSeconds)
    age += seconds
    let omega = max(Self.minBandwidth, 1 / (2 + age / 4))
    drift += omega * omega * error * 1e6 * seconds
    drift = min(max(drift, -Self.maxPartsPerMillion), Self.maxPartsPerMillion)
    let wanted = drift + 2 * Self.damping * omega * error * 1e6
    let step = Self.maxChangePerSecond * seconds
    partsPerMillion = min(max(wanted, partsPerMillion - step), partsPerMillion + step)
    partsPerMillion = min(max(partsPerMillion, -Self.maxPartsPerMillion), Self.maxPartsPerMillion)
  }
}
