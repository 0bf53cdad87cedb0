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
      Self.copy(mono, slotCount: slotCount, into: &left)
      Self.copy(mono, slotCount: slotCount, into: &right)
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
        low, mono, slotCount: slotCount, layout: layout, into: &lowSide, side: &right)
    } else {
      decorrelator.run(
        low, mono, slotCount: slotCount, layout: layout, into: &lowSide, side: &right)
    }
    low.advance(by: slotCount)
    mix(mono, slotCount: slotCount, layout: layout, left: &left, right: &right)
    HybridSynthesis.join(low.real, slotCount: slotCount, layout, into: &left.real)
    HybridSynthesis.join(low.imaginary, slotCount: slotCount, layout, into: &left.imaginary)
    HybridSynthesis.join(lowSide.real, slotCount: slotCount, layout, into: &right.real)
    HybridSynthesis.join(lowSide.imaginary, slotCount: slotCount, layout, into: &right.imaginary)
    reader.finish()
  }

  private mutating func mix(
    _ mono: QMFFrame, slotCount: Int, layout: HybridLayout, left: inout QMFFrame,
    right: inout QMFFrame
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
      matrices.set(border + 1, parameters: parameters, row: min(border + 1, count), layout: layout)
      let envelope = StereoMixer.Envelope(
        slots: start..<end, border: border, hasPhases: parameters.hasPhases,
        share: 1 / Float(end - start))
      unsafe Self.withLowSignals(
        mono: &low.real, monoIm: &low.imaginary, side: &lowSide.real, sideIm: &lowSide.imaginary
      ) { signals in
        unsafe StereoMixer.mix(
          signals, groups: 0..<layout.lowGroups, layout: layout, envelope: envelope,
          matrices: matrices.elements)
      }
      unsafe Self.withHighSignals(
        mono: mono.real, monoIm: mono.imaginary, side: &right.real, sideIm: &right.imaginary,
        left: &left.real, leftIm: &left.imaginary
      ) { signals in
        unsafe StereoMixer.mix(
          signals.advanced(by: layout.firstQMFBand), groups: layout.lowGroups..<layout.groups,
          layout: layout, envelope: envelope, matrices: matrices.elements)
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

  private static func copy(_ frame: QMFFrame, slotCount: Int, into copy: inout QMFFrame) {
    copy.real.replace(at: 0, by: frame.real, count: slotCount * 64)
    copy.imaginary.replace(at: 0, by: frame.imaginary, count: slotCount * 64)
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
    /// The reciprocal of the number of slots; infinite, and unused, without slots.
    let share: Float
  }

  /// Four elements of the matrices in four lanes, and their changes from slot to slot.
  private struct Elements {
    var h0, h1, h2, h3: Lanes
    let step0, step1, step2, step3: Lanes

    /// Creates the elements from `first` on, multiplied by `directions` at the start.
    @inline(__always)
    init(
      _ first: Int, border: UnsafePointer<Float>, bands: SIMD4<UInt8>, share: Float,
      directions: Lanes = Lanes(repeating: 1)
    ) {
      h0 = unsafe element(first, of: border, bands: bands) * directions
      h1 = unsafe element(first &+ 1, of: border, bands: bands) * directions
      h2 = unsafe element(first &+ 2, of: border, bands: bands) * directions
      h3 = unsafe element(first &+ 3, of: border, bands: bands) * directions
      // The eight elements of the next border follow.
      step0 = unsafe (element(first &+ 8, of: border, bands: bands) - h0) * share
      step1 = unsafe (element(first &+ 9, of: border, bands: bands) - h1) * share
      step2 = unsafe (element(first &+ 10, of: border, bands: bands) - h2) * share
      step3 = unsafe (element(first &+ 11, of: border, bands: bands) - h3) * share
    }

    @inline(__always)
    mutating func advance() {
      h0 += step0
      h1 += step1
      h2 += step2
      h3 += step3
    }
  }

  /// Mixes the slots of an envelope in groups of lanes; the pointers are to slot 0.
  ///
  /// `matrices` are `MixingMatrices.elements`.
  static func mix(
    _ signals: Signals, groups: Range<Int>, layout: HybridLayout, envelope: Envelope,
    matrices: UnsafePointer<Float>
  ) {
    if envelope.slots.isEmpty { return }
    let border = unsafe matrices + envelope.border * MixingMatrices.borderStride
    for group in groups {
      let bands = layout.bands(of: group)
      let at = 4 &* (group &- groups.lowerBound)
      if envelope.hasPhases {
        unsafe mixComplex(
          signals, at: at, envelope: envelope, bands: bands,
          directions: layout.directions(of: group), border: border)
      } else {
        unsafe mix(signals, at: at, envelope: envelope, bands: bands, border: border)
      }
    }
  }

  @inline(__always)
  private static func element(
    _ index: Int, of matrices: UnsafePointer<Float>, bands: SIMD4<UInt8>
  ) -> Lanes {
    unsafe (matrices + index &* MixingMatrices.stride).lanes(ofBands: bands)
  }

  /// Mixes four lanes by real matrices.
  private static func mix(
    _ signals: Signals, at: Int, envelope: Envelope, bands: SIMD4<UInt8>,
    border: UnsafePointer<Float>
  ) {
    var h = unsafe Elements(0, border: border, bands: bands, share: envelope.share)
    var index = unsafe envelope.slots.lowerBound &* signals.step &+ at
    for _ in envelope.slots {
      h.advance()
      let (s, si) = unsafe (signals.mono.lanes(index), signals.monoIm.lanes(index))
      let (d, di) = unsafe (signals.side.lanes(index), signals.sideIm.lanes(index))
      unsafe signals.left.store(h.h0 * s + h.h2 * d, index)
      unsafe signals.leftIm.store(h.h0 * si + h.h2 * di, index)
      unsafe signals.side.store(h.h1 * s + h.h3 * d, index)
      unsafe signals.sideIm.store(h.h1 * si + h.h3 * di, index)
      unsafe index &+= signals.step
    }
  }

  /// Mixes four lanes by complex matrices.
  ///
  /// In lanes of negative frequencies the imaginary parts start with the opposite sign. Existing
  /// decoders do not change the sign at the end, and neither does this one.
  private static func mixComplex(
    _ signals: Signals, at: Int, envelope: Envelope, bands: SIMD4<UInt8>, directions: Lanes,
    border: UnsafePointer<Float>
  ) {
    var re = unsafe Elements(0, border: border, bands: bands, share: envelope.share)
    var im = unsafe Elements(
      4, border: border, bands: bands, share: envelope.share, directions: directions)
    var index = unsafe envelope.slots.lowerBound &* signals.step &+ at
    for _ in envelope.slots {
      re.advance()
      im.advance()
      let (s, si) = unsafe (signals.mono.lanes(index), signals.monoIm.lanes(index))
      let (d, di) = unsafe (signals.side.lanes(index), signals.sideIm.lanes(index))
      unsafe signals.left.store((re.h0 * s + re.h2 * d) - (im.h0 * si + im.h2 * di), index)
      unsafe signals.leftIm.store((re.h0 * si + re.h2 * di) + (im.h0 * s + im.h2 * d), index)
      unsafe signals.side.store((re.h1 * s + re.h3 * d) - (im.h1 * si + im.h3 * di), index)
      unsafe signals.sideIm.store((re.h1 * si + re.h3 * di) + (im.h1 * s + im.h3 * d), index)
      unsafe index &+= signals.step
    }
  }
}
