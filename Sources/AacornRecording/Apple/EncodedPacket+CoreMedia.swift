#if canImport(CoreMedia)
public import AacornApple
import AacornCodec
import AacornDevices
import AacornSignal
import AacornSoundFiles
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
