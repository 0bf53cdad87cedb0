// swift-format-ignore-file
// Part of the stub of Apple's CoreMedia: the declarations that this package uses, as Swift imports
// them. ../README.md documents the simulated behavior.

public import CoreAudioTypes
public import CoreFoundation

// CMBase.h, macOS 10.7, iOS 4.
public typealias CMItemCount = Int
public typealias CMItemIndex = Int

// CMBlockBuffer.h, macOS 10.7, iOS 4.
@safe
public final class CMBlockBuffer {
  let bytes: UnsafeMutableRawBufferPointer
  init(byteCount: Int) {
    unsafe bytes = .allocate(byteCount: byteCount, alignment: 16)
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }
  deinit {
    unsafe bytes.deallocate()
  }
}
public typealias CMBlockBufferFlags = UInt32
public var kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags { 1 }
public struct CMBlockBufferCustomBlockSource {}

// CMBlockBuffer.h: kCMBlockBufferBadOffsetParameterErr, kCMBlockBufferBadLengthParameterErr.
private let badOffset: OSStatus = -12_703
private let badLength: OSStatus = -12_704

// CMBlockBuffer.h, macOS 10.7, iOS 4. Only blocks that own their memory are simulated.
public func CMBlockBufferCreateWithMemoryBlock(
  allocator structureAllocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?,
  blockLength: Int, blockAllocator: CFAllocator?,
  customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, offsetToData: Int,
  dataLength: Int, flags: CMBlockBufferFlags,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  unsafe precondition(memoryBlock == nil && customBlockSource == nil && offsetToData == 0)
  guard blockLength > 0, dataLength <= blockLength else { return badLength }
  unsafe blockBufferOut.pointee = CMBlockBuffer(byteCount: dataLength)
  return 0
}

// CMBlockBuffer.h, macOS 10.7, iOS 4.
public func CMBlockBufferReplaceDataBytes(
  with sourceBytes: UnsafeRawPointer, blockBuffer destinationBuffer: CMBlockBuffer,
  offsetIntoDestination: Int, dataLength: Int
) -> OSStatus {
  let bytes = unsafe destinationBuffer.bytes
  guard (0..<bytes.count).contains(offsetIntoDestination) else { return badOffset }
  guard dataLength <= bytes.count - offsetIntoDestination else { return badLength }
  unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offsetIntoDestination...])
    .copyMemory(from: UnsafeRawBufferPointer(start: sourceBytes, count: dataLength))
  return 0
}

// CMBlockBuffer.h, macOS 10.7, iOS 4.
public func CMBlockBufferCopyDataBytes(
  _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int,
  destination: UnsafeMutableRawPointer
) -> OSStatus {
  let bytes = unsafe theSourceBuffer.bytes
  guard (0..<bytes.count).contains(offsetToData) else { return badOffset }
  guard dataLength <= bytes.count - offsetToData else { return badLength }
  let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[offsetToData..<offsetToData + dataLength])
  unsafe UnsafeMutableRawBufferPointer(start: destination, count: dataLength).copyMemory(from: part)
  return 0
}

// CMBlockBuffer.h, macOS 10.7, iOS 4.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int {
  unsafe theBuffer.bytes.count
}
