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
    self.sampleRate = sampleRate
    self.driftPartsPerMillion = driftPartsPerMillion
    epochTime = startTime
  }

  /// When a frame is.
  func time(of frame: Int) -> Int64 {
    let seconds = Double(frame - epochFrame) / Double(sampleRate)
    return epochTime + Int64(seconds * (1000 + driftPartsPerMillion / 1000) * 1e6 + 0.5)
  }

  /// Goes on at another rate from a frame on.
  mutating func change(to sampleRate: Int, from frame: Int) {
    epochTime = time(of: frame)
    epochFrame = frame
    self.sampleRate = sampleRate
  }

  /// Puts off everything to come.
  mutating func postpone(by nanoseconds: Int64) {
    epochTime += nanoseconds
  }
}
