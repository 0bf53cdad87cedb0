#if canImport(CoreMedia)
import AacornCodec
import AacornSignal
import CoreAudioTypes
import CoreFoundation
public import CoreMedia

extension TimedUnit {
  /// Returns a buffer with this packet, its time and its trim.
  ///
  /// The samples to trim are attached as `TrimDurationAtStart` and `TrimDurationAtEnd`, at most the
  /// whole packet. `CMSampleBufferGetOutputPresentationTimeStamp` of the first packet is therefore
  /// the time of the first sample of the input, although the packet itself begins earlier.
  ///
  /// - Parameter format: The format of the stream, from `TimedEncoder.makeFormatDescription()`.
  /// - Returns: The buffer, for example for `AVAssetWriterInput`.
  /// - Throws: An error of the system.
  public func makeSampleBuffer(
    _ format: CMAudioFormatDescription
  ) throws(CodedBufferError) -> CMSampleBuffer {
    let block = try CMBlockBuffer.containing(unit.bytes)
    var packet = AudioStreamPacketDescription(
      mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(unit.bytes.count))
    var buffer: CMSampleBuffer?
    let status = unsafe CMAudioSampleBufferCreateReadyWithPacketDescriptions(
      allocator: nil, dataBuffer: block, formatDescription: format, sampleCount: 1,
      presentationTimeStamp: time.cmTime, packetDescriptions: &packet, sampleBufferOut: &buffer)
    guard status == 0, let buffer else { throw .system(status) }
    attach(leadingTrim, kCMSampleBufferAttachmentKey_TrimDurationAtStart, to: buffer)
    attach(trailingTrim, kCMSampleBufferAttachmentKey_TrimDurationAtEnd, to: buffer)
    return buffer
  }

  /// Marks `count` samples at one end of the buffer as trimmed.
  private func attach(_ count: Int, _ key: CFString, to buffer: CMSampleBuffer) {
    if count == 0 { return }
    let duration = CMTime(value: Int64(count), timescale: Int32(sampleRate))
    CMSetAttachment(
      buffer, key: key, value: CMTimeCopyAsDictionary(duration, allocator: nil),
      attachmentMode: kCMAttachmentMode_ShouldPropagate)
  }
}

extension CMBlockBuffer {
  /// Creates a buffer with a copy of `bytes`, which must not be empty.
  package static func containing(_ bytes: [UInt8]) throws(CodedBufferError) -> CMBlockBuffer {
    var block: CMBlockBuffer?
    var status = unsafe CMBlockBufferCreateWithMemoryBlock(
      allocator: nil, memoryBlock: nil, blockLength: bytes.count, blockAllocator: nil,
      customBlockSource: nil, offsetToData: 0, dataLength: bytes.count,
      flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &block)
    guard status == 0, let block else { throw .system(status) }
    status = unsafe bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return 0 }
      return unsafe CMBlockBufferReplaceDataBytes(
        with: start, blockBuffer: block, offsetIntoDestination: 0, dataLength: source.count)
    }
    guard status == 0 else { throw .system(status) }
    return block
  }
}
#endif
