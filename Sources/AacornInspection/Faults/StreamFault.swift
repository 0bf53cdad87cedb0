public import AacornCodec
public import AacornContainers

/// A deviation of a stream from the standard or from common practice.
public struct StreamFault: Equatable, Sendable {
  /// The severity of a fault.
  public enum Severity: Int, Equatable, Sendable {
    /// Unusual or not examined, but not a violation of the standard.
    case note
    /// A violation of the standard; decoders usually tolerate it.
    case warning
    /// Lost or wrong audio.
    case error
  }

  /// A kind of fault.
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
    /// A window sequence whose slope does not match the previous one in the same channel.
    ///
    /// The standard permits such a sequence, and its conformance streams contain some on purpose.
    /// An encoder with perfect reconstruction does not produce it.
    case windowTransition(
      from: WindowSequence, to: WindowSequence, channel: Int)
    /// Frames of a type whose syntax is not supported; reported once, for the first frame.
    case opaqueObjectType(AudioObjectType)
    /// A change of the rate, type or channel count, in a container that supports such changes.
    case configurationChange
    /// Noise substitution in an MPEG-2 stream, where it does not exist.
    case noiseInMPEG2
    /// Intensity bands anywhere other than in the second channel of a pair with common windows.
    case intensityOutsidePair
    /// A reserved bit of the window information is set.
    case reservedBit
    /// Unreadable band replication, or unreadable parametric stereo in it.
    case replication(ReplicationDamage)
    /// A frame whose channel count differs from the configuration.
    case channelCount(found: Int, expected: Int)
    /// Blocks without lengths, where the reader cannot resume after an unreadable one.
    case lostSynchronization
    /// Bytes that the tables list for several frames, counted once for each frame after the first.
    ///
    /// A repair in place uses one silent frame several times. In other files, the tables claim far
    /// more audio than there is.
    case sharedBytes(count: Int64)
    /// Times of frames for a sampling rate in hertz other than the rate of the audio.
    ///
    /// Some programs play such a file too fast or too slowly.
    case rateMismatch(times: Int, audio: Int)
    /// Another file after the first one, whose audio is not read.
    case secondFile
    /// A recording by this package that was interrupted before it was completed.
    ///
    /// Its frames are playable, and a repair completes it.
    case unfinishedRecording
    /// The file has no frames.
    case noFrames
    /// A transport stream without readable AAC, or a movie without AAC audio.
    case noStream(CodedFileError)
    /// A container that cannot be read as a stream of bytes and needs a seekable source.
    case needsSeekableSource
    /// Decoded audio far above full scale: its peak, and the time of its frame in tenths of a
    /// second.
    ///
    /// Coding does not preserve peaks, so loud music exceeds full scale by 1 to 3 dB when decoded.
    /// More than ``AudioReport/maxAllowedPeak`` results from damage, or from a splice that a decoder
    /// cannot follow, and is audible as a burst.
    case burst(peak: Float, tenths: Int64)
  }

  /// The kind of fault.
  public var kind: Kind
  /// The offset of the first affected byte from the start of the stream.
  public var offset: Int64
  /// The number of affected bytes.
  public var length: Int64
  /// The number of the affected frame, or of the frame after a fault between frames.
  public var frame: Int64

  /// The severity of the fault.
  public var severity: Severity {
    switch kind {
    case .damage(.parametersChanged): .warning
    case .damage(.truncatedTag): .note
    case .damage, .movie, .unreadable, .missingBlock, .checksum, .headerChecksum: .error
    case .lostSynchronization, .noFrames, .noStream, .needsSeekableSource, .burst: .error
    // A frame without channels lacks audio that should be there.
    case .channelCount(found: 0, expected: _): .error
    case .frameTooLarge, .noiseInMPEG2, .intensityOutsidePair: .warning
    case .reservedBit, .replication, .channelCount, .rateMismatch: .warning
    case .trailingBytes, .windowTransition, .opaqueObjectType, .configurationChange: .note
    case .sharedBytes, .secondFile, .unfinishedRecording: .note
    }
  }
}

/// The faults of a stream: all faults are counted, and the first ones are stored.
public struct FaultLog: Equatable, Sendable {
  /// The maximum number of stored faults.
  public static let limit = 1000

  /// The first faults, at most `limit`.
  public private(set) var first: [StreamFault] = []
  /// The number of notes.
  public private(set) var noteCount: Int64 = 0
  /// The number of warnings.
  public private(set) var warningCount: Int64 = 0
  /// The number of errors.
  public private(set) var errorCount: Int64 = 0

  /// The total number of faults.
  public var count: Int64 { noteCount + warningCount + errorCount }

  /// The first error among the stored faults.
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
