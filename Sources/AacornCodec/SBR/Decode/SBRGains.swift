import AacornSignal

/// Computes the gains of replicated bands, and the levels of their noise and sines.
///
/// ISO/IEC 14496-3, 4.6.18.7.2 to 4.6.18.7.5.
struct SBRGains: Sendable {
  private static let width = SBRGenerator.highWidth

  /// The value of envelope e, band kₓ + m is at e · `SBRGenerator.highWidth` + m.
  private(set) var gains: [Float]
  private(set) var noise: [Float]
  private(set) var sines: [Float]
  // Values of one envelope, by band: E_orig, Q_orig, E_curr, 1 at a sine, and 1 in the envelope
  // band of a sine.
  private var wanted = [Float](repeating: 0, count: width)
  private var ratios = [Float](repeating: 0, count: width)
  private var current = [Float](repeating: 0, count: width)
  private var sineBands = [Float](repeating: 0, count: width)
  private var tonalBands = [Float](repeating: 0, count: width)

  /// Amplitudes of −3 dB, 0 dB and 3 dB, and no limit (bs_limiter_gains).
  private static let limiterGains: [Float] = [0.70795, 1, 1.41254, 1e10]

  /// The header's settings of gains.
  struct Settings {
    let tables: SBRTables
    let limiterGain: Int
    let interpolatesFrequency: Bool
  }

  init() {
    gains = [Float](repeating: 0, count: SBRGrid.maxEnvelopeCount * Self.width)
    noise = gains
    sines = gains
  }

  /// Computes the gains and levels of one envelope.
  ///
  /// Bit m of `activeSines` is a sine in the band kₓ + m. There is no noise if the envelope begins
  /// with a transient.
  mutating func find(
    envelope: Int, grid: SBRGrid, levels: SBRLevels, settings: Settings, high: SBRGenerator,
    activeSines: UInt64, isTransient: Bool
  ) {
    let tables = settings.tables
    let slots = 2 * Int(grid.borders[envelope])..<2 * Int(grid.borders[envelope + 1])
    precondition(envelope < SBRGrid.maxEnvelopeCount && tables.count <= SBRTables.maxBandCount)
    precondition(slots.upperBound <= QMFFrame.slotCount)
    map(envelope: envelope, grid: grid, levels: levels, tables: tables, activeSines: activeSines)
    unsafe Self.estimate(
      high.real, high.imaginary, slots: slots, count: tables.count, into: &current)
    if !settings.interpolatesFrequency {
      average(grid.isHigh(envelope) ? tables.high : tables.low)
    }
    // Vectors may extend past the last band.
    for index in tables.count..<(tables.count + 3) & ~3 {
      wanted[index] = 0
      ratios[index] = 0
      current[index] = 0
      sineBands[index] = 0
      tonalBands[index] = 0
    }
    let from = envelope * Self.width
    unsafe Self.withInput(
      wanted: wanted, ratios: ratios, current: current, sineBands: sineBands,
      tonalBands: tonalBands
    ) { input in
      unsafe Self.withOutput(from: from, gains: &gains, noise: &noise, sines: &sines) { output in
        unsafe Self.findUnlimited(
          from: input, count: tables.count, hasNoise: !isTransient, into: output)
        let gain = Self.limiterGains[settings.limiterGain]
        for band in 0..<tables.limiter.count - 1 {
          let bands = tables.limiter[band] - tables.start..<tables.limiter[band + 1] - tables.start
          unsafe Self.limit(
            from: input, bands: bands, hasNoise: !isTransient, limiterGain: gain, into: output)
        }
      }
    }
  }

  /// The values of the bands of an envelope, as in the properties.
  @unsafe
  private struct Input {
    let wanted, ratios, current, sineBands, tonalBands: UnsafePointer<Float>
  }

  /// The output of the bands of an envelope.
  @unsafe
  private struct Output {
    let gains, noise, sines: UnsafeMutablePointer<Float>
  }

  @inline(__always)
  private static func withInput(
    wanted: UnsafePointer<Float>, ratios: UnsafePointer<Float>, current: UnsafePointer<Float>,
    sineBands: UnsafePointer<Float>, tonalBands: UnsafePointer<Float>, _ body: (Input) -> Void
  ) {
    unsafe body(
      Input(
        wanted: wanted, ratios: ratios, current: current, sineBands: sineBands,
        tonalBands: tonalBands))
  }

  @inline(__always)
  private static func withOutput(
    from start: Int, gains: UnsafeMutablePointer<Float>, noise: UnsafeMutablePointer<Float>,
    sines: UnsafeMutablePointer<Float>, _ body: (Output) -> Void
  ) {
    unsafe body(Output(gains: gains + start, noise: noise + start, sines: sines + start))
  }

  /// Spreads the values of envelope and noise bands over the bands of the filter bank.
  private mutating func map(
    envelope: Int, grid: SBRGrid, levels: SBRLevels, tables: SBRTables, activeSines: UInt64
  ) {
    let borders = grid.isHigh(envelope) ? tables.high : tables.low
    for band in 0..<borders.count - 1 {
      let level = levels.envelopes[envelope * SBRTables.maxBandCount + band]
      let (from, to) = (borders[band] - tables.start, borders[band + 1] - tables.start)
      let sines = activeSines >> UInt64(from) & (1 << UInt64(to - from) - 1)
      for index in from..<to {
        wanted[index] = level
        sineBands[index] = activeSines >> UInt64(index) & 1 != 0 ? 1 : 0
        tonalBands[index] = sines != 0 ? 1 : 0
      }
    }
    let floor = grid.noiseFloor(envelope)
    for band in 0..<tables.noiseCount {
      let level = levels.noise[8 * floor + band]
      for index in tables.noise[band] - tables.start..<tables.noise[band + 1] - tables.start {
        ratios[index] = level
      }
    }
  }

  /// Computes the mean energy of each band over some slots.
  private static func estimate(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, slots: Range<Int>, count: Int,
    into current: UnsafeMutablePointer<Float>
  ) {
    let mean = 1 / Float(slots.count)
    for band in stride(from: 0, to: count, by: 4) {
      var (even, odd) = (Lanes.zero, Lanes.zero)
      // Envelopes have an even number of slots.
      for slot in stride(from: slots.lowerBound, to: slots.upperBound, by: 2) {
        let row = slot &* width &+ band
        let (re, im) = unsafe (real.lanes(row), imaginary.lanes(row))
        let (nextRe, nextIm) = unsafe (real.lanes(row &+ width), imaginary.lanes(row &+ width))
        even += re * re + im * im
        odd += nextRe * nextRe + nextIm * nextIm
      }
      unsafe current.store((even + odd) * mean, band)
    }
  }

  /// Sets each band of an envelope band to the mean energy of the envelope band.
  private mutating func average(_ borders: [Int]) {
    for band in 0..<borders.count - 1 {
      let range = borders[band] - borders[0]..<borders[band + 1] - borders[0]
      var sum: Float = 0
      for index in range { sum += current[index] }
      sum /= Float(range.count)
      for index in range { current[index] = sum }
    }
  }

  /// Computes gains without a limit, with noise and sines added to the copy (4.6.18.7.4).
  private static func findUnlimited(
    from input: Input, count: Int, hasNoise: Bool, into output: Output
  ) {
    for band in stride(from: 0, to: count, by: 4) {
      let (energy, ratio) = unsafe (input.wanted.lanes(band), input.ratios.lanes(band))
      let share = energy / (ratio + 1)
      let source = unsafe input.current.lanes(band) + 1
      let isTonal = unsafe input.tonalBands.lanes(band) .!= Lanes.zero
      // With a sine in the envelope band, the sine has the share 1 / (1 + Q) of the energy, and the
      // copy the share Q / (1 + Q), which otherwise is noise.
      let square = hasNoise ? share / source : energy / source
      let tonalSquare = share * ratio / source
      let gain = square.replacing(with: tonalSquare, where: isTonal).squareRoot()
      unsafe output.gains.store(gain, band)
      unsafe output.noise.store((share * ratio).squareRoot(), band)
      unsafe output.sines.store(share.squareRoot() * input.sineBands.lanes(band), band)
    }
  }

  /// Limits the gains of one limiter band (4.6.18.7.5).
  ///
  /// Compensates for part of the lost energy.
  private static func limit(
    from input: Input, bands: Range<Int>, hasNoise: Bool, limiterGain: Float, into output: Output
  ) {
    let minimum: Float = 1e-12
    var (wantedSum, currentSum) = (minimum, minimum)
    for band in bands {
      unsafe wantedSum += input.wanted[band]
      unsafe currentSum += input.current[band]
    }
    let bound = limiterGain * (wantedSum / currentSum).squareRoot()
    let limit = bound < 100_000 ? bound : 100_000
    var sum = minimum
    for band in bands {
      var (gain, noiseLevel) = unsafe (output.gains[band], output.noise[band])
      if gain > limit {
        noiseLevel *= limit / gain
        gain = limit
        unsafe output.gains[band] = gain
        unsafe output.noise[band] = noiseLevel
      }
      let sine = unsafe output.sines[band]
      unsafe sum += input.current[band] * gain * gain + sine * sine
      if hasNoise && sine == 0 { sum += noiseLevel * noiseLevel }
    }
    let missing = (wantedSum / sum).squareRoot()
    let boost = missing < 1.584_893_192 ? missing : 1.584_893_192
    for band in bands {
      unsafe output.gains[band] *= boost
      unsafe output.noise[band] *= boost
      unsafe output.sines[band] *= boost
    }
  }
}
