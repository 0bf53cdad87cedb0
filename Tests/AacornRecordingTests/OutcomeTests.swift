import AacornRecording
import Simulation
import Testing

@Suite(.simulated(seeds: 4, with: .all)) struct OutcomeTests {
  @Test func onlyTheFirstEndCounts() {
    let outcome = Outcome<Int>()
    #expect(outcome.summary == nil)
    let settled = [outcome.resolve(1), outcome.resolve(2)]
    #expect(settled == [true, false])
    #expect(outcome.summary == 1)
  }

  @Test func waitReturnsKnownResultImmediately() async {
    let outcome = Outcome<Int>()
    #expect(outcome.wait(for: .zero) == nil)
    #expect(outcome.resolve(1))
    #expect(outcome.wait(for: .seconds(600)) == 1)
    let summary = await outcome.wait()
    #expect(summary == 1)
  }

  @Test func allWaitersAreResumedOnce() async {
    let outcome = Outcome<Int>()
    let summaries = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 { group.addTask { await outcome.wait() } }
      // Without a result, no waiter is notified.
      outcome.notifyWaiters()
      _ = outcome.resolve(7)
      outcome.notifyWaiters()
      outcome.notifyWaiters()
      var summaries: [Int] = []
      for await summary in group { summaries.append(summary) }
      return summaries
    }
    #expect(summaries == [7, 7, 7, 7])
  }
}
