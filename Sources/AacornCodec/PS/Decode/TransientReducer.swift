import AacornSignal

/// Attenuates the decorrelated signal while an attack decays, so that it does not smear.
///
/// ISO/IEC 14496-3, 8.6.4.5.2.
struct TransientReducer: Sendable {
  /// The distance between slots, with room for the bands of a slot.
  static let stride = 36
  /// The decay factor of a peak per slot.
  private static let peakDecay: Float = 0.76592833836465
  /// The smoothing factor of the means per slot.
  private static let smoothing: Float = 0.25
  /// The weight of the peak's smoothed excess in the comparison with the mean.
  private static let impact: Float = 1.5

  /// The gain of band b in slot n is at n · 36 + b.
  private(set) var gains = [Float](repeating: 1, count: 32 * stride)
  /// The powers of four slots of each band.
  private var powers = [Float](repeating: 0, count: 4 * stride)
  private var peaks = [Float](repeating: 0, count: stride)
  private var means = [Float](repeating: 0, count: stride)
  private var decays = [Float](repeating: 0, count: stride)

  mutating func reset() {
    for band in 0..<Self.stride {
      peaks[band] = 0
      means[band] = 0
      decays[band] = 0
    }
  }

  mutating func analyze(
    _ hybrid: HybridFrame, _ frame: QMFFrame, slotCount: Int, layout: HybridLayout
  ) {
    precondition(slotCount <= 32 && layout.bands.count == 4 * layout.groups)
    precondition(hybrid.real.count >= (32 + HybridFrame.history) * HybridFrame.stride)
    precondition(hybrid.imaginary.count == hybrid.real.count)
    precondition(frame.real.count >= 32 * 64 && frame.imaginary.count >= 32 * 64)
    // The last four slots may extend past the frame; the values there have no effect.
    for slot in Swift.stride(from: 0, to: slotCount, by: 4) {
      unsafe Self.addLowPowers(
        real: hybrid.real, imaginary: hybrid.imaginary, slot: slot, layout: layout,
        bands: layout.bands, to: &powers)
      unsafe Self.addHighPowers(
        real: frame.real, imaginary: frame.imaginary, slot: slot, layout: layout,
        bands: layout.bands,
        to: &powers)
      unsafe Self.transpose(&powers, slot: slot, bandCount: layout.bandCount, into: &gains)
    }
    unsafe Self.convertPowersToGains(
      &gains, slotCount: slotCount, bandCount: layout.bandCount, peaks: &peaks, means: &means,
      decays: &decays)
  }

  /// Adds the powers of the low groups in four slots.
  private static func addLowPowers(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, slot: Int, layout: HybridLayout,
    bands: UnsafePointer<UInt8>, to powers: UnsafeMutablePointer<Float>
  ) {
    let start = (slot &+ HybridFrame.history) &* HybridFrame.stride
    unsafe addPowers(
      real + start, imaginary + start, step: HybridFrame.stride, groups: layout.lowGroups,
      bands: bands, to: powers)
  }

  /// Adds the powers of the remaining QMF bands in four slots.
  private static func addHighPowers(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, slot: Int, layout: HybridLayout,
    bands: UnsafePointer<UInt8>, to powers: UnsafeMutablePointer<Float>
  ) {
    let (re, im) = unsafe (real + 64 &* slot, imaginary + 64 &* slot)
    let first = layout.firstQMFBand
    let mixed = layout.firstUniformGroup &- layout.lowGroups
    unsafe addPowers(
      re + first, im + first, step: 64, groups: mixed, bands: bands + 4 &* layout.lowGroups,
      to: powers)
    unsafe addUniformPowers(
      re, im, first: first &+ 4 &* mixed, to: powers,
      band: UInt8(truncatingIfNeeded: layout.bandCount &- 1))
  }

  /// Transposes four slots of each band to all bands of each slot; then clears `powers`.
  private static func transpose(
    _ powers: UnsafeMutablePointer<Float>, slot: Int, bandCount: Int,
    into out: UnsafeMutablePointer<Float>
  ) {
    for band in Swift.stride(from: 0, to: bandCount, by: 4) {
      let x = unsafe powers + 4 &* band
      unsafe LaneSquare(x, 0, stride: 4).transposed
        .store(out, slot &* stride &+ band, stride: stride)
      for lane in 0..<4 { unsafe x.store(.zero, 4 &* lane) }
    }
  }

  /// Adds the power of each lane to its band, four slots at a time.
  ///
  /// `powers` contains four slots of each band.
  @inline(__always)
  private static func addPowers(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, step: Int, groups: Int,
    bands: UnsafePointer<UInt8>, to powers: UnsafeMutablePointer<Float>
  ) {
    for group in 0..<groups {
      let at = 4 &* group
      let lanes = unsafe LaneSquare(
        power(real, imaginary, at: at), power(real, imaginary, at: at &+ step),
        power(real, imaginary, at: at &+ 2 &* step), power(real, imaginary, at: at &+ 3 &* step)
      ).transposed
      unsafe add(lanes.a, to: powers, band: bands[at])
      unsafe add(lanes.b, to: powers, band: bands[at &+ 1])
      unsafe add(lanes.c, to: powers, band: bands[at &+ 2])
      unsafe add(lanes.d, to: powers, band: bands[at &+ 3])
    }
  }

  /// Adds the power of all QMF bands from `first` on to a band, in four slots.
  @inline(__always)
  private static func addUniformPowers(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, first: Int,
    to powers: UnsafeMutablePointer<Float>, band: UInt8
  ) {
    var (a, b, c, d) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
    for at in Swift.stride(from: first, to: 64, by: 4) {
      unsafe a += power(real, imaginary, at: at)
      unsafe b += power(real, imaginary, at: at &+ 64)
      unsafe c += power(real, imaginary, at: at &+ 128)
      unsafe d += power(real, imaginary, at: at &+ 192)
    }
    let lanes = LaneSquare(a, b, c, d).transposed
    unsafe add((lanes.a + lanes.b) + (lanes.c + lanes.d), to: powers, band: band)
  }

  @inline(__always)
  private static func power(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, at: Int
  ) -> Lanes {
    let (re, im) = unsafe (real.lanes(at), imaginary.lanes(at))
    return re * re + im * im
  }

  @inline(__always)
  private static func add(_ power: Lanes, to powers: UnsafeMutablePointer<Float>, band: UInt8) {
    unsafe powers.store(powers.lanes(4 &* Int(band)) + power, 4 &* Int(band))
  }

  private static func convertPowersToGains(
    _ gains: UnsafeMutablePointer<Float>, slotCount: Int, bandCount: Int,
    peaks: UnsafeMutablePointer<Float>, means: UnsafeMutablePointer<Float>,
    decays: UnsafeMutablePointer<Float>
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
      unsafe peaks.store(peak.flushingTinyValues, band)
      unsafe means.store(mean.flushingTinyValues, band)
      unsafe decays.store(decay.flushingTinyValues, band)
    }
  }
}

extension SIMD4<Float> {
  /// Each value, or 0 if it is far below audibility.
  ///
  /// Values that decay in silence would become subnormal, which slows down processors.
  @inline(__always)
  var flushingTinyValues: Lanes { replacing(with: Lanes.zero, where: magnitude .< 1e-15) }
}
