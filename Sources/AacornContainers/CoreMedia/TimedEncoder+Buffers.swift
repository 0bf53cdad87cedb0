#if canImport(CoreMedia) && canImport(AVFAudio)
public import AVFAudio
public import AacornCodec
import AacornSignal
public import CoreMedia

extension TimedEncoder {
  /// Takes a buffer with PCM of any format, as `AVCaptureAudioDataOutput` and ReplayKit give them.
  ///
  /// - Returns: What is missing before it; nil if nothing is.
  /// - Throws: Why it cannot be encoded.
  @discardableResult
  public mutating func encode(
    _ buffer: CMSampleBuffer
  ) throws(CodedBufferError) -> PresentationGap? {
    let sound: SoundBuffer
    do throws(PCMBufferError) {
      sound = try SoundBuffer(buffer)
    } catch {
      throw .samples(error)
    }
    return try take(sound)
  }

  /// Takes a buffer of a tap of `AVAudioEngine`; without a time it follows the one before.
  ///
  /// - Returns: What is missing before it; nil if nothing is.
  /// - Throws: Why it cannot be encoded.
  @discardableResult
  public mutating func encode(
    _ buffer: AVAudioPCMBuffer, at time: CMTime? = nil
  ) throws(CodedBufferError) -> PresentationGap? {
    let sound: SoundBuffer
    do throws(PCMBufferError) {
      sound = try SoundBuffer(buffer, time: time.flatMap { MediaTime($0) })
    } catch {
      throw .samples(error)
    }
    return try take(sound)
  }

  private mutating func take(
    _ sound: SoundBuffer
  ) throws(CodedBufferError) -> PresentationGap? {
    do throws(SoundConversion.Failure) {
      return try encode(sound)
    } catch {
      throw .conversion(error)
    }
  }

  /// The format of the buffers that `TimedUnit.makeSampleBuffer(_:)` makes of its units.
  ///
  /// - Throws: If the system makes none.
  public func makeFormatDescription() throws(CodedBufferError) -> CMAudioFormatDescription {
    try CodedSoundDescription(audioSpecificConfig, timing).makeFormatDescription()
  }
}

// Declared by Xcode 27, and by the stubs of this package's checks.
#if compiler(>=6.4) || APPLE_STUBS
@available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
extension TimedEncoder {
  /// Takes a buffer of `installAudioTap`; without a time it follows the previous buffer.
  ///
  /// - Returns: The gap before it; nil if there is none.
  /// - Throws: The reason if the buffer cannot be encoded.
  @discardableResult
  public mutating func encode(
    _ buffer: AVReadOnlyAudioPCMBuffer, at time: CMTime? = nil
  ) throws(CodedBufferError) -> PresentationGap? {
    try encode(AVAudioPCMBuffer(copying: buffer), at: time)
  }
}
#endif
#endif
