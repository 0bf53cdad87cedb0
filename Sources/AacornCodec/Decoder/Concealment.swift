import AacornSignal

/// Replaces a channel's damaged or missing frames.
///
/// The lines of the last good frame are repeated with random signs, which keeps the spectrum but
/// leaves no tone, and fade. Good frames come back within five frames.
struct Concealment: Sendable {
  /// Damaged frames in a row, up to now.
  private(set) var lostCount = 0
  /// What the lines of the frame are multiplied by.
  private var level: Float = 1
  /// What the lines of the last good frame have been multiplied by.
  private var lastLevel: Float = 1
  /// How much a good frame adds to the level.
  private var rise: Float = 0

  /// A damaged frame has half the energy of the one before it.
  private static let fade: Float = 0.707_106_77
  /// After this many damaged frames there is silence.
  private static let longest = 16
  /// Good frames until the level is full again.
  private static let recovery: Float = 5

  /// Makes the lines that replace a frame.
  ///
  /// `lines` are those of the last good frame, which are kept as magnitudes of a long window.
  mutating func conceal(
    _ lines: inout [Float], isShort: Bool, unit: Int, channel: Int, into replacement: inout [Float]
  ) {
    if isShort { Self.joinWindows(&lines, &replacement) }
    lostCount += 1
    level = lostCount > Self.longest ? 0 : level * Self.fade
    rise = (1 - level) / Self.recovery
    var noise = NoiseGenerator(unit: unit, channel: channel, place: 1 << 15)
    let gain = level / lastLevel
    for n in 0..<lines.count {
      let value = lines[n] * gain
      replacement[n] = noise.nextSign() ? -value : value
    }
  }

  /// Scales the lines of a good frame, if damaged ones came before.
  mutating func recover(_ lines: inout [Float]) {
    lostCount = 0
    lastLevel = 1
    guard level < 1 else { return }
    level = min(1, level + rise)
    lastLevel = level
    for n in 0..<lines.count { lines[n] *= level }
  }

  /// Whether it and another make the same of all frames to come.
  func isInStep(with other: Concealment) -> Bool {
    lostCount == other.lostCount && level == other.level && lastLevel == other.lastLevel
      && (level == 1 || rise == other.rise)
  }

  /// Turns the lines of eight windows into those of one with the same energies: line k of a long
  /// window is as strong as the lines k/8 of all short windows together.
  private static func joinWindows(_ lines: inout [Float], _ scratch: inout [Float]) {
    let count = lines.count / 8
    for line in 0..<count {
      var energy: Float = 0
      for window in 0..<8 {
        let value = lines[window * count + line]
        energy += value * value
      }
      let magnitude = energy.squareRoot()
      for k in 0..<8 { scratch[8 * line + k] = magnitude }
    }
    for n in 0..<lines.count { lines[n] = scratch[n] }
  }
}
