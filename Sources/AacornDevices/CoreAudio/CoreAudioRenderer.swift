#if canImport(AudioToolbox) && !os(watchOS)
import AudioToolbox

/// Fetches the samples of a unit on its audio thread and passes them to the feed.
///
/// All memory is allocated before the unit starts. The unit's owner retains the renderer as long as
/// the unit can call it, from setup to disposal.
@safe
final class CoreAudioRenderer {
  private let unit: AudioUnit
  private let clock = HostClock()
  private let latency: Int64
  private let list: UnsafeMutablePointer<AudioBufferList>
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  private var bytesPerFrame = 1
  private var channelCount: UInt32 = 0
  private var feed: CoreAudioFeed?
  private let mailbox: CoreAudioMailbox

  init(_ unit: AudioUnit, latency: Int64, mailbox: CoreAudioMailbox) {
    unsafe self.unit = unsafe unit
    self.latency = latency
    self.mailbox = mailbox
    unsafe list = .allocate(capacity: 1)
    unsafe list.initialize(to: AudioBufferList())
  }

  deinit {
    unsafe memory?.deallocate()
    unsafe list.deallocate()
  }

  /// Allocates memory for blocks of up to `capacity` frames, before the unit starts.
  func prepare(_ format: CoreAudioFormat, capacity: Int, feed: CoreAudioFeed) {
    unsafe memory?.deallocate()
    unsafe memory = .allocate(byteCount: capacity * format.bytesPerFrame, alignment: 16)
    self.capacity = capacity
    bytesPerFrame = format.bytesPerFrame
    channelCount = UInt32(format.channelCount)
    self.feed = feed
  }

  /// Fetches the announced block.
  private func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frameCount: UInt32
  ) -> OSStatus {
    guard let feed, let memory = unsafe memory else { return 0 }
    let wanted = Int(frameCount)
    guard wanted <= capacity else {
      feed.recordOversizedBlock(frameCount: wanted)
      mailbox.wake()
      return 0
    }
    // The unit changes the buffer's size in the list, and may substitute its own memory. So the
    // list is rewritten before each call, and read after it: a copy would still contain the
    // requested values.
    unsafe list.pointee.mNumberBuffers = 1
    unsafe list.pointee.mBuffers = unsafe AudioBuffer(
      mNumberChannels: channelCount, mDataByteSize: UInt32(wanted * bytesPerFrame), mData: memory)
    let status = unsafe AudioUnitRender(unit, flags, time, CoreAudioUnit.inputBus, frameCount, list)
    guard status == 0 else {
      feed.fail(frameCount: wanted, status: CoreAudioStatus(status))
      return status
    }
    let buffer = unsafe list.pointee.mBuffers
    guard let bytes = unsafe buffer.mData else {
      feed.fail(frameCount: wanted, status: CoreAudioStatus(-50))
      return 0
    }
    let stamp = unsafe time.pointee
    unsafe feed.take(
      bytes, frameCount: min(wanted, Int(buffer.mDataByteSize) / bytesPerFrame), of: wanted,
      count: stamp.mFlags.contains(.sampleTimeValid) ? stamp.mSampleTime : nil,
      time: stamp.mFlags.contains(.hostTimeValid) && stamp.mHostTime != 0
        ? clock.monotonicTime(of: stamp.mHostTime) - latency : nil)
    return 0
  }

  /// Called by the unit when it has captured samples.
  static let inputCallback: AURenderCallback = { context, flags, time, _, frameCount, _ in
    unsafe Unmanaged<CoreAudioRenderer>.fromOpaque(context)._withUnsafeGuaranteedRef {
      unsafe $0.render(flags, time, frameCount)
    }
  }

  /// Called by the unit when it requests samples to play: it gets silence, never the microphone.
  static let silenceCallback: AURenderCallback = { _, flags, _, _, _, list in
    unsafe flags.pointee.insert(.unitRenderAction_OutputIsSilence)
    guard let list = unsafe list else { return 0 }
    // The unit is set to play one channel, so there is one buffer.
    if unsafe list.pointee.mNumberBuffers > 0, let memory = unsafe list.pointee.mBuffers.mData {
      unsafe memory.initializeMemory(
        as: UInt8.self, repeating: 0, count: Int(list.pointee.mBuffers.mDataByteSize))
    }
    return 0
  }
}
#endif
