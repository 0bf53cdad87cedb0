/// Where sound sets in within a frame and soon after it.
struct StereoAttack {
  /// The slot of the first attack in the frame.
  private(set) var slot: Int?
  /// The block of the first attack after the frame; without one, the end of the blocks.
  private(set) var end = StereoEnergies.count - StereoEnergies.past

  /// How often the mean power of the last eight slots an attack has.
  private static let rise: Float = 8
  /// What is too faint to be an attack: a little more than noise of half a bit of 16.
  private static let faint: Float = 10_000

  /// Finds attacks in the powers of slots.
  init(_ energies: StereoEnergies) {
    let past = StereoEnergies.past * StereoEnergies.slots
    for place in past..<energies.powers.count {
      var sum: Float = 0
      for last in place - past..<place { sum += energies.powers[last] }
      let mean = sum / Float(past)
      if energies.powers[place] <= Self.rise * (mean + Self.faint) { continue }
      if place - past < 32 {
        if slot == nil { slot = place - past }
      } else {
        end = (place - past) / StereoEnergies.slots
        return
      }
    }
  }
}
