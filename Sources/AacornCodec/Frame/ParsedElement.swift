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
