import Testing

@testable import AacornCodec

struct SilentUnitTests {
  private func expectSilence(_ configuration: AudioSpecificConfig) throws {
    let unit = try #require(SilentUnit.bytes(configuration))
    var reader = FrameReader(configuration, keepsSpectrum: true)
    try reader.read(unit)
    #expect(reader.block.byteCount == unit.count)
    #expect(reader.block.channelCount == configuration.channelCount)
    for channel in reader.block.channels {
      #expect(channel.window.sequence == .onlyLong)
      #expect(channel.codebooks.isEmpty)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 11, 12, 14], [1, 2, 3, 4] as [UInt8])
  func everyLayoutHasOne(layout: Int, type: UInt8) throws {
    for frameLength in [1024, 960] {
      try expectSilence(
        .test(AudioObjectType(rawValue: type), channels: layout, frameLength: frameLength))
    }
  }

  @Test func aLayoutThatIsSpeltOutHasItsTags() throws {
    var program = ProgramConfig(
      profile: 1, samplingFrequency: try #require(SamplingFrequency(hertz: 48_000)))
    program.front = [.init(isPair: false, tag: 3), .init(isPair: true, tag: 2)]
    program.back = [.init(isPair: false, tag: 7)]
    program.lowFrequency = [5]
    var configuration = AudioSpecificConfig.test(rate: 48_000, channels: 0)
    #expect(SilentUnit.bytes(configuration) == nil)
    configuration.programConfig = program
    try expectSilence(configuration)
    var reader = FrameReader(configuration)
    try reader.read(try #require(SilentUnit.bytes(configuration)))
    #expect(reader.block.elements.map(\.tag) == [3, 2, 7, 5])
  }

  @Test func otherSyntaxHasNoSilentUnit() {
    for (type, layout) in [(39, 2), (42, 2), (2, 13)] as [(UInt8, Int)] {
      #expect(SilentUnit.bytes(.test(AudioObjectType(rawValue: type), channels: layout)) == nil)
    }
  }
}
