/// Damage in a stream, with its location.
public struct StreamDamage: Equatable, Sendable {
  /// A kind of damage.
  public enum Kind: Equatable, Sendable {
    /// Bytes that do not form a frame.
    case garbage
    /// A sync word with impossible fields after it, such as a forbidden sampling frequency index.
    case invalidHeader
    /// A frame length that is shorter than the header.
    case frameTooShort
    /// A frame that ends before its announced length: another frame begins in it, or the stream
    /// ends.
    case truncatedFrame
    /// A tag that ends before its announced length.
    case truncatedTag
    /// The positions of raw_data_blocks in an ADTS frame are impossible; the frame is dropped.
    case invalidBlockPositions
    /// The next frame differs from the previous ones in rate, channels or type; nothing is lost.
    case parametersChanged
    /// A LATM frame that refers to a configuration that has not arrived yet; it is dropped.
    case missingConfiguration
    /// An invalid StreamMuxConfig; its frame is dropped.
    case invalidConfiguration
    /// A StreamMuxConfig for something other than one AAC stream; its frame is dropped.
    case unsupportedConfiguration
    /// A payload that does not fit its LATM frame; it is dropped.
    case invalidPayload
    /// A checksum that does not match its frame; nothing is dropped.
    case wrongChecksum
    /// A gap in the packets of a transport stream.
    case missingPackets
    /// Frames that the file lists or announces but does not contain.
    case missingUnits
  }

  /// The kind of damage.
  public let kind: Kind
  /// The offset of the first affected byte from the start of the stream.
  public let offset: Int
  /// The number of affected bytes.
  public internal(set) var length: Int
}

/// An event of a stream of frames.
public enum StreamEvent<Frame: Sendable>: Sendable {
  /// A frame.
  case frame(Frame)
  /// An ID3 or APE tag, skipped.
  case tag(offset: Int, length: Int)
  /// Bytes that do not form a frame, or a change of parameters before the next frame.
  case damage(StreamDamage)
}

extension StreamEvent: Equatable where Frame: Equatable {}
