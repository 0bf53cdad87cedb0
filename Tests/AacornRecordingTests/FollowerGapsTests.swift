import Testing

@testable import AacornRecording

/// The gaps of a follower track.
@Suite struct FollowerGapsTests {
  /// Adds gaps in order and returns the entries.
  private func entries(
    _ stretches: [(range: Range<Int>, cause: RecordingGap.Cause)]
  ) -> [RecordingGap] {
    var gaps = FollowerGaps("mic", sampleRate: 1000)
    for (range, cause) in stretches { gaps.add(range.lowerBound, range.count, cause) }
    return gaps.take(before: 10_000, isCut: true, wallTime: 0)
  }

  @Test func laterGapExtendsEntryInBothDirections() {
    let found = entries([(100..<200, .unexplained), (50..<250, .deviceLost)])
    #expect(found.map(\.position) == [50])
    #expect(found.map(\.length) == [200])
    #expect(found.map(\.cause) == [.deviceLost])
  }

  @Test func distantGapsStaySeparate() {
    let found = entries([(100..<200, .overrun), (300..<400, .unexplained), (10..<20, .overrun)])
    #expect(found.map(\.position) == [10, 100, 300])
    #expect(found.map(\.length) == [10, 100, 100])
  }

  @Test func gapBetweenEntriesJoinsThem() {
    let found = entries([(100..<200, .overrun), (300..<400, .unexplained), (200..<300, .overrun)])
    #expect(found.map(\.position) == [100])
    #expect(found.map(\.length) == [300])
  }
}
