import AacornSignal
import TestSignals
import Testing

@testable import AacornCodec

/// Streams with band replication in which units are missing, or that continue as another stream.
@Suite struct SpliceTests {
  /// The change of the units at a splice.
  enum Kind: CaseIterable {
    /// Units are missing without notice.
    case cut
    /// Units are missing, and the decoder conceals some of them.
    case gap
    /// The stream continues at another position, or with another stream of the same configuration.
    case join
  }

  private struct Source {
    var units: [[UInt8]]
    var levels: [Float]
  }

  private static let settings: [(AACEncoder.Profile, channels: Int, bitrate: Int)] = [
    (.highEfficiency, 1, 24_000), (.highEfficiency, 1, 48_000), (.highEfficiency, 2, 32_000),
    (.highEfficiency, 2, 64_000), (.highEfficiencyV2, 2, 24_000),
  ]

  /// The maximum mean square of 1,024 samples of all channels in the decoder's last unit.
  private static func level(_ decoder: AACDecoder) -> Float {
    let channels = (0..<decoder.channelCount).map { decoder.samples(ofChannel: $0) }
    var greatest: Float = 0
    for start in stride(from: 0, to: decoder.sampleCount, by: 1024) {
      var sum: Float = 0
      for channel in channels {
        for index in start..<start + 1024 { sum += channel[index] * channel[index] }
      }
      greatest = max(greatest, sum / Float(1024 * channels.count))
    }
    return greatest
  }

  /// Sounds with changing high bands: steps of noise, high tones, and sibilants between vowels.
  private static func sounds(
    _ channelCount: Int, _ configuration: AACEncoder.Configuration
  ) -> [[[Float]]] {
    let (rate, frames) = (configuration.sampleRate, 80 * 2048)
    return (0..<3).map { kind in
      var random = SeededNumbers(seed: UInt64(kind + 11))
      var mixed = [Float](repeating: 0, count: frames)
      var start = 0
      var noise = NoiseGenerator(state: UInt32(kind + 1))
      while start < frames {
        let count = min(frames - start, Int.random(in: rate / 40...rate / 4, using: &random))
        let level = [0.3, 0.1, 0.02, 0.001][Int.random(in: 0..<4, using: &random)]
        let hertz = Double.random(in: kind == 1 ? 5_000...15_000 : 200...600, using: &random)
        var tone = Oscillator(hertz: hertz, rate: rate)
        let isNoise = kind == 0 || kind == 2 && Bool.random(using: &random)
        var last = 0.0
        for n in 0..<count {
          let slope = min(1, Double(min(n, count - 1 - n)) / 200)
          let hiss = noise.next()
          let value = isNoise ? (kind == 0 ? hiss : (hiss - last) / 2) : tone.next()
          last = hiss
          mixed[start + n] = Signals.onGrid(level * slope * value + 0.0003 * hiss)
        }
        start += count
      }
      let second = mixed.map { $0 / 2 }
      return channelCount == 1 ? [mixed] : [mixed, second]
    }
  }

  private static func sources(
    _ setting: Int
  ) throws -> (config: AudioSpecificConfig, sources: [Source]) {
    let (profile, channels, bitrate) = settings[setting]
    let configuration = AACEncoder.Configuration.fast(
      profile, rate: 48_000, channels: channels, bitrate: bitrate)
    var found: AudioSpecificConfig?
    let sources = try sounds(channels, configuration).map { sound in
      let encoded = try EncodedSound(sound, configuration)
      found = encoded.config
      var decoder = try AACDecoder(encoded.config)
      var source = Source(units: encoded.units.map(\.bytes), levels: [])
      for unit in source.units {
        decoder.decode(unit)
        source.levels.append(level(decoder))
        // A stream without splices must not trigger the limit on energies, even with loud high
        // bands.
        let isTrusted = decoder.replication.elements.allSatisfy { element in
          let splices = element.payload.reader.splices
          return !splices.headerMayBeObsolete
            && splices.splicedEnvelopeCounts.allSatisfy { $0 == 0 }
        }
        #expect(isTrusted, "unit \(source.levels.count - 1)")
      }
      return source
    }
    return (try #require(found), sources)
  }

  /// After a splice, no 21 ms are louder than the loudest 21 ms on either side by more than one
  /// step of the levels, 3.01 dB.
  ///
  /// Nothing in the stream distinguishes a rise by one step from a rise of the music.
  @Test(arguments: 0..<settings.count)
  func spliceIsAtMostOneStepLouderThanSource(setting: Int) throws {
    let (config, sources) = try Self.sources(setting)
    var random = SeededNumbers(seed: UInt64(setting))
    for (index, source) in sources.enumerated() {
      // The decoder before each unit; the test continues with a copy.
      var decoder = try AACDecoder(config)
      var decoders: [AACDecoder] = []
      for unit in source.units {
        decoders.append(decoder)
        decoder.decode(unit)
      }
      for kind in Kind.allCases {
        for _ in 0..<23 {
          let end = Int.random(in: 4..<source.units.count - 8, using: &random)
          var (other, start) = (index, 0)
          if kind == .join {
            other = Int.random(in: 0..<sources.count, using: &random)
            start = Int.random(in: 0..<sources[other].units.count - 8, using: &random)
          } else {
            start = end + Int.random(in: 1..<source.units.count - 6 - end, using: &random)
          }
          var copy = decoders[end]
          if kind == .gap {
            for _ in 0..<Int.random(in: 1...9, using: &random) { copy.conceal() }
          }
          let excess = Self.excess(
            &copy, behind: source.levels[end - 4...end + 1], sources[other], from: start)
          #expect(excess < 3.02, "\(kind): \(index) up to \(end), then \(other) from \(start)")
        }
      }
    }
  }

  /// The probe decides about payloads as the decoder does.
  @Test(arguments: 0..<settings.count)
  func probeAgreesWithTheDecoder(setting: Int) throws {
    let (config, sources) = try Self.sources(setting)
    var (decoder, reader) = (try AACDecoder(config), FrameReader(config))
    var probe = SBRProbe(config)
    var random = SeededNumbers(seed: UInt64(setting))
    var discontinuityCount = 0
    for _ in 0..<60 {
      let units = sources[Int.random(in: 0..<sources.count, using: &random)].units
      let start = Int.random(in: 0..<units.count - 12, using: &random)
      for unit in units[start..<start + Int.random(in: 1...12, using: &random)] {
        decoder.decode(unit)
        try reader.read(unit)
        probe.read(reader.block, in: unit, range: 0..<unit.count)
        let guards = decoder.replication.elements.map(\.payload.reader.splices)
        #expect(probe.elements.map(\.payload.reader.splices) == guards)
        if probe.payloads.contains(where: { $0.isDiscontinuous }) { discontinuityCount += 1 }
      }
      if Bool.random(using: &random) {
        decoder.conceal()
        probe.recordMissingBlock()
      }
    }
    #expect(discontinuityCount > 0)
  }

  /// Returns the excess level in decibels of ten units from `start`, compared with their own stream
  /// and with the units before the splice.
  private static func excess(
    _ decoder: inout AACDecoder, behind before: ArraySlice<Float>, _ source: Source,
    from start: Int
  ) -> Float {
    // Levels below −60 dBFS are ignored.
    var reference = max(before.max() ?? 0, 1e-6)
    for unit in max(0, start - 2)..<start + 2 { reference = max(reference, source.levels[unit]) }
    var excess = -Float.infinity
    for unit in start..<min(start + 10, source.units.count) {
      reference = max(reference, source.levels[min(unit + 2, source.units.count - 1)])
      decoder.decode(source.units[unit])
      let level = level(decoder)
      #expect(level.isFinite)
      excess = max(excess, Decibels.of(power: level / reference))
    }
    return excess
  }
}
