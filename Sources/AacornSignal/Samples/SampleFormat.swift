/// The format of one stored sample.
@frozen
public struct SampleFormat: Equatable, Sendable {
  /// The kinds of stored numbers.
  @frozen
  public enum Encoding: UInt8, Equatable, Sendable, CaseIterable {
    /// 8 bits, with 128 as silence (WAV).
    case unsigned8
    /// 8 bits, two's complement (AIFF, CAF).
    case signed8
    /// 16 bits, least significant byte first.
    case int16LittleEndian
    /// 16 bits, most significant byte first.
    case int16BigEndian
    /// 24 bits in three bytes, least significant byte first.
    case int24LittleEndian
    /// 24 bits in three bytes, most significant byte first.
    case int24BigEndian
    /// 32 bits, least significant byte first.
    case int32LittleEndian
    /// 32 bits, most significant byte first.
    case int32BigEndian
    /// IEEE 754 single precision, least significant byte first.
    case float32LittleEndian
    /// IEEE 754 single precision, most significant byte first.
    case float32BigEndian
    /// IEEE 754 double precision, least significant byte first.
    case float64LittleEndian
    /// IEEE 754 double precision, most significant byte first.
    case float64BigEndian
    /// 8-bit µ-law (ITU-T G.711).
    case muLaw
    /// 8-bit A-law (ITU-T G.711).
    case aLaw
  }

  /// The kind of number.
  public let encoding: Encoding
  /// The number of bits with audio, which are the most significant bits of the container.
  public let validBits: Int

  /// Creates a format whose samples use all their bits, or only the upper `validBits` bits.
  public init(_ encoding: Encoding, validBits: Int? = nil) {
    self.encoding = encoding
    let bits = Self.bytes(of: encoding) * 8
    self.validBits = min(max(validBits ?? bits, 1), bits)
  }

  /// Creates an integer format of one to four bytes; nil for other widths.
  ///
  /// One byte means signed. For WAV's unsigned bytes, use ``Encoding/unsigned8``.
  public init?(integerBytes: Int, bigEndian: Bool, validBits: Int? = nil) {
    switch integerBytes {
    case 1: self.init(.signed8, validBits: validBits)
    case 2: self.init(bigEndian ? .int16BigEndian : .int16LittleEndian, validBits: validBits)
    case 3: self.init(bigEndian ? .int24BigEndian : .int24LittleEndian, validBits: validBits)
    case 4: self.init(bigEndian ? .int32BigEndian : .int32LittleEndian, validBits: validBits)
    default: return nil
    }
  }

  /// Creates a floating-point format of four or eight bytes; nil for other widths.
  public init?(floatBytes: Int, bigEndian: Bool) {
    switch floatBytes {
    case 4: self.init(bigEndian ? .float32BigEndian : .float32LittleEndian)
    case 8: self.init(bigEndian ? .float64BigEndian : .float64LittleEndian)
    default: return nil
    }
  }

  /// The size of one sample in bytes.
  public var bytesPerSample: Int { Self.bytes(of: encoding) }

  /// The size of one sample in bits, including padding.
  public var bitsPerSample: Int { bytesPerSample * 8 }

  /// Whether the samples are floating-point numbers.
  public var isFloatingPoint: Bool {
    switch encoding {
    case .float32LittleEndian, .float32BigEndian, .float64LittleEndian, .float64BigEndian: true
    default: false
    }
  }

  /// Whether an Int16 represents every sample without loss.
  public var fitsInt16: Bool {
    switch encoding {
    case .unsigned8, .signed8, .int16LittleEndian, .int16BigEndian, .muLaw, .aLaw: true
    default: false
    }
  }

  private static func bytes(of encoding: Encoding) -> Int {
    switch encoding {
    case .unsigned8, .signed8, .muLaw, .aLaw: 1
    case .int16LittleEndian, .int16BigEndian: 2
    case .int24LittleEndian, .int24BigEndian: 3
    case .int32LittleEndian, .int32BigEndian, .float32LittleEndian, .float32BigEndian: 4
    case .float64LittleEndian, .float64BigEndian: 8
    }
  }
}
