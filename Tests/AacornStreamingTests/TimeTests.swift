import AacornSystem
import Testing

/// Conversions of durations to the integers of clocks and system calls.
struct TimeTests {
  @Test func fractionsAreTruncatedExceptForWaits() {
    let time = Duration.microseconds(1500) + .nanoseconds(7)
    #expect(time.nanoseconds == 1_500_007)
    #expect(time.milliseconds == 1)
    #expect(time.millisecondsToWait == 2)
    #expect(Duration.seconds(3).millisecondsToWait == 3000)
    #expect(Duration.zero.millisecondsToWait == 0)
  }

  @Test func negativeDurationIsZeroWait() {
    #expect(Duration.milliseconds(-5).millisecondsToWait == 0)
    #expect(Duration.milliseconds(-5).milliseconds == -5)
    #expect(Duration.milliseconds(-5).nanoseconds == -5_000_000)
  }

  @Test(arguments: [Int64.max, .min])
  func foreverStillFitsOnAClock(seconds: Int64) {
    let nanoseconds = Duration.seconds(seconds).nanoseconds
    #expect(!System.nanoseconds.addingReportingOverflow(nanoseconds).overflow)
    #expect(nanoseconds.magnitude == 1_000_000_000_000_000_000)
  }

  @Test func samplesAreWholeAndTheirTimeIsExact() {
    #expect(Duration.milliseconds(10).sampleCount(at: 44_100) == 441)
    #expect(Duration.milliseconds(2).sampleCount(at: 22_050) == 44)
    #expect(Duration.seconds(-1).sampleCount(at: 48_000) == 0)
    // Durations rounded to nanoseconds, and exact ones.
    #expect(Duration.nanoseconds(22_676).sampleCount(at: 44_100) == 1)
    #expect(Duration.nanoseconds(45_351).sampleCount(at: 44_100) == 2)
    #expect(Duration.nanoseconds(45_350).sampleCount(at: 44_100) == 1)
    #expect(Duration.seconds(1.0 / 44_100).sampleCount(at: 44_100) == 1)
    #expect(Duration.nanoseconds(999_999_999).sampleCount(at: 44_100) == 44_099)
    for index in [1, 2, 44_099, 767_999] {
      #expect(Duration(samples: index, at: 768_000).sampleCount(at: 768_000) == index)
    }
    #expect(Duration(samples: 72_000, at: 48_000) == .milliseconds(1500))
  }
}
