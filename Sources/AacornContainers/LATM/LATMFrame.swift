public import AacornCodec

/// One payload of a LATM stream.
public struct LATMFrame: Equatable, Sendable {
  /// The configuration in force.
  public let configuration: AudioSpecificConfig
  /// The raw_data_block, byte-aligned.
  public let payload: [UInt8]
  /// First byte of the LOAS frame, counted from the start of the stream.
  public let offset: Int
  /// Which of the payloads of that LOAS frame this is, from 0.
  public let index: Int
  /// The bit reservoir, in 32 bits a channel, where the frame tells it; 0xFF at variable rate.
  public let bufferFullness: Int?
}
