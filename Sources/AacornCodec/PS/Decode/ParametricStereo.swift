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
