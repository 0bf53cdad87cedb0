import Testing

@testable import AacornRecording

@Suite struct OutputPatienceTests {
  /// A pipe that took something at the last moment has no second patience before it.
  @Test(arguments: [0, 1, 7, OutputPatience.lookCount - 1])
  func patienceBeginsWithTheLastProgress(looksBefore: Int) {
    var patience = OutputPatience(handledCount: 5)
    for _ in 0..<looksBefore { #expect(!patience.isOver(handledCount: 5)) }
    #expect(!patience.isOver(handledCount: 6))
    for _ in 1..<OutputPatience.lookCount { #expect(!patience.isOver(handledCount: 6)) }
    #expect(patience.isOver(handledCount: 6))
  }

  @Test func whatNeverMakesProgressHasOnePatience() {
    var patience = OutputPatience(handledCount: 0)
    for _ in 1..<OutputPatience.lookCount { #expect(!patience.isOver(handledCount: 0)) }
    #expect(patience.isOver(handledCount: 0))
  }

  @Test func theLooksComeToThePatience() {
    #expect(OutputPatience.pause(of: .seconds(10)) * OutputPatience.lookCount == 10_000)
    #expect(OutputPatience.pause(of: .milliseconds(500)) * OutputPatience.lookCount == 500)
    #expect(OutputPatience.pause(of: .zero) == 1)
  }
}
