/// The prices of envelopes: the distortion that each must remove to be worth its bits.
///
/// Distortion is the square of an error in octaves of energy (3 dB), summed over slots and averaged
/// over bands. A change of 6 dB in the middle of a frame has a distortion of 16. Steady noise that
/// the source of a band lacks has a distortion of a few.
struct GridPolicy: Sendable {
  /// The price of an envelope with the low frequency resolution, about twelve bits.
  var envelope: Float
  /// The additional price of the high frequency resolution.
  var resolution: Float
  /// The price of the borders of an uneven grid.
  var unevenness: Float
  /// The additional price of a single envelope, whose levels have finer steps (1.5 dB, not 3 dB).
  var fineSteps: Float
  /// The minimum rise of energy at a border, in octaves, to be an attack.
  var attack: Float = 3
  /// The maximum length, in slots, of an envelope without noise that begins with an attack.
  var maxAttackSlotCount = 6

  /// Creates a policy from the price of an envelope: 1 if bits abound, 4 if they are scarce.
  init(envelope price: Float = 2) {
    envelope = price
    resolution = price
    unevenness = price
    fineSteps = 0.4 * price
  }
}
