import AacornSignal
import Testing

@Suite struct MediaTimeTests {
  private func time(_ value: Int64, _ timescale: Int32) throws -> MediaTime {
    try #require(MediaTime(value: value, timescale: timescale))
  }

  @Test func timeWithoutScaleIsNil() {
    #expect(MediaTime(value: 1, timescale: 0) == nil)
    #expect(MediaTime(value: 1, timescale: -1) == nil)
  }

  @Test func nanosecondsAreTheNearest() throws {
    #expect(try time(1, 3).nanoseconds == 333_333_333)
    #expect(try time(2, 3).nanoseconds == 666_666_667)
    #expect(try time(-2, 3).nanoseconds == -666_666_667)
    #expect(try time(.max, 1).nanoseconds == 4_000_000_000_000_000_000)
    #expect(try time(.min, 1).nanoseconds == -4_000_000_000_000_000_000)
    #expect(try time(.max, .max).nanoseconds == 4_000_000_000_000_000_000)
  }

  @Test func framesAreAddedExactlyWhereACommonScaleFits() throws {
    #expect(try time(5, 44_100).adding(frames: 1024, sampleRate: 44_100) == time(1029, 44_100))
    #expect(try time(1, 600).adding(frames: 1, sampleRate: 44_100) == time(149, 88_200))
    #expect(try time(3, 48_000).adding(frames: -4, sampleRate: 48_000) == time(-1, 48_000))
    #expect(
      try time(7, 1_000_000_000).adding(frames: 3, sampleRate: 48_000)
        == time(62_507, 1_000_000_000))
  }

  @Test func roundingErrorsDoNotAccumulate() throws {
    let start = try time(100, 1_000_000_000)
    // An hour of packets, each with its own rounding.
    for packet in [Int64(1), 2, 441, 155_039] {
      let frames = packet * 1024
      let exact = Double(frames) / 44_100 * 1e9
      let found = start.adding(frames: frames, sampleRate: 44_100)
      #expect(found.timescale == 1_000_000_000)
      #expect(abs(Double(found.value - 100) - exact) <= 0.5 + exact * 1e-15)
    }
  }

  @Test func theFarthestTimesDoNotOverflow() throws {
    for value in [Int64.min, .max] {
      for scale in [Int32(1), 44_100, 1_000_000_000, .max] {
        for frames in [Int64.min, 0, .max] {
          let sum = try time(value, scale).adding(frames: frames, sampleRate: 44_100)
          #expect(sum.timescale > 0)
          _ = sum.nanoseconds
          _ = sum.frames(since: try time(value / -2, 3), sampleRate: 1_000_000)
        }
      }
    }
  }

  @Test func framesBetweenTimesAreTheNearest() throws {
    #expect(try time(2, 1).frames(since: time(1, 2), sampleRate: 44_100) == 66_150)
    #expect(try time(0, 1).frames(since: time(1, 3), sampleRate: 48_000) == -16_000)
  }
}
