public import AacornCodec

/// One frame, as a row of a table.
public struct FrameRow: Equatable, Sendable {
  /// The number of the frame, from 0.
  public var number: Int64
  /// The offset of the container's frame that contains the raw_data_block.
  public var offset: Int64
  /// The position of the first sample, before SBR and trimming.
  public var samplePosition: Int64
  /// The size of the raw_data_block in bytes.
  public var byteCount: Int
  /// The number of bits up to the end element; nil if the frame could not be read to its end.
  public var usedBits: Int?
  /// The object type of the configuration.
  public var objectType: AudioObjectType
  /// The sampling rate of the core, in hertz.
  public var sampleRate: Int
  /// The number of channels in the frame, or of the configuration if the frame is unreadable.
  public var channelCount: Int
  /// The window sequence of the first channel.
  public var firstWindow: WindowSequence?
  /// The window sequence of the second channel.
  public var secondWindow: WindowSequence?
  /// Whether the frame has SBR.
  public var hasSpectralBandReplication: Bool
  /// Whether the frame has parametric stereo.
  public var hasParametricStereo: Bool
  /// The reservoir level in bits according to the header; nil at variable rate.
  public var reservoirBits: Int64?
  /// The number of faults in the frame or between it and the previous one.
  public var faultCount: Int

  /// The profile that this frame alone shows: the object type, HE-AAC with SBR, or HE-AAC v2 with
  /// PS.
  public var profile: AudioObjectType {
    if hasParametricStereo { return .parametricStereo }
    return hasSpectralBandReplication ? .spectralBandReplication : objectType
  }
}
