public import AacornCodec
public import AacornContainers

/// A deviation from what a stream should be.
public struct StreamFault: Equatable, Sendable {
  /// How serious a fault is.
  public enum Severity: Int, Equatable, Sendable {
    /// Odd, or not looked into, but nothing is against the standard.
    case note
    /// Against the standard; decoders usually cope.
    case warning
    /// Audio is lost or wrong.
    case error
  }

  /// What is wrong.
  public enum Kind: Equatable, Sendable {
    /// The container's reader found damage.
    case damage(StreamDamage.Kind)
    /// The MP4 reader found damage.
    case movie(MP4Damage.Kind)
    /// A block cannot be read beyond this bit.
    case unreadable(ParseError.Reason, bit: Int)
    /// Bytes between the end of a block and the end of its frame.
    case trailingBytes(count: Int)
    /// A frame without the block that its header announces.
    case missingBlock
    /// The checksum of a block is wrong.
    case checksum
    /// The checksum of a header with several blocks is wrong.
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
    /// Another rate, type or number of channels from here on, where the container has a place for
    /// that.
    case configurationChange
    /// Noise substitution in a stream that says it is MPEG-2, which does not have it.
    case noiseInMPEG2
    /// Intensity bands anywhere other than in the second channel of a pair with common windows.
    case intensityOutsidePair
    /// A reserved bit of the window information is set.
    case reservedBit
    /// Band replication, or parametric stereo in it, that cannot be read.
    case replication(ReplicationDamage)
    /// A frame whose channel count differs from that of the configuration.
    case channelCount(found: Int, expected: Int)
    /// Blocks without lengths, which cannot be found again after an unreadable one.
    case lostSynchronization
    /// Bytes of the file that the tables list for several frames, counted for each frame but the first.
    ///
    /// A repair in place does that with a silent frame; other files become far longer than they are.
    case sharedBytes(count: Int64)
    /// There are no frames at all.
    case noFrames
    /// A transport stream without AAC that could be read, or a movie whose audio is none.
    case noStream(CodedFileError)
    /// A container that cannot be read as a stream of bytes and needs a seekable source.
    case needsSeekableSource
    /// Sound that decodes far above full scale: its greatest magnitude, and how many tenths of a
    /// second precede the frame with it.
    ///
    /// Loud music exceeds full scale by 1 to 3 dB when it is decoded, as coding does not keep peaks.
    /// More than ``SoundReport/greatestPeak`` comes of damage, or of a splice that a decoder cannot
    /// follow, and is heard as a burst.
    case burst(peak: Float, tenths: Int64)
  }

  /// What is wrong.
  public var kind: Kind
  /// The first affected byte, counted from the start of the stream.
  public var offset: Int64
  /// The number of affected bytes.
  public var length: Int64
  /// The number of the affected frame, or of the one that would come next.
  public var frame: Int64

  /// How serious it is.
  public var severity: Severity {
    switch kind {
    case .damage(.parametersChanged): .warning
    case .damage(.truncatedTag): .note
    case .damage, .movie, .unreadable, .missingBlock, .checksum, .headerChecksum: .error
    case .lostSynchronization, .noFrames, .noStream, .needsSeekableSource, .burst: .error
    // A frame without channels has no audio where some is due.
    case .channelCount(found: 0, expected: _): .error
    case .frameTooLarge, .noiseInMPEG2, .intensityOutsidePair: .warning
    case .reservedBit, .replication, .channelCount: .warning
    case .trailingBytes, .windowTransition, .opaqueObjectType, .configurationChange: .note
    case .sharedBytes: .note
    }
  }
}

/// The faults of a stream: all are counted, and the first ones are kept.
public struct FaultLog: Equatable, Sendable {
  /// How many faults are kept.
  public static let limit = 1000

  /// The first faults, at most `limit`.
  public private(set) var first: [StreamFault] = []
  /// The number of notes.
  public private(set) var noteCount: Int64 = 0
  /// The number of warnings.
  public private(set) var warningCount: Int64 = 0
  /// The number of errors.
  public private(set) var errorCount: Int64 = 0

  /// The number of faults.
  public var count: Int64 { noteCount + warningCount + errorCount }

  /// The first error among the faults kept.
  var firstError: StreamFault? { first.first { $0.severity == .error } }

  mutating func add(_ fault: StreamFault) {
    switch fault.severity {
    case .note: noteCount += 1
    case .warning: warningCount += 1
    case .error: errorCount += 1
    }
    if first.count < Self.limit { first.append(fault) }
  }
}
