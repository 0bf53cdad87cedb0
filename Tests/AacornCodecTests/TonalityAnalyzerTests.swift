import AacornSignal
import TestSignals
import Testing

@testable import AacornCodec

/// The decisions about tonality, noise and sines of replicated bands.
@Suite struct TonalityAnalyzerTests {
  static let frameCount = 40
  static let bandWidth = 44_100.0 / 128

  /// Tables whose replicated bands start at band 28 and are copied from bands 10 and 14 on.
  ///
  /// The noise bands have the borders 28, 36, 46 and 59.
  static func tables() throws -> SBRTables {
    var header = SBRHeader()
    header.spectrum.startFrequency = 14
    header.spectrum.stopFrequency = 12
    header.spectrum.frequencyScale = 1
    header.spectrum.noiseBands = 3
    return try #require(SBRTables(header, rate: 44_100))
  }

  static var sampleCount: Int { 576 + 2048 * frameCount + 64 * SBRSpectrum.slotCount }

  /// Returns noise between −`amplitude` and `amplitude` (16-bit scale).
  static func noise(_ amplitude: Float, seed: UInt64) -> [Float] {
    var random = SeededNumbers(seed: seed)
    return random.floats(sampleCount, amplitude: amplitude)
  }

  /// Returns a sine in the middle of a band.
  static func tone(_ amplitude: Double, band: Int) -> [Float] {
    var oscillator = Oscillator(
      hertz: (Double(band) + 0.5) * bandWidth, rate: 44_100, phase: Double(band) * 0.37)
    return (0..<sampleCount).map { _ in Float(amplitude * oscillator.next()) }
  }

  static func sum(_ sounds: [[Float]]) -> [Float] {
    var result = [Float](repeating: 0, count: sampleCount)
    for sound in sounds {
      for n in result.indices { result[n] += sound[n] }
    }
    return result
  }

  /// Returns a sine in each band of `bands`, and a little noise.
  static func comb(_ bands: Range<Int>) -> [Float] {
    sum([noise(3, seed: 77)] + bands.map { tone(500, band: $0) })
  }

  static var empty: SBRChannelData {
    var data = SBRChannelData()
    data.grid.borders[1] = 16
    return data
  }

  /// The bands of one frame: from one sound below kₓ, from another sound above.
  static func spectrum(low: [Float], high: [Float], frame: Int, start: Int) -> SBRSpectrum {
    var bank = QMFAnalysis64()
    var spectrum = SBRSpectrum()
    var other = SBRSpectrum()
    let from = 576 + 2048 * frame
    bank.analyze(
      high, from: from, slotCount: SBRSpectrum.slotCount, into: &spectrum.real,
      &spectrum.imaginary, firstRow: 0)
    bank.analyze(
      low, from: from, slotCount: SBRSpectrum.slotCount, into: &other.real,
      &other.imaginary, firstRow: 0)
    for slot in 0..<SBRSpectrum.slotCount {
      for index in 64 * slot..<64 * slot + start {
        spectrum.real[index] = other.real[index]
        spectrum.imaginary[index] = other.imaginary[index]
      }
    }
    return spectrum
  }

  /// Returns the decisions for all frames, with one envelope each.
  static func decisions(low: [Float], high: [Float]) throws -> [SBRChannelData] {
    let tables = try Self.tables()
    var analyzer = TonalityAnalyzer()
    return (0..<frameCount).map { frame in
      var data = Self.empty
      analyzer.analyze(
        Self.spectrum(low: low, high: high, frame: frame, start: tables.start), tables)
      analyzer.decide(into: &data, tables)
      return data
    }
  }

  /// Returns the number of frames in which a property differs from the previous frame's.
  static func changes<T: Equatable>(
    _ data: [SBRChannelData], _ property: (SBRChannelData) -> T
  ) -> Int {
    zip(data, data.dropFirst()).filter { property($0) != property($1) }.count
  }

  @Test func noiseNeedsNoFilteringOrSines() throws {
    let data = try Self.decisions(low: Self.noise(3000, seed: 1), high: Self.noise(1000, seed: 2))
    var sum = 0
    for frame in data {
      #expect(frame.inverseFiltering == SIMD8(repeating: 0))
      #expect(frame.harmonics == 0)
      for band in 0..<3 { sum += Int(frame.noise[band]) }
    }
    // The mean of the indices 6 − log₂ Q is above 16: the noise is below −30 dB on average.
    #expect(sum > 16 * 3 * Self.frameCount)
  }

  @Test(arguments: [5, 7, 10])
  func toneAloneBecomesSine(band: Int) throws {
    let tables = try Self.tables()
    let middle = (tables.high[band] + tables.high[band + 1]) / 2
    let data = try Self.decisions(
      low: Self.noise(1000, seed: 3),
      high: Self.sum([Self.noise(10, seed: 4), Self.tone(1000, band: middle)]))
    for (index, frame) in data.enumerated() {
      #expect(frame.harmonics == 1 << UInt64(band), "frame \(index)")
    }
  }

  /// A tone 12 dB above the noise of its band is near the threshold.
  @Test(arguments: [900, 1100, 1300, 1600, 2000] as [Float])
  func sineDoesNotComeAndGo(noise: Float) throws {
    let data = try Self.decisions(
      low: Self.noise(1000, seed: 5),
      high: Self.sum([Self.noise(noise, seed: 6), Self.tone(500, band: 41)]))
    #expect(Self.changes(data) { $0.harmonics } <= 1)
  }

  @Test func noiseTakesThePlaceOfTones() throws {
    let data = try Self.decisions(low: Self.comb(0..<28), high: Self.noise(1000, seed: 7))
    for frame in data {
      #expect(frame.harmonics == 0)
      for band in 0..<3 {
        #expect(frame.inverseFiltering[band] >= 2 || frame.noise[band] <= 7)
      }
    }
    #expect(Self.changes(data) { $0.inverseFiltering } <= 1)
  }

  @Test func tonesAreCopied() throws {
    let data = try Self.decisions(low: Self.comb(0..<28), high: Self.comb(28..<60))
    for frame in data {
      #expect(frame.inverseFiltering == SIMD8(repeating: 0))
      #expect(frame.harmonics == 0)
      for band in 0..<3 { #expect(frame.noise[band] >= 12) }
    }
  }

  @Test func burstsGetNoNoise() throws {
    var bursts = Self.noise(8000, seed: 8)
    for n in bursts.indices where n % 1000 >= 150 { bursts[n] *= 0.001 }
    let data = try Self.decisions(low: Self.comb(0..<28), high: bursts)
    for frame in data {
      for band in 0..<3 { #expect(frame.noise[band] >= 20) }
    }
  }

  @Test func silenceNeedsNoFilteringOrSines() throws {
    let silence = [Float](repeating: 0, count: Self.sampleCount)
    let data = try Self.decisions(low: Self.comb(0..<28), high: silence)
    #expect(data.allSatisfy { $0.harmonics == 0 })
    let empty = try Self.decisions(low: silence, high: silence)
    #expect(empty.allSatisfy { $0.harmonics == 0 && $0.inverseFiltering == SIMD8() })
  }

  @Test func segmentsAreIndependentOfEarlierFrames() throws {
    let tables = try Self.tables()
    var (old, new) = (TonalityAnalyzer(), TonalityAnalyzer())
    let (noise, comb) = (Self.noise(2000, seed: 9), Self.comb(0..<28))
    let tone = Self.sum([Self.noise(10, seed: 14), Self.tone(1000, band: 39)])
    for frame in 0..<4 {
      old.analyze(Self.spectrum(low: noise, high: tone, frame: frame, start: 28), tables)
      var data = Self.empty
      old.decide(into: &data, tables)
      #expect(data.harmonics != 0)
    }
    #expect(TonalityAnalyzer.lookBack == 0)
    old.begin(atFrame: 512)
    new.begin(atFrame: 512)
    let sound = Self.sum([Self.noise(1300, seed: 10), Self.tone(500, band: 41)])
    for frame in 0..<6 {
      let spectrum = Self.spectrum(low: comb, high: sound, frame: frame, start: 28)
      var (first, second) = (Self.empty, Self.empty)
      old.analyze(spectrum, tables)
      new.analyze(spectrum, tables)
      old.decide(into: &first, tables)
      new.decide(into: &second, tables)
      #expect(first.inverseFiltering == second.inverseFiltering)
      #expect(first.noise == second.noise && first.harmonics == second.harmonics)
    }
  }

  /// A coupled pair shares modes and noise; a sine may be in only one of its channels.
  @Test func pairsShareDecisions() throws {
    let tables = try Self.tables()
    var pair = [TonalityAnalyzer](repeating: TonalityAnalyzer(), count: 2)
    let low = Self.noise(1000, seed: 11)
    let plain = Self.noise(10, seed: 12)
    let tonal = Self.sum([plain, Self.tone(1000, band: 41)])
    for frame in 0..<4 {
      var data = [Self.empty, Self.empty]
      pair[0].analyze(Self.spectrum(low: low, high: plain, frame: frame, start: 28), tables)
      pair[1].analyze(Self.spectrum(low: low, high: tonal, frame: frame, start: 28), tables)
      TonalityAnalyzer.decide(&pair, into: &data, tables)
      #expect(data[0].inverseFiltering == data[1].inverseFiltering)
      #expect(data[1].noise == SIMD16(repeating: 12))
      #expect(data[0].harmonics == 0)
      let band = try #require((0..<12).first { tables.high[$0 + 1] > 41 })
      #expect(data[1].harmonics == 1 << UInt64(band))
    }
  }

  /// Returns log₂ of the ratio of predictable to unpredictable energy, or 0 if the ratio is below
  /// 1.
  ///
  /// It uses the covariance method in Double, without optimization.
  static func level(_ x: [(re: Double, im: Double)]) -> Double {
    func phi(_ i: Int, _ j: Int) -> (re: Double, im: Double) {
      var sum = (re: 0.0, im: 0.0)
      for n in 2..<x.count {
        let (a, b) = (x[n - i], x[n - j])
        sum.re += a.re * b.re + a.im * b.im
        sum.im += a.im * b.re - a.re * b.im
      }
      return sum
    }
    let (p00, p01, p02) = (phi(0, 0).re, phi(0, 1), phi(0, 2))
    let (p11, p12, p22) = (phi(1, 1).re, phi(1, 2), phi(2, 2).re)
    let determinant = p22 * p11 - (p12.re * p12.re + p12.im * p12.im) / 1.000001
    let re1 = (p01.re * p12.re - p01.im * p12.im - p02.re * p11) / determinant
    let im1 = (p01.re * p12.im + p01.im * p12.re - p02.im * p11) / determinant
    let re0 = -(p01.re + re1 * p12.re + im1 * p12.im) / p11
    let im0 = -(p01.im + im1 * p12.re - re1 * p12.im) / p11
    // The prediction error, sample by sample.
    var error = 64.0
    for n in 2..<x.count {
      let (a, b) = (x[n - 1], x[n - 2])
      let re = x[n].re + re0 * a.re - im0 * a.im + re1 * b.re - im1 * b.im
      let im = x[n].im + re0 * a.im + im0 * a.re + re1 * b.im + im1 * b.re
      error += re * re + im * im
    }
    let ratio = p00 / error - 1
    return ratio > 1 ? ElementaryFunctions.preciseLog2(ratio) : 0
  }

  @Test(arguments: [0, 10, 300] as [Float])
  func tonalityIsThatOfItsDefinition(noise: Float) {
    let sound = Self.sum([
      Self.noise(noise, seed: 13), Self.tone(1000, band: 12), Self.tone(400, band: 33),
    ])
    let spectrum = Self.spectrum(low: sound, high: sound, frame: 1, start: 28)
    var tonality = BandTonality()
    tonality.measure(spectrum, 9..<60)
    for half in 0..<2 {
      for band in 9..<60 {
        let first = SBRSpectrum.pastSlotCount + 16 * half - 2
        let values = (first..<first + 18).map { slot in
          let index = 64 * slot + band
          return (re: Double(spectrum.real[index]), im: Double(spectrum.imaginary[index]))
        }
        let exact = Self.level(values)
        let level = Double(tonality.levels[half * BandTonality.width + band])
        // The values in Float are limited to 2^14, and inaccurate near it.
        if exact < 11 {
          #expect(abs(level - exact) < 0.02, "band \(band), half \(half)")
        } else {
          #expect(level > 10.5, "band \(band), half \(half)")
        }
      }
    }
  }
}
