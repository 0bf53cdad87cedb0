import Testing

@testable import AacornRecording

@Suite struct CloseTimeoutTests {
  /// The number of polls with this count until the timeout, of at most a thousand.
  private func pollsUntilExpiry(_ timeout: inout CloseTimeout, at handledCount: Int) -> Int {
    for pollCount in 1...1000 {
      let hasExpired = timeout.hasExpired(handledCount: handledCount)
      if hasExpired { return pollCount }
    }
    return 0
  }

  /// Progress at the last moment restarts the timeout.
  @Test(arguments: [0, 1, 7, CloseTimeout.pollCount - 1])
  func timeoutRestartsAfterProgress(pollsBefore: Int) {
    var timeout = CloseTimeout(handledCount: 5)
    var hadExpired = false
    for _ in 0..<pollsBefore { hadExpired = timeout.hasExpired(handledCount: 5) || hadExpired }
    hadExpired = timeout.hasExpired(handledCount: 6) || hadExpired
    #expect(!hadExpired)
    let count = pollsUntilExpiry(&timeout, at: 6)
    #expect(count == CloseTimeout.pollCount)
  }

  @Test func timeoutExpiresWithoutProgress() {
    var timeout = CloseTimeout(handledCount: 0)
    let count = pollsUntilExpiry(&timeout, at: 0)
    #expect(count == CloseTimeout.pollCount)
  }

  @Test func pollPausesAddUpToTimeout() {
    #expect(CloseTimeout.pause(of: .seconds(10)) * CloseTimeout.pollCount == 10_000)
    #expect(CloseTimeout.pause(of: .milliseconds(500)) * CloseTimeout.pollCount == 500)
    #expect(CloseTimeout.pause(of: .zero) == 1)
  }
}
