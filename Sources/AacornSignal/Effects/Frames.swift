/// Interleaved frames in memory, and their levels, four at a time.
///
/// The loudest channel determines the level of a frame, so that all channels get the same gain and
/// the stereo image does not move. Four whole frames of one or two channels are processed in
/// vectors; all others are slower.
@unsafe
struct Frames {
  let samples: UnsafeMutablePointer<Float>
  let count: Int
  let channelCount: Int

  /// Returns up to four frames from `first` on.
  @inline(__always)
  func upToFour(from first: Int) -> Frames {
    unsafe Frames(
      samples: samples + first &* channelCount, count: min(4, count - first),
      channelCount: channelCount)
  }

  /// Returns the peak magnitudes of up to four frames; invalid samples become silence.
  ///
  /// - Precondition: There are one to four frames.
  @inline(__always)
  func peaks() -> Lanes {
    if unsafe count == 4 {
      if unsafe channelCount == 2 { return unsafe stereoPeaks() }
      if unsafe channelCount == 1 { return unsafe monoPeaks() }
    }
    let first = unsafe level(of: 0)
    let second = unsafe count > 1 ? level(of: 1) : 0
    let third = unsafe count > 2 ? level(of: 2) : 0
    let fourth = unsafe count > 3 ? level(of: 3) : 0
    return Lanes(first, second, third, fourth)
  }

  /// Multiplies up to four frames by their gains.
  ///
  /// - Precondition: There are one to four frames.
  @inline(__always)
  func multiply(by gains: Lanes) {
    if unsafe count == 4 && channelCount == 2 {
      let early = Lanes(gains[0], gains[0], gains[1], gains[1])
      let late = Lanes(gains[2], gains[2], gains[3], gains[3])
      unsafe samples.store(samples.lanes(0) * early, 0)
      unsafe samples.store(samples.lanes(4) * late, 4)
      return
    }
    if unsafe count == 4 && channelCount == 1 {
      unsafe samples.store(samples.lanes(0) * gains, 0)
      return
    }
    var offset = 0
    for frame in unsafe 0..<count {
      let gain = gains[frame]
      for _ in unsafe 0..<channelCount {
        unsafe samples[offset] *= gain
        offset &+= 1
      }
    }
  }

  /// Multiplies frames by the gains that `gains` returns for the levels of up to four of them.
  @inline(__always)
  func applyGains(_ gains: (_ levels: Lanes, _ count: Int) -> Lanes) {
    var frame = 0
    while unsafe frame < count {
      let here = unsafe upToFour(from: frame)
      unsafe here.multiply(by: gains(here.peaks(), here.count))
      unsafe frame &+= here.count
    }
  }

  /// Returns the peak magnitude of a frame.
  @inline(__always)
  private func level(of frame: Int) -> Float {
    let start = unsafe samples + frame &* channelCount
    var level: Float = 0
    for channel in unsafe 0..<channelCount {
      let sample = unsafe start[channel].sanitized
      unsafe start[channel] = sample
      level = sample.magnitude > level ? sample.magnitude : level
    }
    return level
  }

  @inline(__always)
  private func stereoPeaks() -> Lanes {
    let early = unsafe samples.lanes(0).sanitized
    let late = unsafe samples.lanes(4).sanitized
    unsafe samples.store(early, 0)
    unsafe samples.store(late, 4)
    let left = Lanes(lowHalf: early.evenHalf, highHalf: late.evenHalf)
    let right = Lanes(lowHalf: early.oddHalf, highHalf: late.oddHalf)
    return left.magnitude.raised(to: right.magnitude)
  }

  @inline(__always)
  private func monoPeaks() -> Lanes {
    let sanitized = unsafe samples.lanes(0).sanitized
    unsafe samples.store(sanitized, 0)
    return sanitized.magnitude
  }
}
