/// One syntactic element of a raw_data_block.
@frozen
public struct ParsedElement: Equatable, Sendable {
  /// The value of ms_mask_present.
  public enum MidSideMask: UInt8, Equatable, Sendable {
    /// No bands are coded as mid and side.
    case none = 0
    /// There is a flag for each band.
    case perBand = 1
    /// All bands are coded as mid and side.
    case all = 2
  }

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

/// An extension_payload inside a fill element (ISO/IEC 14496-3, 4.4.2.7, table 4.57).
@frozen
public struct ParsedExtension: Equatable, Sendable {
  /// The kind of an extension, from its 4-bit code.
  public struct Kind: RawRepresentable, Equatable, Sendable {
    /// The number in the stream.
    public let rawValue: UInt8

    /// Wraps a number.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Bits without meaning.
    public static let fill = Kind(rawValue: 0x0)
    /// Bytes of a fixed pattern.
    public static let fillData = Kind(rawValue: 0x1)
    /// Ancillary data.
    public static let dataElement = Kind(rawValue: 0x2)
    /// Dynamic range control.
    public static let dynamicRange = Kind(rawValue: 0xB)
    /// MPEG Surround.
    public static let surround = Kind(rawValue: 0xC)
    /// Spectral band replication.
    public static let spectralBandReplication = Kind(rawValue: 0xD)
    /// Spectral band replication with a checksum.
    public static let checkedSpectralBandReplication = Kind(rawValue: 0xE)

    /// Whether it is spectral band replication.
    public var isSpectralBandReplication: Bool {
      self == .spectralBandReplication || self == .checkedSpectralBandReplication
    }
  }

  /// The kind of extension.
  public var kind: Kind
  /// Index of its fill element in the block.
  public var element: Int
  /// Its bit range in the block, including the kind.
  public var bits: Range<Int>
}
