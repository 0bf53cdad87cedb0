import AacornSignal

/// How loud each channel is, as a meter shows it: the level falls slowly, the highest one stays for
/// a while, and a mark stays longer where the sound was cut off.
struct LevelMeterDisplay: Equatable {
  /// What one channel shows.
  struct Reading: Equatable {
    /// Decibels below full scale.
    var level = -Double.infinity
    /// The highest level of late.
    var hold = -Double.infinity
    /// Whether samples stood at full scale of late.
    var isClipped = false
  }

  fileprivate struct Channel: Equatable {
    var reading = Reading()
    var holdTime = 0.0
    var clipTime = 0.0
  }

  private var channels: [Channel] = []
  private var lastTime = 0.0

  /// Decibels a second by which the level falls.
  fileprivate static let fall = 24.0
  /// Seconds for which the highest level stays.
  fileprivate static let holdSeconds = 1.5
  /// Seconds for which the mark stays.
  fileprivate static let clipSeconds = 3.0
  /// The lowest level that is told from silence.
  fileprivate static let floor = -90.0

  /// What the channels show.
  var readings: [Reading] { channels.map(\.reading) }

  /// Takes the highest samples since the last call; none leave the meters falling.
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
