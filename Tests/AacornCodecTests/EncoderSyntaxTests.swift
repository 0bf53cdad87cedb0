import Testing

@testable import AacornCodec

@Suite struct EncoderSyntaxTests {
  static let castanets = Signals.castanets(44_100 * 2, rate: 44_100)
  static let other = Signals.castanets(44_100 * 2, rate: 44_100, seed: 99)
  static let music = Signals.music(44_100, rate: 44_100)

  struct Material: Sendable, CustomTestStringConvertible {
    var name: String
    var channels: [[Float]]
    var rateControl: AACEncoder.RateControl
    var effort = AACEncoder.Effort.balanced
    var testDescription: String { name }

    func encoded(tools: AACEncoder.Tools = .all, isMPEG2: Bool = false) throws -> EncodedSound {
      var configuration = AACEncoder.Configuration(
        sampleRate: 44_100, channelCount: channels.count, rateControl: rateControl, effort: effort)
      configuration.tools = tools
      configuration.isMPEG2 = isMPEG2
      return try EncodedSound(channels, configuration)
    }
  }

  static let noise = (0..<2).map { Signals.noise(30_000, seed: UInt32($0)) }

  static var materials: [Material] {
    var materials: [Material] = []
    for effort in AACEncoder.Effort.allCases {
      for bitrate in [32_000, 64_000, 128_000, 256_000] {
        for (name, channels) in [
          ("castanets", [castanets, other]), ("music", music), ("noise", noise),
        ] {
          materials.append(
            Material(
              name: name, channels: channels, rateControl: .constant(bitsPerSecond: bitrate),
              effort: effort))
        }
      }
    }
    let surround = [castanets, other] + music + noise.map { $0 + $0 }
    materials.append(
      Material(
        name: "surround", channels: surround.map { Array($0.prefix(44_100)) },
        rateControl: .variable(level: 3)))
    return materials
  }

  @Test(arguments: materials)
  func everyUnitIsReadToItsLastByte(material: Material) throws {
    let sound = try material.encoded()
    let blocks = try sound.parsed()
    for (block, unit) in zip(blocks, sound.units) {
      #expect(block.byteCount == unit.bytes.count)
      #expect(block.protectedRegions == unit.protectedRegions)
      // After the block, only the padding of the last byte may follow.
      #expect(unit.bytes.count * 8 - block.bitCount < 8)
      for channel in block.channels {
        for filter in channel.noiseShapingFilters {
          #expect(filter.order <= (channel.window.isShort ? 7 : 12))
        }
        #expect(!channel.window.hasReservedBit)
        #expect(channel.codebooks.allSatisfy { $0 != Codebook.reserved })
        #expect(channel.pulses.isEmpty)
      }
      expectCommonIntensity(block)
    }
    expectLegalWindows(blocks, material)
  }

  /// ISO/IEC 14496-3, 4.6.11.3: a short window or a stop window must follow a short slope.
  private func expectLegalWindows(_ blocks: [ParsedBlock], _ material: Material) {
    for channel in 0..<material.channels.count {
      var endedShort = false
      for block in blocks {
        let sequence = block.channels[channel].window.sequence
        let hasShortLeftSlope = sequence == .eightShort || sequence == .longStop
        #expect(hasShortLeftSlope == endedShort)
        endedShort = sequence == .eightShort || sequence == .longStart
      }
    }
    if material.name == "castanets" {
      #expect(blocks.contains { $0.channels.contains(where: \.window.isShort) })
    }
  }

  /// Implementations differ in their handling of M/S flags for intensity bands, so use only the
  /// common subset.
  private func expectCommonIntensity(_ block: ParsedBlock) {
    for element in block.elements where element.kind == .pair {
      let (first, second) = (
        block.channels[element.firstChannel], block.channels[element.firstChannel + 1]
      )
      #expect(first.intensityBandCount == 0)
      if second.intensityBandCount > 0 { #expect(element.midSideMask != .all) }
    }
  }

  @Test(arguments: materials)
  func mpeg2StreamsHoldNoNoiseBands(material: Material) throws {
    let sound = try material.encoded(isMPEG2: true)
    let blocks = try sound.parsed()
    #expect(blocks.count == sound.units.count && blocks.count > 20)
    for block in blocks {
      #expect(block.channels.count == material.channels.count)
      #expect(block.channels.allSatisfy { !$0.codebooks.contains(Codebook.noise) })
      #expect(block.channels.allSatisfy { !$0.codebooks.isEmpty })
    }
  }

  @Test(arguments: materials)
  func disabledToolsAreUnused(material: Material) throws {
    let sound = try material.encoded(tools: [])
    let blocks = try sound.parsed()
    #expect(blocks.count == sound.units.count && blocks.count > 20)
    for block in blocks {
      #expect(block.channels.count == material.channels.count && !block.elements.isEmpty)
      #expect(block.elements.allSatisfy { $0.midSideBandCount == 0 })
      for channel in block.channels {
        #expect(channel.window.sequence == .onlyLong)
        #expect(!channel.hasNoiseShaping)
        #expect(channel.codebooks.allSatisfy(Codebook.isSpectral))
      }
    }
  }

  @Test func likeChannelsBecomeMiddleAndSide() throws {
    let material = Material(
      name: "mono", channels: [Self.music[0], Self.music[0]],
      rateControl: .constant(bitsPerSecond: 96_000))
    let blocks = try material.encoded().parsed()
    let used = blocks.reduce(0) { $0 + $1.elements.reduce(0) { $0 + $1.midSideBandCount } }
    #expect(used > blocks.count * 10)
    let without = try material.encoded(tools: .all.subtracting(.midSide))
    let ratio = { (sound: EncodedSound) in
      Likeness.signalToNoise(Self.music[0], try sound.restored()[0])
    }
    #expect(try ratio(material.encoded()) > ratio(without))
  }

  @Test(arguments: [4_000, 8_000, 16_000])
  func nothingAboveTheBandwidthIsCoded(bandwidth: Int) throws {
    var configuration = AACEncoder.Configuration.constant(128_000)
    configuration.bandwidth = bandwidth
    let sound = try EncodedSound([Self.castanets], configuration)
    let encoder = try AACEncoder(configuration)
    #expect((bandwidth..<bandwidth + 1500).contains(encoder.bandwidth))
    for block in try sound.parsed() {
      let window = block.channels[0].window
      let reader = FrameReader(sound.config)
      let end = reader.bandOffsets(isShort: window.isShort)[window.bandsPerGroup]
      let hertz = window.isShort ? end * 44_100 / 256 : end * 44_100 / 2048
      // Short bands are wider, so the last one may extend further.
      #expect(hertz <= encoder.bandwidth + (window.isShort ? 3500 : 0))
    }
  }
}
