import TestSignals
import Testing

@testable import AacornCodec

/// Segments of a stream that are decoded independently of the previous units.
@Suite struct SegmentDecoderTests {
  /// A stream decoded in segments, and the number of segments that were used.
  private struct Parts {
    var samples: [Float] = []
    var outcomes: [Bool] = []
    var usedCount = 0

    init(
      _ units: [[UInt8]?], _ configuration: AudioSpecificConfig, length: Int, leadLength: Int = 2
    ) throws {
      var decoder = try AACDecoder(configuration)
      take(units[0], &decoder)
      let seed = decoder
      for start in stride(from: 1, to: units.count, by: length) {
        let end = min(start + length, units.count)
        let first = max(0, start - leadLength)
        var segment = SegmentDecoder(
          seed, from: first, Array(units[first..<end]), leadCount: start - first, storage: [])
        let made = segment.decode()
        #expect(made.unitCount == end - start)
        if made.isUniform && decoder.isEquivalent(to: made.initialDecoder) {
          decoder = made.finalDecoder
          samples += made.samples
          outcomes += made.outcomes
          usedCount += 1
        } else {
          for unit in units[start..<end] { take(unit, &decoder) }
        }
      }
    }

    private mutating func take(_ unit: [UInt8]?, _ decoder: inout AACDecoder) {
      if let unit {
        outcomes.append(decoder.decode(unit) == .decoded)
      } else {
        decoder.conceal()
        outcomes.append(false)
      }
      decoder.append(to: &samples)
    }
  }

  private static func expectEqual(_ one: Parts, _ other: Parts) {
    #expect(one.outcomes == other.outcomes)
    #expect(one.samples.hasSameBits(as: other.samples))
  }

  private static func encoded(
    bitrate: Int, channels: Int = 2, frames: Int = 20_000
  ) throws -> EncodedSound {
    var sound = Signals.music(frames, rate: 44_100, channels: channels)
    let attacks = Signals.castanets(frames, rate: 44_100)
    sound[0] = zip(sound[0], attacks).map { ($0 + $1) / 2 }
    return try EncodedSound(sound, .constant(bitrate, channels: channels))
  }

  /// At the low bitrate the stream has noise bands.
  @Test(arguments: [(32_000, 2), (160_000, 2), (256_000, 6)], [1, 2, 3, 7])
  func allSegmentsOfIntactStreamAreUsable(
    stream: (bitrate: Int, channels: Int), length: Int
  ) throws {
    let sound = try Self.encoded(bitrate: stream.bitrate, channels: stream.channels)
    let units = sound.units.map(\.bytes)
    let whole = try Parts(units, sound.config, length: units.count, leadLength: 0)
    let parts = try Parts(units, sound.config, length: length)
    Self.expectEqual(parts, whole)
    #expect(parts.usedCount == (units.count - 1 + length - 1) / length)
  }

  @Test func differingHistoryIsDetected() throws {
    let sound = try Self.encoded(bitrate: 96_000)
    let units = sound.units.map(\.bytes)
    var decoder = try AACDecoder(sound.config)
    for unit in units[..<6] { decoder.decode(unit) }
    #expect(decoder.isEquivalent(to: decoder))
    var late = try AACDecoder(sound.config)
    late.reset(atUnit: 4)
    for unit in units[4..<6] { late.decode(unit) }
    #expect(decoder.isEquivalent(to: late))
    // Another unit number generates other noise.
    late.reset(atUnit: 3)
    for unit in units[4..<6] { late.decode(unit) }
    #expect(!decoder.isEquivalent(to: late))
    // A different unit before the last two has no effect, but a loss does.
    late.reset(atUnit: 3)
    late.decode(units[9])
    for unit in units[4..<6] { late.decode(unit) }
    #expect(decoder.isEquivalent(to: late))
    late.reset(atUnit: 3)
    late.conceal()
    for unit in units[4..<6] { late.decode(unit) }
    #expect(!decoder.isEquivalent(to: late))
  }

  /// Damages or removes each unit in turn, so that every position near a boundary is tested.
  @Test(arguments: [1, 3, 4])
  func damageAnywhereChangesNothing(length: Int) throws {
    let sound = try Self.encoded(bitrate: 48_000, frames: 24_000)
    let units: [[UInt8]?] = sound.units.map(\.bytes)
    for index in units.indices {
      let kinds: [[UInt8]?] = [nil, [0x21, 0xFF, 0xFF], units[(index + 3) % units.count]]
      for damage in kinds {
        var damaged = units
        damaged[index] = damage
        // Sometimes two units in a row.
        if index % 3 == 0, index + 1 < units.count { damaged[index + 1] = nil }
        let parts = try Parts(damaged, sound.config, length: length)
        Self.expectEqual(
          parts, try Parts(damaged, sound.config, length: units.count, leadLength: 0))
        #expect(parts.usedCount > 0)
      }
    }
  }

  /// Units of all configurations; most of them are damaged or cannot be split.
  @Test(arguments: 0..<DecoderHostilityTests.configurations.count)
  func segmentDecodingEqualsSequentialDecoding(index: Int) throws {
    let configuration = DecoderHostilityTests.configurations[index]
    var random = SeededNumbers(seed: UInt64(index) + 7)
    let units: [[UInt8]?] = (0..<60).map { _ in
      var unit = (0..<Int.random(in: 0...200, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if !unit.isEmpty { unit[0] &= Bool.random(using: &random) ? 0x21 : 0x3F }
      return unit
    }
    // Three copies of each unit, so that decodable units follow each other.
    let repeated: [[UInt8]?] = units.flatMap { [$0, $0, $0] }
    var decoder = try AACDecoder(configuration)
    var (samples, outcomes): ([Float], [Bool]) = ([], [])
    for case let unit? in repeated {
      outcomes.append(decoder.decode(unit) == .decoded)
      decoder.append(to: &samples)
    }
    for length in [2, 5] {
      let parts = try Parts(repeated, configuration, length: length)
      #expect(parts.outcomes == outcomes)
      #expect(parts.samples.hasSameBits(as: samples))
    }
  }
}
