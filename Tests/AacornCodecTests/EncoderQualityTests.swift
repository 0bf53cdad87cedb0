import Testing

@testable import AacornCodec

/// Sounds through the encoder and the reference decoder.
@Suite struct EncoderQualityTests {
  typealias Configuration = AACEncoder.Configuration

  @Test(arguments: [1, 2, 1023, 1024, 1025, 2047, 2048, 2049, 5000, 10_240])
  func theLengthIsExactAfterTrimming(frames: Int) throws {
    // Substituted noise has the right energy, but does not match the waveform.
    var configuration = Configuration.constant(128_000, channels: 2)
    configuration.tools.remove(.noiseSubstitution)
    let sound = try EncodedSound(
      [Signals.noise(frames), Signals.noise(frames, seed: 2)], configuration)
    #expect(sound.trim.sampleCount == frames)
    #expect(sound.trim.priming == 1024)
    #expect((0..<1024).contains(sound.trim.remainder))
    #expect(sound.units.count * 1024 == frames + sound.trim.priming + sound.trim.remainder)
    for (index, unit) in sound.units.enumerated() {
      #expect(unit.samplePosition == index * 1024 - 1024)
      #expect(unit.sampleCount == 1024)
    }
    let restored = try sound.restored()
    #expect(restored.map(\.count) == [frames, frames])
    if frames > 1000 {
      #expect(Likeness.signalToNoise(Signals.noise(frames), restored[0]) > 3)
    }
  }

  private static func samples(of name: String) -> [Float] {
    switch name {
    case "sine": Signals.sine(22_050, hertz: 997, rate: 44_100)
    case "noise": Signals.noise(22_050)
    case "sweep": Signals.sweep(22_050, from: 200, to: 14_000, rate: 44_100)
    default: Signals.music(22_050, rate: 44_100, channels: 1)[0]
    }
  }

  /// The minimum signal-to-noise ratios, in decibels.
  ///
  /// They are well below the ratios of a perceptual encoder, and far above the ratios of a broken
  /// one.
  static let floors: [(name: String, bitrate: Int, decibels: Double)] = [
    ("sine", 32_000, 17), ("sine", 64_000, 25), ("sine", 128_000, 35), ("sine", 256_000, 48),
    ("noise", 64_000, 3), ("noise", 128_000, 8), ("noise", 256_000, 20), ("sweep", 32_000, 12),
    ("sweep", 64_000, 18), ("sweep", 128_000, 26), ("sweep", 256_000, 36), ("music", 32_000, 5),
    ("music", 64_000, 8), ("music", 128_000, 12), ("music", 256_000, 22),
  ]

  @Test(arguments: floors, AACEncoder.Effort.allCases)
  func theErrorStaysBelowItsFloor(
    floor: (name: String, bitrate: Int, decibels: Double), effort: AACEncoder.Effort
  ) throws {
    let samples = Self.samples(of: floor.name)
    let sound = try EncodedSound([samples], .constant(floor.bitrate, effort: effort))
    let ratio = Likeness.signalToNoise(samples, try sound.restored()[0])
    #expect(ratio > floor.decibels, "\(floor.name) at \(floor.bitrate): \(ratio) dB")
  }

  /// Attacks in one channel do not disturb a tone in the other one, whose windows stay long.
  @Test(arguments: AACEncoder.Effort.allCases)
  func channelsWithTheirOwnWindowsKeepTheirShape(effort: AACEncoder.Effort) throws {
    let castanets = Signals.castanets(20_000, rate: 44_100)
    let tone = Signals.sine(castanets.count, hertz: 440, rate: 44_100)
    var configuration = Configuration.constant(256_000, channels: 2, effort: effort)
    configuration.tools.remove(.noiseSubstitution)
    let sound = try EncodedSound([tone, castanets], configuration)
    try sound.expectEqualDecoding()
    let restored = try sound.restored()
    let ratios = [
      Likeness.signalToNoise(tone, restored[0]), Likeness.signalToNoise(castanets, restored[1]),
    ]
    #expect(ratios[0] > 40 && ratios[1] > 15, "\(ratios) dB")
  }

  @Test func attacksKeepTheirShape() throws {
    let samples = Signals.castanets(9000, rate: 44_100)
    // Noise substitution preserves only energies.
    var configuration = Configuration.constant(176_400)
    configuration.tools.remove(.noiseSubstitution)
    let sound = try EncodedSound([samples], configuration)
    try sound.expectEqualDecoding()
    let ratio = Likeness.signalToNoise(samples, try sound.restored()[0])
    #expect(ratio > 15, "\(ratio) dB")
  }

  @Test func moreBitsGiveLessError() throws {
    let music = Signals.music(22_050, rate: 44_100)
    var last = -Double.infinity
    for bitrate in [32_000, 64_000, 128_000, 256_000, 512_000] {
      let sound = try EncodedSound(music, .constant(bitrate, channels: 2))
      let ratio = Likeness.signalToNoise(music[0], try sound.restored()[0])
      #expect(ratio > last + 1, "\(bitrate) bits per second: \(ratio) dB after \(last)")
      last = ratio
    }
  }

  @Test(arguments: 2...5)
  func higherLevelsOfQualityAreLargerAndBetter(level: Int) throws {
    let music = Signals.music(22_050, rate: 44_100)
    let sounds = try [level - 1, level].map {
      try EncodedSound(
        music,
        Configuration(sampleRate: 44_100, channelCount: 2, rateControl: .variable(level: $0)))
    }
    #expect(sounds[1].bitCount > sounds[0].bitCount)
    let ratios = try sounds.map { Likeness.signalToNoise(music[1], try $0.restored()[1]) }
    #expect(ratios[1] > ratios[0])
  }

  @Test(arguments: [
    AACEncoder.RateControl.constant(bitsPerSecond: 128_000), .average(bitsPerSecond: 128_000),
    .variable(level: 3),
  ])
  func silenceStaysSilent(rateControl: AACEncoder.RateControl) throws {
    let sound = try EncodedSound(
      Signals.silence(20_000, channels: 2),
      Configuration(sampleRate: 44_100, channelCount: 2, rateControl: rateControl))
    let silence = [Double](repeating: 0, count: 20_000)
    #expect(try sound.restored() == [silence, silence])
    if case .constant = rateControl { return }
    #expect(sound.units.allSatisfy { $0.bytes.count < 16 })
  }

  @Test func silenceAfterAudioDecodesToSilence() throws {
    let samples = Signals.noise(5000) + Signals.silence(8000)[0]
    let restored = try EncodedSound([samples], .constant(64_000)).restored()[0]
    #expect(restored.count == 13_000 && restored[7168...].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [(64, 20.0), (100, 20), (441, 25), (44_100, 40)])
  func fullScaleSquareWaveRoundTrips(period: Int, floor: Double) throws {
    let square = Signals.square(30_000, period: period)
    let restored = try EncodedSound([square], .constant(160_000)).restored()[0]
    let ratio = Likeness.signalToNoise(square, restored)
    #expect(ratio > floor, "\(ratio) dB")
  }

  @Test func inputAboveFullScaleIsPreserved() throws {
    let loud = Signals.sine(20_000, hertz: 440, rate: 44_100, amplitude: 0.9).map { $0 * 4 }
    let restored = try EncodedSound([loud], .constant(128_000)).restored()[0]
    #expect(Likeness.signalToNoise(loud, restored) > 30)
    #expect(restored.contains { $0 > 3.4 })
  }

  @Test(arguments: [0.001, 0.1, 1.0, -1.0])
  func constantSignalDecodesToConstant(level: Double) throws {
    let samples = [Float](repeating: Signals.onGrid(level), count: 20_000)
    let restored = try EncodedSound([samples], .constant(64_000)).restored()[0]
    for sample in restored[4096..<16_384] {
      #expect(abs(sample - level) < max(2.0 / 32_768, abs(level) * 0.02))
    }
  }

  @Test func nanBecomesSilenceAndInfinityIsClipped() throws {
    var strange = Signals.music(9000, rate: 44_100)
    var sane = strange
    for n in stride(from: 50, to: 9000, by: 611) {
      strange[0][n] = .nan
      sane[0][n] = 0
      strange[1][n] = .infinity
      sane[1][n] = 4
      strange[1][n + 1] = -.infinity
      sane[1][n + 1] = -4
      strange[0][n + 2] = .greatestFiniteMagnitude
      sane[0][n + 2] = 4
      strange[0][n + 3] = -.signalingNaN
      sane[0][n + 3] = 0
    }
    let configuration = Configuration.constant(128_000, channels: 2)
    let (one, other) = try (EncodedSound(strange, configuration), EncodedSound(sane, configuration))
    #expect(one.units == other.units)
    #expect(try one.decoded().allSatisfy { $0.allSatisfy(\.isFinite) })
  }

  @Test(arguments: [0, 1, 511, 512, 1023, 1024, 1025, 1535, 1536, 2047, 2048, 2049, 3000])
  func impulseKeepsItsPosition(position: Int) throws {
    let impulse = Signals.impulse(6000, at: position)
    for effort in AACEncoder.Effort.allCases {
      let restored = try EncodedSound([impulse], .constant(128_000, effort: effort)).restored()[0]
      let peak = restored.indices.max { abs(restored[$0]) < abs(restored[$1]) }
      #expect(peak == position)
      #expect(Likeness.signalToNoise(impulse, restored) > 6)
    }
  }

  @Test func noSamplesGiveNoUnits() throws {
    let sound = try EncodedSound([[]], .constant(128_000))
    #expect(sound.units.isEmpty)
    #expect(sound.trim.sampleCount == 0)
  }
}
