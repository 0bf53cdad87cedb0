import AacornSignal

/// The clock of a simulated device.
///
///     time of frame n = epoch time + (n − epoch frame) / rate · (1 + drift)
///
/// The epoch is the start, or the last change of the rate.
struct SyntheticClock {
  /// Frames per second of the device.
  private(set) var sampleRate: Int
  private let driftPartsPerMillion: Double
  private var epochFrame = 0
  private var epochTime: Int64

  /// Creates a clock with frame 0 at `startTime`.
  init(sampleRate: Int, driftPartsPerMillion: Double, startTime: Int64) {
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
    // A drift of a tenth is more than any real clock has.
    self.driftPartsPerMillion =
      driftPartsPerMillion.isNaN ? 0 : min(max(driftPartsPerMillion, -100_000), 100_000)
    epochTime = startTime
  }

  /// Returns the time of a frame.
  func time(of frame: Int) -> Int64 {
    let seconds = Double(frame - epochFrame) / Double(sampleRate)
    let nanoseconds = seconds * (1000 + driftPartsPerMillion / 1000) * 1e6 + 0.5
    // Times more than 146 years away are clamped.
    let (time, isTooFar) = epochTime.addingReportingOverflow(Int64(min(nanoseconds, 0x1p62)))
    return isTooFar ? .max : time
  }

  /// Continues at another rate from a frame on.
  mutating func change(to sampleRate: Int, from frame: Int) {
    epochTime = time(of: frame)
    epochFrame = frame
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
  }

  /// Postpones all later frames.
  mutating func postpone(by nanoseconds: Int64) {
    let (time, isTooFar) = epochTime.addingReportingOverflow(nanoseconds)
    epochTime = isTooFar ? .max : time
  }
}
