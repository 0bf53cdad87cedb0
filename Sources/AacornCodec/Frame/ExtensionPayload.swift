/// An extension_payload inside a fill element (ISO/IEC 14496-3, 4.4.2.7, table 4.57).
@frozen
public struct ExtensionPayload: Equatable, Sendable {
  /// The kind of an extension, from its 4-bit code.
  public struct Kind: RawRepresentable, Equatable, Sendable {
    /// The number in the stream.
    public let rawValue: UInt8

    /// Creates a kind from its number.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Fill bits without content.
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

    /// Whether the kind is spectral band replication, with or without a checksum.
    public var isSpectralBandReplication: Bool {
      self == .spectralBandReplication || self == .checkedSpectralBandReplication
    }
  }

  /// The kind of extension.
  public var kind: Kind
  /// The index of its fill element in the block.
  public var element: Int
  /// Its bit range in the block, including the kind.
  public var bits: Range<Int>
}
