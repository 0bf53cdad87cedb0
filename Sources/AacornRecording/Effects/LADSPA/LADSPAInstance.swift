#if os(Linux)
import AacornSignal
import CAacornLADSPA

/// A LADSPA plugin at work on blocks of ``length`` frames.
///
/// It is deactivated and cleaned up when this is released, and its file closed behind that.
@safe
final class LADSPAInstance: @unchecked Sendable {
  // Unchecked because of the pointer. An effect uses this only while nobody else has it.

  /// Frames of a block.
  ///
  /// A control has one value for a block, so that short ones let it move in small steps; and plugins
  /// that do more by the block than by the frame give the same however the sound was cut.
  static let length = 64

  private let library: LADSPALibrary
  private let index: Int
  private let sampleRate: Int
  private let instance: OpaquePointer

  /// An active plugin with these values of its controls; nil if it refuses.
  init?(
    of index: Int, in library: LADSPALibrary, _ controls: [LADSPAControl], sampleRate: Int
  ) {
    guard
      let instance = unsafe library.instance(
        of: index, sampleRate: sampleRate, length: Self.length)
    else { return nil }
    self.library = library
    self.index = index
    self.sampleRate = sampleRate
    unsafe self.instance = unsafe instance
    restart(controls)
  }

  deinit { unsafe aacorn_ladspa_destroy(instance) }

  /// Another one of the same plugin, which has heard nothing.
  func another(_ controls: [LADSPAControl]) -> LADSPAInstance? {
    LADSPAInstance(of: index, in: library, controls, sampleRate: sampleRate)
  }

  /// Makes it forget all sound; some plugins look at their controls then.
  func restart(_ controls: [LADSPAControl]) {
    unsafe aacorn_ladspa_deactivate(instance)
    set(controls)
    unsafe aacorn_ladspa_activate(instance)
  }

  /// Gives the controls their values for the next block.
  func set(_ controls: [LADSPAControl]) {
    for control in controls {
      guard let memory = unsafe aacorn_ladspa_port(instance, UInt(control.port)) else { continue }
      unsafe memory[0] = Float(control.value)
    }
  }

  /// What a port holds.
  func value(ofPort port: Int) -> Float { unsafe aacorn_ladspa_port(instance, UInt(port))[0] }

  /// Puts a channel of a full block into a port.
  func fill(port: Int, from blocks: SoundBlocks, channel: Int) {
    guard let memory = unsafe aacorn_ladspa_port(instance, UInt(port)) else { return }
    for frame in 0..<Self.length {
      unsafe memory[frame] = blocks.incoming[frame * blocks.channelCount + channel]
    }
  }

  /// Works on a block.
  func run() { unsafe aacorn_ladspa_run(instance) }

  /// Gives what a port holds to a channel; false if there was something that is no sample, which is
  /// silence now.
  func give(port: Int, to blocks: inout SoundBlocks, channel: Int) -> Bool {
    guard let memory = unsafe aacorn_ladspa_port(instance, UInt(port)) else { return false }
    var isSound = true
    for frame in 0..<Self.length {
      let sample = unsafe memory[frame]
      if sample.heard != sample { isSound = false }
      blocks.outgoing[frame * blocks.channelCount + channel] = sample.heard
    }
    return isSound
  }
}
#endif
