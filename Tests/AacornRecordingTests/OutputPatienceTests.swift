import Testing

@testable import AacornRecording

@Suite struct OutputPatienceTests {
  /// The look that finds the patience over, if each sees that so much is handled.
  private func firstLookAtTheEnd(of handled: [Int], after start: Int) -> Int? {
    var patience = OutputPatience(handledCount: start)
    return handled.firstIndex { patience.isOver(handledCount: $0) }
  }

  /// A pipe that took something at the last moment has no second patience before it.
  @Test(arguments: [0, 1, 7, OutputPatience.lookCount - 1])
  func patienceBeginsWithTheLastProgress(looksBefore: Int) {
    let handled =
      Array(repeating: 5, count: looksBefore) + Array(repeating: 6, count: 1 + OutputPatience.lookCount)
    #expect(firstLookAtTheEnd(of: handled, after: 5) == handled.count - 1)
  }

  @Test func whatNeverMakesProgressHasOnePatience() {
    let handled = Array(repeating: 0, count: OutputPatience.lookCount)
    #expect(firstLookAtTheEnd(of: handled, after: 0) == handled.count - 1)
  }

  @Test func theLooksComeToThePatience() {
    #expect(OutputPatience.pause(of: .seconds(10)) * OutputPatience.lookCount == 10_000)
    #expect(OutputPatience.pause(of: .milliseconds(500)) * OutputPatience.lookCount == 500)
    #expect(OutputPatience.pause(of: .zero) == 1)
  }
}
