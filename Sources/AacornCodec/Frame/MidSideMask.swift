/// The bands of a pair coded as mid and side: ms_mask_present (ISO/IEC 14496-3, 4.6.8.1).
public enum MidSideMask: UInt8, Equatable, Sendable {
  /// No bands are coded as mid and side.
  case none = 0
  /// A flag for each band determines its coding.
  case perBand = 1
  /// All bands are coded as mid and side.
  case all = 2
}
