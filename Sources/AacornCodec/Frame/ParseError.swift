/// Why a raw_data_block cannot be read further, and where the error was noticed.
public struct ParseError: Error, Equatable, Sendable {
  /// What is wrong.
  public enum Reason: Equatable, Sendable {
    /// The block ends before its end element.
    case truncated
    /// The object type has a different syntax from AAC Main, LC and LTP.
    case unsupportedObjectType(Int)
    /// There are more elements of one kind than there are tags.
    case tooManyElements(ElementKind)
    /// More bands are announced than the window has.
    case tooManyBands(count: Int, limit: Int)
    /// A section reaches beyond the last band.
    case sectionTooLong(end: Int, limit: Int)
    /// Codebook 12 has no meaning.
    case reservedCodebook
    /// A scalefactor outside 0...255.
    case scaleFactorOutOfRange(Int)
    /// Pulses in a frame of short windows.
    case pulsesInShortWindows
    /// A pulse beyond the last line.
    case pulseOutOfRange(line: Int)
    /// A noise-shaping filter of too high an order.
    case noiseShapingOrder(Int, limit: Int)
    /// An escape sequence for a magnitude above 8191.
    case escapeTooLong
    /// Prediction, which this object type does not have.
    case prediction
    /// Gain control, which only AAC SSR has.
    case gainControl
    /// The reserved value 3 of ms_mask_present.
    case reservedMidSideMask
    /// An invalid program config element.
    case programConfig
    /// Other elements than the stream's channels need.
    case unexpectedElements
  }

  /// What is wrong.
  public var reason: Reason
  /// Bits from the start of the block to where the error was noticed.
  public var bitPosition: Int

  /// Creates an error noticed at this bit.
  public init(_ reason: Reason, bitPosition: Int) {
    self.reason = reason
    self.bitPosition = bitPosition
  }
}
