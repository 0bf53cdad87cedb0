#if canImport(AudioToolbox) && !os(watchOS)
import AudioToolbox

/// Fills the blocks of a playing unit from a renderer, on the unit's audio thread.
///
/// The unit's owner retains the supplier as long as the unit can call it, from setup to disposal.
final class CoreAudioSupplier {
  private let clock = HostClock()
  private var bytesPerFrame = 1
  private var renderer: CoreAudioFeedRenderer?

  /// Sets the renderer that fills the unit's blocks, before the unit starts.
  func prepare(_ format: CoreAudioFormat, renderer: CoreAudioFeedRenderer) {
    bytesPerFrame = format.bytesPerFrame
    self.renderer = renderer
  }

  /// Fills the requested block.
  private func supply(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frameCount: UInt32,
    _ list: UnsafeMutablePointer<AudioBufferList>?
  ) -> OSStatus {
    // Interleaved samples have one buffer.
    guard let list = unsafe list, unsafe list.pointee.mNumberBuffers == 1 else { return -50 }
    let buffer = unsafe list.pointee.mBuffers
    guard let memory = unsafe buffer.mData, let renderer else { return -50 }
    let room = Int(unsafe buffer.mDataByteSize) / bytesPerFrame
    let stamp = unsafe time.pointee
    var passing: CoreAudioSoundClock.PresentationStamp?
    if stamp.mFlags.contains(.hostTimeValid) && stamp.mHostTime != 0 {
      passing = CoreAudioSoundClock.PresentationStamp(
        ticks: stamp.mHostTime, time: clock.monotonicTime(of: stamp.mHostTime))
    }
    let isAudible = unsafe renderer.fill(
      memory.assumingMemoryBound(to: Float.self), frameCount: min(Int(frameCount), room),
      count: stamp.mFlags.contains(.sampleTimeValid) ? stamp.mSampleTime : nil, stamp: passing)
    if !isAudible { unsafe flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
    return 0
  }

  /// Called by the unit when it requests samples to play.
  static let callback: AURenderCallback = { context, flags, time, _, frameCount, list in
    unsafe Unmanaged<CoreAudioSupplier>.fromOpaque(context)._withUnsafeGuaranteedRef {
      unsafe $0.supply(flags, time, frameCount, list)
    }
  }
}
#endif
