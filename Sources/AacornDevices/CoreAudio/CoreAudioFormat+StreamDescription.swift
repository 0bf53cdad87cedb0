#if canImport(AudioToolbox) && !os(watchOS)
import AudioToolbox

extension CoreAudioFormat {
  /// Converts a unit's format; nil if it is not interleaved single-precision PCM.
  init?(_ description: AudioStreamBasicDescription) {
    self.init(
      sampleRate: description.mSampleRate, formatID: description.mFormatID,
      formatFlags: description.mFormatFlags, bytesPerFrame: description.mBytesPerFrame,
      framesPerPacket: description.mFramesPerPacket,
      channelsPerFrame: description.mChannelsPerFrame,
      bitsPerChannel: description.mBitsPerChannel)
  }

  /// The format in the unit's form, with every field filled in.
  var streamDescription: AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: Double(sampleRate), mFormatID: Self.linearPCM,
      mFormatFlags: Self.nativeFloatPacked, mBytesPerPacket: UInt32(bytesPerFrame),
      mFramesPerPacket: 1, mBytesPerFrame: UInt32(bytesPerFrame),
      mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: 32, mReserved: 0)
  }
}
#endif
