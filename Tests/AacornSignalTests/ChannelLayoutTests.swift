import AacornSignal
import Testing

@Suite struct ChannelLayoutTests {
  @Test func masksListTheirBitsFromBelow() throws {
    let layout = try #require(ChannelLayout(waveMask: 0x3F, channelCount: 6))
    #expect(
      layout.speakers == [
        .frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight,
      ])
    #expect(layout.waveMask == 0x3F)
  }

  @Test func masksWithTooFewBitsYieldNoLayout() {
    #expect(ChannelLayout(waveMask: 0x3, channelCount: 6) == nil)
    #expect(ChannelLayout(waveMask: 0, channelCount: 1) == nil)
    #expect(ChannelLayout(waveMask: 0x8000_0000, channelCount: 1) == nil)
    #expect(ChannelLayout(waveMask: 0xFFFF_FFFF, channelCount: 2)?.waveMask == 3)
  }

  @Test(arguments: [
    (UInt32(0x4), 1, [0]), (0x3, 2, [0, 1]), (0x7, 3, [0, 1, 2]), (0x107, 4, [0, 1, 2, 3]),
    (0x37, 5, [0, 1, 2, 3, 4]), (0x607, 5, [0, 1, 2, 3, 4]),
    (0x3F, 6, [0, 1, 2, 3, 4, 5]), (0x60F, 6, [0, 1, 2, 3, 4, 5]),
    (0x63F, 8, [0, 1, 2, 3, 4, 5, 6, 7]), (0xFF, 8, [0, 1, 2, 3, 4, 5, 6, 7]),
    (0x13F, 7, [0, 1, 2, 3, 6, 4, 5]),
  ])
  func waveMasksMapOntoTheStandardOrder(mask: UInt32, count: Int, order: [Int]) {
    #expect(ChannelLayout(waveMask: mask, channelCount: count)?.standardOrder == order)
  }

  @Test(arguments: [
    (UInt32(100), 1, [0]), (101, 2, [0, 1]), (113, 3, [0, 1, 2]), (114, 3, [1, 2, 0]),
    (115, 4, [0, 1, 2, 3]), (116, 4, [1, 2, 0, 3]),
    (117, 5, [0, 1, 2, 3, 4]), (118, 5, [0, 1, 4, 2, 3]), (119, 5, [0, 2, 1, 3, 4]),
    (120, 5, [1, 2, 0, 3, 4]),
    (121, 6, [0, 1, 2, 3, 4, 5]), (122, 6, [0, 1, 4, 5, 2, 3]), (123, 6, [0, 2, 1, 5, 3, 4]),
    (124, 6, [1, 2, 0, 5, 3, 4]),
    (127, 8, [3, 4, 0, 7, 5, 6, 1, 2]), (128, 8, [0, 1, 2, 3, 6, 7, 4, 5]),
    (183, 8, [1, 2, 0, 7, 5, 6, 3, 4]), (189, 8, [0, 1, 2, 3, 4, 5, 6, 7]),
  ])
  func coreAudioTagsMapOntoTheStandardOrder(number: UInt32, count: Int, order: [Int]) {
    let tag = number << 16 | UInt32(count)
    #expect(ChannelLayout(coreAudioTag: tag, channelCount: count)?.standardOrder == order)
  }

  @Test func quadraphonyAndUnknownTagsHaveNoStandardOrder() {
    #expect(ChannelLayout(waveMask: 0x33, channelCount: 4)?.standardOrder == nil)
    #expect(ChannelLayout(coreAudioTag: 108 << 16 | 4, channelCount: 4)?.standardOrder == nil)
    #expect(ChannelLayout(coreAudioTag: 147 << 16 | 6, channelCount: 6) == nil)
    #expect(ChannelLayout(coreAudioTag: 121 << 16 | 6, channelCount: 5) == nil)
  }

  @Test func everyTagHasAsManySpeakersAsItSays() {
    // If the channel count in a tag contradicts the table of loudspeakers, the layout is nil for
    // every count.
    let numbers =
      Array(100...103) + [105, 106, 108, 109, 110] + Array(113...129)
      + Array(131...144) + Array(148...156) + [183, 185, 186, 187, 188, 189]
    for number in numbers {
      let found = (1...8).filter {
        ChannelLayout(coreAudioTag: UInt32(number << 16 | $0), channelCount: $0) != nil
      }
      #expect(found.count == 1, "layout \(number)")
    }
  }

  @Test func labelsTakeRearSpeakersIntoAccount() {
    #expect(
      ChannelLayout(coreAudioLabels: [1, 2, 3, 4, 5, 6])?.standardOrder == [0, 1, 2, 3, 4, 5])
    #expect(
      ChannelLayout(coreAudioLabels: [1, 2, 3, 4, 5, 6, 33, 34])?.standardOrder
        == [0, 1, 2, 3, 6, 7, 4, 5])
    #expect(ChannelLayout(coreAudioLabels: [1, 1]) == nil)
    #expect(ChannelLayout(coreAudioLabels: [1, 200]) == nil)
  }

  @Test func reorderingMovesWholeFrames() {
    var samples: [Float] = [9, 1, 2, 3, 4, 5, 6]
    ChannelLayout.reorder(&samples, from: 1, by: [2, 0, 1])
    #expect(samples == [9, 3, 1, 2, 6, 4, 5])
  }
}

@Suite struct ChannelMixerTests {
  private func mix(_ frame: [Float], _ layout: ChannelLayout?, to count: Int) throws -> [Float] {
    let mixer = try ChannelMixer(from: try #require(layout), to: count)
    var output: [Float] = []
    mixer.mix((frame + frame.map { -$0 }).span, into: &output)
    #expect(output.count == 2 * count)
    #expect(output.suffix(count).map { -$0 } == Array(output.prefix(count)))
    return Array(output.prefix(count))
  }

  private func isClose(_ a: [Float], _ b: [Float]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) < 1e-6 }
  }

  @Test func monoIsCopiedToBothSides() throws {
    #expect(try mix([0.3], .standard(channelCount: 1), to: 2) == [0.3, 0.3])
  }

  @Test func equalStereoChannelsMixToThemselves() throws {
    #expect(try mix([0.7, 0.7], .standard(channelCount: 2), to: 1) == [0.7])
    #expect(try mix([0.5, -0.5], .standard(channelCount: 2), to: 1) == [0])
  }

  @Test func surroundUsesTheWeightsOfBS775() throws {
    let h = Float(0.5).squareRoot()
    let layout = ChannelLayout.standard(channelCount: 6)
    #expect(isClose(try mix([1, 0, 0, 0, 0, 0], layout, to: 2), [1, 0]))
    #expect(isClose(try mix([0, 0, 1, 0, 0, 0], layout, to: 2), [h, h]))
    #expect(isClose(try mix([0, 0, 0, 1, 0, 0], layout, to: 2), [0, 0]))
    #expect(isClose(try mix([0, 0, 0, 0, 0, 1], layout, to: 2), [0, h]))
    #expect(isClose(try mix([1, 1, 1, 1, 1, 1], layout, to: 2), [1 + 2 * h, 1 + 2 * h]))
    #expect(isClose(try mix([1, 0, 0, 0, 0, 0], layout, to: 1), [h]))
    #expect(isClose(try mix([0, 0, 1, 0, 0, 0], layout, to: 1), [1]))
    #expect(isClose(try mix([0, 0, 0, 0, 1, 0], layout, to: 1), [0.5]))
  }

  @Test func theOrderOfTheChannelsCounts() throws {
    // C L R Ls Rs LFE, the order of AAC.
    let layout = ChannelLayout(coreAudioTag: 124 << 16 | 6, channelCount: 6)
    #expect(isClose(try mix([0, 1, 0, 0, 0, 0], layout, to: 2), [1, 0]))
    #expect(isClose(try mix([0, 0, 0, 0, 0, 1], layout, to: 2), [0, 0]))
  }

  @Test func impossibleMixesAreRefused() {
    #expect(throws: PCMError.unsupportedMix(from: 2, to: 6)) { try ChannelMixer(from: 2, to: 6) }
    #expect(throws: PCMError.unsupportedMix(from: 9, to: 2)) { try ChannelMixer(from: 9, to: 2) }
    #expect(throws: PCMError.unsupportedMix(from: 0, to: 1)) { try ChannelMixer(from: 0, to: 1) }
  }

  @Test func layoutCodeRoundTrips() throws {
    for count in 1...8 {
      let layout = try #require(ChannelLayout.standard(channelCount: count))
      #expect(layout.code.flatMap(ChannelLayout.init(code:)) == layout)
    }
    let twelve = try #require(ChannelLayout(Array(SpeakerPosition.allCases.reversed().prefix(12))))
    #expect(twelve.code.flatMap(ChannelLayout.init(code:)) == twelve)
    #expect(ChannelLayout(SpeakerPosition.allCases)?.code == nil)
    // Zero, an undefined loudspeaker, a duplicate, and an unused slot.
    for code in [0, 19, 1 | 1 << 5, 1 | 2 << 10] as [UInt64] {
      #expect(ChannelLayout(code: code) == nil)
    }
  }
}
