#if canImport(CoreMedia) && canImport(AVFAudio)
public import AVFAudio
import AacornCodec
import AacornSignal
public import CoreMedia

extension TimedEncoder {
  /// Encodes a buffer of PCM in any format, as delivered by `AVCaptureAudioDataOutput` and
  /// ReplayKit.
  ///
  /// - Returns: The gap before the buffer; nil if there is none.
  /// - Throws: The reason why the buffer cannot be encoded.
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
    return try encodeBuffer(sound)
  }

  /// Encodes a buffer of a tap of `AVAudioEngine`; without a time, it follows the previous buffer.
  ///
  /// - Returns: The gap before the buffer; nil if there is none.
  /// - Throws: The reason why the buffer cannot be encoded.
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
    return try encodeBuffer(sound)
  }

  private mutating func encodeBuffer(
    _ sound: SoundBuffer
  ) throws(CodedBufferError) -> PresentationGap? {
    do throws(AudioConversion.Failure) {
      return try encode(sound)
    } catch {
      throw .conversion(error)
    }
  }

  /// Returns the format of the buffers from `TimedUnit.makeSampleBuffer(_:)`.
  ///
  /// - Throws: An error of the system.
  public func makeFormatDescription() throws(CodedBufferError) -> CMAudioFormatDescription {
    try CodedAudioDescription(audioSpecificConfig, timing).makeFormatDescription()
  }
}

// Declared by Xcode 27, and by the stubs of this package's checks.
#if compiler(>=6.4) || APPLE_STUBS
@available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
extension TimedEncoder {
  /// Encodes a buffer of `installAudioTap`; without a time, it follows the previous buffer.
  ///
  /// - Returns: The gap before the buffer; nil if there is none.
  /// - Throws: The reason why the buffer cannot be encoded.
  @discardableResult
  public mutating func encode(
    _ buffer: AVReadOnlyAudioPCMBuffer, at time: CMTime? = nil
  ) throws(CodedBufferError) -> PresentationGap? {
    try encode(AVAudioPCMBuffer(copying: buffer), at: time)
  }
}
#endif
#endif
