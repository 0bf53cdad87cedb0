import AacornSignal
import Testing

struct ChannelMapTests {
  private func apply(_ map: ChannelMap, frames: Int = 3) -> [Float] {
    // Channel c of frame n is 10 n + c.
    let input = (0..<frames).flatMap { frame in
      (0..<map.inputChannelCount).map { Float(10 * frame + $0) }
    }
    var output: [Float] = [-1]
    map.apply(input.span, into: &output)
    #expect(output.first == -1)
    return Array(output.dropFirst())
  }

  @Test func pickedChannelsComeInTheirOrder() throws {
    #expect(apply(try ChannelMap(picking: [2, 3], of: 8, to: 2)) == [2, 3, 12, 13, 22, 23])
    #expect(
      apply(try ChannelMap(picking: [3, 0, 3], of: 4, to: 3))
        == [3, 0, 3, 13, 10, 13, 23, 20, 23])
  }

  @Test func oneChannelBecomesTwoEqualOnes() throws {
    #expect(apply(try ChannelMap(picking: [5], of: 6, to: 2)) == [5, 5, 15, 15, 25, 25])
    #expect(apply(try ChannelMap(from: 1, to: 2)) == [0, 0, 10, 10, 20, 20])
  }

  @Test func twoChannelsBecomeTheirMean() throws {
    #expect(apply(try ChannelMap(picking: [0, 4], of: 6, to: 1)) == [2, 12, 22])
  }

  @Test func manyChannelsAreMixedAsTheMixerDoes() throws {
    let input: [Float] = [1, 2, 3, 4, 5, 6, -1, 0.5, 0, 9, 2, 1]
    for count in 1...2 {
      var mixed: [Float] = []
      try ChannelMixer(from: 6, to: count).mix(input.span, into: &mixed)
      var mapped: [Float] = []
      try ChannelMap(from: 6, to: count).apply(input.span, into: &mapped)
      #expect(mapped == mixed)
    }
  }

  @Test func equalNumbersPassThrough() throws {
    for count in [1, 2, 8, 32] {
      let input = (0..<2 * count).map { Float($0) }
      var output: [Float] = []
      try ChannelMap(from: count, to: count).apply(input.span, into: &output)
      #expect(output == input)
    }
  }

  @Test func emptyInputGivesEmptyOutput() throws {
    #expect(apply(try ChannelMap(picking: [0, 1], of: 2, to: 1), frames: 0) == [])
  }

  @Test func invalidChannelMapThrows() {
    #expect(throws: PCMError.unsupportedChannelCount(2)) {
      try ChannelMap(picking: [0, 2], of: 2, to: 2)
    }
    #expect(throws: PCMError.unsupportedChannelCount(2)) {
      try ChannelMap(picking: [-1], of: 2, to: 1)
    }
    #expect(throws: PCMError.unsupportedChannelCount(0)) {
      try ChannelMap(picking: [], of: 2, to: 1)
    }
    #expect(throws: PCMError.unsupportedChannelCount(0)) { try ChannelMap(from: 0, to: 1) }
    #expect(throws: PCMError.unsupportedChannelCount(0)) { try ChannelMap(from: 2, to: 0) }
    #expect(throws: PCMError.unsupportedMix(from: 2, to: 3)) { try ChannelMap(from: 2, to: 3) }
    #expect(throws: PCMError.unsupportedMix(from: 9, to: 2)) { try ChannelMap(from: 9, to: 2) }
  }
}
