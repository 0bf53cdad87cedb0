#if canImport(CoreMedia)
public import AacornApple
import AacornCodec
import AacornDevices
import AacornSignal
import CoreAudioTypes
public import CoreMedia

extension EncodedPacket {
  /// Creates a Core Media buffer of this packet, for example for `AVAssetWriterInput`.
  ///
  /// The time of the buffer is `start` plus the position in the recording, so a writer's session
  /// starts at `start`. The first packets of AAC contain the encoder's delay: they begin before
  /// `start`, and `TrimDurationAtStart` is the duration to trim. The padding of the last packet can
  /// be trimmed only by the end of the session: call `endSession(atSourceTime:)` with the number of
  /// samples in the summary of the recording.
  ///
  /// - Parameters:
  ///   - format: The format of the packets, from ``PacketFormat/makeFormatDescription()`` of
  ///     ``Recorder/packetFormat``.
  ///   - start: The time of the recording's first sample.
  /// - Returns: A buffer of this packet.
  /// - Throws: The system's error if it creates no buffer.
  public func makeSampleBuffer(
    _ format: CMAudioFormatDescription, startingAt start: CMTime = CMTime(value: 0, timescale: 1)
  ) throws(CodedBufferError) -> CMSampleBuffer {
    guard let stream = unsafe CMAudioFormatDescriptionGetStreamBasicDescription(format),
      let start = MediaTime(start)
    else { throw .noConfiguration }
    let description = unsafe stream.pointee
    let sampleRate = Int(description.mSampleRate)
    let time = start.adding(frames: Int64(position), sampleRate: sampleRate)
    if description.mFormatID != kAudioFormatLinearPCM {
      let unit = TimedUnit(
        unit: accessUnit, time: time, sampleRate: sampleRate,
        leadingTrim: min(max(0, -position), sampleCount))
      return try unit.makeSampleBuffer(format)
    }
    var buffer: CMSampleBuffer?
    let status = unsafe CMAudioSampleBufferCreateReadyWithPacketDescriptions(
      allocator: nil, dataBuffer: try CMBlockBuffer.containing(bytes), formatDescription: format,
      sampleCount: sampleCount, presentationTimeStamp: time.cmTime, packetDescriptions: nil,
      sampleBufferOut: &buffer)
    guard status == 0, let buffer else { throw .system(status) }
    return buffer
  }

  /// The capture time of the first sample, on the clock of `CMClockGetHostTimeClock()`, which
  /// cameras use as well.
  public var hostTime: CMTime {
    MediaTime(nanoseconds: HostTime.nanoseconds(of: captureTime)).cmTime
  }
}
#endif
