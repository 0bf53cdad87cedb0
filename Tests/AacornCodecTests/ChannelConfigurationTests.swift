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
  }

  @Test func otherNumbersAreRefused() {
    for number in [0, 8, -1, 11, 12, 14] { #expect(ChannelConfiguration(rawValue: number) == nil) }
    for count in [0, 7, 9, -1, Int.max] {
      #expect(ChannelConfiguration(channelCount: count) == nil)
    }
  }

  /// WAV has the order L R C LFE Lb Rb Ls Rs; AAC has the center first and the LFE last, and the
  /// side pair before the back pair.
  @Test func sourceOrderMapsWAVToElements() {
    let orders = (1...7).map { ChannelConfiguration(rawValue: $0)?.sourceOrder }
    #expect(
      orders == [
        [0], [0, 1], [2, 0, 1], [2, 0, 1, 3], [2, 0, 1, 3, 4], [2, 0, 1, 4, 5, 3],
        [2, 0, 1, 6, 7, 4, 5, 3],
      ])
  }

  @Test func elementKindsHaveTheNumbersOfTheStandard() {
    let kinds: [ElementKind] = [
      .single, .pair, .coupling, .lowFrequency, .data, .programConfig, .fill, .end,
    ]
    #expect(kinds.map(\.rawValue) == Array(0...7))
  }
}
