/// A gain whose changes are smoothed, so that they do not click.
struct VolumeRamp {
  private let channelCount: Int
  /// The maximum change from one frame to the next: from silence to full scale in 10 ms.
  private let step: Float
  private var current: Float
  /// The requested factor.
  var target: Float

  init(_ factor: Float, sampleRate: Int, channelCount: Int) {
    self.channelCount = channelCount
    step = 100 / Float(sampleRate)
    current = factor
    target = factor
  }

  /// Multiplies the samples from the index `first` on.
  mutating func apply(to samples: inout [Float], from first: Int) {
    // At a factor of 1, the samples stay bit-exact.
    if current == 1, target == 1 { return }
    var index = first
    while index < samples.count {
      current = max(current - step, min(target, current + step))
      for _ in 0..<channelCount {
        samples[index] *= current
        index += 1
      }
    }
  }
}
