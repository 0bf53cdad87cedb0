#if canImport(AVFAudio)
public import AVFAudio
import CoreAudioTypes

extension SoundBuffer {
  /// Copies the valid frames of a buffer with samples in any format.
  ///
  /// - Throws: The reason why the samples cannot be copied.
  public init(_ buffer: AVAudioPCMBuffer, time: MediaTime? = nil) throws(PCMBufferError) {
    let format = buffer.format
    let description = try unsafe PCMDescription(format.streamDescription.pointee)
    var layout: ChannelLayout?
    if let found = format.channelLayout {
      layout = unsafe ChannelLayout(found.layout, channelCount: description.channelCount)
    }
    try unsafe self.init(
      copying: buffer.audioBufferList, description, frameCount: Int(buffer.frameLength),
      layout: layout, time: time)
  }

  /// Returns the samples in the system's standard format: single precision, planar.
  ///
  /// The result is nil if the system cannot create the buffer, for example for zero frames.
  public func makePCMBuffer() -> AVAudioPCMBuffer? {
    guard frameCount > 0, let capacity = AVAudioFrameCount(exactly: frameCount),
      let format = standardFormat,
      let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: capacity),
      let channels = unsafe buffer.floatChannelData
    else { return nil }
    buffer.frameLength = capacity
    for channel in 0..<channelCount {
      let destination = unsafe channels[channel]
      for frame in 0..<frameCount {
        unsafe destination[frame] = samples[frame * channelCount + channel]
      }
    }
    return buffer
  }

  /// The format of the buffer that `makePCMBuffer` returns.
  private var standardFormat: AVAudioFormat? {
    guard channelCount > 2 else {
      return AVAudioFormat(
        standardFormatWithSampleRate: Double(sampleRate), channels: UInt32(channelCount))
    }
    // Without a layout the system has no format for more than two channels.
    let layout = self.layout ?? ChannelLayout.standard(channelCount: channelCount)
    var description = AudioChannelLayout()
    if let layout, ChannelLayout(waveMask: layout.waveMask, channelCount: channelCount) == layout {
      description.mChannelLayoutTag = ChannelLayout.tagForBitmap
      description.mChannelBitmap = AudioChannelBitmap(rawValue: layout.waveMask)
    } else {
      description.mChannelLayoutTag = ChannelLayout.tagForDiscreteChannels | UInt32(channelCount)
    }
    return unsafe AVAudioFormat(
      standardFormatWithSampleRate: Double(sampleRate),
      channelLayout: AVAudioChannelLayout(layout: &description))
  }
}
#endif
