/// Lowers bursts: units that are far too loud because their data is damaged.
///
/// Many damaged units can be decoded, and may then exceed full scale by 80 dB. A unit is a burst if
/// its peak exceeds full scale by more than 20 dB. Soon after damage, a unit is also a burst if its
/// peak exceeds full scale by more than 6 dB, or exceeds both full scale and the previous peak, the
/// latter by more than 20 dB. Correct audio exceeds full scale by a few decibels; the encoder accepts
/// 12 dB, which some profiles turn into 19 dB.
///
/// The peak of a burst is lowered to that of the previous unit, at most to full scale. If the burst
/// may be correct audio, each unit may be 6 dB louder, so that correct audio has its own level again
/// after a few units.
struct BurstLimiter: Sendable {
  /// The factor of the last unit's samples; 1 unless the unit is a burst.
  private(set) var gain: Float = 1
  /// The peak of the last unit, after the gain, relative to full scale.
  private(set) var peak: Float = 0
  /// The number of units until damage has no more effect.
  private var cautiousCount = 0

  /// The maximum peak of a unit: 20 dB above full scale.
  static let maxPeak: Float = 10
  /// The maximum peak of a unit soon after damage: 6 dB above full scale.
  static let maxCautiousPeak: Float = 2
  /// The maximum ratio of a peak above full scale to the previous one, soon after damage: 20 dB.
  private static let maxRise: Float = 10
  /// The minimum level of bursts: 36 dB below full scale.
  private static let minBurstPeak: Float = 0x1p-6
  /// The number of units that are checked more strictly after damage, while they fade in.
  static let cautiousUnitCount = 5

  /// Determines the gain of a unit, and returns whether the unit is a burst.
  ///
  /// `newPeak` is the maximum magnitude of the unit's samples, relative to full scale. A unit that
  /// is damaged or missing and was replaced `isConcealed`.
  mutating func apply(_ newPeak: Float, isConcealed: Bool) -> Bool {
    let isImpossible = newPeak > Self.maxPeak
    let isCautious = isConcealed || cautiousCount > 0
    let isBurst =
      isImpossible
      || isCautious
        && (newPeak > Self.maxCautiousPeak || newPeak > 1 && newPeak > Self.maxRise * peak)
    if isConcealed || isImpossible {
      cautiousCount = Self.cautiousUnitCount
    } else if cautiousCount > 0 {
      cautiousCount -= 1
    }
    if isBurst {
      let rise: Float = isConcealed || isImpossible ? 1 : 2
      peak = min(1, max(Self.minBurstPeak, rise * peak))
      gain = peak / newPeak
    } else {
      peak = newPeak
      gain = 1
    }
    return isBurst
  }
}
