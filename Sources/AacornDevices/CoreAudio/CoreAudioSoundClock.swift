/// Tells when the blocks that a unit asks for are passed to the hardware.
///
/// A unit that converts the rate may ask more than once for the same cycle of the device, and then
/// gives the same timestamp; what it asks for last sounds last.
struct CoreAudioSoundClock {
  /// When a device passes on the first frame of a block.
  struct Stamp {
    /// In the device's own form.
    var ticks: UInt64
    /// By the monotonic clock, in nanoseconds.
    var time: Int64
  }

  private let sampleRate: Int64
  /// How long before its timestamp a block is asked for.
  private let lead: Int64
  private var lastTicks: UInt64?
  /// When the frame after the last one is passed on.
  private var nextTime: Int64 = 0

  /// A clock for frames of this rate.
  init(sampleRate: Int, lead: Int64) {
    self.sampleRate = Int64(max(1, sampleRate))
    self.lead = lead
  }

  /// When the first of the next frames is passed to the hardware, if they are asked for now.
  ///
  /// What is asked for now cannot have been passed on before, whatever a device says.
  mutating func time(ofNext frameCount: Int, _ stamp: Stamp?, now: Int64) -> Int64 {
    let time: Int64
    if let stamp {
      time = stamp.ticks == lastTicks ? nextTime : max(stamp.time, now)
    } else {
      time = now + lead
    }
    lastTicks = stamp?.ticks
    nextTime = time + duration(of: frameCount)
    return time
  }

  /// How long frames last, in nanoseconds.
  func duration(of frameCount: Int) -> Int64 {
    Int64(frameCount) * 1_000_000_000 / sampleRate
  }
}
