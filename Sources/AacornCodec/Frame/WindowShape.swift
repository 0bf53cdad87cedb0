/// The slope of a window's second half (ISO/IEC 14496-3, 4.6.11.3.2).
public enum WindowShape: UInt8, Equatable, Sendable {
  /// Half a sine.
  case sine = 0
  /// Kaiser–Bessel derived.
  case kaiserBesselDerived = 1
}
