import AacornSignal

/// The decoder of parametric stereo (ISO/IEC 14496-3, 8.6.4): a mono signal to two channels.
///
/// It works between the QMF analysis of the mono signal and the synthesis of two channels.
struct ParametricStereo: Sendable {
  private var reader = StereoParameterReader()
  private let layouts = (
    HybridLayout(hasThirtyFourBands: false), HybridLayout(hasThirtyFourBands: true)
  )
  /// Whether the current state is for 34 bands.
  private var hasThirtyFourBands = false
  private var lastBorder = 0
  private var filters = HybridFilterBank()
  private var decorrelator: Decorrelator
  private var wideDecorrelator: Decorrelator
  private var matrices = MixingMatrices()
  /// The low groups of the mono signal, which mixing replaces by the left channel.
  private var low = HybridFrame()
  /// The low groups of the decorrelated signal, which mixing replaces by the right channel.
  private var lowSide = HybridFrame()

  init() {
    decorrelator = Decorrelator(layouts.0)
    wideDecorrelator = Decorrelator(layouts.1)
  }

  /// Whether a header has been received; before that, both outputs are the mono signal.
  var isActive: Bool { reader.isActive }

  mutating func reset() {
    reader.reset()
    hasThirtyFourBands = false
    lastBorder = 0
    filters.reset()
    decorrelator.reset()
    wideDecorrelator.reset()
    matrices.reset()
    low.clear()
  }

  /// Handles a missing frame: the next frame does not follow the last one.
  mutating func handleMissingFrame() { reader.handleMissingFrame() }

  /// Reads ps_data of at most `bitCount` bits, as `StereoParameterReader.read` does; returns false
  /// if the data is damaged.
  mutating func read(_ bits: inout BitReader, bitCount: Int) -> Bool {
    reader.read(&bits, bitCount: bitCount) != .damaged
  }

  /// Converts one channel to two.
  ///
  /// Call it once per frame, also for a frame without ps_data: the parameters then stay. A frame
  /// has 32 slots, or 30 if it has 960 samples.
  mutating func apply(
    _ mono: QMFFrame, slotCount: Int, left: inout QMFFrame, right: inout QMFFrame
  ) {
    precondition(slotCount == 32 || slotCount == 30)
    precondition(left.real.count >= slotCount * 64 && left.imaginary.count >= slotCount * 64)
    if !isActive {
      Self.copy(mono, slotCount, &left)
      Self.copy(mono, slotCount, &right)
      return
    }
    matrices.begin(afterBorder: lastBorder)
    if let wanted = reader.parameters.header.wantsThirtyFourBands, wanted != hasThirtyFourBands {
      hasThirtyFourBands = wanted
      matrices.convert(toThirtyFour: wanted)
      if wanted { wideDecorrelator.reset() } else { decorrelator.reset() }
      low.clear()
    }
    let layout = hasThirtyFourBands ? layouts.1 : layouts.0
    filters.split(mono, slotCount: slotCount, layout, into: &low)
    if hasThirtyFourBands {
      wideDecorrelator.run(
        low, mono, slotCount: slotCount, layout, into: &lowSide, &right)
    } else {
      decorrelator.run(low, mono, slotCount: slotCount, layout, into: &lowSide, &right)
    }
    low.advance(by: slotCount)
    mix(mono, slotCount: slotCount, layout, &left, &right)
    HybridSynthesis.join(low.real, slotCount: slotCount, layout, into: &left.real)
    HybridSynthesis.join(low.imaginary, slotCount: slotCount, layout, into: &left.imaginary)
    HybridSynthesis.join(lowSide.real, slotCount: slotCount, layout, into: &right.real)
    HybridSynthesis.join(lowSide.imaginary, slotCount: slotCount, layout, into: &right.imaginary)
    reader.finish()
  }

  private mutating func mix(
    _ mono: QMFFrame, slotCount: Int, _ layout: HybridLayout, _ left: inout QMFFrame,
    _ right: inout QMFFrame
  ) {
    let parameters = reader.parameters
    let count = parameters.envelopeCount
    var start = 0
    var border = 0
    // The slots after the last border form one more envelope with the same parameters.
    while border < count || start < slotCount {
      var end = slotCount
      if border < count {
        end =
          parameters.hasBorders
          ? min(Int(parameters.borders[border]) + 1, slotCount) : (border + 1) * slotCount / count
      }
      matrices.set(border + 1, parameters, row: min(border + 1, count), layout)
      let envelope = StereoMixer.Envelope(
        slots: start..<end, border: border, hasPhases: parameters.hasPhases)
      unsafe Self.withLowSignals(
        mono: &low.real, monoIm: &low.imaginary, side: &lowSide.real, sideIm: &lowSide.imaginary
      ) { signals in
        unsafe StereoMixer.mix(
          signals, 0..<layout.lowGroups, layout, envelope, matrices: matrices.elements)
      }
      unsafe Self.withHighSignals(
        mono: mono.real, monoIm: mono.imaginary, side: &right.real, sideIm: &right.imaginary,
        left: &left.real, leftIm: &left.imaginary
      ) { signals in
        unsafe StereoMixer.mix(
          signals.advanced(by: layout.firstQMFBand), layout.lowGroups..<layout.groups, layout,
          envelope, matrices: matrices.elements)
      }
      start = end
      border += 1
    }
    lastBorder = border
  }

  /// Calls `body` with the low groups, whose mono signal becomes the left channel.
  @inline(__always)
  private static func withLowSignals(
    mono: UnsafeMutablePointer<Float>, monoIm: UnsafeMutablePointer<Float>,
    side: UnsafeMutablePointer<Float>, sideIm: UnsafeMutablePointer<Float>,
    _ body: (StereoMixer.Signals) -> Void
  ) {
    let signals = unsafe StereoMixer.Signals(
      mono: mono, monoIm: monoIm, side: side, sideIm: sideIm, left: mono, leftIm: monoIm,
      step: HybridFrame.stride)
    unsafe body(signals.advanced(by: HybridFrame.history * HybridFrame.stride))
  }

  /// Calls `body` with the QMF bands.
  @inline(__always)
  private static func withHighSignals(
    mono: UnsafePointer<Float>, monoIm: UnsafePointer<Float>, side: UnsafeMutablePointer<Float>,
    sideIm: UnsafeMutablePointer<Float>, left: UnsafeMutablePointer<Float>,
    leftIm: UnsafeMutablePointer<Float>, _ body: (StereoMixer.Signals) -> Void
  ) {
    unsafe body(
      StereoMixer.Signals(
        mono: mono, monoIm: monoIm, side: side, sideIm: sideIm, left: left, leftIm: leftIm,
        step: 64))
  }

  private static func copy(_ frame: QMFFrame, _ slotCount: Int, _ copy: inout QMFFrame) {
    for index in 0..<slotCount * 64 {
      copy.real[index] = frame.real[index]
      copy.imaginary[index] = frame.imaginary[index]
    }
  }
}

/// Mixes two channels from the mono signal and the decorrelated one (ISO/IEC 14496-3, 8.6.4.6).
///
/// Matrices are interpolated linearly between borders. They are complex if there are phases.
enum StereoMixer {
  /// The real and imaginary parts of the signals, and the distance between slots.
  @unsafe
  struct Signals {
    var mono, monoIm: UnsafePointer<Float>
    /// The decorrelated signal, which becomes the right channel.
    var side, sideIm: UnsafeMutablePointer<Float>
    /// The left channel; may use the same memory as the mono signal.
    var left, leftIm: UnsafeMutablePointer<Float>
    var step: Int

    /// Returns the signals from another element on.
    @inline(__always)
    func advanced(by count: Int) -> Signals {
      unsafe Signals(
        mono: mono + count, monoIm: monoIm + count, side: side + count, sideIm: sideIm + count,
        left: left + count, leftIm: leftIm + count, step: step)
    }
  }

  /// The slots between two borders.
  struct Envelope {
    let slots: Range<Int>
    /// The number of the border before the slots, whose matrices precede those of the next border.
    let border: Int
    let hasPhases: Bool
  }

  /// Mixes the slots of an envelope in groups of lanes; the pointers are to slot 0.
  ///
  /// `matrices` are `MixingMatrices.elements`.
  static func mix(
    _ signals: Signals, _ groups: Range<Int>, _ layout: HybridLayout, _ envelope: Envelope,
    matrices: UnsafePointer<Float>
  ) {
    let slots = envelope.slots
    if slots.isEmpty { return }
    // The matrices at the previous slot and at the last slot.
    let from = unsafe matrices + envelope.border * MixingMatrices.borderStride
    let to = unsafe from + MixingMatrices.borderStride
    for group in groups {
      let bands = layout.bands(of: group)
      let at = 4 &* (group &- groups.lowerBound)
      if envelope.hasPhases {
        let d = layout.directions
        let lane = 4 &* group
        let directions = Lanes(d[lane], d[lane &+ 1], d[lane &+ 2], d[lane &+ 3])
        unsafe mixComplex(
          signals, at, slots, bands, directions, from: from, to: to)
      } else {
        unsafe mix(signals, at, slots, bands, from: from, to: to)
      }
    }
  }

  @inline(__always)
  private static func element(
    _ index: Int, _ matrices: UnsafePointer<Float>, _ bands: SIMD4<UInt8>
  ) -> Lanes {
    let row = unsafe matrices + index &* MixingMatrices.stride
    return unsafe Lanes(
      row[Int(bands[0])], row[Int(bands[1])], row[Int(bands[2])], row[Int(bands[3])])
  }

  /// Mixes four lanes by real matrices.
  private static func mix(
    _ signals: Signals, _ at: Int, _ slots: Range<Int>, _ bands: SIMD4<UInt8>,
    from: UnsafePointer<Float>, to: UnsafePointer<Float>
  ) {
    let width = 1 / Float(slots.count)
    var (h0, h1) = unsafe (element(0, from, bands), element(1, from, bands))
    var (h2, h3) = unsafe (element(2, from, bands), element(3, from, bands))
    let step0 = unsafe (element(0, to, bands) - h0) * width
    let step1 = unsafe (element(1, to, bands) - h1) * width
    let step2 = unsafe (element(2, to, bands) - h2) * width
    let step3 = unsafe (element(3, to, bands) - h3) * width
    var index = unsafe slots.lowerBound &* signals.step &+ at
    for _ in slots {
      h0 += step0
      h1 += step1
      h2 += step2
      h3 += step3
      let (s, si) = unsafe (signals.mono.lanes(index), signals.monoIm.lanes(index))
      let (d, di) = unsafe (signals.side.lanes(index), signals.sideIm.lanes(index))
      unsafe signals.left.store(h0 * s + h2 * d, index)
      unsafe signals.leftIm.store(h0 * si + h2 * di, index)
      unsafe signals.side.store(h1 * s + h3 * d, index)
      unsafe signals.sideIm.store(h1 * si + h3 * di, index)
      unsafe index &+= signals.step
    }
  }

  /// Mixes four lanes by complex matrices.
  ///
  /// In lanes of negative frequencies the imaginary parts start with the opposite sign. Existing
  /// decoders do not change the sign at the end, and neither does this one.
  private static func mixComplex(
    _ signals: Signals, _ at: Int, _ slots: Range<Int>, _ bands: SIMD4<UInt8>,
    _ directions: Lanes, from: UnsafePointer<Float>, to: UnsafePointer<Float>
  ) {
    let width = 1 / Float(slots.count)
    var (h0, h1) = unsafe (element(0, from, bands), element(1, from, bands))
    var (h2, h3) = unsafe (element(2, from, bands), element(3, from, bands))
    var i0 = unsafe element(4, from, bands) * directions
    var i1 = unsafe element(5, from, bands) * directions
    var i2 = unsafe element(6, from, bands) * directions
    var i3 = unsafe element(7, from, bands) * directions
    let step0 = unsafe (element(0, to, bands) - h0) * width
    let step1 = unsafe (element(1, to, bands) - h1) * width
    let step2 = unsafe (element(2, to, bands) - h2) * width
    let step3 = unsafe (element(3, to, bands) - h3) * width
    let turn0 = unsafe (element(4, to, bands) - i0) * width
    let turn1 = unsafe (element(5, to, bands) - i1) * width
    let turn2 = unsafe (element(6, to, bands) - i2) * width
    let turn3 = unsafe (element(7, to, bands) - i3) * width
    var index = unsafe slots.lowerBound &* signals.step &+ at
    for _ in slots {
      h0 += step0
      h1 += step1
      h2 += step2
      h3 += step3
      i0 += turn0
      i1 += turn1
      i2 += turn2
      i3 += turn3
      let (s, si) = unsafe (signals.mono.lanes(index), signals.monoIm.lanes(index))
      let (d, di) = unsafe (signals.side.lanes(index), signals.sideIm.lanes(index))
      unsafe signals.left.store((h0 * s + h2 * d) - (i0 * si + i2 * di), index)
      unsafe signals.leftIm.store((h0 * si + h2 * di) + (i0 * s + i2 * d), index)
      unsafe signals.side.store((h1 * s + h3 * d) - (i1 * si + i3 * di), index)
      unsafe signals.sideIm.store((h1 * si + h3 * di) + (i1 * s + i3 * d), index)
      unsafe index &+= signals.step
    }
  }
}
