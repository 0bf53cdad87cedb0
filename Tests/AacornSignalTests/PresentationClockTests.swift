import AacornSignal
import Testing

/// The detection of gaps between buffers by their timestamps.
@Suite struct PresentationClockTests {
  private func steps(
    _ times: [Int64?], frameCount: Int = 480, sampleRate: Int = 48_000
  ) -> [PresentationClock.Step] {
    var clock = PresentationClock()
    return times.map { time in
      clock.append(
        time.map { MediaTime(nanoseconds: $0) }, frameCount: frameCount, sampleRate: sampleRate)
    }
  }

  private static let block: Int64 = 10_000_000

  @Test func buffersThatJitterFollowEachOther() {
    let jitter: [Int64] = [0, 2_900_000, -900_000, 1_000_000, 0, -2_500_000, 0]
    let times = jitter.enumerated().map { 77 + Int64($0.offset) * Self.block + $0.element }
    #expect(steps(times).allSatisfy { $0 == .contiguous })
  }

  @Test func aMissingBufferIsAGapOfItsLength() {
    #expect(steps([0, Self.block * 2, Self.block * 3]) == [.contiguous, .gap(480), .contiguous])
    // A buffer without a timestamp counts, too.
    #expect(steps([0, nil, Self.block * 4]) == [.contiguous, .contiguous, .gap(960)])
    #expect(steps([nil, nil, Self.block * 9]) == [.contiguous, .contiguous, .contiguous])
  }

  @Test func smallLossesAddUpToOne() {
    // Every buffer is a millisecond later than expected from the previous samples.
    let times = (0..<10).map { Int64($0) * 11_000_000 }
    let lost = steps(times).reduce(0) { sum, step in
      if case .gap(let count) = step { sum + count } else { sum }
    }
    #expect((150...432).contains(lost))
  }

  @Test func aClockThatDriftsIsFollowed() {
    // An hour at 100 ppm too slow and too fast: 0.36 s each.
    for length in [Self.block + 1000, Self.block - 1000] {
      let times = (0..<360_000).map { Int64($0) * length }
      #expect(steps(times).allSatisfy { $0 == .contiguous })
    }
  }

  @Test func surplusIsKeptAndReducesLaterGaps() {
    var clock = PresentationClock()
    func step(_ milliseconds: Int64) -> PresentationClock.Step {
      clock.append(
        MediaTime(nanoseconds: milliseconds * 1_000_000), frameCount: 480, sampleRate: 48_000)
    }
    #expect(step(100) == .contiguous)
    #expect(step(60) == .surplus(2400))
    #expect(clock.lead == 50_000_000)
    #expect(step(70) == .contiguous)
    // The gap of 30 ms is shorter than the surplus; the next one of 40 ms is longer than the
    // remaining surplus.
    #expect(step(110) == .contiguous)
    #expect(clock.lead == 20_000_000)
    #expect(step(160) == .gap(960))
    #expect(clock.lead == 0)
  }

  @Test func impossibleTimesDoNotOverflow() {
    let times: [Int64?] = [.max, .min, .max, 0, nil, .min, .min, .max]
    #expect(steps(times, frameCount: .max, sampleRate: 1).count == times.count)
    #expect(steps(times, frameCount: 0, sampleRate: 1_000_000).count == times.count)
  }
}
