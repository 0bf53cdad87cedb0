/// One syntactic element of a raw_data_block.
@frozen
public struct ParsedElement: Equatable, Sendable {
  /// The kind of element.
  public var kind: ElementKind
  /// Its instance tag; 0 for fill elements, which have no tag.
  public var tag = 0
  /// Its bit range in the block, including the id.
  public var bits: Range<Int>
  /// The index of its first channel in the block.
  public var firstChannel = 0
  /// The number of channels it carries: 0, 1 or 2.
  public var channelCount = 0
  /// Whether the channels of a pair share their windows.
  public var hasCommonWindow = false
  /// The bands of a pair that are coded as mid and side.
  public var midSideMask: MidSideMask = .none
  /// The number of bands of a pair, over all groups, coded as mid and side.
  public var midSideBandCount = 0
  /// The number of bytes in a fill or data element.
  public var byteCount = 0

  init(_ kind: ElementKind, start: Int) {
    self.kind = kind
    bits = start..<start
  }
}

/// The bands of a pair coded as mid and side: ms_mask_present (ISO/IEC 14496-3, 4.6.8.1).
public enum MidSideMask: UInt8, Equatable, Sendable {
  /// No bands are coded as mid and side.
  case none = 0
  /// A flag for each band determines its coding.
  case perBand = 1
  /// All bands are coded as mid and side.
  case all = 2
}

/// The kinds of syntactic element in a raw_data_block (ISO/IEC 14496-3, table 4.85).
@frozen
public enum ElementKind: UInt8, Equatable, Sendable {
  /// One channel (SCE).
  case single = 0
  /// Two channels coded together (CPE).
  case pair = 1
  /// A coupling channel (CCE).
  case coupling = 2
  /// The low-frequency effects channel (LFE).
  case lowFrequency = 3
  /// Arbitrary bytes (DSE).
  case data = 4
  /// A program config element (PCE).
  case programConfig = 5
  /// Fill bits, or an extension such as SBR (FIL).
  case fill = 6
  /// The end of the block.
  case end = 7
}
