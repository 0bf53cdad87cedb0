import Foundation
import TestSignals
import Testing

@testable import AacornCodec

/// A block that is read has every field that was written.
@Suite struct FrameWriterTests {
  @Test(
    arguments: [.main, .lowComplexity, .longTermPrediction] as [AudioObjectType], [1024, 960])
  func everyFieldReadsBackAsWritten(type: AudioObjectType, frameLength: Int) throws {
    let configuration = AudioSpecificConfig.test(type, frameLength: frameLength)
    var blocks = RandomBlock(configuration, seed: UInt64(type.rawValue))
    var reader = FrameReader(configuration, keepsSpectrum: true)
    for _ in 0..<60 {
      let block = blocks.next()
      let bytes = block.bytes(configuration)
      try reader.read(bytes)
      #expect(reader.block.content == block.content)
      #expect(reader.block.byteCount == bytes.count)
      #expect(reader.block.bytes(configuration, from: bytes) == bytes)
    }
  }

  @Test(
    arguments: [
      (1, .lowComplexity, 96_000), (2, .lowComplexity, 128_000), (2, .lowComplexity, 56_000),
      (6, .lowComplexity, 256_000), (2, .highEfficiency, 48_000), (2, .highEfficiencyV2, 24_000),
    ] as [(Int, AACEncoder.Profile, Int)])
  func encodedBlocksAreWrittenWithTheSameBits(
    channelCount: Int, profile: AACEncoder.Profile, bitrate: Int
  ) throws {
    var channels = Signals.music(60_000, rate: 44_100, channels: channelCount)
    channels[0] = Signals.castanets(60_000, rate: 44_100)
    var configuration = AACEncoder.Configuration(
      sampleRate: 44_100, channelCount: channelCount, bitrate: bitrate)
    configuration.profile = profile
    let sound = try EncodedSound(channels, configuration)
    var reader = FrameReader(sound.config, keepsSpectrum: true)
    for unit in sound.units {
      try reader.read(unit.bytes)
      #expect(reader.block.bytes(sound.config, from: unit.bytes) == unit.bytes)
      #expect(reader.block.protectedRegions == unit.protectedRegions)
    }
  }

  @Test func elementsWithoutChannelsAreCopied() throws {
    let program = ProgramConfig(
      try #require(ChannelConfiguration(rawValue: 6)),
      samplingFrequency: try #require(SamplingFrequency(hertz: 48_000)))
    var writer = FrameWriter(BitWriter())
    for tag in [1, 2] {
      var program = program
      program.tag = tag
      writer.putStart(of: .programConfig)
      program.write(to: &writer.writer.bits, origin: 0)
    }
    for (isAligned, count) in [(false, 3), (true, 255), (true, 300), (false, 0)] {
      writer.putStart(of: .data, tag: 9)
      writer.writer.bits.put([(isAligned ? 1 : 0, 1), (UInt32(min(count, 255)), 8)])
      if count >= 255 { writer.writer.bits.put(UInt32(count - 255), count: 8) }
      if isAligned { writer.writer.bits.alignToByte() }
      for byte in 0..<count { writer.writer.bits.put(UInt32(byte & 255), count: 8) }
    }
    // Dynamic range control in two bytes, then a fixed pattern.
    writer.putStart(of: .fill)
    writer.writer.bits.put([(15, 4), (2, 8), (0xB, 4), (0, 4), (0x85, 8), (0x10, 8)])
    for _ in 0..<13 { writer.writer.bits.put(0xA5, count: 8) }
    writer.putFill(until: writer.bitCount + 5000)
    writer.putStart(of: .end)
    var bytes: [UInt8] = []
    writer.append(to: &bytes)
    let configuration = AudioSpecificConfig.test()
    var reader = FrameReader(configuration, keepsSpectrum: true)
    try reader.read(bytes)
    #expect(reader.block.elements.count > 8 && reader.block.dynamicRange != nil)
    #expect(reader.block.bytes(configuration, from: bytes) == bytes)
  }

  @Test(arguments: FrameReaderTests.streams)
  func blocksOfOtherEncodersAreWrittenAgain(name: String) throws {
    let stream = try CodecVectors.stream(name)
    _ = try Self.identicalCount(stream.units, stream.configuration)
  }

  /// The folder of ADTS streams that `Scripts/check-conformance` names.
  static let folder = ProcessInfo.processInfo.environment["AACORN_ADTS_STREAMS"]

  @Test(.enabled(if: folder != nil))
  func blocksOfConformanceStreamsAreWrittenAgain() throws {
    let folder = URL(fileURLWithPath: try #require(Self.folder))
    var (count, identicalCount) = (0, 0)
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    {
      let stream = ADTSStream(bytes: Array(try Data(contentsOf: file)))
      let units = stream.units
      count += units.count
      identicalCount += try Self.identicalCount(units, stream.configuration)
    }
    #expect(count > 0)
    print("\(count) blocks written again, \(identicalCount) with the same bytes")
  }

  /// Writes blocks again and reads them; returns how many have the same bytes.
  private static func identicalCount(
    _ units: [[UInt8]], _ configuration: AudioSpecificConfig
  ) throws -> Int {
    var reader = FrameReader(configuration, keepsSpectrum: true)
    var count = 0
    for (index, unit) in units.enumerated() {
      try reader.read(unit)
      let block = reader.block
      let bytes = block.bytes(configuration, from: unit)
      try reader.read(bytes)
      #expect(reader.block.content == block.content, "unit \(index)")
      #expect(reader.block.payloads(in: bytes) == block.payloads(in: unit), "unit \(index)")
      if bytes == Array(unit[..<block.byteCount]) { count += 1 }
    }
    return count
  }
}

extension ParsedBlock {
  /// The block without bit positions and counts, which depend on the division into sections.
  fileprivate var content: ParsedBlock {
    var content = self
    content.channelPool = channels.map { channel in
      var channel = channel
      channel.sectionCount = 0
      channel.sectionBits = 0
      channel.scaleFactorBits = 0
      channel.sideInformationBits = 0
      channel.spectralBits = 0
      return channel
    }
    content.couplingPool = []
    content.lastDynamicRange = dynamicRange ?? DynamicRange()
    content.protectedRegions = []
    content.bitCount = 0
    for index in elements.indices { content.elements[index].bits = 0..<0 }
    for index in extensions.indices { content.extensions[index].bits = 0..<0 }
    return content
  }

  /// Returns the bytes at the end of data and fill elements.
  fileprivate func payloads(in bytes: [UInt8]) -> [[UInt8]] {
    elements.map { element in
      var reader = BitReader(bytes)
      reader.skip(element.bits.upperBound - 8 * element.byteCount)
      return (0..<element.byteCount).map { _ in UInt8(reader.read(8)) }
    }
  }
}
