/// The reason why a raw_data_block cannot be read, and the bit position of the error.
public struct ParseError: Error, Equatable, Sendable {
  /// The kind of error.
  public enum Reason: Equatable, Sendable {
    /// The block ends before its end element.
    case truncated
    /// The object type has a different syntax from AAC Main, LC and LTP.
    case unsupportedObjectType(Int)
    /// There are more elements of one kind than tags exist.
    case tooManyElements(ElementKind)
    /// The stream announces more bands than the window has.
    case tooManyBands(count: Int, limit: Int)
    /// A section extends past the last band.
    case sectionTooLong(end: Int, limit: Int)
    /// Codebook 12 is reserved.
    case reservedCodebook
    /// A scalefactor is outside 0...255.
    case scaleFactorOutOfRange(Int)
    /// A frame of short windows has pulses.
    case pulsesInShortWindows
    /// A pulse is past the last line.
    case pulseOutOfRange(line: Int)
    /// The order of a noise-shaping filter is too high.
    case noiseShapingOrder(Int, limit: Int)
    /// An escape sequence codes a magnitude above 8191.
    case escapeTooLong
    /// Prediction is present, which this object type does not support.
    case prediction
    /// Gain control is present, which only AAC SSR supports.
    case gainControl
    /// ms_mask_present has the reserved value 3.
    case reservedMidSideMask
    /// A program config element is invalid.
    case programConfig
    /// The elements do not match the stream's channels.
    case unexpectedElements
    /// The audio is a burst far above full scale.
    case burst
  }

  /// The kind of error.
  public var reason: Reason
  /// The bit position at which the error was detected, from the start of the block.
  public var bitPosition: Int

  /// Creates an error detected at this bit position.
  public init(_ reason: Reason, bitPosition: Int) {
    self.reason = reason
    self.bitPosition = bitPosition
  }
}
