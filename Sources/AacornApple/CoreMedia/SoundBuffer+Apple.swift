#if canImport(CoreAudioTypes)
public import AacornSignal
import CoreAudioTypes

extension PCMDescription {
  init(_ description: AudioStreamBasicDescription) throws(PCMBufferError) {
    try self.init(
      sampleRate: description.mSampleRate, formatID: description.mFormatID,
      formatFlags: description.mFormatFlags, bytesPerFrame: description.mBytesPerFrame,
      framesPerPacket: description.mFramesPerPacket,
      channelsPerFrame: description.mChannelsPerFrame, bitsPerChannel: description.mBitsPerChannel)
  }
}

extension ChannelLayout {
  /// Reads a layout from memory, with the number of descriptions that the layout states.
  init?(_ layout: UnsafePointer<AudioChannelLayout>, channelCount: Int) {
    let start = unsafe UnsafeRawPointer(layout)
    let described = unsafe Int(start.load(fromByteOffset: 8, as: UInt32.self))
    let bytes = unsafe UnsafeRawBufferPointer(
      start: start, count: 12 + 20 * min(described, channelCount))
    unsafe self.init(inLayout: bytes, channelCount: channelCount)
  }
}

extension SoundBuffer {
  init(
    copying list: UnsafePointer<AudioBufferList>, _ description: PCMDescription, frameCount: Int,
    layout: ChannelLayout?, time: MediaTime?
  ) throws(PCMBufferError) {
    let found = unsafe Int(list.pointee.mNumberBuffers)
    let needed = description.bufferCount
    guard found == needed else { throw .wrongBufferCount(found: found, needed: needed) }
    // The struct ends with the first buffer of the list; the other buffers follow it in memory.
    let offset = unsafe MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size
    let areas = unsafe (UnsafeRawPointer(list) + offset).assumingMemoryBound(to: AudioBuffer.self)
    for index in 0..<needed {
      let byteCount = unsafe areas[index].mData == nil ? 0 : Int(areas[index].mDataByteSize)
      try description.check(byteCount: byteCount, frameCount: frameCount)
    }
    self.init(description, frameCount: frameCount, layout: layout, time: time)
    for index in 0..<needed {
      let area = unsafe areas[index]
      guard let start = unsafe area.mData else { continue }
      let bytes = unsafe UnsafeBufferPointer(
        start: start.assumingMemoryBound(to: UInt8.self), count: Int(area.mDataByteSize))
      try unsafe fill(index, from: bytes.span, as: description)
    }
  }
}
#endif

#if canImport(AVFAudio)
public import AVFAudio
import CoreAudioTypes

extension SoundBuffer {
  /// Copies the valid frames of a buffer with samples in any format.
  ///
  /// - Throws: The reason why the samples cannot be copied.
  public init(_ buffer: AVAudioPCMBuffer, time: MediaTime? = nil) throws(PCMBufferError) {
    let format = buffer.format
    let description = try unsafe PCMDescription(format.streamDescription.pointee)
    var layout: ChannelLayout?
    if let found = format.channelLayout {
      layout = unsafe ChannelLayout(found.layout, channelCount: description.channelCount)
    }
    try unsafe self.init(
      copying: buffer.audioBufferList, description, frameCount: Int(buffer.frameLength),
      layout: layout, time: time)
  }

  /// Returns the samples in the system's standard format: single precision, planar.
  ///
  /// The result is nil if the system cannot create the buffer, for example for zero frames.
  public func makePCMBuffer() -> AVAudioPCMBuffer? {
    guard frameCount > 0, let capacity = AVAudioFrameCount(exactly: frameCount),
      let format = standardFormat,
      let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: capacity),
      let channels = unsafe buffer.floatChannelData
    else { return nil }
    buffer.frameLength = capacity
    for channel in 0..<channelCount {
      let destination = unsafe channels[channel]
      for frame in 0..<frameCount {
        unsafe destination[frame] = samples[frame * channelCount + channel]
      }
    }
    return buffer
  }

  /// The format of the buffer that `makePCMBuffer` returns.
  private var standardFormat: AVAudioFormat? {
    guard channelCount > 2 else {
      return AVAudioFormat(
        standardFormatWithSampleRate: Double(sampleRate), channels: UInt32(channelCount))
    }
    // Without a layout the system has no format for more than two channels.
    let layout = self.layout ?? ChannelLayout.standard(channelCount: channelCount)
    var description = AudioChannelLayout()
    if let layout, ChannelLayout(waveMask: layout.waveMask, channelCount: channelCount) == layout {
      description.mChannelLayoutTag = ChannelLayout.tagForBitmap
      description.mChannelBitmap = AudioChannelBitmap(rawValue: layout.waveMask)
    } else {
      description.mChannelLayoutTag = ChannelLayout.tagForDiscreteChannels | UInt32(channelCount)
    }
    return unsafe AVAudioFormat(
      standardFormatWithSampleRate: Double(sampleRate),
      channelLayout: AVAudioChannelLayout(layout: &description))
  }
}
#endif

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
