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

extension ExtensionPayload {
  /// The width of the kind in bits.
  private static let kindWidth = 4

  /// Returns a reader of the bits after the kind; nil if `bytes` do not contain them.
  ///
  /// The block begins at bit `origin` of `bytes`.
  func content(in bytes: [UInt8], from origin: Int) -> BitReader? {
    let first = origin + bits.lowerBound + Self.kindWidth
    let end = origin + bits.upperBound
    guard first >= 0, first <= end, end <= bytes.count * 8 else { return nil }
    return BitReader(bytes, bits: first..<end)
  }

  /// Returns whether the payload is band replication with a header (ISO/IEC 14496-3, table 4.62).
  ///
  /// The block begins with the first of `bytes`.
  package func hasReplicationHeader(in bytes: [UInt8]) -> Bool {
    guard kind.isSpectralBandReplication, var reader = content(in: bytes, from: 0) else {
      return false
    }
    if kind == .checkedSpectralBandReplication { reader.skip(SBRChecksum.width) }
    // Past the end of the payload, the reader may return bits of the next element.
    return reader.readFlag() && !reader.isOverrun
  }
}
