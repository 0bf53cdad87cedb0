package import AacornDevices
package import AacornSignal

/// A signal that restarts whenever it ends, without a gap.
package struct RepeatedSignal: SyntheticSignal {
  private let original: any SyntheticSignal
  private var current: any SyntheticSignal
  /// The damage that an earlier pass over the signal has reported.
  private var damage: DeviceError?

  /// Repeats a signal that has not been read.
  package init(_ signal: any SyntheticSignal) {
    original = signal
    current = signal
  }

  package var sampleRate: Int { original.sampleRate }
  package var channelCount: Int { original.channelCount }
  package var layout: ChannelLayout? { original.layout }
  package var failure: DeviceError? { current.failure ?? damage }

  package mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    var filled = 0
    var isFresh = false
    while filled < frameCount {
      let count = current.read(into: &samples, frameCount: frameCount - filled)
      filled += count
      if filled == frameCount { break }
      if let failure = current.failure {
        guard failure.isDamage else { break }
        damage = failure
      }
      // An empty signal would be repeated forever.
      if isFresh && count == 0 { break }
      isFresh = true
      current = original
    }
    return filled
  }

  package mutating func reconfigure(sampleRate: Int, channelCount: Int) {
    current.reconfigure(sampleRate: sampleRate, channelCount: channelCount)
  }
}
