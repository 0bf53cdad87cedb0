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
      unsafe Self.mixLow(
        real: &low.real, imaginary: &low.imaginary, side: &lowSide.real, sideIm: &lowSide.imaginary,
        slots: start..<end, layout: layout, matrices: matrices.elements, border: border,
        hasPhases: parameters.hasPhases)
      unsafe Self.mixHigh(
        real: mono.real, imaginary: mono.imaginary, side: &right.real, sideIm: &right.imaginary,
        left: &left.real, leftIm: &left.imaginary, slots: start..<end, layout: layout,
        matrices: matrices.elements, border: border, hasPhases: parameters.hasPhases)
      start = end
      border += 1
    }
    lastBorder = border
  }

  private static func mixLow(
    real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>,
    side: UnsafeMutablePointer<Float>, sideIm: UnsafeMutablePointer<Float>, slots: Range<Int>,
    layout: HybridLayout, matrices: UnsafePointer<Float>, border: Int, hasPhases: Bool
  ) {
    let start = HybridFrame.history * HybridFrame.stride
    let signals = unsafe StereoMixer.Signals(
      mono: real + start, monoIm: imaginary + start, side: side + start, sideIm: sideIm + start,
      left: real + start, leftIm: imaginary + start, step: HybridFrame.stride)
    let from = unsafe matrices + border * MixingMatrices.borderStride
    unsafe StereoMixer.mix(
      signals, slots, 0..<layout.lowGroups, layout, from: from,
      to: from + MixingMatrices.borderStride, hasPhases: hasPhases)
  }

  /// Mixes the remaining QMF bands.
  private static func mixHigh(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, side: UnsafeMutablePointer<Float>,
    sideIm: UnsafeMutablePointer<Float>, left: UnsafeMutablePointer<Float>,
    leftIm: UnsafeMutablePointer<Float>, slots: Range<Int>, layout: HybridLayout,
    matrices: UnsafePointer<Float>, border: Int, hasPhases: Bool
  ) {
    let start = layout.firstQMFBand
    let signals = unsafe StereoMixer.Signals(
      mono: real + start, monoIm: imaginary + start, side: side + start, sideIm: sideIm + start,
      left: left + start, leftIm: leftIm + start, step: 64)
    let from = unsafe matrices + border * MixingMatrices.borderStride
    unsafe StereoMixer.mix(
      signals, slots, layout.lowGroups..<layout.groups, layout, from: from,
      to: from + MixingMatrices.borderStride, hasPhases: hasPhases)
  }

  private static func copy(_ frame: QMFFrame, _ slotCount: Int, _ copy: inout QMFFrame) {
    for index in 0..<slotCount * 64 {
      copy.real[index] = frame.real[index]
      copy.imaginary[index] = frame.imaginary[index]
    }
  }
}
