public import AacornCodec

/// A stream of AAC in the terms of Core Audio's stream descriptions.
public struct CodedSoundDescription: Equatable, Sendable {
  /// The four characters of the format: `aac `, `aach` with band replication, `aacp` with
  /// parametric stereo as well.
  public let formatID: UInt32
  /// Samples per second of the decoded sound.
  public let sampleRate: Int
  /// Samples that a packet decodes to.
  public let framesPerPacket: Int
  /// Channels of the decoded sound.
  public let channelCount: Int
  /// The tag of the channels' layout, in the order of the stream; nil if no tag says it.
  public let layoutTag: UInt32?
  /// What a decoder must know.
  public let magicCookie: [UInt8]

  /// The description of a stream.
  public init(_ stream: AudioSpecificConfig, _ timing: StreamTiming) {
    switch stream.profile {
    case .parametricStereo: formatID = 0x6161_6370
    case .spectralBandReplication: formatID = 0x6161_6368
    default: formatID = 0x6161_6320
    }
    sampleRate = timing.sampleRate
    framesPerPacket = timing.samplesPerUnit
    channelCount = stream.outputChannelCount
    layoutTag = Self.layoutTag(stream)
    magicCookie = MagicCookie.bytes(of: stream, bitrate: timing.nominalBitrate)
  }

  /// `kAudioChannelLayoutTag_AAC_3_0` and its kind; the lower half is the number of channels.
  private static func layoutTag(_ stream: AudioSpecificConfig) -> UInt32? {
    if stream.hasParametricStereo { return 101 << 16 | 2 }
    switch stream.channelConfiguration {
    case 1: return 100 << 16 | 1
    case 2: return 101 << 16 | 2
    case 3: return 114 << 16 | 3
    case 4: return 116 << 16 | 4
    case 5: return 120 << 16 | 5
    case 6: return 124 << 16 | 6
    case 7: return 127 << 16 | 8
    default: return nil
    }
  }
}
