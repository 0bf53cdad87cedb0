public import AacornCodec

/// One frame, as a line of a table.
public struct FrameRow: Equatable, Sendable {
  /// Its number, from 0.
  public var number: Int64
  /// The first byte of the container's frame that holds it.
  public var offset: Int64
  /// Position of its first sample, before SBR and trimming.
  public var samplePosition: Int64
  /// The size of the raw_data_block in bytes.
  public var byteCount: Int
  /// Bits through the end element; nil if it could not be read to its end.
  public var usedBits: Int?
  /// The object type of its configuration.
  public var objectType: AudioObjectType
  /// The core's sampling rate.
  public var sampleRate: Int
  /// The channels found in it; those of the configuration if it is unreadable.
  public var channelCount: Int
  /// The window sequence of its first channel.
  public var firstWindow: WindowSequence?
  /// The window sequence of its second channel.
  public var secondWindow: WindowSequence?
  /// Whether it has SBR.
  public var hasSpectralBandReplication: Bool
  /// Whether it has parametric stereo.
  public var hasParametricStereo: Bool
  /// The reservoir level in bits according to its header; nil at variable rate.
  public var reservoirBits: Int64?
  /// The number of faults found in it or between it and the previous frame.
  public var faultCount: Int

  /// LC and its like, HE-AAC with SBR, HE-AAC v2 with PS: what this frame alone shows.
  public var profile: AudioObjectType {
    if hasParametricStereo { return .parametricStereo }
    return hasSpectralBandReplication ? .spectralBandReplication : objectType
  }
}
