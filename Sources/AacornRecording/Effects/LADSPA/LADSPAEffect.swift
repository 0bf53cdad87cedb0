#if os(Linux)
import AacornSignal

/// A LADSPA plugin in a chain: one instance for each channel, or one for both channels of stereo.
struct LADSPAEffect: BlockEffect {
  /// The latency in frames: a block, and the plugin's own latency.
  let latency: Int

  private let plugin: LADSPAPlugin
  private let sampleRate: Int
  private let inputs: [Int]
  private let outputs: [Int]
  var blocks: SoundBlocks
  private var controls: [LADSPAControl]
  /// The number of blocks until the controls reach their targets.
  private var remainingStepCount = 0
  /// The plugin's instances; empty if a copy of the effect could not create its own.
  private var instances: [LADSPAInstance] = []

  /// Creates the effect for interleaved channels; throws the reason if that fails.
  init(_ choice: EffectPlugin, channelCount: Int, sampleRate: Int) throws(EffectError) {
    let library = try LADSPALibrary(choice.path())
    plugin = try choice.find(among: library.plugins, path: library.path)
    self.sampleRate = sampleRate
    controls = try plugin.controls(set: choice, sampleRate: sampleRate)
    guard let width = plugin.channelCount else { throw plugin.channelCountError }
    if width == 2 && channelCount != 2 { throw plugin.stereoError(channelCount: channelCount) }
    inputs = plugin.portIndices(of: .audioInput)
    outputs = plugin.portIndices(of: .audioOutput)
    blocks = SoundBlocks(length: LADSPAInstance.length, channelCount: channelCount)
    latency = try blocks.length + Self.latency(of: plugin, in: library, controls, sampleRate)
    for _ in 0..<channelCount / width {
      instances.append(try Self.instance(of: plugin, in: library, controls, sampleRate))
    }
  }

  private static func instance(
    of plugin: LADSPAPlugin, in library: LADSPALibrary, _ controls: [LADSPAControl],
    _ sampleRate: Int
  ) throws(EffectError) -> LADSPAInstance {
    guard
      let instance = LADSPAInstance(
        of: plugin.index, in: library, controls, sampleRate: sampleRate)
    else { throw plugin.instantiationError(sampleRate: sampleRate) }
    return instance
  }

  /// Returns the plugin's latency in frames, which an instance reports in a port when it runs.
  private static func latency(
    of plugin: LADSPAPlugin, in library: LADSPALibrary, _ controls: [LADSPAControl],
    _ sampleRate: Int
  ) throws(EffectError) -> Int {
    guard let port = plugin.latencyPort else { return 0 }
    // Run a separate instance, so that the instances for the audio begin without history.
    let instance = try instance(of: plugin, in: library, controls, sampleRate)
    instance.run()
    let frames = instance.value(ofPort: port)
    guard frames >= 0, Double(frames) <= Double(maxLatencySeconds * sampleRate) else {
      throw plugin.latencyError(frames: Double(frames))
    }
    return Int(frames.rounded())
  }

  /// The maximum latency in seconds; a plugin that reports more is rejected.
  private static let maxLatencySeconds = 10

  /// Changes to other values within 10 ms, by one step per block.
  mutating func adjust(to description: EffectDescription) {
    guard let choice = description.plugin else { return }
    let values = plugin.values(nearestTo: choice, sampleRate: sampleRate)
    for index in controls.indices { controls[index].aim(at: values[index]) }
    remainingStepCount = max(1, (sampleRate / 100 + blocks.length - 1) / blocks.length)
  }

  /// Clears the history; keeps the values, which are reached immediately.
  mutating func reset() {
    blocks.reset()
    for index in controls.indices { controls[index].step(of: 1) }
    remainingStepCount = 0
    separate()
    for instance in instances { instance.restart(controls) }
  }

  mutating func processBlock() {
    if remainingStepCount > 0 {
      for index in controls.indices { controls[index].step(of: remainingStepCount) }
      remainingStepCount -= 1
    }
    separate()
    let width = inputs.count
    for (place, instance) in instances.enumerated() {
      instance.set(controls)
      for offset in 0..<width {
        instance.fill(port: inputs[offset], from: blocks, channel: place * width + offset)
      }
      instance.run()
      var isValid = true
      for offset in 0..<width {
        let channel = place * width + offset
        if !instance.store(port: outputs[offset], to: &blocks, channel: channel) { isValid = false }
      }
      // An invalid sample, such as NaN, could stay in the plugin's filters forever, so restart the
      // instance.
      if !isValid { instance.restart(controls) }
    }
  }

  /// Creates instances for this effect alone if it shares them with a copy.
  private mutating func separate() {
    for index in instances.indices where !isKnownUniquelyReferenced(&instances[index]) {
      guard let another = instances[index].another(controls) else {
        // The plugin created no separate instance, so output silence rather than share the history
        // of the other copy.
        instances = []
        blocks.reset()
        return
      }
      instances[index] = another
    }
  }
}
#endif
