import Testing

@testable import AacornCodec

/// The psychoacoustic model, compared with properties of hearing.
@Suite struct PsychoacousticsTests {
  static func model(_ rateIndex: Int, isShort: Bool) -> (MaskingModel, [Int]) {
    let bands = ScaleFactorBands(rateIndex: rateIndex)
    let offsets = bands.offsets(isShort: isShort)
    let rate = SamplingFrequency.all[rateIndex].hertz
    return (
      MaskingModel(offsets: offsets, lineCount: isShort ? 128 : 1024, sampleRate: rate), offsets
    )
  }

  @Test func barkNumbersIncreaseWithFrequency() {
    var last = -Float.infinity
    for hertz in stride(from: Float(0), through: 24_000, by: 50) {
      let bark = MaskingModel.bark(hertz)
      #expect(bark > last)
      last = bark
    }
    // Zwicker's table: 100 Hz is 1 Bark, 1 kHz 8.5, 4 kHz 17.5, 15.5 kHz 24.
    #expect(abs(MaskingModel.bark(100) - 1) < 0.2)
    #expect(abs(MaskingModel.bark(1000) - 8.5) < 0.3)
    #expect(abs(MaskingModel.bark(4000) - 17.3) < 0.5)
    #expect(abs(MaskingModel.bark(15_500) - 24) < 0.5)
  }

  @Test(arguments: 0..<13, [true, false])
  func maskingConstantsArePlausible(rateIndex: Int, isShort: Bool) {
    let (model, offsets) = Self.model(rateIndex, isShort: isShort)
    #expect(model.bandCount == offsets.count - 1)
    for band in 0..<model.bandCount {
      #expect(model.quiet[band] > 0 && model.quiet[band].isFinite)
      #expect(model.decayUp[band] >= 0 && model.decayUp[band] < 1)
      #expect(model.decayDown[band] >= 0 && model.decayDown[band] < 1)
      #expect(model.selfFraction[band] > 0 && model.selfFraction[band] <= 1)
      // A tone masks less noise than noise does.
      #expect(model.toneOffset[band] < model.noiseOffset[band])
      #expect(model.noiseOffset[band] < 1)
      if band > 0 {
        // Masking extends further upward than downward.
        #expect(model.decayUp[band] > model.decayDown[band - 1])
      }
    }
  }

  @Test func thresholdInQuietIsLowestAtMostSensitiveFrequency() throws {
    let (model, offsets) = Self.model(4, isShort: false)
    let level = (0..<model.bandCount).map { band in
      Likeness.decibels(Double(model.quiet[band]))
    }
    let keenest = try #require(level.indices.min { level[$0] < level[$1] })
    let hertz = Double(offsets[keenest]) * 44_100 / 2048
    #expect((2_000...5_500).contains(hertz))
    for band in 1...keenest where band < 12 { #expect(level[band] <= level[band - 1]) }
    #expect(level[0] > level[keenest] + 20)
    let top = try #require(level.last)
    #expect(top > level[keenest] + 20)
  }

  static func analyze(_ lines: [Float], isShort: Bool = false) -> (Psychoacoustics, BandLayout) {
    var layout = BandLayout()
    let (model, offsets) = Self.model(4, isShort: isShort)
    if isShort {
      layout.setWindow(
        WindowInfo(.eightShort, bands: model.bandCount, groups: [8]), windowOffsets: offsets)
    } else {
      layout.setWindow(WindowInfo(.onlyLong, bands: model.bandCount), windowOffsets: offsets)
    }
    var psychoacoustics = Psychoacoustics()
    psychoacoustics.analyze(lines, layout, by: model)
    return (psychoacoustics, layout)
  }

  @Test(arguments: [false, true])
  func silenceHasThresholdInQuiet(isShort: Bool) {
    let (psychoacoustics, layout) = Self.analyze(
      [Float](repeating: 0, count: 1024), isShort: isShort)
    let (model, _) = Self.model(4, isShort: isShort)
    for band in 0..<layout.bandCount {
      #expect(psychoacoustics.energy[band] == 0)
      #expect(psychoacoustics.threshold[band] == model.quiet[band] * (isShort ? 8 : 1))
    }
  }

  @Test(arguments: [5, 15, 25, 40])
  func masksDecayMonotonicallyOnBothSides(masker: Int) {
    var lines = [Float](repeating: 0, count: 1024)
    let bands = ScaleFactorBands(rateIndex: 4).long
    var noise = NoiseGenerator(state: 2)
    for line in bands[masker]..<bands[masker + 1] { lines[line] = Float(3e7 * noise.next()) }
    let (psychoacoustics, layout) = Self.analyze(lines)
    let (model, _) = Self.model(4, isShort: false)
    #expect(psychoacoustics.threshold[masker] < psychoacoustics.energy[masker] * 0.5)
    // The threshold also depends on the masking offset of each band. Divided by the offsets, it
    // only decreases with the distance from the masker.
    let share = (0..<layout.bandCount).map {
      psychoacoustics.threshold[$0] / (model.noiseOffset[$0] + model.toneOffset[$0])
    }
    let isQuiet = { (band: Int) in psychoacoustics.threshold[band] <= model.quiet[band] * 1.0001 }
    for band in masker + 2..<layout.bandCount where !isQuiet(band) && !isQuiet(band - 1) {
      #expect(share[band] < share[band - 1] * 1.3)
    }
    if masker > 3 {
      for band in 0..<masker - 2 where !isQuiet(band) && !isQuiet(band + 1) {
        #expect(share[band] < share[band + 1] * 1.3)
      }
    }
  }

  @Test func louderAudioMasksMoreNoise() {
    let lines = NoiseGenerator.floats(amplitude: 1e6, seed: 6)
    let (soft, layout) = Self.analyze(lines)
    let (loud, _) = Self.analyze(lines.map { $0 * 10 })
    for band in 0..<layout.bandCount {
      #expect(loud.threshold[band] >= soft.threshold[band])
      #expect(loud.threshold[band] <= soft.threshold[band] * 100.1)
    }
  }

  @Test func tonalitySeparatesTonesFromNoise() {
    var lines = [Float](repeating: 0, count: 1024)
    for line in stride(from: 10, to: 1000, by: 40) { lines[line] = 1e7 }
    let (tones, layout) = Self.analyze(lines)
    let (hiss, _) = Self.analyze(NoiseGenerator.floats(amplitude: 1e6, seed: 6))
    var (tonal, noisy) = (Float(0), Float(0))
    for band in 20..<layout.bandCount {
      tonal += tones.tonality[band]
      noisy += hiss.tonality[band]
    }
    #expect(tonal > 4 * noisy)
    #expect(tones.tonality.allSatisfy { (0...1).contains($0) })
  }

  @Test func attacksAreDetectedAtAnyPosition() {
    for window in 0..<8 {
      var detector = TransientDetector()
      var samples = Signals.noise(4096, amplitude: 0.002).map { $0 * 32_768 }
      let position = 2048 + window * 128 + 40
      let burst = Signals.noise(400, amplitude: 0.8, seed: 4).map { $0 * 32_768 }
      for (n, sample) in burst.enumerated() where position + n < 4096 {
        samples[position + n] += sample
      }
      detector.analyze(samples, from: 1024)
      #expect(!detector.next.isAbrupt)
      detector.analyze(samples, from: 2048)
      #expect(detector.next.isAbrupt)
      #expect(detector.next.crest > 1.2)
    }
  }

  @Test func detectorFindsAbruptEndsButNotFades() {
    for fade in [32, 8000] {
      var detector = TransientDetector()
      let steady = Signals.noise(16_384, amplitude: 0.3).map { $0 * 32_768 }
      let samples = steady.enumerated().map { n, sample in
        sample * max(0.02, min(1, Float(6000 + fade - n) / Float(fade)))
      }
      var isFound = false
      for start in stride(from: 1024, to: 15_000, by: 1024) {
        detector.analyze(samples, from: start)
        // The first sound is an attack after the silence before it.
        if start > 2048 && detector.next.isAbrupt { isFound = true }
      }
      #expect(isFound == (fade == 32))
    }
  }

  @Test func steadySoundHasNoAttacks() {
    let samples = Signals.sine(30_000, hertz: 700, rate: 44_100).map { $0 * 32_768 }
    var detector = TransientDetector()
    for start in stride(from: 1, to: 28_000, by: 1024) {
      detector.analyze(samples, from: start)
      if start > 2000 { #expect(!detector.next.isAbrupt) }
    }
  }

  /// The detector depends on only two frames, so that segments can begin anywhere.
  @Test func detectorStateDependsOnLastTwoFrames() {
    let samples = Signals.noise(20_480, amplitude: 0.3).enumerated().map { n, sample in
      sample * (n / 700 % 3 == 0 ? 32_768 : 300)
    }
    for first in [1024, 5120] {
      var early = TransientDetector()
      var late = TransientDetector()
      for start in stride(from: 1024, to: 19_000, by: 1024) {
        early.analyze(samples, from: start)
        if start >= first { late.analyze(samples, from: start) }
        if start >= first + 2048 {
          #expect(early.next.isAbrupt == late.next.isAbrupt)
          #expect(early.next.crest == late.next.crest)
          #expect(early.windowEnergies == late.windowEnergies)
        }
      }
    }
  }

  @Test func windowsOfLikeEnergyFormGroups() {
    func groups(_ energies: SIMD8<Float>) -> [UInt8] {
      var window = WindowInfo(.eightShort, bands: 14)
      BlockSwitching.divide(&window, energies: energies)
      return (0..<window.groupCount).map { window.groupLengths[$0] }
    }
    #expect(groups(SIMD8(repeating: 1e8)) == [8])
    #expect(groups(SIMD8(1e4, 1e4, 1e4, 1e9, 1e9, 1e9, 1e9, 1e9)) == [3, 5])
    #expect(groups(SIMD8(1e4, 1e4, 1e4, 1e4, 1e9, 1e9, 1e5, 1e5)) == [4, 2, 2])
    #expect(groups(.zero) == [8])
  }

  /// ISO/IEC 14496-3, 4.6.11.3, for every sequence of attacks.
  @Test func sequencesOfWindowsAreLegalWhateverTheAttacks() {
    var noise = NoiseGenerator(state: 17)
    var switching = BlockSwitching()
    var endedShort = false
    var attackBefore = false
    for _ in 0..<5000 {
      let attack = noise.next() > 0.3
      switching.advance(attackInNextFrame: attack)
      let sequence = switching.sequence
      #expect((sequence == .eightShort || sequence == .longStop) == endedShort)
      // The frame with the attack must have short windows.
      if attackBefore { #expect(sequence == .eightShort) }
      endedShort = sequence.hasShortRightSlope
      attackBefore = attack
    }
  }

  @Test func bandwidthOpensWithTheRate() {
    var last = 0
    for rate in stride(from: Float(2000), through: 400_000, by: 500) {
      let hertz = Bandwidth.hertz(bitsPerSecondPerChannel: rate, sampleRate: 96_000)
      #expect(hertz >= last)
      last = hertz
    }
    #expect(last == 48_000)
    #expect(Bandwidth.hertz(bitsPerSecondPerChannel: 1e6, sampleRate: 8000) == 4000)
  }
}
