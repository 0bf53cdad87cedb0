#if os(Linux)
import AacornSignal
import CAacornLADSPA

/// An active LADSPA plugin that processes blocks of ``length`` frames.
///
/// `deinit` deactivates and destroys it, and then closes its file.
@safe
final class LADSPAInstance: @unchecked Sendable {
  // Unchecked because of the pointer. An effect uses an instance only if no other effect owns it.

  /// The number of frames of a block.
  ///
  /// A control has one value per block, so short blocks allow small steps. The length is fixed, so
  /// that plugins whose output depends on the block length give the same result for input blocks of
  /// any size.
  static let length = 64

  private let library: LADSPALibrary
  private let index: Int
  private let sampleRate: Int
  private let instance: OpaquePointer

  /// Creates an active plugin with these values of its controls; nil if the plugin fails.
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

  /// Returns another instance of the same plugin, without history.
  func another(_ controls: [LADSPAControl]) -> LADSPAInstance? {
    LADSPAInstance(of: index, in: library, controls, sampleRate: sampleRate)
  }

  /// Clears the plugin's history.
  ///
  /// The controls are set before the activation, because some plugins read them only then.
  func restart(_ controls: [LADSPAControl]) {
    unsafe aacorn_ladspa_deactivate(instance)
    set(controls)
    unsafe aacorn_ladspa_activate(instance)
  }

  /// Sets the values of the controls for the next block.
  func set(_ controls: [LADSPAControl]) {
    for control in controls {
      guard let memory = unsafe aacorn_ladspa_port(instance, UInt(control.port)) else { continue }
      unsafe memory[0] = Float(control.value)
    }
  }

  func value(ofPort port: Int) -> Float { unsafe aacorn_ladspa_port(instance, UInt(port))[0] }

  /// Copies a channel of a full block to a port.
  func fill(port: Int, from blocks: SoundBlocks, channel: Int) {
    guard let memory = unsafe aacorn_ladspa_port(instance, UInt(port)) else { return }
    for frame in 0..<Self.length {
      unsafe memory[frame] = blocks.incoming[frame * blocks.channelCount + channel]
    }
  }

  func run() { unsafe aacorn_ladspa_run(instance) }

  /// Copies a port to a channel; returns false if it had invalid samples, which become silence.
  func store(port: Int, to blocks: inout SoundBlocks, channel: Int) -> Bool {
    guard let memory = unsafe aacorn_ladspa_port(instance, UInt(port)) else { return false }
    var isFinite = true
    for frame in 0..<Self.length {
      let sample = unsafe memory[frame]
      if sample.sanitized != sample { isFinite = false }
      blocks.outgoing[frame * blocks.channelCount + channel] = sample.sanitized
    }
    return isFinite
  }
}
#endif

/// A control of a LADSPA plugin that moves to its target in steps.
struct LADSPAControl: Sendable {
  let port: Int
  /// Whether intermediate values are valid.
  let isSmooth: Bool
  /// The value for the next block.
  private(set) var value: Double
  private var target: Double

  init(port: Int, isSmooth: Bool, value: Double) {
    self.port = port
    self.isSmooth = isSmooth
    self.value = value
    target = value
  }

  /// Sets another target; reaches it immediately if no intermediate values are valid.
  mutating func aim(at target: Double) {
    self.target = target
    if !isSmooth { value = target }
  }

  /// Moves by one of the `remainingStepCount` remaining steps.
  mutating func step(of remainingStepCount: Int) {
    value = remainingStepCount > 1 ? value + (target - value) / Double(remainingStepCount) : target
  }
}
