/// The borders of a frame's envelopes, as the encoder chooses them.
///
/// Every plan can be written as an `SBRGrid` (ISO/IEC 14496-3, table 4.69): from the front, then
/// from the back, borders are 2, 4, 6 or 8 slots apart, at most three from each side, with one gap
/// of any length between the sides.
struct GridPlan: Equatable, Sendable {
  /// Borders in slots of two samples of the filter bank: 0…3 first, 16…19 last.
  var borders: SIMD8<UInt8>
  /// The number of envelopes, 1…5.
  var envelopeCount: Int
  /// The envelope that begins with an attack, 1…`envelopeCount`; −1 without one.
  ///
  /// The index `envelopeCount` is the next frame's first envelope.
  var transient: Int
  /// The envelopes with the high frequency resolution: bit 0 is the first.
  var resolutions: UInt8

  /// The start of the first envelope and the end of the last one.
  var start: Int { Int(borders[0]) }
  var end: Int { Int(borders[envelopeCount]) }

  /// Whether the grid is FIXFIX, which needs the fewest bits.
  ///
  /// The frame begins and ends on time, and its envelopes have equal length and resolution, without
  /// an attack.
  var isEven: Bool {
    guard transient < 0, start == 0, end == 16, envelopeCount != 3, envelopeCount != 5 else {
      return false
    }
    let length = 16 / envelopeCount
    for envelope in 1...envelopeCount where Int(borders[envelope]) != length * envelope {
      return false
    }
    let all = UInt8(truncatingIfNeeded: 1 << envelopeCount - 1)
    return resolutions == 0 || resolutions == all
  }
}

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
