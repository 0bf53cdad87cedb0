#if canImport(CoreMedia) && canImport(AVFAudio)
public import AVFAudio
import AacornCodec
import AacornContainers
import AacornSignal
import CoreAudioTypes
public import CoreMedia

extension PacketDecoder {
  /// Creates a decoder of the stream in a format description.
  ///
  /// - Throws: The reason why the stream cannot be decoded.
  public init(_ format: CMAudioFormatDescription) throws(CodedBufferError) {
    var size = 0
    guard let start = unsafe CMAudioFormatDescriptionGetMagicCookie(format, sizeOut: &size),
      let configuration = unsafe MagicCookie.configuration(
        in: Array(UnsafeRawBufferPointer(start: start, count: size)))
    else { throw .noConfiguration }
    do throws(DecoderError) {
      try self.init(configuration)
    } catch {
      throw .decoder(error)
    }
  }

  /// Decodes the packets of a buffer and drops the samples marked as trimmed.
  ///
  /// - Returns: The audio, due at `CMSampleBufferGetOutputPresentationTimeStamp` of the buffer; nil
  ///   if all samples are trimmed.
  /// - Throws: The reason why the buffer cannot be decoded.
  public mutating func decode(
    _ buffer: CMSampleBuffer
  ) throws(CodedBufferError) -> AVAudioPCMBuffer? {
    guard CMSampleBufferDataIsReady(buffer), let block = CMSampleBufferGetDataBuffer(buffer)
    else { throw .samples(.notReady) }
    let byteCount = CMBlockBufferGetDataLength(block)
    var bytes = [UInt8](repeating: 0, count: byteCount)
    let status = unsafe bytes.withUnsafeMutableBytes { target in
      guard let start = target.baseAddress else { return 0 as OSStatus }
      return unsafe CMBlockBufferCopyDataBytes(
        block, atOffset: 0, dataLength: target.count, destination: start)
    }
    guard status == 0 else { throw .system(status) }
    var sizes: [Int] = []
    for index in 0..<CMSampleBufferGetNumSamples(buffer) {
      sizes.append(CMSampleBufferGetSampleSize(buffer, at: index))
    }
    guard let packets = Self.ranges(sizes: sizes, byteCount: byteCount) else {
      throw .misplacedPackets(byteCount: byteCount)
    }
    let start = MediaTime(CMSampleBufferGetPresentationTimeStamp(buffer))
    let outputStart = MediaTime(CMSampleBufferGetOutputPresentationTimeStamp(buffer))
    let duration = MediaTime(CMSampleBufferGetDuration(buffer))
    let outputDuration = MediaTime(CMSampleBufferGetOutputDuration(buffer))
    let trims = PacketTrims(
      start: start, outputStart: outputStart, duration: duration, outputDuration: outputDuration,
      sampleRate: decoder.sampleRate)
    let sound = decode(
      bytes, packets: packets, leadingTrim: trims.leading, trailingTrim: trims.trailing)
    return sound?.makePCMBuffer()
  }

  /// Decodes the packets of a buffer.
  ///
  /// - Returns: The audio; nil if there is none.
  /// - Throws: The reason why the buffer cannot be decoded.
  public mutating func decode(
    _ buffer: AVAudioCompressedBuffer
  ) throws(CodedBufferError) -> AVAudioPCMBuffer? {
    let byteCount = Int(buffer.byteLength)
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: buffer.data, count: byteCount))
    var packets: [Range<Int>] = []
    if let descriptions = unsafe buffer.packetDescriptions {
      for index in 0..<Int(buffer.packetCount) {
        let description = unsafe descriptions[index]
        let start = Int(clamping: description.mStartOffset)
        let size = Int(description.mDataByteSize)
        guard start >= 0, start <= byteCount, size <= byteCount - start else {
          throw .misplacedPackets(byteCount: byteCount)
        }
        packets.append(start..<start + size)
      }
    } else if buffer.packetCount == 1 {
      packets.append(0..<byteCount)
    } else if buffer.packetCount > 1 {
      throw .misplacedPackets(byteCount: byteCount)
    }
    return decode(bytes, packets: packets)?.makePCMBuffer()
  }
}
#endif
