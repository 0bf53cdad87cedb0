// swift-format-ignore-file
// Part of the stub of Apple's AVFAudio: the declarations that this package uses, as Swift imports
// them. ../README.md documents the simulated behavior.

public import CoreAudioTypes

// AVAudioTypes.h, macOS 10.10, iOS 8.
public typealias AVAudioFrameCount = UInt32
public typealias AVAudioPacketCount = UInt32
public typealias AVAudioChannelCount = UInt32
public typealias AVAudioFramePosition = Int64

// AVAudioTime.h, macOS 10.10, iOS 8.
open class AVAudioTime {
  public let isHostTimeValid: Bool
  public let hostTime: UInt64
  public let isSampleTimeValid: Bool
  public let sampleTime: AVAudioFramePosition
  public let sampleRate: Double

  public init(hostTime: UInt64) {
    (isHostTimeValid, self.hostTime) = (true, hostTime)
    (isSampleTimeValid, sampleTime, sampleRate) = (false, 0, 0)
  }
  public init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    (isHostTimeValid, self.hostTime) = (true, hostTime)
    (isSampleTimeValid, self.sampleTime, self.sampleRate) = (true, sampleTime, sampleRate)
  }
  public init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    (isHostTimeValid, hostTime) = (false, 0)
    (isSampleTimeValid, self.sampleTime, self.sampleRate) = (true, sampleTime, sampleRate)
  }
}

// AVAudioBuffer.h, macOS 10.10, iOS 8.
@safe
open class AVAudioBuffer {
  public let format: AVAudioFormat
  // One `AudioBuffer` per area that the format needs, although the C structure declares only one.
  let list: UnsafeMutablePointer<AudioBufferList>
  let areas: UnsafeMutableBufferPointer<AudioBuffer>

  init(_ format: AVAudioFormat, areaCount: Int, byteCapacity: Int) {
    self.format = format
    let offset = unsafe MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: unsafe offset + areaCount * MemoryLayout<AudioBuffer>.stride, alignment: 16)
    unsafe list = unsafe memory.assumingMemoryBound(to: AudioBufferList.self)
    unsafe list.pointee.mNumberBuffers = UInt32(areaCount)
    unsafe areas = unsafe UnsafeMutableBufferPointer(
      start: (memory + offset).assumingMemoryBound(to: AudioBuffer.self), count: areaCount)
    for index in 0..<areaCount {
      let data = UnsafeMutableRawPointer.allocate(byteCount: max(1, byteCapacity), alignment: 16)
      unsafe data.initializeMemory(as: UInt8.self, repeating: 0, count: max(1, byteCapacity))
      unsafe areas[index] = unsafe AudioBuffer(
        mNumberChannels: format.description.mChannelsPerFrame / UInt32(areaCount),
        mDataByteSize: UInt32(byteCapacity), mData: data)
    }
  }

  deinit {
    for unsafe area in unsafe areas { unsafe area.mData?.deallocate() }
    unsafe UnsafeMutableRawPointer(list).deallocate()
  }

  public var audioBufferList: UnsafePointer<AudioBufferList> { unsafe UnsafePointer(list) }
  public var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { unsafe list }
}

// AVAudioBuffer.h, macOS 10.10, iOS 8.
@safe
open class AVAudioPCMBuffer: AVAudioBuffer {
  public let frameCapacity: AVAudioFrameCount
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
    guard format.description.mFormatID == kAudioFormatLinearPCM else { return nil }
    self.frameCapacity = frameCapacity
    let count = Int(format.description.mChannelsPerFrame)
    unsafe channels = .allocate(capacity: count)
    super.init(
      format, areaCount: format.isInterleaved ? 1 : count,
      byteCapacity: Int(frameCapacity * format.description.mBytesPerFrame))
    for channel in 0..<count {
      let area = unsafe areas[format.isInterleaved ? 0 : channel]
      if let data = unsafe area.mData {
        unsafe (channels + channel).initialize(to: data.assumingMemoryBound(to: Float.self))
      }
    }
    frameLength = 0
  }

  deinit {
    unsafe channels.deallocate()
  }

  // A new length also sets the sizes of the areas.
  public var frameLength: AVAudioFrameCount = 0 {
    didSet {
      precondition(frameLength <= frameCapacity)
      for index in unsafe areas.indices {
        unsafe areas[index].mDataByteSize = frameLength * format.description.mBytesPerFrame
      }
    }
  }

  // Nil unless the samples are single precision.
  public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
    guard format.description.mFormatFlags & kAudioFormatFlagIsFloat != 0,
      format.description.mBitsPerChannel == 32
    else { return nil }
    return unsafe UnsafePointer(channels)
  }
}

// macOS 27, iOS 27, tvOS 27, watchOS 27, visionOS 27: an immutable buffer that tasks can share.
@available(macOS 27.0, iOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
public final class AVReadOnlyAudioPCMBuffer: @unchecked Sendable {
  fileprivate let buffer: AVAudioPCMBuffer
  // Not in Apple's headers: only the system creates these.
  public init(simulating buffer: AVAudioPCMBuffer) { self.buffer = buffer }
  public var format: AVAudioFormat { buffer.format }
  public var frameLength: AVAudioFrameCount { buffer.frameLength }
}
@available(macOS 27.0, iOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
extension AVAudioPCMBuffer {
  public convenience init(copying source: AVReadOnlyAudioPCMBuffer) {
    self.init(pcmFormat: source.format, frameCapacity: source.frameLength)!
    frameLength = source.frameLength
    for index in unsafe areas.indices {
      let size = unsafe Int(areas[index].mDataByteSize)
      unsafe areas[index].mData!.copyMemory(from: source.buffer.areas[index].mData!, byteCount: size)
    }
  }
}

// AVAudioBuffer.h, macOS 10.11, iOS 9.
@safe
open class AVAudioCompressedBuffer: AVAudioBuffer {
  public let packetCapacity: AVAudioPacketCount
  public let maximumPacketSize: Int
  // Nil if all packets have the same size.
  public let packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?

  public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) {
    self.packetCapacity = packetCapacity
    self.maximumPacketSize = maximumPacketSize
    if format.description.mBytesPerPacket == 0 {
      let memory = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(
        capacity: Int(packetCapacity))
      unsafe memory.initialize(
        repeating: AudioStreamPacketDescription(), count: Int(packetCapacity))
      unsafe packetDescriptions = memory
    } else {
      unsafe packetDescriptions = nil
    }
    super.init(format, areaCount: 1, byteCapacity: Int(packetCapacity) * maximumPacketSize)
    byteLength = 0
  }

  deinit {
    unsafe packetDescriptions?.deallocate()
  }

  public var packetCount: AVAudioPacketCount = 0 {
    didSet { precondition(packetCount <= packetCapacity) }
  }
  public var data: UnsafeMutableRawPointer { unsafe areas[0].mData! }

  // macOS 10.13, iOS 11, tvOS 11, watchOS 4.
  public var byteCapacity: UInt32 { packetCapacity * UInt32(maximumPacketSize) }
  public var byteLength: UInt32 {
    get { unsafe areas[0].mDataByteSize }
    set {
      precondition(newValue <= byteCapacity)
      unsafe areas[0].mDataByteSize = newValue
    }
  }
}
