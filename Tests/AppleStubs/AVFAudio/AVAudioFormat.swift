// swift-format-ignore-file
// Part of the stub of Apple's AVFAudio: the declarations that this package uses, as Swift imports
// them. ../README.md documents the simulated behavior.

public import CoreAudioTypes

// AVAudioChannelLayout.h, macOS 10.10, iOS 8.
@safe
open class AVAudioChannelLayout {
  private let memory: UnsafeMutableRawPointer

  public init(layout: UnsafePointer<AudioChannelLayout>) {
    // The C structure declares one description, but `mNumberChannelDescriptions` of them follow.
    let count = unsafe 12 + 20 * max(1, Int(layout.pointee.mNumberChannelDescriptions))
    unsafe memory = .allocate(byteCount: count, alignment: 16)
    unsafe memory.copyMemory(from: layout, byteCount: count)
  }

  deinit {
    unsafe memory.deallocate()
  }

  public var layout: UnsafePointer<AudioChannelLayout> {
    unsafe UnsafePointer(memory.assumingMemoryBound(to: AudioChannelLayout.self))
  }

  // The low 16 bits of a tag are the number of channels; a bitmap has one bit per channel.
  var channelCount: UInt32 {
    let tag = unsafe layout.pointee.mChannelLayoutTag
    if tag == 0 { return unsafe layout.pointee.mNumberChannelDescriptions }
    if tag == 1 << 16 {
      return unsafe UInt32(layout.pointee.mChannelBitmap.rawValue.nonzeroBitCount)
    }
    return tag & 0xFFFF
  }
}

// AVAudioFormat.h, macOS 10.10, iOS 8.
@safe
open class AVAudioFormat {
  private let memory: UnsafeMutablePointer<AudioStreamBasicDescription>
  public let channelLayout: AVAudioChannelLayout?

  private init(_ description: AudioStreamBasicDescription, _ layout: AVAudioChannelLayout?) {
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(to: description)
    channelLayout = layout
  }

  // More than two channels need a layout.
  public convenience init?(
    standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount
  ) {
    guard (1...2).contains(channels) else { return nil }
    self.init(Self.standard(sampleRate, channels), nil)
  }

  public convenience init(
    standardFormatWithSampleRate sampleRate: Double, channelLayout: AVAudioChannelLayout
  ) {
    self.init(Self.standard(sampleRate, channelLayout.channelCount), channelLayout)
  }

  public convenience init?(streamDescription: UnsafePointer<AudioStreamBasicDescription>) {
    guard unsafe streamDescription.pointee.mChannelsPerFrame <= 2 else { return nil }
    unsafe self.init(streamDescription.pointee, nil)
  }

  deinit {
    unsafe memory.deallocate()
  }

  public var streamDescription: UnsafePointer<AudioStreamBasicDescription> {
    unsafe UnsafePointer(memory)
  }
  var description: AudioStreamBasicDescription { unsafe memory.pointee }
  // 1 << 5 is kAudioFormatFlagIsNonInterleaved.
  public var isInterleaved: Bool { description.mFormatFlags & 1 << 5 == 0 }

  // Single precision, not interleaved.
  private static func standard(
    _ sampleRate: Double, _ channelCount: UInt32
  ) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | 1 << 5,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4,
      mChannelsPerFrame: channelCount, mBitsPerChannel: 32, mReserved: 0)
  }
}
