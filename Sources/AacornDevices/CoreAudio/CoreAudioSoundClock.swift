import AacornSystem

/// Computes the times at which the blocks of a unit are passed to the hardware.
///
/// A unit that converts the rate may request several blocks for one cycle of the device, all with
/// the same timestamp. These blocks play in the order of the requests.
struct CoreAudioSoundClock {
  /// The time at which a device passes on the first frame of a block.
  struct PresentationStamp {
    /// In the device's own unit.
    var ticks: UInt64
    /// By the monotonic clock, in nanoseconds.
    var time: Int64
  }

  private let sampleRate: Int
  /// The time from the request for a block to its timestamp, in nanoseconds.
  private let lead: Int64
  private var lastTicks: UInt64?
  /// The time at which the frame after the last requested one is passed on.
  private var nextTime: Int64 = 0

  /// Creates a clock for frames of this rate.
  init(sampleRate: Int, lead: Int64) {
    self.sampleRate = sampleRate
    self.lead = lead
  }

  /// Returns the time at which the first of the next frames is passed to the hardware.
  ///
  /// `now` is the time of the request. A timestamp earlier than `now` is not used.
  mutating func time(ofNext frameCount: Int, _ stamp: PresentationStamp?, now: Int64) -> Int64 {
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

  /// Returns the duration of frames, in nanoseconds.
  func duration(of frameCount: Int) -> Int64 {
    System.nanoseconds(ofFrames: Int64(frameCount), at: sampleRate)
  }
}
