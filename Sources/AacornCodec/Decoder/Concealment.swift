import AacornSignal

/// Replaces a channel's damaged or missing frames.
///
/// The lines of the last good frame are repeated with random signs and fade, which preserves the
/// spectrum but not tones. The level of good frames is restored within five frames.
struct Concealment: Sendable {
  /// The number of consecutive damaged frames up to now.
  private(set) var lostCount = 0
  /// The factor of the current frame's lines.
  private var level: Float = 1
  /// The factor already applied to the lines of the last good frame.
  private var lastLevel: Float = 1
  /// The increase of the level with each good frame.
  private var rise: Float = 0

  /// The amplitude factor per damaged frame, which halves the energy.
  private static let fade: Float = 0.707_106_77
  /// The number of damaged frames before silence.
  private static let maxFrameCount = 16
  /// Good frames until the level is restored.
  private static let recovery: Float = 5

  /// Computes the lines that replace a frame.
  ///
  /// `lines` are the lines of the last good frame. The call changes lines of short windows to the
  /// magnitudes of one long window.
  mutating func conceal(
    _ lines: inout [Float], isShort: Bool, unit: Int, channel: Int, into replacement: inout [Float]
  ) {
    if isShort { Self.joinWindows(&lines, &replacement) }
    lostCount += 1
    level = lostCount > Self.maxFrameCount ? 0 : level * Self.fade
    rise = (1 - level) / Self.recovery
    var noise = NoiseGenerator(unit: unit, channel: channel, bandIndex: 1 << 15)
    let gain = level / lastLevel
    for n in 0..<lines.count {
      let value = lines[n] * gain
      replacement[n] = noise.nextSign() ? -value : value
    }
  }

  /// Scales the lines of a good frame if the previous frames were damaged.
  mutating func recover(_ lines: inout [Float]) {
    lostCount = 0
    lastLevel = 1
    guard level < 1 else { return }
    level = min(1, level + rise)
    lastLevel = level
    for n in 0..<lines.count { lines[n] *= level }
  }

  /// Converts the lines of eight windows to lines of one window with the same energies.
  ///
  /// Line k of a long window has the energy of the lines k/8 of all short windows together.
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
