// swift-format-ignore-file
// A stub of Apple's CoreMedia for Scripts/check-apple: the declarations that this package uses, in
// the form in which Swift sees them, and nothing else. It is for checking types on other systems;
// nothing can be linked or run with it.

public import CoreAudioTypes
public import CoreFoundation

// CMTime.h, macOS 10.7, iOS 4.
public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32

// CMTime.h, macOS 10.7, iOS 4; the initializer and `isNumeric` are the overlay's.
public struct CMTime: Sendable {
  public var value: CMTimeValue
  public var timescale: CMTimeScale
  public init(value: CMTimeValue, timescale: CMTimeScale) { fatalError() }
  public var isNumeric: Bool { fatalError() }
}

// CMTime.h, macOS 10.7, iOS 4.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> CFDictionary? {
  fatalError()
}

// CMSync.h, macOS 10.8, iOS 6.
public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 { fatalError() }

// CMBase.h, macOS 10.7, iOS 4.
public typealias CMItemCount = Int
public typealias CMItemIndex = Int

// CMAttachment.h, macOS 10.7, iOS 4.
public typealias CMAttachmentBearer = CFTypeRef
public typealias CMAttachmentMode = UInt32
public var kCMAttachmentMode_ShouldPropagate: CMAttachmentMode { 1 }
public func CMSetAttachment(
  _ target: CMAttachmentBearer, key: CFString, value: CFTypeRef?, attachmentMode: CMAttachmentMode
) {}

// CMBlockBuffer.h, macOS 10.7, iOS 4.
public final class CMBlockBuffer {}
public typealias CMBlockBufferFlags = UInt32
public var kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags { 1 }
public struct CMBlockBufferCustomBlockSource {}

// CMBlockBuffer.h, macOS 10.7, iOS 4.
public func CMBlockBufferCreateWithMemoryBlock(
  allocator structureAllocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?,
  blockLength: Int, blockAllocator: CFAllocator?,
  customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, offsetToData: Int,
  dataLength: Int, flags: CMBlockBufferFlags,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus { fatalError() }

// CMBlockBuffer.h, macOS 10.7, iOS 4.
public func CMBlockBufferReplaceDataBytes(
  with sourceBytes: UnsafeRawPointer, blockBuffer destinationBuffer: CMBlockBuffer,
  offsetIntoDestination: Int, dataLength: Int
) -> OSStatus { fatalError() }

// CMBlockBuffer.h, macOS 10.7, iOS 4.
public func CMBlockBufferCopyDataBytes(
  _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int,
  destination: UnsafeMutableRawPointer
) -> OSStatus { fatalError() }

// CMBlockBuffer.h, macOS 10.7, iOS 4.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { fatalError() }

// CMFormatDescription.h, macOS 10.7, iOS 4.
public final class CMFormatDescription {}
public typealias CMAudioFormatDescription = CMFormatDescription

// CMFormatDescription.h, macOS 10.7, iOS 4.
public func CMAudioFormatDescriptionCreate(
  allocator: CFAllocator?, asbd: UnsafePointer<AudioStreamBasicDescription>, layoutSize: Int,
  layout: UnsafePointer<AudioChannelLayout>?, magicCookieSize: Int,
  magicCookie: UnsafeRawPointer?, extensions: CFDictionary?,
  formatDescriptionOut: UnsafeMutablePointer<CMAudioFormatDescription?>
) -> OSStatus { fatalError() }

// CMFormatDescription.h, macOS 10.7, iOS 4.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? { fatalError() }

// CMFormatDescription.h, macOS 10.7, iOS 4.
public func CMAudioFormatDescriptionGetMagicCookie(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? { fatalError() }

// CMFormatDescription.h, macOS 10.7, iOS 4.
public func CMAudioFormatDescriptionGetChannelLayout(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? { fatalError() }

// CMSampleBuffer.h, macOS 10.7, iOS 4.
public final class CMSampleBuffer {}
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1
public var kCMSampleBufferAttachmentKey_TrimDurationAtStart: CFString { fatalError() }
public var kCMSampleBufferAttachmentKey_TrimDurationAtEnd: CFString { fatalError() }

// CMSampleBuffer.h, macOS 10.10, iOS 8.
public func CMAudioSampleBufferCreateReadyWithPacketDescriptions(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer,
  formatDescription: CMFormatDescription, sampleCount numSamples: CMItemCount,
  presentationTimeStamp: CMTime,
  packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus { fatalError() }

// CMSampleBuffer.h, macOS 10.7, iOS 4.
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
  _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
  bufferListOut: UnsafeMutablePointer<AudioBufferList>?, bufferListSize: Int,
  blockBufferAllocator: CFAllocator?, blockBufferMemoryAllocator: CFAllocator?, flags: UInt32,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus { fatalError() }

// CMSampleBuffer.h, macOS 10.7, iOS 4.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { fatalError() }
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { fatalError() }
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { fatalError() }
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  fatalError()
}
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount { fatalError() }
public func CMSampleBufferGetOutputDuration(_ sbuf: CMSampleBuffer) -> CMTime { fatalError() }
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  fatalError()
}
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  fatalError()
}
public func CMSampleBufferGetSampleSize(
  _ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex
) -> Int { fatalError() }
