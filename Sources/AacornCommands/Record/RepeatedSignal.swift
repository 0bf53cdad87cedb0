import AacornDevices
import AacornSignal

/// A signal that restarts whenever it ends, without a gap.
struct RepeatedSignal: SyntheticSignal {
  private let original: any SyntheticSignal
  private var current: any SyntheticSignal

  /// Repeats a signal that has not been read.
  init(_ signal: any SyntheticSignal) {
    original = signal
    current = signal
  }

  var sampleRate: Int { original.sampleRate }
  var channelCount: Int { original.channelCount }
  var layout: ChannelLayout? { original.layout }
  var failure: CaptureError? { current.failure }

  mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    var filled = 0
    var isFresh = false
    while filled < frameCount {
      let count = current.read(into: &samples, frameCount: frameCount - filled)
      filled += count
      if filled == frameCount || current.failure != nil { break }
      // An empty signal would be repeated forever.
      if isFresh && count == 0 { break }
      isFresh = true
      current = original
    }
    return filled
  }

  mutating func adopt(sampleRate: Int, channelCount: Int) {
    current.adopt(sampleRate: sampleRate, channelCount: channelCount)
  }
}
