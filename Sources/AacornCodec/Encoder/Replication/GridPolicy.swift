/// What envelopes cost: how much distortion one must take away to be worth its bits.
///
/// Distortion is the square of an error in octaves of energy (3 dB), summed over slots and averaged
/// over bands: 6 dB of change in the middle of a frame are 16, and bands of steady noise that is not
/// in their source have a few.
struct GridPolicy: Sendable {
  /// The price of an envelope with the low frequency resolution, some twelve bits.
  var envelope: Float
  /// What the high frequency resolution costs in addition.
  var resolution: Float
  /// What the borders of an uneven grid cost.
  var unevenness: Float
  /// What a single envelope costs in addition, as its steps are half as large (1.5 dB).
  var fineSteps: Float
  /// By how many octaves of energy a sound must rise at a border to be an attack.
  var attack: Float = 3
  /// The longest envelope, in slots, that may lack noise because it begins with an attack.
  var longestAttack = 6

  /// A policy for a price of an envelope: 1 where bits abound, 4 where they are rare.
  init(envelope price: Float = 2) {
    envelope = price
    resolution = price
    unevenness = price
    fineSteps = 0.4 * price
  }
}
