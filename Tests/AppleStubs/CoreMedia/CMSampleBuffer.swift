// swift-format-ignore-file
// Part of the stub of Apple's CoreMedia: the declarations that this package uses, as Swift imports
// them. ../README.md documents the simulated behavior.

public import CoreAudioTypes
public import CoreFoundation

// CMAttachment.h, macOS 10.7, iOS 4.
public typealias CMAttachmentBearer = CFTypeRef
public typealias CMAttachmentMode = UInt32
public var kCMAttachmentMode_ShouldPropagate: CMAttachmentMode { 1 }
public func CMSetAttachment(
  _ target: CMAttachmentBearer, key: CFString, value: CFTypeRef?, attachmentMode: CMAttachmentMode
) {
  (target as? CMSampleBuffer)?.attachments[key.text] = value as? CFDictionary
}

// CMSampleBuffer.h, macOS 10.7, iOS 4.
public final class CMSampleBuffer {
  let data: CMBlockBuffer
  let format: CMFormatDescription
  let sampleCount: Int
  let time: CMTime
  let sizes: [Int]
  var attachments: [String: CFDictionary] = [:]

  init(
    _ data: CMBlockBuffer, _ format: CMFormatDescription, sampleCount: Int, time: CMTime,
    sizes: [Int]
  ) {
    self.data = data
    self.format = format
    self.sampleCount = sampleCount
    self.time = time
    self.sizes = sizes
  }

  var stream: AudioStreamBasicDescription { unsafe format.stream.pointee }
  // A PCM sample is one frame; a packet has the number of frames in the format.
  var duration: CMTime {
    let framesPerSample = Int(max(1, stream.mFramesPerPacket))
    return CMTime(
      value: Int64(sampleCount * framesPerSample), timescale: Int32(stream.mSampleRate))
  }
  func trim(_ key: CFString) -> CMTime {
    guard let found = attachments[key.text] else { return CMTime(value: 0, timescale: 1) }
    return CMTime(
      value: found.numbers["value"] ?? 0, timescale: Int32(found.numbers["timescale"] ?? 1))
  }
}
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1
public var kCMSampleBufferAttachmentKey_TrimDurationAtStart: CFString {
  CFString("TrimDurationAtStart")
}
public var kCMSampleBufferAttachmentKey_TrimDurationAtEnd: CFString {
  CFString("TrimDurationAtEnd")
}

// CMSampleBuffer.h, macOS 10.10, iOS 8.
public func CMAudioSampleBufferCreateReadyWithPacketDescriptions(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer,
  formatDescription: CMFormatDescription, sampleCount numSamples: CMItemCount,
  presentationTimeStamp: CMTime,
  packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  // Packets of different sizes need descriptions; all PCM frames have the same size.
  let frameSize = unsafe Int(formatDescription.stream.pointee.mBytesPerFrame)
  guard unsafe frameSize > 0 || packetDescriptions != nil else { return -12_732 }
  let sizes = unsafe packetDescriptions.map { descriptions in
    (0..<numSamples).map { unsafe Int(descriptions[$0].mDataByteSize) }
  }
  unsafe sampleBufferOut.pointee = CMSampleBuffer(
    dataBuffer, formatDescription, sampleCount: numSamples, time: presentationTimeStamp,
    sizes: sizes ?? Array(repeating: frameSize, count: numSamples))
  return 0
}

// CMSampleBuffer.h, macOS 10.7, iOS 4.
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
  _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
  bufferListOut: UnsafeMutablePointer<AudioBufferList>?, bufferListSize: Int,
  blockBufferAllocator: CFAllocator?, blockBufferMemoryAllocator: CFAllocator?, flags: UInt32,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
  // 1 << 5 is kAudioFormatFlagIsNonInterleaved: the block contains one channel after the other.
  let channelCount = Int(sbuf.stream.mChannelsPerFrame)
  let count = sbuf.stream.mFormatFlags & 1 << 5 == 0 ? 1 : channelCount
  let offset = unsafe MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size
  let needed = unsafe offset + count * MemoryLayout<AudioBuffer>.size
  unsafe bufferListSizeNeededOut?.pointee = needed
  guard let list = unsafe bufferListOut else { return 0 }
  // kCMSampleBufferError_ArrayTooSmall
  guard bufferListSize >= needed, let start = unsafe sbuf.data.bytes.baseAddress else {
    return -12_737
  }
  unsafe list.pointee.mNumberBuffers = UInt32(count)
  let areas = unsafe (UnsafeMutableRawPointer(list) + offset)
    .assumingMemoryBound(to: AudioBuffer.self)
  let byteCount = unsafe sbuf.data.bytes.count / count
  for index in 0..<count {
    unsafe areas[index] = unsafe AudioBuffer(
      mNumberChannels: UInt32(channelCount / count), mDataByteSize: UInt32(byteCount),
      mData: start + index * byteCount)
  }
  unsafe blockBufferOut?.pointee = sbuf.data
  return 0
}

// CMSampleBuffer.h, macOS 10.7, iOS 4.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { true }
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { sbuf.data }
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.format
}
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount { sbuf.sampleCount }
public func CMSampleBufferGetOutputDuration(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.duration - sbuf.trim(kCMSampleBufferAttachmentKey_TrimDurationAtStart)
    - sbuf.trim(kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
}
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.time + sbuf.trim(kCMSampleBufferAttachmentKey_TrimDurationAtStart)
}
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.time }
public func CMSampleBufferGetSampleSize(
  _ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex
) -> Int {
  sbuf.sizes.indices.contains(sampleIndex) ? sbuf.sizes[sampleIndex] : 0
}
