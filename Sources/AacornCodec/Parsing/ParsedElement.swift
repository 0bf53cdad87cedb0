/// One syntactic element of a raw_data_block.
@frozen
public struct ParsedElement: Equatable, Sendable {
  /// What ms_mask_present says.
  public enum MidSideMask: UInt8, Equatable, Sendable {
    /// No band is sent as mid and side.
    case none = 0
    /// A flag for each band says.
    case perBand = 1
    /// All bands are.
    case all = 2
  }

  /// What it is.
  public var kind: ElementKind
  /// Its instance tag; 0 for fill elements, which have none.
  public var tag = 0
  /// Its bits in the block, the id included.
  public var bits: Range<Int>
  /// Index of its first channel in the block.
  public var firstChannel = 0
  /// Channels it carries: 0, 1 or 2.
  public var channelCount = 0
  /// Whether a pair's channels share their windows.
  public var hasCommonWindow = false
  /// Which bands of a pair are sent as mid and side.
  public var midSideMask: MidSideMask = .none
  /// Bands of a pair, over all groups, that are sent as mid and side.
  public var midSideBandCount = 0
  /// Bytes a fill or data element carries.
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
  /// The extension's kind, as the 4 bits say it.
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

  /// What it is.
  public var kind: Kind
  /// Index of its fill element in the block.
  public var element: Int
  /// Its bits in the block, the kind included.
  public var bits: Range<Int>
}
