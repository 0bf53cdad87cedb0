/// When the envelopes of a frame begin and end, as the encoder wants it.
///
/// Every plan can be written as an `SBRGrid` (ISO/IEC 14496-3, table 4.69): from the front, then
/// from the back, borders are 2, 4, 6 or 8 slots apart, at most three from each side, with one gap of
/// any length between the sides.
struct GridPlan: Equatable, Sendable {
  /// Borders in slots of two samples of the filter bank: 0…3 first, 16…19 last.
  var borders: SIMD8<UInt8>
  /// How many envelopes there are, 1…5.
  var envelopeCount: Int
  /// The envelope that begins with an attack, 1…`envelopeCount`, of which the last is the next
  /// frame's first; −1 without one.
  var transient: Int
  /// Which envelopes have the high frequency resolution: bit 0 is the first.
  var resolutions: UInt8

  /// Where the first envelope begins and the last one ends.
  var start: Int { Int(borders[0]) }
  var end: Int { Int(borders[envelopeCount]) }

  /// Whether the frame begins and ends where frames do and its envelopes are equally long and
  /// resolved, without an attack: such a grid takes the fewest bits (FIXFIX).
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
