import AacornSignal

/// A filter of temporal noise shaping as coded (ISO/IEC 14496-3, 4.6.9 and table 4.54).
@frozen
public struct NoiseShapingFilter: Equatable, Sendable {
  /// The index of the window that it filters; 0 for a long window.
  public var window: Int
  /// The number of bands it spans, downward from the lowest band of the previous filter, or from
  /// the top.
  public var length: Int
  /// Its order; 0 if it only skips bands.
  public var order: Int
  /// Whether the filter runs downward from the top of its region.
  public var isDownward: Bool
  /// The resolution of a coefficient in bits: 3 or 4.
  public var resolution: Int
  /// The index of its first coefficient in `noiseShapingCoefficients`; it has `order` of them.
  public var firstCoefficient: Int

  /// The widths of the fields in bits, which are shorter for eight windows.
  struct FieldWidths {
    let count: Int
    let length: Int
    let order: Int

    init(isShort: Bool) {
      count = isShort ? 1 : 2
      length = isShort ? 4 : 6
      order = isShort ? 3 : 5
    }
  }

  /// Returns the reflection coefficient of an index: sin(index·π/2 / (2^(b−1) ∓ ½)), with b bits of
  /// resolution (4.6.9.3).
  static func reflection(_ index: Int, resolution: Int) -> Double {
    let steps = Double(1 << resolution) + (index < 0 ? 1 : -1)
    let value = ElementaryFunctions.sinCosPi(Double(abs(index)) / steps).sin
    return index < 0 ? -value : value
  }
}
