import AacornSignal

/// Turns the decorrelated signal down while an attack decays, lest it smear
/// (ISO/IEC 14496-3, 8.6.4.5.2).
struct TransientReducer: Sendable {
  /// Room for the bands of a slot.
  static let stride = 36
  /// How much of a peak is left a slot later.
  private static let peakDecay: Float = 0.76592833836465
  /// How fast means follow.
  private static let smoothing: Float = 0.25
  /// How far the peak may be above the mean.
  private static let impact: Float = 1.5

  /// Band b of slot n is at n · 36 + b.
  private(set) var gains = [Float](repeating: 1, count: 32 * stride)
  private var peaks = [Float](repeating: 0, count: stride)
  private var means = [Float](repeating: 0, count: stride)
  private var decays = [Float](repeating: 0, count: stride)

  /// Forgets what was heard.
  mutating func reset() {
    for band in 0..<Self.stride {
      peaks[band] = 0
      means[band] = 0
      decays[band] = 0
    }
  }

  /// Finds the gains of a frame from the mono signal.
  mutating func analyze(
    _ hybrid: HybridFrame, _ frame: QMFFrame, slotCount: Int, _ layout: HybridLayout
  ) {
    precondition(slotCount <= 32 && layout.bands.count == 4 * layout.groups)
    precondition(frame.real.count >= slotCount * 64 && frame.imaginary.count >= slotCount * 64)
    let low = HybridFrame.history * HybridFrame.stride
    for index in 0..<slotCount * Self.stride { gains[index] = 0 }
    unsafe layout.bands.withUnsafeBufferPointer { bands in
      guard let bands = bands.baseAddress else { return }
      unsafe hybrid.real.withUnsafeBufferPointer { real in
        unsafe hybrid.imaginary.withUnsafeBufferPointer { imaginary in
          guard let real = real.baseAddress, let imaginary = imaginary.baseAddress else { return }
          unsafe Self.addPowers(
            real + low, imaginary + low, HybridFrame.stride, slotCount, 0..<layout.lowGroups,
            bands, &gains)
        }
      }
      let rest = layout.firstUniformGroup
      unsafe frame.real.withUnsafeBufferPointer { real in
        unsafe frame.imaginary.withUnsafeBufferPointer { imaginary in
          guard let real = real.baseAddress, let imaginary = imaginary.baseAddress else { return }
          let first = layout.firstQMFBand
          unsafe Self.addPowers(
            real + first, imaginary + first, 64, slotCount, 0..<rest - layout.lowGroups,
            bands + 4 * layout.lowGroups, &gains)
          let uniform = first + 4 * (rest - layout.lowGroups)
          unsafe Self.addUniformPowers(
            real, imaginary, slotCount, uniform, &gains, layout.bandCount - 1)
        }
      }
    }
    unsafe Self.follow(&gains, slotCount, layout.bandCount, &peaks, &means, &decays)
  }

  /// Adds the power of each lane to its band.
  private static func addPowers(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, _ step: Int,
    _ slotCount: Int, _ groups: Range<Int>, _ bands: UnsafePointer<UInt8>,
    _ powers: UnsafeMutablePointer<Float>
  ) {
    for slot in 0..<slotCount {
      let powers = unsafe powers + slot &* stride
      for group in groups {
        let at = slot &* step &+ 4 &* group
        let (re, im) = unsafe (real.lanes(at), imaginary.lanes(at))
        let power = re * re + im * im
        for lane in 0..<4 {
          let band = unsafe Int(bands[4 &* group &+ lane])
          unsafe powers[band] += power[lane]
        }
      }
    }
  }

  /// Adds the power of all QMF bands from one on to the last band.
  private static func addUniformPowers(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, _ slotCount: Int,
    _ first: Int, _ powers: UnsafeMutablePointer<Float>, _ band: Int
  ) {
    for slot in 0..<slotCount {
      var sum = Lanes.zero
      for at in Swift.stride(from: slot &* 64 &+ first, to: slot &* 64 &+ 64, by: 4) {
        let (re, im) = unsafe (real.lanes(at), imaginary.lanes(at))
        sum += re * re + im * im
      }
      unsafe powers[slot &* stride &+ band] += sum.total
    }
  }

  /// From powers to gains, in place.
  private static func follow(
    _ gains: UnsafeMutablePointer<Float>, _ slotCount: Int, _ bandCount: Int,
    _ peaks: UnsafeMutablePointer<Float>, _ means: UnsafeMutablePointer<Float>,
    _ decays: UnsafeMutablePointer<Float>
  ) {
    for band in Swift.stride(from: 0, to: bandCount, by: 4) {
      var peak = unsafe peaks.lanes(band)
      var mean = unsafe means.lanes(band)
      var decay = unsafe decays.lanes(band)
      for slot in 0..<slotCount {
        let power = unsafe gains.lanes(slot &* stride &+ band)
        peak = (peak * peakDecay).raised(to: power)
        mean += (power - mean) * smoothing
        decay += (peak - power - decay) * smoothing
        let bound = decay * impact
        let gain = Lanes(repeating: 1).replacing(with: mean / bound, where: bound .> mean)
        unsafe gains.store(gain, slot &* stride &+ band)
      }
      unsafe peaks.store(peak.withoutTraces, band)
      unsafe means.store(mean.withoutTraces, band)
      unsafe decays.store(decay.withoutTraces, band)
    }
  }
}

extension SIMD4<Float> {
  /// Each value, or 0 where it is far too small to be heard.
  ///
  /// What decays in silence would end in subnormal numbers, with which processors are slow.
  @inline(__always)
  var withoutTraces: Lanes { replacing(with: Lanes.zero, where: magnitude .< 1e-15) }
}
