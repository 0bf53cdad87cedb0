import AacornSignal

/// Planar samples, one channel after the other, as in Web Audio.
enum Planes {
  /// Deinterleaves samples; `planar` must have exactly the same number of samples.
  static func separate(
    _ samples: [Float], channelCount: Int, into planar: inout MutableSpan<Float>
  ) {
    let frameCount = samples.count / max(1, channelCount)
    precondition(planar.count == frameCount * channelCount)
    unsafe planar.withUnsafeMutableBufferPointer { target in
      guard let start = target.baseAddress else { return }
      if channelCount == 2 {
        unsafe separate(samples, start, start + frameCount, frameCount)
        return
      }
      for channel in 0..<channelCount {
        unsafe copyChannel(samples, channel, channelCount, start + channel * frameCount, frameCount)
      }
    }
  }

  private static func separate(
    _ samples: UnsafePointer<Float>, _ left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let whole = count & ~3
    for n in stride(from: 0, to: whole, by: 4) {
      let (a, b) = unsafe (samples.lanes(2 &* n), samples.lanes(2 &* n &+ 4))
      unsafe left.store(Lanes(a[0], a[2], b[0], b[2]), n)
      unsafe right.store(Lanes(a[1], a[3], b[1], b[3]), n)
    }
    for n in whole..<count {
      unsafe left[n] = samples[2 &* n]
      unsafe right[n] = samples[2 &* n &+ 1]
    }
  }

  private static func copyChannel(
    _ samples: UnsafePointer<Float>, _ first: Int, _ step: Int,
    _ channel: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    var index = first
    for n in 0..<count {
      unsafe channel[n] = samples[index]
      index &+= step
    }
  }
}
