import AacornCodec
import Testing

@Suite struct ProgramConfigTests {
  static func configuration(_ number: Int) throws -> ChannelConfiguration {
    try #require(ChannelConfiguration(rawValue: number))
  }

  /// Every layout, after any number of preceding bits and relative to any origin.
  @Test(arguments: 1...7)
  func numberedLayoutsComeBack(number: Int) throws {
    let configuration = try Self.configuration(number)
    for frequency in SamplingFrequency.all {
      var program = ProgramConfig(configuration, samplingFrequency: frequency)
      #expect(program.channelCount == configuration.channelCount)
      program.comment = Array("made by a test".utf8)
      program.tag = 5
      for before in 0..<10 {
        for origin in [0, before] {
          var writer = BitWriter()
          for _ in 0..<before { writer.put(1, count: 1) }
          program.write(to: &writer, origin: origin)
          let end = writer.bitCount
          #expect((end - origin) % 8 == 0)
          var reader = BitReader(writer.bytes)
          reader.skip(before)
          #expect(ProgramConfig(reading: &reader, origin: origin) == program)
          #expect(reader.position == end)
        }
      }
    }
  }

  @Test(arguments: 1...7)
  func elementsOfALayoutHaveTheTagsOfTheStream(number: Int) throws {
    let configuration = try Self.configuration(number)
    let program = ProgramConfig(
      configuration, samplingFrequency: try #require(SamplingFrequency(index: 3)))
    let all = program.front + program.side + program.back
    let singles = all.filter { !$0.isPair }.map(\.tag)
    let pairs = all.filter(\.isPair).map(\.tag)
    #expect(singles == Array(0..<configuration.elements.count { $0 == .single }))
    #expect(pairs == Array(0..<configuration.elements.count { $0 == .pair }))
    #expect(program.lowFrequency == Array(0..<configuration.elements.count { $0 == .lowFrequency }))
  }

  @Test func everyElementKindRoundTrips() throws {
    var program = ProgramConfig(
      profile: 0, samplingFrequency: try #require(SamplingFrequency(index: 4)))
    program.front = (0..<15).map { .init(isPair: $0 % 3 == 0, tag: $0) }
    program.side = [.init(isPair: true, tag: 15)]
    program.back = [.init(isPair: false, tag: 9), .init(isPair: true, tag: 3)]
    program.lowFrequency = [1, 2, 3]
    program.data = [0, 7, 15]
    program.coupling = [.init(isPair: true, tag: 2)]
    program.comment = (0..<255).map { UInt8($0) }
    var writer = BitWriter()
    program.write(to: &writer, origin: 0)
    var reader = BitReader(writer.bytes)
    #expect(ProgramConfig(reading: &reader, origin: 0) == program)
    #expect(program.channelCount == 15 + 5 + 2 + 1 + 2 + 3)
  }

  @Test func aCutElementIsRefused() throws {
    var program = ProgramConfig(
      try Self.configuration(6), samplingFrequency: try #require(SamplingFrequency(index: 3)))
    program.comment = [1, 2, 3]
    var writer = BitWriter()
    program.write(to: &writer, origin: 0)
    for count in 0..<writer.bytes.count {
      var reader = BitReader(Array(writer.bytes.prefix(count)))
      #expect(ProgramConfig(reading: &reader, origin: 0) == nil)
    }
  }
}
