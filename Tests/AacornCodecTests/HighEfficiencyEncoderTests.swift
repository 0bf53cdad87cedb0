import Testing

@testable import AacornCodec

/// HE-AAC from samples to samples, through the package's own decoder.
@Suite struct HighEfficiencyEncoderTests {
  private static func configuration(
    rate: Int = 44_100, channels: Int = 2, bitrate: Int = 48_000
  ) -> AACEncoder.Configuration {
    var configuration = AACEncoder.Configuration(
      sampleRate: rate, channelCount: channels, bitrate: bitrate, effort: .fast)
    configuration.profile = .highEfficiency
    return configuration
  }

  /// The sound of each channel as it comes out, cut to what went in.
  private static func restored(_ sound: EncodedSound) throws -> [[Float]] {
    let decoded = try DecodedSound(sound.units.map(\.bytes), sound.config)
    try #require(decoded.concealedCount == 0)
    return decoded.channels.map {
      Array($0.dropFirst(sound.trim.priming).dropLast(sound.trim.remainder))
    }
  }

  @Test(arguments: [1, 2047, 2048, 44_100])
  func lengthsAreExact(count: Int) throws {
    let noise = Signals.noise(count, amplitude: 0.2)
    let sound = try EncodedSound([noise, noise], Self.configuration())
    let trim = sound.trim
    #expect(trim.priming + trim.sampleCount + trim.remainder == 2048 * sound.units.count)
    #expect(trim.sampleCount == count && trim.remainder < 2048)
    #expect(try Self.restored(sound).allSatisfy { $0.count == count })
  }

  /// What the core codes comes out where it was.
  @Test func lowBandsAreInTheirPlace() throws {
    var tone = [Float](repeating: 0, count: 40_000)
    for (index, hertz) in [310.0, 787, 1433, 2611].enumerated() {
      let part = Signals.sine(40_000, hertz: hertz, rate: 44_100, amplitude: 0.15)
      // Each begins at another time, so that no other lag is nearly as good.
      for n in (index + 1) * 5000..<40_000 { tone[n] += part[n] }
    }
    let sound = try EncodedSound([tone], Self.configuration(channels: 1, bitrate: 40_000))
    let made = try Self.restored(sound)[0].map { Double($0) }
    #expect(Likeness.lag(tone, made, in: -40...40) == 0)
    #expect(Likeness.signalToNoise(tone, made) > 20)
  }

  /// Clicks have their high bands where they were, to the slot, wherever in a frame.
  @Test func highBandsAreInTheirPlace() throws {
    let distance = 6000 + 37
    var clicks = [Float](repeating: 0, count: 40 * distance)
    let places = (1..<39).map { $0 * distance }
    for place in places { clicks[place] = 0.9 }
    let sound = try EncodedSound([clicks], Self.configuration(channels: 1, bitrate: 32_000))
    let made = try Self.restored(sound)[0]
    // The third difference leaves little of what the core codes.
    var high = [Double](repeating: 0, count: made.count)
    for n in 3..<made.count {
      high[n] = Double(made[n] - 3 * made[n - 1] + 3 * made[n - 2] - made[n - 3])
    }
    var total = 0.0
    for place in places {
      var (energy, moment) = (1e-12, 0.0)
      for n in place - 2000..<place + 2000 {
        energy += high[n] * high[n]
        moment += high[n] * high[n] * Double(n - place)
      }
      // A slot of the grid has 128 samples; the core's own noise before the click counts too.
      #expect((moment / energy).magnitude < 192, "\(place): \(moment / energy)")
      total += moment / energy
    }
    #expect((total / Double(places.count)).magnitude < 64)
  }

  /// High bands are as loud as they were.
  @Test(arguments: [48_000, 64_000])
  func highBandsHaveTheirLevel(bitrate: Int) throws {
    let noise = [
      Signals.noise(80_000, amplitude: 0.3, seed: 3),
      Signals.noise(80_000, amplitude: 0.1, seed: 4),
    ]
    let sound = try EncodedSound(noise, Self.configuration(bitrate: bitrate))
    for (was, made) in zip(noise, try Self.restored(sound)) {
      let ratio = Self.highLevel(made) / Self.highLevel(was)
      // White noise has a part above what is replicated.
      #expect(ratio > 0.75 && ratio < 1.1, "\(ratio)")
    }
  }

  private static func highLevel(_ samples: [Float]) -> Double {
    Likeness.level(samples.indices.dropFirst(8000).map { samples[$0] - samples[$0 - 1] })
  }

  @Test(arguments: [24_000, 32_000, 48_000, 64_000, 96_000])
  func constantRatesAreKept(bitrate: Int) throws {
    let sound = try EncodedSound(
      [Signals.noise(700_000, amplitude: 0.3, seed: 1), Signals.noise(700_000, amplitude: 0.2)],
      Self.configuration(bitrate: bitrate))
    let rate = Double(sound.bitCount) * 44_100 / Double(sound.trim.sampleCount)
    #expect((rate / Double(bitrate) - 1).magnitude < 0.01, "\(rate)")
  }

  /// A header comes in every eighth unit, and a payload in all.
  @Test func everyUnitHasAPayload() throws {
    let noise = Signals.noise(100_000, amplitude: 0.2)
    let sound = try EncodedSound([noise, noise], Self.configuration())
    let blocks = try sound.parsed()
    for (index, (unit, block)) in zip(sound.units, blocks).enumerated() {
      let payloads = block.extensions.filter(\.kind.isSpectralBandReplication)
      try #require(payloads.count == 1)
      let payload = payloads[0]
      let range = payload.replicatedFrequencies(
        in: unit.bytes, range: unit.bytes.indices, coreRate: sound.config.sampleRate)
      #expect((range != nil) == (index % 8 == 0))
      if let range { #expect((5_000...10_000).contains(range.lowerBound)) }
    }
  }

  @Test(
    arguments: [16_000, 22_050, 24_000, 32_000, 44_100, 48_000], [1, 2, 3, 4, 5, 6, 8])
  func allRatesAndLayoutsDecode(rate: Int, channels: Int) throws {
    let sounds = (0..<channels).map {
      Signals.noise(12_000, amplitude: 0.1, seed: UInt32($0 + 1))
    }
    for bitrate in [8_000, 24_000, 36_000] {
      let sound = try EncodedSound(
        sounds, Self.configuration(rate: rate, channels: channels, bitrate: bitrate * channels))
      #expect(sound.config.outputSampleRate == rate && sound.config.sampleRate == rate / 2)
      let made = try Self.restored(sound)
      #expect(made.count == channels && made.allSatisfy { $0.count == 12_000 })
    }
  }

  /// Bands that jump up and down all the time take many bits to describe, and still the frames fit.
  @Test(arguments: [(16_000, 8_000), (48_000, 8_000), (44_100, 16_000), (48_000, 64_000)])
  func wildSoundsFitTheBuffer(rate: Int, bitsPerChannel: Int) throws {
    for channels in [1, 2] {
      var random = SeededRandom(state: UInt64(rate + channels))
      let sounds = (0..<channels).map { _ in
        var gain: Float = 1
        return (0..<30_000).map { n -> Float in
          if n % 190 == 0 { gain = [0.0001, 0.01, 0.1, 1][Int(random.next() % 4)] }
          let noise = Float(random.next() % 2001) / 1000 - 1
          return gain * (n / 3000 % 2 == 0 ? noise : n % 2 == 0 ? 1 : -1)
        }
      }
      let sound = try EncodedSound(
        sounds,
        Self.configuration(rate: rate, channels: channels, bitrate: bitsPerChannel * channels))
      for unit in sound.units {
        #expect(unit.bytes.count * 8 <= 6144 * channels)
        #expect((0...6144 * channels).contains(try #require(unit.reservoirBits)))
      }
      _ = try Self.restored(sound)
    }
  }

  @Test func ratesWithoutReplicationAreRefused() {
    for rate in [8000, 11_025, 12_000, 64_000, 96_000] {
      #expect(throws: EncoderError.self) {
        try AACEncoder(Self.configuration(rate: rate, channels: 1, bitrate: 24_000))
      }
    }
  }

  @Test func silenceAndExtremesAreNoTrouble() throws {
    for value: Float in [0, 1, -4, .nan, .infinity] {
      let still = [Float](repeating: value, count: 10_000)
      let sound = try EncodedSound([still, still], Self.configuration())
      let made = try Self.restored(sound)
      if value == 0 { #expect(made.allSatisfy { $0.allSatisfy { $0.magnitude < 1e-4 } }) }
    }
  }
}
