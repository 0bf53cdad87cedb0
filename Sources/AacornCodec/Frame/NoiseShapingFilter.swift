/// A filter of temporal noise shaping as coded (ISO/IEC 14496-3, 4.6.9 and table 4.54).
@frozen
public struct NoiseShapingFilter: Equatable, Sendable {
  /// The window it works on; 0 for a long window.
  public var window: Int
  /// Bands it spans, counted down from where the previous filter ended.
  public var length: Int
  /// Its order; 0 if it only takes up bands.
  public var order: Int
  /// Whether it runs downward from the top of its region.
  public var isDownward: Bool
  /// Resolution of a coefficient in bits: 3 or 4.
  public var resolution: Int
  /// Where its `order` coefficients start in `noiseShapingCoefficients`.
  public var firstCoefficient: Int

  /// Bits of the fields, which are shorter where there are eight windows.
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
}
