import Testing

@testable import AacornRecording

@Suite struct OutputPatienceTests {
  /// The number of polls with this count until the timeout, of at most a thousand.
  private func looks(_ patience: inout OutputPatience, at handledCount: Int) -> Int {
    for look in 1...1000 {
      let isOver = patience.isOver(handledCount: handledCount)
      if isOver { return look }
    }
    return 0
  }

  /// Progress at the last moment restarts the timeout.
  @Test(arguments: [0, 1, 7, OutputPatience.lookCount - 1])
  func patienceBeginsWithTheLastProgress(looksBefore: Int) {
    var patience = OutputPatience(handledCount: 5)
    var wasOver = false
    for _ in 0..<looksBefore { wasOver = patience.isOver(handledCount: 5) || wasOver }
    wasOver = patience.isOver(handledCount: 6) || wasOver
    #expect(!wasOver)
    let count = looks(&patience, at: 6)
    #expect(count == OutputPatience.lookCount)
  }

  @Test func whatNeverMakesProgressHasOnePatience() {
    var patience = OutputPatience(handledCount: 0)
    let count = looks(&patience, at: 0)
    #expect(count == OutputPatience.lookCount)
  }

  @Test func theLooksComeToThePatience() {
    #expect(OutputPatience.pause(of: .seconds(10)) * OutputPatience.lookCount == 10_000)
    #expect(OutputPatience.pause(of: .milliseconds(500)) * OutputPatience.lookCount == 500)
    #expect(OutputPatience.pause(of: .zero) == 1)
  }
}
