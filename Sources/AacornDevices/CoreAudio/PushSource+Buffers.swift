#if canImport(CoreMedia) && canImport(AVFAudio)
public import AVFAudio
public import AacornSignal
public import CoreMedia

extension PushSource {
  /// Takes a buffer with PCM of any format, as `AVCaptureAudioDataOutput` and ReplayKit give them;
  /// false if nobody records, or if there is no room for it.
  ///
  /// - Throws: If there are no samples to take.
  @discardableResult
  public func push(_ buffer: CMSampleBuffer) throws(PCMBufferError) -> Bool {
    var sound = try SoundBuffer(buffer)
    if followsClock, let time = sound.time, time.value >= 0 {
      let ticks = CMClockConvertHostTimeToSystemUnits(
        MediaTime(nanoseconds: time.nanoseconds).cmTime)
      sound.time = MediaTime(nanoseconds: HostClock().monotonicTime(of: ticks))
    }
    return push(sound)
  }

  /// Takes a buffer of a tap of `AVAudioEngine`; false if nobody records, or if there is no room
  /// for it.
  ///
  /// Without a time it follows the one before, or, if the source is live, was captured just now.
  ///
  /// - Throws: If there are no samples to take.
  @discardableResult
  public func push(
    _ buffer: AVAudioPCMBuffer, at time: AVAudioTime? = nil
  ) throws(PCMBufferError) -> Bool {
    try push(SoundBuffer(buffer, time: time.flatMap { mediaTime($0) }))
  }

  /// A live source counts in the time of the machine, others in frames if they can.
  private func mediaTime(_ time: AVAudioTime) -> MediaTime? {
    if !followsClock, time.isSampleTimeValid, time.sampleRate >= 1, time.sampleRate <= 1e6 {
      return MediaTime(value: time.sampleTime, timescale: Int32(time.sampleRate.rounded()))
    }
    guard time.isHostTimeValid else { return nil }
    // More ticks than of decades are no time.
    return MediaTime(nanoseconds: HostClock().monotonicTime(of: min(time.hostTime, 1 << 56)))
  }
}

// Declared by Xcode 27, and by the stubs of this package's checks.
#if compiler(>=6.4) || APPLE_STUBS
@available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
extension PushSource {
  /// Takes a buffer of `installAudioTap`; false if no recording takes it, or if there is no room for it.
  ///
  /// - Throws: If there are no samples to take.
  @discardableResult
  public func push(
    _ buffer: AVReadOnlyAudioPCMBuffer, at time: AVAudioTime? = nil
  ) throws(PCMBufferError) -> Bool {
    try push(AVAudioPCMBuffer(copying: buffer), at: time)
  }
}
#endif
#endif
