/// Relates a device's samples to the monotonic clock with a second-order delay-locked loop.
///
/// Block times jitter by milliseconds, because the clock is never read at the exact instant of the
/// first sample. The loop predicts each block's time from earlier ones and corrects by part of the
/// prediction error. So the jitter averages out and the drift of the device's crystal remains. The
/// bandwidth starts wide to find the rate quickly, then narrows to hold it.
struct DeviceClock: Sendable {
  /// The device's nominal rate.
  let sampleRate: Int
  /// The start of the loop; times are relative to it to preserve precision.
  private let origin: Int64
  /// The predicted time of the next frame, in seconds.
  private var next: Double = 0
  /// Seconds per frame.
  private(set) var period: Double
  private let nominalPeriod: Double
  private var frameCount = 0
  private var elapsed: Double = 0
  /// The mean magnitude of the prediction error of block times, in seconds.
  private(set) var jitter: Double = 0.002

  /// The start of the drift measurement, in seconds and frames, after the loop has converged.
  private var anchor: (time: Double, frameCount: Int)?

  /// Creates a clock whose next frame is captured at `time`.
  init(sampleRate: Int, time: Int64) {
    self.sampleRate = sampleRate
    origin = time
    nominalPeriod = 1 / Double(sampleRate)
    period = nominalPeriod
  }

  /// The predicted capture time of the next frame, in nanoseconds.
  var nextTime: Int64 { origin + Int64((next * 1e9).rounded()) }

  /// Returns the delay in seconds of the next frame relative to the prediction, if it is captured
  /// at `time`.
  func error(of time: Int64) -> Double { Double(time - origin) * 1e-9 - next }

  /// Counts frames whose time is unknown.
  mutating func advance(by count: Int) {
    next += Double(count) * period
    frameCount += count
    elapsed += Double(count) * nominalPeriod
  }

  /// Counts frames, the first of which was captured at `time`.
  mutating func advance(by count: Int, at time: Int64) {
    let error = error(of: time)
    let duration = Double(count) * nominalPeriod
    // The bandwidth falls from 0.5 Hz to 0.01 Hz as the loop grows older.
    let bandwidth = max(0.01, min(0.5, 1 / (2 + elapsed)))
    let omega = min(0.5, 2 * Double.pi * bandwidth * duration)
    jitter += (abs(error) - jitter) * min(0.1, duration)
    next += 2.0.squareRoot() * omega * error
    if count > 0 { period += omega * omega * error / Double(count) }
    // No crystal is off by more than a thousandth; a larger deviation is jitter.
    period = min(max(period, nominalPeriod * 0.999), nominalPeriod * 1.001)
    advance(by: count)
    if anchor == nil && elapsed > 5 { anchor = (next, frameCount) }
  }

  /// Shifts the loop's time by seconds without changing its rate.
  mutating func shift(by seconds: Double) {
    next += seconds
    anchor?.time += seconds
  }

  /// The device's deviation from its nominal rate in millionths, positive if it is faster; nil
  /// until it has been observed for ten seconds.
  var driftPartsPerMillion: Double? {
    guard let anchor else { return nil }
    let frames = frameCount - anchor.frameCount
    let time = next - anchor.time
    guard Double(frames) * nominalPeriod > 5, time > 0 else { return nil }
    return (Double(frames) * nominalPeriod / time - 1) * 1e6
  }
}
