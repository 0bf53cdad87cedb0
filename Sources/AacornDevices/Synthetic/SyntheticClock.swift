import AacornSignal

/// The clock of a simulated device.
///
///     frame n is at   epoch time + (n − epoch frame) / rate · (1 + drift)
///
/// The epoch is the start, or the last change of the rate.
struct SyntheticClock {
  /// Frames per second of the device.
  private(set) var sampleRate: Int
  private let driftPartsPerMillion: Double
  private var epochFrame = 0
  private var epochTime: Int64

  /// A clock whose frame 0 is at `startTime`.
  init(sampleRate: Int, driftPartsPerMillion: Double, startTime: Int64) {
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
    // A tenth is more than any clock is off.
    self.driftPartsPerMillion =
      driftPartsPerMillion.isNaN ? 0 : min(max(driftPartsPerMillion, -100_000), 100_000)
    epochTime = startTime
  }

  /// When a frame is.
  func time(of frame: Int) -> Int64 {
    let seconds = Double(frame - epochFrame) / Double(sampleRate)
    let nanoseconds = seconds * (1000 + driftPartsPerMillion / 1000) * 1e6 + 0.5
    // What is farther than 146 years away counts as that.
    let (time, isTooFar) = epochTime.addingReportingOverflow(Int64(min(nanoseconds, 0x1p62)))
    return isTooFar ? .max : time
  }

  /// Goes on at another rate from a frame on.
  mutating func change(to sampleRate: Int, from frame: Int) {
    epochTime = time(of: frame)
    epochFrame = frame
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
  }

  /// Puts off everything to come.
  mutating func postpone(by nanoseconds: Int64) {
    let (time, isTooFar) = epochTime.addingReportingOverflow(nanoseconds)
    epochTime = isTooFar ? .max : time
  }
}
