#if canImport(CoreAudioTypes)
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
