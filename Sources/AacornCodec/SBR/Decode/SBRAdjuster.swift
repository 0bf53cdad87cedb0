import AacornSignal

/// Applies gains to the replicated bands of a channel and adds noise and sines, slot by slot.
///
/// ISO/IEC 14496-3, 4.6.18.7.6.
struct SBRAdjuster: Sendable {
  private static let width = SBRGenerator.highWidth
  /// The number of previous slots that smoothing uses.
  private static let history = 4
  /// The weights of smoothing, the current slot first.
  private static let smoothing: [Float] = [
    0.333_333_333_333_33, 0.301_502_832_395_82, 0.218_169_499_062_49, 0.115_163_834_270_84,
    0.031_830_500_937_51,
  ]

  /// The position in the noise table and the phase of the sines at which the next slot continues.
  private var noiseIndex = 0
  private var phase = 0
  /// The gains and noise levels of the four previous slots, then of the frame's slots.
  private var gainRows: [Float]
  private var noiseRows: [Float]
  /// The smoothed gains and noise levels of the current slot.
  private var gains = [Float](repeating: 0, count: width)
  private var noise = [Float](repeating: 0, count: width)

  init() {
    gainRows = [Float](repeating: 0, count: (Self.history + QMFFrame.slotCount) * Self.width)
    noiseRows = gainRows
  }

  /// The parameters of a frame.
  struct Frame {
    let grid: SBRGrid
    /// The first replicated band of the filter bank, and the number of replicated bands.
    let start, count: Int
    /// The envelopes without noise and smoothing, as at a transient: bit e is envelope e.
    let transients: UInt8
    let isSmoothed: Bool
  }

  mutating func reset() {
    noiseIndex = 0
    phase = 0
    for index in gainRows.indices {
      gainRows[index] = 0
      noiseRows[index] = 0
    }
  }

  /// Prepares a frame.
  ///
  /// With `isFirst`, noise restarts, and the smoothing starts from the first gains.
  mutating func begin(_ frame: Frame, _ solved: SBRGains, isFirst: Bool) {
    precondition(frame.start + frame.count <= 64 && frame.count <= SBRTables.maxBandCount)
    precondition(2 * frame.grid.end <= QMFFrame.slotCount)
    if isFirst {
      setRows(0..<Self.history, solved, envelope: 0)
    }
    let first = 2 * frame.grid.start - Self.history
    // Without smoothing, only the next frame may need the gains of the last four slots.
    let needed = frame.isSmoothed ? 0 : 2 * frame.grid.end - Self.history
    for envelope in 0..<frame.grid.envelopeCount {
      let to = 2 * Int(frame.grid.borders[envelope + 1])
      let from = max(2 * Int(frame.grid.borders[envelope]), needed)
      if from < to { setRows(from - first..<to - first, solved, envelope: envelope) }
    }
  }

  /// Stores the last four slots for the next frame.
  mutating func end(_ frame: Frame) {
    let from = 2 * (frame.grid.end - frame.grid.start) * Self.width
    gainRows.moveToFront(from: from, count: Self.history * Self.width)
    noiseRows.moveToFront(from: from, count: Self.history * Self.width)
  }

  private mutating func setRows(
    _ rows: Range<Int>, _ solved: SBRGains, envelope: Int
  ) {
    let from = envelope * Self.width
    let width = Self.width
    for row in rows {
      gainRows.replace(at: row * width, by: solved.gains, from: from, count: width)
      noiseRows.replace(at: row * width, by: solved.noise, from: from, count: width)
    }
  }

  /// Computes the high bands of the next slot, which belongs to an envelope.
  ///
  /// Up to three more bands are set to zero. If `isOutput` is false, only the positions advance.
  mutating func adjust(
    _ frame: Frame, by solved: SBRGains, from high: SBRGenerator, envelope: Int, slot: Int,
    isOutput: Bool, into output: inout QMFFrame
  ) {
    if isOutput {
      let isTransient = frame.transients >> UInt8(envelope) & 1 != 0
      let isSmoothed = frame.isSmoothed && !isTransient
      let isFlipped = (frame.start & 1 == 0) == (phase == 3)
      let mix = Mix(
        count: frame.count, from: slot * Self.width, to: slot * 64 + frame.start,
        gains: isSmoothed ? 0 : envelope * Self.width, sines: envelope * Self.width,
        noise: isTransient ? -1 : noiseIndex + 1,
        sineReal: phase == 0 ? 1 : phase == 2 ? -1 : 0,
        sineImaginary: phase & 1 == 0 ? 0 : isFlipped ? -1 : 1)
      if isSmoothed {
        let row = slot - 2 * frame.grid.start
        unsafe Self.smooth(gainRows, row: row, count: frame.count, into: &gains)
        unsafe Self.smooth(noiseRows, row: row, count: frame.count, into: &noise)
        unsafe mix.run(
          real: high.real, imaginary: high.imaginary, gains: gains, noiseLevels: noise,
          sineLevels: solved.sines, outReal: &output.real, outImaginary: &output.imaginary)
      } else {
        unsafe mix.run(
          real: high.real, imaginary: high.imaginary, gains: solved.gains,
          noiseLevels: solved.noise, sineLevels: solved.sines, outReal: &output.real,
          outImaginary: &output.imaginary)
      }
    }
    noiseIndex = (noiseIndex + frame.count) & 511
    phase = (phase + 1) & 3
  }

  /// Returns the weighted mean of a row and its four predecessors, which start at `row` − 4.
  private static func smooth(
    _ rows: UnsafePointer<Float>, row: Int, count: Int, into out: UnsafeMutablePointer<Float>
  ) {
    let newest = unsafe rows + (row &+ history) &* width
    for band in stride(from: 0, to: count, by: 4) {
      var sum = Lanes.zero
      for age in 0...history {
        unsafe sum += (newest - age &* width).lanes(band) * smoothing[age]
      }
      unsafe out.store(sum, band)
    }
  }
}

/// The parameters of one slot of high bands.
private struct Mix {
  let count: Int
  /// The offsets of the slot in the copied bands and in the output.
  let from, to: Int
  /// The offsets of its gains and noise levels, and of its sines.
  let gains, sines: Int
  /// The start of the slot's noise, or −1 without noise.
  let noise: Int
  /// The factors of sines; the sign of the imaginary factor alternates from band to band.
  let sineReal, sineImaginary: Float

  /// The signals and levels of the slot.
  @unsafe
  private struct Signals {
    let real, imaginary, gains, noiseLevels, sineLevels: UnsafePointer<Float>
    let outReal, outImaginary: UnsafeMutablePointer<Float>
  }

  func run(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, gains: UnsafePointer<Float>,
    noiseLevels: UnsafePointer<Float>, sineLevels: UnsafePointer<Float>,
    outReal: UnsafeMutablePointer<Float>, outImaginary: UnsafeMutablePointer<Float>
  ) {
    let signals = unsafe Signals(
      real: real + from, imaginary: imaginary + from, gains: gains + self.gains,
      noiseLevels: noiseLevels + self.gains, sineLevels: sineLevels + sines,
      outReal: outReal + to, outImaginary: outImaginary + to)
    unsafe run(
      signals, noiseReal: SBRConstants.noiseReal,
      noiseImaginary: SBRConstants.noiseImaginary)
  }

  private func run(
    _ signals: Signals, noiseReal: UnsafePointer<Float>, noiseImaginary: UnsafePointer<Float>
  ) {
    let turn = Lanes(sineImaginary, -sineImaginary, sineImaginary, -sineImaginary)
    for band in stride(from: 0, to: count, by: 4) {
      let gain = unsafe signals.gains.lanes(band)
      let sine = unsafe signals.sineLevels.lanes(band)
      var re = unsafe signals.real.lanes(band) * gain + sine * sineReal
      var im = unsafe signals.imaginary.lanes(band) * gain + sine * turn
      if noise >= 0 {
        // A sine replaces the noise.
        let level = unsafe Lanes.zero.replacing(
          with: signals.noiseLevels.lanes(band), where: sine .== Lanes.zero)
        unsafe re += level * noiseReal.lanes(noise &+ band)
        unsafe im += level * noiseImaginary.lanes(noise &+ band)
      }
      unsafe signals.outReal.store(re, band)
      unsafe signals.outImaginary.store(im, band)
    }
  }
}
