public import AacornCodec
public import AacornContainers

/// Something in a stream that is not as it should be.
public struct Fault: Equatable, Sendable {
  /// How bad it is.
  public enum Severity: Int, Equatable, Sendable {
    /// Odd, or not looked into, but nothing is against the standard.
    case note
    /// Against the standard; decoders usually cope.
    case warning
    /// Sound is lost or wrong.
    case error
  }

  /// What is wrong.
  public enum Kind: Equatable, Sendable {
    /// The container's reader found damage.
    case damage(StreamDamage.Kind)
    /// The reader of MP4 files found damage.
    case movie(MP4Damage.Kind)
    /// A block cannot be read beyond this bit of it.
    case unreadable(ParseError.Reason, bit: Int)
    /// Bytes between the end of a block and the end of its frame.
    case trailingBytes(count: Int)
    /// A frame without the block that its header announces.
    case missingBlock
    /// A checksum of a block does not agree with it.
    case checksum
    /// The checksum of a header with several blocks does not agree with it.
    case headerChecksum
    /// A frame larger than a decoder's buffer, in bits.
    case frameTooLarge(bits: Int64, limit: Int64)
    /// A window sequence whose slope does not match that of the one before it in the same channel.
    ///
    /// The standard permits that, and its conformance streams do it on purpose; an encoder that
    /// wants its sound back does not.
    case windowTransition(
      from: WindowSequence, to: WindowSequence, channel: Int)
    /// Frames of a type whose syntax is not read here; said once, of the first of them.
    case opaqueObjectType(AudioObjectType)
    /// Noise substitution in a stream that says it is MPEG-2, which does not have it.
    case noiseInMPEG2
    /// Intensity bands somewhere else than in the second channel of a pair with common windows.
    case intensityOutsidePair
    /// A reserved bit of the window information is set.
    case reservedBit
    /// A frame with another number of channels than the configuration says.
    case channelCount(found: Int, expected: Int)
    /// Blocks without lengths of their own cannot be found again after an unreadable one.
    case lostSynchronization
    /// There is no frame at all.
    case noFrames
    /// A container that cannot be read as a stream of bytes and needs a seekable source.
    case needsSeekableSource
  }

  /// What is wrong.
  public var kind: Kind
  /// First byte concerned, counted from the start of the stream.
  public var offset: Int64
  /// Bytes concerned.
  public var length: Int64
  /// The number of the frame concerned, or of the one that would come next.
  public var frame: Int64

  /// How bad it is.
  public var severity: Severity {
    switch kind {
    case .damage(.parametersChanged): .warning
    case .damage(.truncatedTag): .note
    case .damage, .movie, .unreadable, .missingBlock, .checksum, .headerChecksum: .error
    case .lostSynchronization, .noFrames, .needsSeekableSource: .error
    // A frame without channels has no sound where some is due.
    case .channelCount(found: 0, expected: _): .error
    case .frameTooLarge, .noiseInMPEG2, .intensityOutsidePair: .warning
    case .reservedBit, .channelCount: .warning
    case .trailingBytes, .windowTransition, .opaqueObjectType: .note
    }
  }
}

/// The faults of a stream: all are counted, the first are kept.
public struct FaultLog: Equatable, Sendable {
  /// Faults that are kept.
  public static let limit = 1000

  /// The first faults, at most `limit`.
  public private(set) var first: [Fault] = []
  /// All faults that are notes.
  public private(set) var noteCount: Int64 = 0
  /// All faults that are warnings.
  public private(set) var warningCount: Int64 = 0
  /// All faults that are errors.
  public private(set) var errorCount: Int64 = 0

  /// All faults.
  public var count: Int64 { noteCount + warningCount + errorCount }

  /// The first error among those that are kept.
  var firstError: Fault? { first.first { $0.severity == .error } }

  mutating func add(_ fault: Fault) {
    switch fault.severity {
    case .note: noteCount += 1
    case .warning: warningCount += 1
    case .error: errorCount += 1
    }
    if first.count < Self.limit { first.append(fault) }
  }
}
