import AacornCodec
import Testing

@Suite struct ChannelConfigurationTests {
  @Test(arguments: zip(1...7, [1, 2, 3, 4, 5, 6, 8]))
  func channelConfigurationMatchesChannelCount(number: Int, count: Int) throws {
    let configuration = try #require(ChannelConfiguration(rawValue: number))
    #expect(configuration.channelCount == count)
    #expect(ChannelConfiguration(channelCount: count) == configuration)
    let channels = configuration.elements.reduce(0) { $0 + ($1 == .pair ? 2 : 1) }
    #expect(channels == count)
    let withoutLFE = count - configuration.elements.count { $0 == .lowFrequency }
    #expect(configuration.bufferedChannelCount == withoutLFE)
    #expect(AudioSpecificConfig.test(channels: number).channelCount == count)
    #expect(configuration.sourceOrder.sorted() == Array(0..<count))
  }

  @Test func otherNumbersAreRefused() {
    for number in [0, 8, -1, 11, 12, 14] { #expect(ChannelConfiguration(rawValue: number) == nil) }
    for count in [0, 7, 9, -1, Int.max] {
      #expect(ChannelConfiguration(channelCount: count) == nil)
    }
  }

  /// WAV has the order L R C LFE; AAC has the center first and the LFE last.
  @Test func sourceOrderStartsWithCenterAndEndsWithLFE() throws {
    for number in [6, 7] {
      let order = try #require(ChannelConfiguration(rawValue: number)).sourceOrder
      #expect(order.first == 2)
      #expect(order.last == 3)
      #expect(Array(order[1...2]) == [0, 1])
    }
  }

  @Test func elementKindsHaveTheNumbersOfTheStandard() {
    let kinds: [ElementKind] = [
      .single, .pair, .coupling, .lowFrequency, .data, .programConfig, .fill, .end,
    ]
    #expect(kinds.map(\.rawValue) == Array(0...7))
  }
}
