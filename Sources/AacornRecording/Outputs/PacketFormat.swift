public import AacornCodec
import AacornSoundFiles

/// The format of packets.
public enum PacketFormat: Sendable, Equatable {
  /// AAC access units of a stream with this configuration and timing.
  case aac(AudioSpecificConfig, StreamTiming)
  /// Interleaved little-endian 16-bit integers.
  case int16(sampleRate: Int, channelCount: Int)
  /// Interleaved little-endian single-precision numbers.
  case float32(sampleRate: Int, channelCount: Int)

  /// Samples per second.
  public var sampleRate: Int {
    switch self {
    case .aac(_, let timing): timing.sampleRate
    case .int16(let sampleRate, _), .float32(let sampleRate, _): sampleRate
    }
  }

  /// The encoding, rate and channels of uncompressed samples; nil for AAC.
  var samples: (encoding: PCMEncoding, sampleRate: Int, channelCount: Int)? {
    switch self {
    case .aac: nil
    case .int16(let sampleRate, let channelCount): (.int16, sampleRate, channelCount)
    case .float32(let sampleRate, let channelCount): (.float32, sampleRate, channelCount)
    }
  }
}
