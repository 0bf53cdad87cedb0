/// The first attacks in a frame and soon after it.
struct StereoAttack {
  /// The slot of the first attack in the frame.
  private(set) var slot: Int?
  /// The block of the first attack after the frame; without one, the end of the blocks.
  private(set) var end = StereoEnergies.count - StereoEnergies.pastBlockCount

  /// The minimum ratio of an attack's power to the mean power of the last eight slots.
  private static let rise: Float = 8
  /// The power added to the mean, so that faint noise has no attacks: slightly more than the power
  /// of noise of half a 16-bit step.
  private static let meanPowerOffset: Float = 10_000

  /// Finds attacks in the powers of slots.
  init(_ energies: StereoEnergies) {
    let past = StereoEnergies.pastBlockCount * StereoEnergies.slots
    for index in past..<energies.powers.count {
      var sum: Float = 0
      for last in index - past..<index { sum += energies.powers[last] }
      let mean = sum / Float(past)
      if energies.powers[index] <= Self.rise * (mean + Self.meanPowerOffset) { continue }
      if index - past < 32 {
        if slot == nil { slot = index - past }
      } else {
        end = (index - past) / StereoEnergies.slots
        return
      }
    }
  }
}
