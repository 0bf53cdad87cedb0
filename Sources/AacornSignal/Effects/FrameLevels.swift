/// The levels of interleaved frames, four at a time.
///
/// The loudest channel determines the level of a frame, so that all channels get the same gain and
/// the stereo image does not move. Four whole frames of one or two channels are processed in
/// vectors; all others are slower.
enum FrameLevels {
  /// Returns the peak magnitudes of up to four frames; invalid samples become silence.
  @inline(__always)
  static func peaks(
    _ samples: UnsafeMutablePointer<Float>, _ count: Int, _ channelCount: Int
  ) -> Lanes {
    if count == 4 {
      if channelCount == 2 { return unsafe stereoPeaks(samples) }
      if channelCount == 1 { return unsafe monoPeaks(samples) }
    }
    let first = unsafe level(samples, channelCount)
    let second = unsafe count > 1 ? level(samples + channelCount, channelCount) : 0
    let third = unsafe count > 2 ? level(samples + 2 &* channelCount, channelCount) : 0
    let fourth = unsafe count > 3 ? level(samples + 3 &* channelCount, channelCount) : 0
    return Lanes(first, second, third, fourth)
  }

  /// Multiplies up to four frames by their gains.
  @inline(__always)
  static func multiply(
    _ samples: UnsafeMutablePointer<Float>, _ count: Int, _ channelCount: Int, by gains: Lanes
  ) {
    if count == 4 && channelCount == 2 {
      let early = Lanes(gains[0], gains[0], gains[1], gains[1])
      let late = Lanes(gains[2], gains[2], gains[3], gains[3])
      unsafe samples.store(samples.lanes(0) * early, 0)
      unsafe samples.store(samples.lanes(4) * late, 4)
      return
    }
    if count == 4 && channelCount == 1 {
      unsafe samples.store(samples.lanes(0) * gains, 0)
      return
    }
    var offset = 0
    for frame in 0..<count {
      let gain = gains[frame]
      for _ in 0..<channelCount {
        unsafe samples[offset] *= gain
        offset &+= 1
      }
    }
  }

  /// Multiplies frames by the gains that `gains` returns for the levels of up to four of them.
  @inline(__always)
  static func applyGains(
    _ samples: UnsafeMutablePointer<Float>, _ frameCount: Int, _ channelCount: Int,
    _ gains: (_ levels: Lanes, _ count: Int) -> Lanes
  ) {
    var frame = 0
    while frame < frameCount {
      let count = min(4, frameCount - frame)
      let here = unsafe samples + frame &* channelCount
      let levels = unsafe peaks(here, count, channelCount)
      unsafe multiply(here, count, channelCount, by: gains(levels, count))
      frame &+= count
    }
  }

  /// Returns the peak magnitude of a frame.
  @inline(__always)
  static func level(_ samples: UnsafeMutablePointer<Float>, _ channelCount: Int) -> Float {
    var level: Float = 0
    for channel in 0..<channelCount {
      let sample = unsafe samples[channel].sanitized
      unsafe samples[channel] = sample
      level = sample.magnitude > level ? sample.magnitude : level
    }
    return level
  }

  @inline(__always)
  private static func stereoPeaks(_ samples: UnsafeMutablePointer<Float>) -> Lanes {
    let early = unsafe samples.lanes(0).sanitized
    let late = unsafe samples.lanes(4).sanitized
    unsafe samples.store(early, 0)
    unsafe samples.store(late, 4)
    let left = Lanes(lowHalf: early.evenHalf, highHalf: late.evenHalf)
    let right = Lanes(lowHalf: early.oddHalf, highHalf: late.oddHalf)
    return left.magnitude.raised(to: right.magnitude)
  }

  @inline(__always)
  private static func monoPeaks(_ samples: UnsafeMutablePointer<Float>) -> Lanes {
    let sanitized = unsafe samples.lanes(0).sanitized
    unsafe samples.store(sanitized, 0)
    return sanitized.magnitude
  }
}
