#if canImport(CoreMedia) && canImport(AVFAudio)
public import AVFAudio
public import AacornApple
public import AacornDevices
import AacornSignal
public import CoreMedia

extension PushSource {
  /// Appends a buffer with PCM of any format, as provided by `AVCaptureAudioDataOutput` and
  /// ReplayKit.
  ///
  /// - Returns: False if no recording is running, or if there is no room for the buffer.
  /// - Throws: An error if the buffer has no usable samples.
  @discardableResult
  public func push(_ buffer: CMSampleBuffer) throws(PCMBufferError) -> Bool {
    var sound = try SoundBuffer(buffer)
    if followsClock, let time = sound.time, time.value >= 0 {
      let ticks = CMClockConvertHostTimeToSystemUnits(
        MediaTime(nanoseconds: time.nanoseconds).cmTime)
      sound.time = MediaTime(nanoseconds: HostTime.monotonicTime(of: ticks))
    }
    return push(sound)
  }

  /// Appends a buffer of a tap of `AVAudioEngine`.
  ///
  /// A buffer without a time follows the previous buffer or, if the source is live, ends now.
  ///
  /// - Returns: False if no recording is running, or if there is no room for the buffer.
  /// - Throws: An error if the buffer has no usable samples.
  @discardableResult
  public func push(
    _ buffer: AVAudioPCMBuffer, at time: AVAudioTime? = nil
  ) throws(PCMBufferError) -> Bool {
    try push(SoundBuffer(buffer, time: time.flatMap { mediaTime($0) }))
  }

  /// Converts a time: a live source uses the machine's clock, others the frame count if it is
  /// valid.
  private func mediaTime(_ time: AVAudioTime) -> MediaTime? {
    if !followsClock, time.isSampleTimeValid, time.sampleRate >= 1, time.sampleRate <= 1e6 {
      return MediaTime(value: time.sampleTime, timescale: Int32(time.sampleRate.rounded()))
    }
    guard time.isHostTimeValid else { return nil }
    // A value of more than some decades is not a valid time.
    return MediaTime(nanoseconds: HostTime.monotonicTime(of: min(time.hostTime, 1 << 56)))
  }
}

// Declared by Xcode 27, and by the stubs of this package's checks.
#if compiler(>=6.4) || APPLE_STUBS
@available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
extension PushSource {
  /// Appends a buffer of `installAudioTap`.
  ///
  /// - Returns: False if no recording is running, or if there is no room for the buffer.
  /// - Throws: An error if the buffer has no usable samples.
  @discardableResult
  public func push(
    _ buffer: AVReadOnlyAudioPCMBuffer, at time: AVAudioTime? = nil
  ) throws(PCMBufferError) -> Bool {
    try push(AVAudioPCMBuffer(copying: buffer), at: time)
  }
}
#endif
#endif
