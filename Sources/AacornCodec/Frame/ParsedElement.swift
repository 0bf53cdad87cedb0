/// One syntactic element of a raw_data_block.
@frozen
public struct ParsedElement: Equatable, Sendable {
  /// The kind of element.
  public var kind: ElementKind
  /// Its instance tag; 0 for fill elements, which have none.
  public var tag = 0
  /// Its bit range in the block, including the id.
  public var bits: Range<Int>
  /// Index of its first channel in the block.
  public var firstChannel = 0
  /// The number of channels it carries: 0, 1 or 2.
  public var channelCount = 0
  /// Whether a pair's channels share their windows.
  public var hasCommonWindow = false
  /// Which bands of a pair are coded as mid and side.
  public var midSideMask: MidSideMask = .none
  /// The number of bands of a pair, over all groups, coded as mid and side.
  public var midSideBandCount = 0
  /// Bytes carried by a fill or data element.
  public var byteCount = 0

  /// An element that starts at bit `start`.
  init(_ kind: ElementKind, start: Int) {
    self.kind = kind
    bits = start..<start
  }
}
