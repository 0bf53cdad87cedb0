/// The levels of interleaved frames, four at a time: those of the loudest channel, so that what
/// follows from them is the same for all channels and nothing moves between the loudspeakers.
enum FrameLevels {
  /// The greatest magnitudes of up to four frames; samples that are none become silence.
  @inline(__always)
  static func take(
    _ samples: UnsafeMutablePointer<Float>, _ count: Int, _ channelCount: Int
  ) -> Lanes {
    let first = unsafe level(samples, channelCount)
    let second = unsafe count > 1 ? level(samples + channelCount, channelCount) : 0
    let third = unsafe count > 2 ? level(samples + 2 &* channelCount, channelCount) : 0
    let fourth = unsafe count > 3 ? level(samples + 3 &* channelCount, channelCount) : 0
    return Lanes(first, second, third, fourth)
  }

  /// Multiplies up to four frames.
  @inline(__always)
  static func multiply(
    _ samples: UnsafeMutablePointer<Float>, _ count: Int, _ channelCount: Int, by gains: Lanes
  ) {
    var place = 0
    for frame in 0..<count {
      let gain = gains[frame]
      for _ in 0..<channelCount {
        unsafe samples[place] *= gain
        place &+= 1
      }
    }
  }

  /// The greatest magnitude of a frame.
  @inline(__always)
  static func level(_ samples: UnsafeMutablePointer<Float>, _ channelCount: Int) -> Float {
    var level: Float = 0
    for channel in 0..<channelCount {
      let sample = unsafe samples[channel].heard
      unsafe samples[channel] = sample
      level = sample.magnitude > level ? sample.magnitude : level
    }
    return level
  }
}
