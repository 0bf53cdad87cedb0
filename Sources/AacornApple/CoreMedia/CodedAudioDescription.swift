public import AacornCodec
import AacornContainers

#if canImport(CoreMedia)
import CoreAudioTypes
public import CoreMedia
#endif

/// An AAC stream in the terms of Core Audio's stream descriptions.
public struct CodedAudioDescription: Equatable, Sendable {
  /// The format ID: `aac `, `aach` with band replication, or `aacp` with parametric stereo as well.
  public let formatID: UInt32
  /// The sample rate of the decoded audio, in hertz.
  public let sampleRate: Int
  /// The number of samples per channel in a decoded packet.
  public let framesPerPacket: Int
  /// The channel count of the decoded audio.
  public let channelCount: Int
  /// The channel layout tag, in the order of the stream; nil if no tag matches.
  public let layoutTag: UInt32?
  /// The decoder's configuration.
  public let magicCookie: [UInt8]

  /// Creates the description of a stream.
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

  /// Returns `kAudioChannelLayoutTag_AAC_3_0` or a similar tag; the lower half is the channel
  /// count.
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

#if canImport(CoreMedia)
extension CodedAudioDescription {
  /// Returns the description for Core Media, with the magic cookie.
  ///
  /// - Throws: An error of the system.
  public func makeFormatDescription() throws(CodedBufferError) -> CMAudioFormatDescription {
    var stream = AudioStreamBasicDescription()
    stream.mSampleRate = Double(sampleRate)
    stream.mFormatID = formatID
    stream.mFramesPerPacket = UInt32(framesPerPacket)
    stream.mChannelsPerFrame = UInt32(channelCount)
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = layoutTag ?? 0
    let layoutSize = layoutTag == nil ? 0 : MemoryLayout<AudioChannelLayout>.size
    var format: CMAudioFormatDescription?
    let status = unsafe magicCookie.withUnsafeBytes { cookie in
      unsafe CMAudioFormatDescriptionCreate(
        allocator: nil, asbd: &stream, layoutSize: layoutSize, layout: &layout,
        magicCookieSize: cookie.count, magicCookie: cookie.baseAddress, extensions: nil,
        formatDescriptionOut: &format)
    }
    guard status == 0, let format else { throw .system(status) }
    return format
  }
}
#endif
