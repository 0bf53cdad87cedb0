#if canImport(CoreMedia)
import CoreAudioTypes
public import CoreMedia

extension SoundBuffer {
  /// Copies the PCM frames of a buffer, in any sample format, and its time.
  ///
  /// - Throws: The reason why the samples cannot be copied.
  public init(_ buffer: CMSampleBuffer) throws(PCMBufferError) {
    guard CMSampleBufferDataIsReady(buffer),
      let format = CMSampleBufferGetFormatDescription(buffer),
      let stream = unsafe CMAudioFormatDescriptionGetStreamBasicDescription(format)
    else { throw .notReady }
    let description = try unsafe PCMDescription(stream.pointee)
    let time = MediaTime(CMSampleBufferGetPresentationTimeStamp(buffer))
    let frameCount = CMSampleBufferGetNumSamples(buffer)
    var layoutSize = 0
    var layout: ChannelLayout?
    if let found = unsafe CMAudioFormatDescriptionGetChannelLayout(format, sizeOut: &layoutSize) {
      let bytes = unsafe UnsafeRawBufferPointer(start: found, count: layoutSize)
      layout = unsafe ChannelLayout(inLayout: bytes, channelCount: description.channelCount)
    }
    guard frameCount > 0 else {
      self.init(description, frameCount: 0, layout: layout, time: time)
      return
    }
    var size = 0
    var block: CMBlockBuffer?
    var status = unsafe CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
      buffer, bufferListSizeNeededOut: &size, bufferListOut: nil, bufferListSize: 0,
      blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil)
    guard status == 0, size >= MemoryLayout<AudioBufferList>.size else { throw .system(status) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    defer { unsafe memory.deallocate() }
    let list = unsafe memory.bindMemory(to: AudioBufferList.self, capacity: 1)
    status = unsafe CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
      buffer, bufferListSizeNeededOut: nil, bufferListOut: list, bufferListSize: size,
      blockBufferAllocator: nil, blockBufferMemoryAllocator: nil,
      flags: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment, blockBufferOut: &block)
    guard status == 0 else { throw .system(status) }
    // The list points into the memory of the block, which must exist until the samples are copied.
    defer { withExtendedLifetime(block) {} }
    try unsafe self.init(
      copying: list, description, frameCount: frameCount, layout: layout, time: time)
  }
}

extension MediaTime {
  /// Converts a Core Media time; nil if it is invalid, indefinite or infinite.
  public init?(_ time: CMTime) {
    guard time.isNumeric else { return nil }
    self.init(value: time.value, timescale: time.timescale)
  }

  /// The same time as a Core Media time.
  public var cmTime: CMTime { CMTime(value: value, timescale: timescale) }
}
#endif
