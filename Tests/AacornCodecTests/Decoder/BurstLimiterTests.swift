import TestSignals
import Testing

@testable import AacornCodec

/// Units that damaged data makes far too loud.
@Suite struct BurstLimiterTests {
  private struct Unit {
    var outcome: AACDecoder.Outcome
    var peak: Float

    var isBurst: Bool {
      if case .concealed(let error) = outcome { return error.reason == .burst }
      return false
    }
  }

  private static func decode(
    _ units: [[UInt8]], _ configuration: AudioSpecificConfig
  ) throws -> [Unit] {
    var decoder = try AACDecoder(configuration)
    return units.map { unit in
      let outcome = decoder.decode(unit)
      let peaks = (0..<decoder.channelCount).map { channel in
        decoder.samples(ofChannel: channel).map(\.magnitude).max() ?? 0
      }
      let peak = peaks.max() ?? 0
      #expect(abs(decoder.peak - peak) <= 0x1p-20 * peak)
      return Unit(outcome: outcome, peak: peak)
    }
  }

  /// Multiplies the samples of a unit with one channel by 2^(`steps` / 4).
  private static func amplify(_ unit: [UInt8], by steps: Int) -> [UInt8] {
    // The global gain follows the identifier and the tag.
    var unit = unit
    let gain = UInt16(unit[0] & 1) << 7 | UInt16(unit[1] >> 1)
    let sum = min(255, gain + UInt16(steps))
    unit[0] = unit[0] & 0xFE | UInt8(sum >> 7)
    unit[1] = UInt8(sum & 0x7F) << 1 | unit[1] & 1
    return unit
  }

  @Test func peakIsBurstIfImpossibleOrLoudAfterDamage() {
    func bursts(_ peaks: [Float], damage: Set<Int> = []) -> [Int] {
      var limiter = BurstLimiter()
      return peaks.indices.filter { limiter.apply(peaks[$0], isConcealed: damage.contains($0)) }
    }
    #expect(bursts([10, 0, 10]) == [])
    #expect(bursts([10.1, 0.1, 2.1]) == [0, 2])
    // After damage.
    #expect(bursts([0.3, 2, 0.3, 2.1], damage: [0]) == [3])
    #expect(bursts([0.3, 0.11, 1.1, 0.11, 1.2], damage: [0]) == [4])
    #expect(bursts([2.1], damage: [0]) == [0])
    let soft: [Float] = [0.3, 0.3, 0.3, 0.3, 0.3]
    #expect(bursts(soft + [2.1], damage: [0]) == [5])
    #expect(bursts(soft + [0.3, 2.1], damage: [0]) == [])
  }

  /// Loud music after a gap has its own level again after a few units.
  @Test func levelOfBurstsRises() {
    var limiter = BurstLimiter()
    let levels = (0..<8).map { unit in
      let peak: Float = unit == 0 ? 0 : 4
      _ = limiter.apply(peak, isConcealed: unit == 0)
      return limiter.gain * peak
    }
    #expect(levels == [0, 0x1p-6, 0x1p-5, 0x1p-4, 0x1p-3, 0x1p-2, 4, 4])
  }

  /// The encoder accepts this level, and the loud parts follow silence.
  @Test(arguments: [AACEncoder.Profile.lowComplexity, .highEfficiency, .highEfficiencyV2])
  func correctAudioTwelveDecibelsTooLoudIsUnchanged(profile: AACEncoder.Profile) throws {
    var noise = NoiseGenerator(state: 3)
    let sound = (0..<50_000).map { n in
      n / 5000 % 2 == 0 ? 0 : n / 10_000 % 2 == 0 ? 4 * Float(noise.next()) : n & 64 == 0 ? 4 : -4
    }
    let encoded = try EncodedSound([sound, sound], .fast(profile, rate: 48_000, bitrate: 48_000))
    let units = try Self.decode(encoded.units.map(\.bytes), encoded.config)
    #expect(units.allSatisfy { $0.outcome == .decoded })
    #expect(units.contains { $0.peak > 3.9 })
  }

  @Test(arguments: [AACEncoder.Profile.lowComplexity, .highEfficiency], [8, 30, 40])
  func burstIsLoweredAndReported(profile: AACEncoder.Profile, steps: Int) throws {
    let sound = Signals.sine(60_000, hertz: 997, rate: 48_000)
    let encoded = try EncodedSound(
      [sound], .fast(profile, rate: 48_000, channels: 1, bitrate: 48_000))
    let units = encoded.units.map(\.bytes)
    var damaged = units
    damaged[10] = Self.amplify(units[10], by: steps)
    let (whole, found) = try (
      Self.decode(units, encoded.config), Self.decode(damaged, encoded.config)
    )
    let bursts = found.indices.filter { found[$0].isBurst }
    // A factor of 4 is not enough for a burst.
    #expect(steps == 8 || bursts.first == 10)
    #expect(bursts.allSatisfy { 10...12 ~= $0 && found[$0].peak <= 1 })
    #expect(found.indices.allSatisfy { found[$0].isBurst == (found[$0].outcome != .decoded) })
    #expect(found[20...].map(\.peak) == whole[20...].map(\.peak))
  }

  /// No unit is more than 20 dB above full scale.
  ///
  /// A unit more than 6 dB above full scale soon after damage is reported.
  @Test(arguments: [AACEncoder.Profile.lowComplexity, .highEfficiency, .highEfficiencyV2])
  func damagedStreamsHaveNoBursts(profile: AACEncoder.Profile) throws {
    var random = SeededNumbers(seed: 77)
    let sound = Signals.music(100_000, rate: 48_000, channels: 2)
    let encoded = try EncodedSound(sound, .fast(profile, rate: 48_000, bitrate: 48_000))
    var burstCount = 0
    for _ in 0..<30 {
      let damaged = encoded.units.map { unit in
        var bytes = unit.bytes
        for _ in 0..<[0, 0, 1, 3][Int.random(in: 0..<4, using: &random)] {
          let offset = Int.random(in: 0..<bytes.count, using: &random)
          bytes[offset] ^= 1 << UInt8.random(in: 0...7, using: &random)
        }
        return bytes
      }
      var reported = -1000
      for (index, unit) in try Self.decode(damaged, encoded.config).enumerated() {
        if unit.outcome != .decoded && !unit.isBurst { reported = index }
        if unit.isBurst { burstCount += 1 }
        #expect(unit.peak <= BurstLimiter.maxPeak)
        if unit.peak > BurstLimiter.maxCautiousPeak {
          #expect(index - reported > BurstLimiter.cautiousUnitCount)
        }
      }
    }
    #expect(burstCount > 0)
  }
}
