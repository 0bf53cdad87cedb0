import TestSignals
import Testing

@testable import AacornCodec

@Suite struct DecoderHostilityTests {
  static let configurations: [AudioSpecificConfig] = {
    var all: [AudioSpecificConfig] = []
    for type in [AudioObjectType.main, .lowComplexity, .longTermPrediction] {
      for frameLength in [1024, 960] {
        for channels in [0, 1, 2, 6] {
          all.append(.test(type, rate: 24_000, channels: channels, frameLength: frameLength))
        }
      }
    }
    for channels in [1, 2, 6] {
      for isStereo in [false, true] {
        for rate in [24_000, 48_000] {
          var configuration = AudioSpecificConfig.test(rate: 24_000, channels: channels)
          configuration.extensionSampleRate = rate
          configuration.signaling = .hierarchical
          configuration.hasParametricStereo = isStereo
          all.append(configuration)
        }
      }
    }
    return all
  }()

  private static func expectFinite(_ decoder: AACDecoder) {
    #expect(decoder.channelCount <= 128)
    for channel in 0..<decoder.channelCount {
      let samples = decoder.samples(ofChannel: channel)
      #expect(samples.count == decoder.sampleCount)
      #expect(samples.allSatisfy { $0.isFinite })
    }
  }

  /// The maximum level that a unit can express, through all stages after the core.
  @Test(arguments: [Int16(7000), 500, 255])
  func absurdLevelsStayFinite(scaleFactor: Int16) throws {
    var random = SeededNumbers(seed: 5)
    var core = CoreDecoder(.test(channels: 2), channelCount: 2)
    let window = WindowInfo(.onlyLong, bands: 45)
    let isNoise = scaleFactor > 255
    let first = ParsedChannel(
      window, codebook: isNoise ? Codebook.noise : Codebook.escape, scaleFactor: scaleFactor,
      largest: 8191, using: &random)
    let second = ParsedChannel(
      window, codebook: Codebook.intensityInPhase, scaleFactor: -7000, using: &random)
    for unit in 0..<4 {
      var block = ParsedBlock()
      block.add(.pair, [first, second], mask: MidSideMask.none)
      core.decode(&block, firstChannels: [0], unit: unit)
      for channel in core.channels {
        #expect(channel.samples.allSatisfy { $0.magnitude < 0x1p40 })
      }
    }
  }

  /// Spectral band replication and parametric stereo have recursive filters, in which a loud unit
  /// must decay.
  @Test(arguments: DecoderReplicationTests.streams, [170, 230, 255])
  func absurdLevelsAreDiscarded(name: String, globalGain: UInt16) throws {
    let stream = try CodecVectors.replicationStream(name)
    var decoder = try AACDecoder(stream.configuration)
    var (loudest, level) = (Float(0), 0.0)
    for var unit in stream.units {
      let isPair = unit[0] >> 5 == ElementKind.pair.rawValue
      // In a single channel element, the global gain follows the identifier and the tag. In a pair,
      // it follows the windows, so skip pairs.
      guard !isPair else { continue }
      unit[0] = unit[0] & 0xFE | UInt8(globalGain >> 7)
      unit[1] = UInt8(globalGain & 0x7F) << 1 | unit[1] & 1
      decoder.decode(unit)
      Self.expectFinite(decoder)
      loudest = max(loudest, decoder.samples(ofChannel: 0).map(\.magnitude).max() ?? 0)
    }
    let silence = try #require(SilentUnit.bytes(stream.configuration))
    for _ in 0..<100 {
      decoder.decode(silence)
      Self.expectFinite(decoder)
      level = Likeness.level(decoder.samples(ofChannel: 0))
    }
    #expect(level <= 1e-6 * Double(max(1, loudest)))
  }

  @Test func emptyUnitsAreConcealed() throws {
    for configuration in Self.configurations {
      var decoder = try AACDecoder(configuration)
      #expect(decoder.decode([]) != .decoded)
      #expect(decoder.decode([1, 2, 3], range: 7..<9) != .decoded)
      decoder.conceal()
      decoder.reset()
      Self.expectFinite(decoder)
    }
  }
}
