#if canImport(CoreMedia)
import CoreAudioTypes
public import CoreMedia

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
