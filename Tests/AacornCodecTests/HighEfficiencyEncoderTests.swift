import TestSignals
import Testing

@testable import AacornCodec

/// HE-AAC and HE-AAC v2 from samples to samples, with the package's own decoder.
@Suite struct HighEfficiencyEncoderTests {
  @Test(arguments: AACEncoder.Profile.replicating, [1, 2047, 2048, 44_100])
  func lengthsAreExact(profile: AACEncoder.Profile, count: Int) throws {
    let noise = Signals.noise(count, amplitude: 0.2)
    let sound = try EncodedSound([noise, noise], .fast(profile))
    let trim = sound.trim
    #expect(trim.priming + trim.sampleCount + trim.remainder == 2048 * sound.units.count)
    #expect(trim.sampleCount == count && trim.remainder < 2048)
    let made = try sound.trimmedOutput()
    #expect(made.count == 2 && made.allSatisfy { $0.count == count })
  }

  /// The low bands keep their position in time.
  ///
  /// If both channels are equal, so are both outputs.
  @Test(
    arguments: [(.highEfficiency, 1, 20), (.highEfficiencyV2, 2, 15)]
      as [(AACEncoder.Profile, Int, Double)])
  func lowBandsStayTimeAligned(
    profile: AACEncoder.Profile, channels: Int, decibels: Double
  ) throws {
    var tone = [Float](repeating: 0, count: 40_000)
    for (index, hertz) in [310.0, 787, 1433, 2611].enumerated() {
      let part = Signals.sine(40_000, hertz: hertz, rate: 44_100, amplitude: 0.15)
      // The tones begin at different times, so that no other lag matches nearly as well.
      for n in (index + 1) * 5000..<40_000 { tone[n] += part[n] }
    }
    let sound = try EncodedSound(
      [[Float]](repeating: tone, count: channels),
      .fast(profile, channels: channels, bitrate: 40_000))
    let made = try sound.trimmedOutput()
    #expect(made.count == channels)
    for samples in made {
      #expect(Sound.lag(tone, samples) == 0)
      #expect(Sound.signalToNoise(tone, samples) > decibels)
      // The channels stay equal.
      #expect(Sound.signalToNoise(made[0], samples) > 60)
    }
  }

  /// The high bands of clicks keep their position to the slot, anywhere in a frame.
  @Test(arguments: [(.highEfficiency, 1), (.highEfficiencyV2, 2)] as [(AACEncoder.Profile, Int)])
  func highBandsStayTimeAligned(profile: AACEncoder.Profile, channels: Int) throws {
    let distance = 6000 + 37
    var clicks = [Float](repeating: 0, count: 40 * distance)
    let positions = (1..<39).map { $0 * distance }
    for position in positions { clicks[position] = 0.9 }
    let sound = try EncodedSound(
      [[Float]](repeating: clicks, count: channels),
      .fast(profile, channels: channels, bitrate: 32_000))
    let made = try sound.trimmedOutput()
    #expect(made.count == channels)
    for samples in made {
      // A slot of the grid has 128 samples, and the core's noise before the click also moves the
      // mean.
      let moments = Self.moments(samples, positions)
      for (position, moment) in zip(positions, moments) {
        #expect(moment.magnitude < 192, "\(position): \(moment)")
      }
      #expect((moments.reduce(0, +) / Double(positions.count)).magnitude < 64)
    }
  }

  /// The mean delay in samples of the high-band energy around each position.
  private static func moments(_ samples: [Float], _ positions: [Int]) -> [Double] {
    // The third difference removes most of the core's bands.
    var high = [Double](repeating: 0, count: samples.count)
    for n in 3..<samples.count {
      high[n] = Double(samples[n] - 3 * samples[n - 1] + 3 * samples[n - 2] - samples[n - 3])
    }
    return positions.map { position in
      var (energy, moment) = (1e-12, 0.0)
      for n in position - 2000..<position + 2000 {
        energy += high[n] * high[n]
        moment += high[n] * high[n] * Double(n - position)
      }
      return moment / energy
    }
  }

  @Test(arguments: [48_000, 64_000])
  func highBandsHaveTheirLevel(bitrate: Int) throws {
    let noise = [
      Signals.noise(80_000, amplitude: 0.3, seed: 3),
      Signals.noise(80_000, amplitude: 0.1, seed: 4),
    ]
    let sound = try EncodedSound(noise, .fast(.highEfficiency, bitrate: bitrate))
    for (was, made) in zip(noise, try sound.trimmedOutput()) {
      let ratio = Self.highLevel(made) / Self.highLevel(was)
      // White noise also has bands above the replicated ones.
      #expect(ratio > 0.75 && ratio < 1.1, "\(ratio)")
    }
  }

  private static func highLevel(_ samples: [Float]) -> Double {
    Likeness.level(samples.indices.dropFirst(8000).map { samples[$0] - samples[$0 - 1] })
  }

  @Test(
    arguments: [
      (.highEfficiency, 24_000), (.highEfficiency, 32_000), (.highEfficiency, 48_000),
      (.highEfficiency, 64_000), (.highEfficiency, 96_000), (.highEfficiencyV2, 16_000),
      (.highEfficiencyV2, 24_000), (.highEfficiencyV2, 32_000), (.highEfficiencyV2, 48_000),
      (.highEfficiencyV2, 64_000),
    ] as [(AACEncoder.Profile, Int)])
  func constantRatesAreKept(profile: AACEncoder.Profile, bitrate: Int) throws {
    let sound = try EncodedSound(
      [
        Signals.noise(700_000, amplitude: 0.3, seed: 2),
        Signals.noise(700_000, amplitude: 0.2, seed: 1),
      ], .fast(profile, bitrate: bitrate))
    let rate = Double(sound.bitCount) * 44_100 / Double(sound.trim.sampleCount)
    #expect((rate / Double(bitrate) - 1).magnitude < 0.01, "\(rate)")
    try EncoderRateTests.checkBuffer(sound, bitsPerSecond: bitrate)
  }

  @Test(arguments: AACEncoder.Profile.replicating)
  func everyUnitHasAPayload(profile: AACEncoder.Profile) throws {
    let noise = Signals.noise(100_000, amplitude: 0.2)
    let sound = try EncodedSound([noise, noise], .fast(profile))
    let bandwidth = try AACEncoder(.fast(profile)).bandwidth
    let blocks = try sound.parsed()
    var probe = SBRProbe(sound.config)
    for (index, (unit, block)) in zip(sound.units, blocks).enumerated() {
      probe.read(block, in: unit.bytes, range: unit.bytes.indices)
      try #require(probe.payloads.count == 1)
      let range = probe.payloads[0].frequencies
      #expect((range != nil) == (index % 8 == 0))
      if let range {
        #expect((5_000...10_000).contains(range.lowerBound) && range.upperBound == bandwidth)
      }
    }
  }

  @Test(arguments: [16_000, 22_050, 24_000, 32_000, 44_100, 48_000], [1, 2, 3, 4, 5, 6, 8])
  func allRatesAndLayoutsDecode(rate: Int, channels: Int) throws {
    let sounds = (0..<channels).map {
      Signals.noise(12_000, amplitude: 0.1, seed: UInt32($0 + 1))
    }
    for bitrate in [8_000, 24_000, 36_000] {
      let sound = try EncodedSound(
        sounds,
        .fast(.highEfficiency, rate: rate, channels: channels, bitrate: bitrate * channels))
      #expect(sound.config.outputSampleRate == rate && sound.config.sampleRate == rate / 2)
      let made = try sound.trimmedOutput()
      #expect(made.count == channels && made.allSatisfy { $0.count == 12_000 })
    }
  }

  @Test(arguments: [16_000, 22_050, 24_000, 32_000, 44_100, 48_000])
  func twoChannelsComeOfOneAtAllRates(rate: Int) throws {
    let sounds = (1...2).map { Signals.noise(12_000, amplitude: 0.1, seed: UInt32($0)) }
    let limits = try #require(
      AACEncoder.bitrateLimits(
        sampleRate: rate, channelCount: 2, profile: .highEfficiencyV2))
    for bitrate in [limits.lowerBound, 16_000, 24_000, 32_000, 40_000, limits.upperBound] {
      let sound = try EncodedSound(sounds, .fast(.highEfficiencyV2, rate: rate, bitrate: bitrate))
      #expect(sound.config.outputSampleRate == rate && sound.config.sampleRate == rate / 2)
      #expect(sound.config.channelCount == 1 && sound.config.outputChannelCount == 2)
      for block in try sound.parsed() { #expect(block.channelCount == 1) }
      let made = try sound.trimmedOutput()
      try #require(made.count == 2)
      for (was, samples) in zip(sounds, made) {
        #expect(samples.count == 12_000)
        let ratio = Likeness.level(samples) / Likeness.level(was)
        #expect(ratio > 0.3 && ratio < 1.3, "\(bitrate): \(ratio)")
      }
    }
  }

  /// Bands with large alternating levels need many bits, but the frames still fit.
  @Test(
    arguments: [
      (16_000, 8_000, 12_000), (48_000, 8_000, 12_000), (44_100, 16_000, 16_000),
      (48_000, 64_000, 128_000),
    ].flatMap { (rate, bitsPerChannel, stereoBitrate) -> [AACEncoder.Configuration] in
      [
        .fast(.highEfficiency, rate: rate, channels: 1, bitrate: bitsPerChannel),
        .fast(.highEfficiency, rate: rate, bitrate: 2 * bitsPerChannel),
        .fast(.highEfficiencyV2, rate: rate, bitrate: stereoBitrate),
      ]
    })
  func extremeSignalsFitDecoderBuffer(configuration: AACEncoder.Configuration) throws {
    let channels = configuration.channelCount
    var random = SeededNumbers(seed: UInt64(configuration.sampleRate + channels))
    let sounds = (0..<channels).map { _ in
      var gain: Float = 1
      return (0..<30_000).map { n -> Float in
        if n % 190 == 0 { gain = [0.0001, 0.01, 0.1, 1][Int(random.next() % 4)] }
        let noise = Float(random.next() % 2001) / 1000 - 1
        return gain * (n / 3000 % 2 == 0 ? noise : n % 2 == 0 ? 1 : -1)
      }
    }
    let sound = try EncodedSound(sounds, configuration)
    let capacity = 6144 * sound.config.bufferedChannelCount
    for unit in sound.units {
      #expect(unit.bytes.count * 8 <= capacity)
      #expect((0...capacity).contains(try #require(unit.reservoirBits)))
    }
    try EncoderRateTests.checkBuffer(sound, bitsPerSecond: configuration.rateControl.nominalBitrate)
    #expect(try sound.trimmedOutput().count == channels)
  }

  @Test(arguments: AACEncoder.Profile.replicating)
  func silenceAndExtremeInputStayFinite(profile: AACEncoder.Profile) throws {
    for value: Float in [0, 1, -4, .nan, .infinity] {
      let still = [Float](repeating: value, count: 10_000)
      // The sum of the second pair's channels is zero.
      for other in [still, still.map { -$0 }] {
        let made = try EncodedSound([still, other], .fast(profile)).trimmedOutput()
        #expect(made.allSatisfy { $0.allSatisfy { $0.isFinite } })
        if value == 0 { #expect(made.allSatisfy { $0.allSatisfy { $0.magnitude < 1e-4 } }) }
      }
    }
  }
}
