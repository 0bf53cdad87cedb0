import AacornSignal
import Testing

@testable import AacornDevices

@Suite struct CoreAudioChannelsTests {
  /// Mixes one frame and returns the result.
  private func mix(
    _ frame: [Float], to channelCount: Int, _ layout: ChannelLayout? = nil,
    from source: ChannelLayout? = nil, pair: [Int]? = nil
  ) -> [Float] {
    let format = PlaybackFormat(sampleRate: 48_000, channelCount: frame.count, layout: source)
    let channels = CoreAudioChannels(of: format, to: channelCount, layout, stereoPair: pair)
    var output = [Float](repeating: 99, count: channelCount)
    unsafe frame.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { place in
        guard let start = input.baseAddress, let first = place.baseAddress else { return }
        unsafe channels.mix(start, into: first, frameCount: 1)
      }
    }
    return output
  }

  @Test(arguments: [1, 2, 3, 6, 18])
  func asManyStayWhatTheyAre(count: Int) {
    let frame = (1...count).map { Float($0) }
    #expect(mix(frame, to: count) == frame)
    let format = PlaybackFormat(sampleRate: 48_000, channelCount: count)
    #expect(CoreAudioChannels(of: format, to: count).areSame)
    #expect(!CoreAudioChannels(of: format, to: count + 1).areSame)
  }

  @Test func oneAndTwoChannelsAreMixed() {
    #expect(mix([3], to: 2) == [3, 3])
    #expect(mix([1, 2], to: 1) == [1.5])
    // Stereo omits the low-frequency channel.
    #expect(mix([1, 2, 0, 100, 0, 0], to: 2) == [1, 2])
  }

  @Test func unknownChannelsPlayOnTheStereoPair() {
    #expect(mix([1, 2], to: 4) == [1, 2, 0, 0])
    #expect(mix([1, 2], to: 4, pair: [2, 3]) == [0, 0, 1, 2])
    #expect(mix([3], to: 4, pair: [3, 1]) == [0, 3, 0, 3])
    // A pair of channels that the device does not have is ignored.
    #expect(mix([1, 2], to: 4, pair: [-1, 7]) == [1, 2, 0, 0])
    #expect(mix([1, 2], to: 4, pair: [2]) == [1, 2, 0, 0])
  }

  @Test func knownLoudspeakersGetTheirOwnChannels() {
    let front = ChannelLayout([.frontCenter, .frontRight, .frontLeft])
    #expect(mix([1, 2, 3], to: 3, front) == [3, 2, 1])
    #expect(mix([1, 2], to: 3, front) == [0, 2, 1])
    let source = ChannelLayout([.frontCenter, .frontLeft, .frontRight])
    #expect(mix([1, 2, 3], to: 3, front, from: source) == [1, 3, 2])
    // A layout with another number of channels is ignored.
    #expect(mix([1, 2, 3, 4], to: 4, front) == [1, 2, 3, 4])
  }

  @Test func moreThanThereAreLoudspeakersForAreLeftOut() {
    let many = (1...20).map { Float($0) }
    #expect(mix(many, to: 2) == [1, 2])
  }

  // MARK: Layouts

  private func layout(_ words: [UInt32], channelCount: Int) -> ChannelLayout? {
    unsafe words.withUnsafeBytes {
      unsafe ChannelLayout(inLayout: $0, channelCount: channelCount)
    }
  }

  /// Returns a layout that describes channels with these labels.
  private func described(_ labels: [UInt32], count: UInt32? = nil) -> [UInt32] {
    [0, 0, count ?? UInt32(labels.count)] + labels.flatMap { [$0, 0, 0, 0, 0] }
  }

  @Test func loudspeakersAreReadInEachForm() {
    let surround = ChannelLayout.standard(channelCount: 6)
    #expect(layout(described([1, 2, 3, 4, 5, 6]), channelCount: 6) == surround)
    #expect(layout([1 << 16, 0x3F, 0], channelCount: 6) == surround)
    #expect(layout([121 << 16 | 6, 0, 0], channelCount: 6) == surround)
  }

  @Test func mismatchedLayoutReturnsNil() {
    #expect(layout(described([1, 2]), channelCount: 3) == nil)
    #expect(layout(described([1, 0xFFFF_FFFF]), channelCount: 2) == nil)
    #expect(layout(described([1, 2], count: 3), channelCount: 3) == nil)
    #expect(layout(described([1, 2], count: .max), channelCount: .max) == nil)
    #expect(layout([101 << 16 | 2, 0, 0], channelCount: 6) == nil)
    #expect(layout([0, 0], channelCount: 2) == nil)
    #expect(layout([], channelCount: 0) == nil)
  }
}
