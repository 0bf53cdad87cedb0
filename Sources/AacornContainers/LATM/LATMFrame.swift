public import AacornCodec

/// One payload of a LATM stream.
public struct LATMFrame: Equatable, Sendable {
  /// The configuration in effect.
  public let configuration: AudioSpecificConfig
  /// The raw_data_block, byte-aligned.
  public let payload: [UInt8]
  /// The offset of the LOAS frame's first byte from the start of the stream.
  public let offset: Int
  /// The index of this payload within the LOAS frame, from 0.
  public let index: Int
  /// The bit reservoir in units of 32 bits per channel, if the frame has it; 0xFF at variable rate.
  public let bufferFullness: Int?
}
