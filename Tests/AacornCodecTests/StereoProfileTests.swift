import Foundation
import Testing

@testable import AacornCodec

/// HE-AAC v2: the positions of sounds in the decoded stereo.
@Suite struct StereoProfileTests {
  /// A sound before and after coding, in the core's bands and in the replicated bands.
  private struct Comparison {
    let before: StereoBands
    let after: StereoBands
    let parts: [Range<Int>]
  }

  private static func compare(_ sound: [[Float]], bitrate: Int) throws -> Comparison {
    let configuration = AACEncoder.Configuration.fast(.highEfficiencyV2, bitrate: bitrate)
    let settings = try AACEncoder(configuration).settings
    let tables = try #require(settings.replication).tables
    let made = try EncodedSound(sound, configuration).trimmedOutput()
    try #require(made.count == 2)
    // The bands at the borders are excluded, because neighboring bands leak into each other.
    return Comparison(
      before: StereoBands(sound), after: StereoBands(made),
      parts: [1..<tables.start - 1, tables.start + 1..<tables.start + tables.count - 1])
  }

  /// `decibels` is the level of the left channel relative to the right one.
  @Test(arguments: [10.0, -10, -4, 18], [24_000, 48_000])
  func noiseStaysWhereItIsPanned(decibels: Double, bitrate: Int) throws {
    let loud = Signals.noise(60_000)
    let gain = Float(pow(10, -abs(decibels) / 20))
    let soft = loud.map { $0 * gain }
    let sound = try Self.compare(decibels > 0 ? [loud, soft] : [soft, loud], bitrate: bitrate)
    for bands in sound.parts {
      let made = sound.after.difference(bands)
      #expect(abs(made - decibels) < 2, "\(bands): \(made)")
      let correlation = sound.after.correlation(bands)
      #expect(correlation > 0.9, "\(bands): \(correlation)")
    }
  }

  @Test(arguments: [16_000, 24_000, 48_000])
  func channelsWithNothingInCommonStayApart(bitrate: Int) throws {
    let sound = try Self.compare(
      [Signals.noise(60_000, seed: 1), Signals.noise(60_000, seed: 77)], bitrate: bitrate)
    for bands in sound.parts {
      try #require(abs(sound.before.correlation(bands)) < 0.1)
      let correlation = sound.after.correlation(bands)
      #expect(abs(correlation) < 0.4, "\(bands): \(correlation)")
      #expect(abs(sound.after.difference(bands)) < 2)
    }
  }

  /// Channels whose sum is silent keep their level.
  @Test(arguments: [16_000, 32_000, 48_000])
  func channelsInOppositePhaseKeepTheirLevel(bitrate: Int) throws {
    let noise = Signals.noise(60_000)
    let sound = try Self.compare([noise, noise.map { -$0 }], bitrate: bitrate)
    for bands in sound.parts {
      let gain = sound.after.gain(over: sound.before, bands)
      #expect(abs(gain.left) < 2 && abs(gain.right) < 2, "\(bands): \(gain)")
      let correlation = sound.after.correlation(bands)
      #expect(correlation < -0.8, "\(bands): \(correlation)")
    }
  }

  /// Two simultaneous sounds, one per side, below and above the crossover.
  @Test func bandsAreEachOnTheirSide() throws {
    var (low, high) = (Signals.noise(60_000), Signals.noise(60_000, seed: 5))
    for _ in 0..<4 {
      for n in (1..<low.count).reversed() {
        low[n] = (low[n] + low[n - 1]) / 2
        high[n] = (high[n] - high[n - 1]) / 2
      }
    }
    let sound = try Self.compare([low, high], bitrate: 32_000)
    // Up to 2 kHz, and from 14 kHz on.
    for bands in [1..<6, 41..<44] {
      let (was, made) = (sound.before.difference(bands), sound.after.difference(bands))
      try #require(abs(was) > 12)
      #expect(was * made > 0 && abs(made) > 10, "\(bands): \(made) instead of \(was)")
    }
  }

  /// Noise jumps between left and right, or alternates in bursts.
  @Test(arguments: [16_000, 32_000, 48_000], [false, true])
  func jumpingSourcesKeepTheirSide(bitrate: Int, hasPauses: Bool) throws {
    // 50 ms. A sound lasts for four steps, or for three before a pause.
    let step = 2205
    let noise = Signals.noise(40 * step)
    var sound = Signals.silence(40 * step, channels: 2)
    for n in noise.indices where !hasPauses || n / step % 4 < 3 {
      sound[n / (4 * step) % 2][n] = noise[n]
    }
    let made = try EncodedSound(sound, .fast(.highEfficiencyV2, bitrate: bitrate)).trimmedOutput()
    try #require(made.count == 2)
    for part in 4..<40 where !hasPauses || part % 4 < 3 {
      let range = part * step..<(part + 1) * step
      let side = part / 4 % 2
      let (here, there) = (Likeness.level(made[side][range]), Likeness.level(made[1 - side][range]))
      // Without an attack, parameters change linearly, so near a jump the channels are less
      // separated.
      let isNearJump = !hasPauses && (part % 4 == 0 || part % 4 == 3)
      let least = isNearJump ? 3.0 : 10
      let decibels = 20 * log10(here / max(there, 1e-9))
      #expect(here > 0.02 && decibels > least, "\(part): \(decibels)")
    }
  }

  /// Every unit has parametric stereo, and its header is sent with the header of band replication.
  @Test(
    arguments: [
      (48_000, 8), (44_100, 8), (32_000, 4), (24_000, 4), (22_050, 4), (16_000, 2),
    ], [12_000, 24_000, 47_000])
  func everyUnitHasStereoParameters(entries: (rate: Int, distance: Int), bitrate: Int) throws {
    let (rate, distance) = entries
    let noise = [Signals.noise(60_000, seed: 3), Signals.noise(60_000, seed: 4)]
    // The louder channel alternates.
    let sounds = (0..<2).map { channel in
      noise[channel].indices.map { n -> Float in
        let gain: Float = n / 7001 % 2 == channel ? 1 : 0.1
        return gain * noise[channel][n]
      }
    }
    let sound = try EncodedSound(sounds, .fast(.highEfficiencyV2, rate: rate, bitrate: bitrate))
    try #require(sound.units.count > 3 * distance)
    var reader = StereoPayloadReader(rate: rate)
    var envelopeCount = 0
    for (index, (unit, block)) in zip(sound.units, try sound.parsed()).enumerated() {
      let payloads = block.extensions.filter(\.kind.isSpectralBandReplication)
      try #require(payloads.count == 1)
      let content = try reader.read(unit.bytes, payloads[0])
      #expect(content.hasHeader == (index % distance == 0), "unit \(index)")
      #expect(content.stereo.hasHeader == content.hasHeader, "unit \(index)")
      #expect(content.stereo.header.hasLevels && content.stereo.header.hasCoherences)
      // A header is sent with all parameters.
      if content.hasHeader { #expect(content.stereo.envelopeCount > 0) }
      envelopeCount += content.stereo.envelopeCount
    }
    #expect(envelopeCount > sound.units.count / 2)
  }

  @Test func lateDecoderGetsStereo() throws {
    let loud = Signals.noise(60_000)
    let sound = try EncodedSound(
      [loud.map { $0 / 8 }, loud], .fast(.highEfficiencyV2, bitrate: 32_000))
    let distance = sound.config.entryDistance
    let units = sound.units.dropFirst(2 * distance).prefix(4).map(\.bytes)
    let made = try DecodedSound(units, sound.config)
    try #require(made.concealedCount == 0 && made.channels.count == 2)
    // The first decoded unit is skipped, because it lacks the overlap with the unit before it.
    let (left, right) = (made.channels[0][2048...], made.channels[1][2048...])
    let decibels = 20 * log10(Likeness.level(right) / max(Likeness.level(left), 1e-9))
    #expect(abs(decibels - 18) < 3, "\(decibels)")
  }
}
