public import AacornCodec

/// One frame, as a line of a table.
public struct FrameRow: Equatable, Sendable {
  /// Its number, from 0.
  public var number: Int64
  /// First byte of the container's frame that holds it.
  public var offset: Int64
  /// Position of its first sample, before SBR and before anything is cut off.
  public var samplePosition: Int64
  /// Bytes of the raw_data_block.
  public var byteCount: Int
  /// Bits up to the end element; nil if it could not be read to its end.
  public var usedBits: Int?
  /// The object type of its configuration.
  public var objectType: AudioObjectType
  /// The core's sampling rate.
  public var sampleRate: Int
  /// Channels that were found in it; those of the configuration if it is unreadable.
  public var channelCount: Int
  /// The window sequence of its first channel.
  public var firstWindow: WindowSequence?
  /// The window sequence of its second channel.
  public var secondWindow: WindowSequence?
  /// Whether it has SBR.
  public var hasSpectralBandReplication: Bool
  /// What its header says is left in the reservoir, in bits; nil at variable rate.
  public var reservoirBits: Int64?
  /// Faults found in it, and before it since the frame before.
  public var faultCount: Int
}
