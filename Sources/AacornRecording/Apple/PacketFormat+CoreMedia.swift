#if canImport(CoreMedia)
public import AacornApple
import AacornSoundFiles
import CoreAudioTypes
public import CoreMedia

extension PacketFormat {
  /// Returns the format of the buffers that ``EncodedPacket/makeSampleBuffer(_:startingAt:)``
  /// creates: AAC with its magic cookie, or interleaved samples.
  ///
  /// - Throws: The system's error if it creates no description.
  public func makeFormatDescription() throws(CodedBufferError) -> CMAudioFormatDescription {
    if case .aac(let stream, let timing) = self {
      return try CodedAudioDescription(stream, timing).makeFormatDescription()
    }
    guard var description = sampleDescription else { throw .noConfiguration }
    var format: CMAudioFormatDescription?
    let status = unsafe CMAudioFormatDescriptionCreate(
      allocator: nil, asbd: &description, layoutSize: 0, layout: nil, magicCookieSize: 0,
      magicCookie: nil, extensions: nil, formatDescriptionOut: &format)
    guard status == 0, let format else { throw .system(status) }
    return format
  }

  /// Core Audio's description of packets of samples; nil for AAC.
  var sampleDescription: AudioStreamBasicDescription? {
    guard let (encoding, sampleRate, channelCount) = samples else { return nil }
    let frameSize = UInt32(channelCount * encoding.byteCount)
    // Packed: signed integers or floating point.
    let flags: AudioFormatFlags = 1 << 3 | (encoding == .int16 ? 1 << 2 : 1 << 0)
    return AudioStreamBasicDescription(
      mSampleRate: Double(sampleRate), mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
      mBytesPerPacket: frameSize, mFramesPerPacket: 1, mBytesPerFrame: frameSize,
      mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: UInt32(encoding.bitCount),
      mReserved: 0)
  }
}
#endif
