/// Gives interleaved frames back so many frames later.
struct FrameDelay: Sendable {
  private let channelCount: Int
  /// The delayed frames, as a ring.
  private var samples: [Float]
  /// Where the oldest frame begins.
  private var place = 0

  /// A delay that gives silence first.
  init(frameCount: Int, channelCount: Int) {
    self.channelCount = channelCount
    samples = [Float](repeating: 0, count: frameCount * channelCount)
  }

  /// Forgets all sound.
  mutating func reset() {
    for index in samples.indices { samples[index] = 0 }
    place = 0
  }

  /// Puts earlier frames, each times its gain, in the place of later ones.
  mutating func exchange(
    _ frames: UnsafeMutablePointer<Float>, _ frameCount: Int, gains: UnsafePointer<Float>
  ) {
    let (length, channelCount) = (samples.count, self.channelCount)
    var place = self.place
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard length > 0, let samples = samples.baseAddress else { return }
      var target = 0
      for frame in 0..<frameCount {
        let gain = unsafe gains[frame]
        for _ in 0..<channelCount {
          let newer = unsafe frames[target]
          unsafe frames[target] = samples[place] * gain
          unsafe samples[place] = newer
          target &+= 1
          place &+= 1
        }
        place = place == length ? 0 : place
      }
    }
    self.place = place
  }

  /// Puts earlier frames in the place of later ones.
  mutating func exchange(_ frames: UnsafeMutablePointer<Float>, _ frameCount: Int) {
    let length = samples.count
    var place = self.place
    let count = frameCount * channelCount
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard length > 0, let samples = samples.baseAddress else { return }
      for index in 0..<count {
        let newer = unsafe frames[index]
        unsafe frames[index] = samples[place]
        unsafe samples[place] = newer
        place &+= 1
        place = place == length ? 0 : place
      }
    }
    self.place = place
  }
}
