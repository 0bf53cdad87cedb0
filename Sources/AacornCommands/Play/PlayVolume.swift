/// A volume in percent, in steps that sound equal.
struct PlayVolume: Equatable, Sendable {
  /// From 0 for silence to 100 for the original level.
  private(set) var percent = 100

  /// Creates the original level.
  init() {}

  /// Creates a volume from 0 to 100; other values are clamped.
  init(percent: Int) { self.percent = min(100, max(0, percent)) }

  /// The factor for samples: half the percentage is a quarter of the amplitude, about half as loud.
  var factor: Float { Float(percent * percent) / 10_000 }

  /// Returns the next higher or lower volume.
  func stepped(isUp: Bool) -> PlayVolume { PlayVolume(percent: percent + (isUp ? 5 : -5)) }
}
