/// A volume as people choose it, in steps that sound alike.
struct PlayVolume: Equatable, Sendable {
  /// 0 is silence, 100 the sound as it is.
  private(set) var percent = 100

  /// The sound as it is.
  init() {}

  /// A volume of 0 to 100; others are the nearest.
  init(percent: Int) { self.percent = min(100, max(0, percent)) }

  /// The factor for the samples: half the percentage is a quarter, which is half as loud.
  var factor: Float { Float(percent * percent) / 10_000 }

  /// The next louder or softer one.
  func moved(isUp: Bool) -> PlayVolume { PlayVolume(percent: percent + (isUp ? 5 : -5)) }
}
