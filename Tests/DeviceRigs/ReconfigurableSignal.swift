package import AacornDevices

/// A signal of a device that can change its format.
package protocol ReconfigurableSignal: SyntheticSignal {
  /// Continues at another rate with another number of channels.
  mutating func reconfigure(sampleRate: Int, channelCount: Int)
}

extension SyntheticSignal {
  /// Continues in another format; other signals, such as files, stay unchanged.
  mutating func reconfigureIfPossible(sampleRate: Int, channelCount: Int) {
    guard var signal = self as? any ReconfigurableSignal else { return }
    signal.reconfigure(sampleRate: sampleRate, channelCount: channelCount)
    if let signal = signal as? Self { self = signal }
  }
}

extension CounterSignal: ReconfigurableSignal {
  /// Continues counting.
  package mutating func reconfigure(sampleRate: Int, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }
}
