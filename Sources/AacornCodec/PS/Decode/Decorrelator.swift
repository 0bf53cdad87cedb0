import AacornSignal

/// Derives an equally loud signal from the mono signal, with little correlation to it.
///
/// ISO/IEC 14496-3, 8.6.4.5.
///
/// Low sub-subbands pass through all-pass filters; QMF bands 23 to 34 are delayed by 14 slots,
/// higher bands by one.
struct Decorrelator: Sendable {
  /// The number of slots of the previous frame that are stored for all QMF bands.
  private static let history = 14
  /// The first QMF band that is delayed by one slot.
  private static let firstShortBand = 35

  private var allPass: AllPassBank
  private var transients = TransientReducer()
  /// The last slots of the previous frame: slot · 64 + band.
  private var real = [Float](repeating: 0, count: history * 64)
  private var imaginary = [Float](repeating: 0, count: history * 64)

  init(_ layout: HybridLayout) {
    allPass = AllPassBank(layout)
  }

  mutating func reset() {
    allPass.reset()
    transients.reset()
    for index in real.indices {
      real[index] = 0
      imaginary[index] = 0
    }
  }

  /// Decorrelates a frame, with its low groups in `low`, into `lowSide` and `side`.
  mutating func run(
    _ low: HybridFrame, _ mono: QMFFrame, slotCount: Int, layout: HybridLayout,
    into lowSide: inout HybridFrame, side: inout QMFFrame
  ) {
    precondition(slotCount >= Self.history && slotCount <= 32)
    precondition(mono.real.count >= slotCount * 64 && mono.imaginary.count >= slotCount * 64)
    precondition(side.real.count >= slotCount * 64 && side.imaginary.count >= slotCount * 64)
    transients.analyze(low, mono, slotCount: slotCount, layout: layout)
    unsafe filterLow(
      real: low.real, imaginary: low.imaginary, outReal: &lowSide.real,
      outImaginary: &lowSide.imaginary, gains: transients.gains, slotCount, layout)
    unsafe filterHigh(
      real: mono.real, imaginary: mono.imaginary, outReal: &side.real,
      outImaginary: &side.imaginary, gains: transients.gains, slotCount, layout)
    unsafe Self.delay(
      mono.real, last: real, into: &side.real, gains: transients.gains, slotCount: slotCount,
      layout: layout)
    unsafe Self.delay(
      mono.imaginary, last: imaginary, into: &side.imaginary, gains: transients.gains,
      slotCount: slotCount, layout: layout)
    let (from, count) = ((slotCount - Self.history) * 64, Self.history * 64)
    real.replace(at: 0, by: mono.real, from: from, count: count)
    imaginary.replace(at: 0, by: mono.imaginary, from: from, count: count)
  }

  /// Applies the all-pass filters to the groups in a `HybridFrame`.
  private mutating func filterLow(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>,
    outReal: UnsafeMutablePointer<Float>, outImaginary: UnsafeMutablePointer<Float>,
    gains: UnsafePointer<Float>, _ slotCount: Int, _ layout: HybridLayout
  ) {
    let start = HybridFrame.history * HybridFrame.stride
    for group in 0..<layout.lowGroups {
      let at = start + 4 * group
      let signal = unsafe AllPassBank.Signal(
        real: real + at, imaginary: imaginary + at, step: HybridFrame.stride,
        lastReal: real + 4 * group, lastImaginary: imaginary + 4 * group, outReal: outReal + at,
        outImaginary: outImaginary + at, outStep: HybridFrame.stride, gains: gains,
        bands: layout.bands(of: group))
      unsafe allPass.run(group, slotCount: slotCount, signal)
    }
  }

  /// Applies the all-pass filters to QMF bands.
  private mutating func filterHigh(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>,
    outReal: UnsafeMutablePointer<Float>, outImaginary: UnsafeMutablePointer<Float>,
    gains: UnsafePointer<Float>, _ slotCount: Int, _ layout: HybridLayout
  ) {
    let last = (Self.history - 2) * 64
    for group in layout.lowGroups..<layout.allPassGroups {
      let band = layout.firstQMFBand + 4 * (group - layout.lowGroups)
      unsafe self.real.withUnsafeBufferPointer { lastReal in
        unsafe self.imaginary.withUnsafeBufferPointer { lastImaginary in
          guard let lastReal = lastReal.baseAddress, let lastImaginary = lastImaginary.baseAddress
          else { return }
          let signal = unsafe AllPassBank.Signal(
            real: real + band, imaginary: imaginary + band, step: 64,
            lastReal: lastReal + (last + band), lastImaginary: lastImaginary + (last + band),
            outReal: outReal + band, outImaginary: outImaginary + band, outStep: 64, gains: gains,
            bands: layout.bands(of: group))
          unsafe allPass.run(group, slotCount: slotCount, signal)
        }
      }
    }
  }

  /// Delays the QMF bands from band 24 on; real or imaginary parts.
  private static func delay(
    _ x: UnsafePointer<Float>, last: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>,
    gains: UnsafePointer<Float>, slotCount: Int, layout: HybridLayout
  ) {
    let a = layout.bands(of: layout.group(ofQMFBand: 24))
    let b = layout.bands(of: layout.group(ofQMFBand: 28))
    let c = layout.bands(of: layout.group(ofQMFBand: 32))
    for slot in 0..<slotCount {
      let gains = unsafe gains + slot &* TransientReducer.stride
      let out = unsafe out + slot &* 64
      let late = unsafe slot < history ? last + slot &* 64 : x + (slot &- history) &* 64
      let recent = unsafe slot < 1 ? last + (history &- 1) &* 64 : x + (slot &- 1) &* 64
      unsafe out.store(late.lanes(24) * gains.lanes(ofBands: a), 24)
      unsafe out.store(late.lanes(28) * gains.lanes(ofBands: b), 28)
      let gain = unsafe gains.lanes(ofBands: c)
      unsafe out.store(late.lanes(32) * gain, 32)
      unsafe out[firstShortBand] = recent[firstShortBand] * gain[3]
    }
    for band in stride(from: 36, to: 64, by: 4) {
      let bands = layout.bands(of: layout.group(ofQMFBand: band))
      var from = unsafe last + ((history &- 1) &* 64 &+ band)
      for slot in 0..<slotCount {
        let gain = unsafe (gains + slot &* TransientReducer.stride).lanes(ofBands: bands)
        unsafe out.store(from.lanes(0) * gain, slot &* 64 &+ band)
        unsafe from = x + (slot &* 64 &+ band)
      }
    }
  }
}
