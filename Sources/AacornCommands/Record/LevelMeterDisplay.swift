import AacornSignal

/// Channel levels as a meter shows them: the level falls slowly, the peak holds for a while, and a
/// mark for clipping stays longer.
struct LevelMeterDisplay: Equatable {
  /// The reading of one channel.
  struct Reading: Equatable {
    /// Decibels below full scale.
    var level = -Double.infinity
    /// The recent peak level.
    var hold = -Double.infinity
    /// Whether there were samples at full scale recently.
    var isClipped = false
  }

  fileprivate struct Channel: Equatable {
    var reading = Reading()
    var holdTime = 0.0
    var clipTime = 0.0
  }

  private var channels: [Channel] = []
  private var lastTime = 0.0

  /// Decibels per second by which the level falls.
  fileprivate static let fall = 24.0
  /// Seconds for which the peak is held.
  fileprivate static let holdSeconds = 1.5
  /// Seconds for which the mark stays.
  fileprivate static let clipSeconds = 3.0
  /// The lowest level distinguished from silence.
  fileprivate static let floor = -90.0

  /// The readings of the channels.
  var readings: [Reading] { channels.map(\.reading) }

  /// Accepts the peaks since the last call; without any, the meters keep falling.
  mutating func take(_ peaks: [Float], at seconds: Double) {
    let passed = max(0, seconds - lastTime)
    lastTime = seconds
    if !peaks.isEmpty && peaks.count != channels.count {
      channels = Array(repeating: Channel(), count: peaks.count)
    }
    for index in channels.indices {
      let peak = index < peaks.count ? peaks[index] : 0
      channels[index].take(peak, passed: passed, at: seconds)
    }
  }
}

extension LevelMeterDisplay.Channel {
  fileprivate mutating func take(_ peak: Float, passed: Double, at seconds: Double) {
    let level = Double(Decibels.of(amplitude: peak))
    let fallen = reading.level - LevelMeterDisplay.fall * passed
    reading.level = max(level, fallen)
    if reading.level < LevelMeterDisplay.floor { reading.level = -.infinity }
    if level >= reading.hold {
      reading.hold = level
      holdTime = seconds
    } else if seconds - holdTime > LevelMeterDisplay.holdSeconds {
      reading.hold = reading.level
      holdTime = seconds
    }
    if peak >= LevelMeter.fullScale {
      reading.isClipped = true
      clipTime = seconds
    } else if seconds - clipTime > LevelMeterDisplay.clipSeconds {
      reading.isClipped = false
    }
  }
}
