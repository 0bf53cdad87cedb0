import AacornSignal

/// A meter of channel levels: the level falls slowly, the peak is held for a while, and the
/// clipping mark stays longer.
struct LevelMeterDisplay: Equatable {
  /// The reading of one channel.
  struct Reading: Equatable {
    /// The level in dBFS.
    var level = -Double.infinity
    /// The recent peak in dBFS.
    var hold = -Double.infinity
    /// Whether samples reached full scale recently.
    var isClipped = false
  }

  private struct Channel: Equatable {
    var reading = Reading()
    var holdTime = 0.0
    var clipTime = 0.0

    mutating func update(_ peak: Float, passed: Double, at seconds: Double) {
      let level = Double(Decibels.of(amplitude: peak))
      let fallen = reading.level - fall * passed
      reading.level = max(level, fallen)
      if reading.level < floor { reading.level = -.infinity }
      if level >= reading.hold {
        reading.hold = level
        holdTime = seconds
      } else if seconds - holdTime > holdSeconds {
        reading.hold = reading.level
        holdTime = seconds
      }
      if peak >= LevelMeter.fullScale {
        reading.isClipped = true
        clipTime = seconds
      } else if seconds - clipTime > clipSeconds {
        reading.isClipped = false
      }
    }
  }

  private var channels: [Channel] = []
  private var lastTime = 0.0

  /// The fall of the level in decibels per second.
  private static let fall = 24.0
  /// The time in seconds for which the peak is held.
  private static let holdSeconds = 1.5
  /// The time in seconds for which the clipping mark stays.
  private static let clipSeconds = 3.0
  /// The lowest displayed level in dBFS; lower levels count as silence.
  private static let floor = -90.0

  var readings: [Reading] { channels.map(\.reading) }

  /// Updates the meters with the peaks since the last call.
  ///
  /// Without peaks, the levels keep falling.
  mutating func update(_ peaks: [Float], at seconds: Double) {
    let passed = max(0, seconds - lastTime)
    lastTime = seconds
    if !peaks.isEmpty && peaks.count != channels.count {
      channels = Array(repeating: Channel(), count: peaks.count)
    }
    for index in channels.indices {
      let peak = index < peaks.count ? peaks[index] : 0
      channels[index].update(peak, passed: passed, at: seconds)
    }
  }
}
