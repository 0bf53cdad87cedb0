import AacornSystem
import Simulation
import SoundRigs
import Testing

@testable import AacornRecording

@Suite(.simulated(seeds: 4, with: .all)) struct OutcomeTests {
  @Test func onlyTheFirstEndCounts() {
    let outcome = Outcome<Int>()
    #expect(outcome.value == nil)
    outcome.resolve(1) {}
    outcome.resolve(2) { Issue.record("The second end is reported.") }
    #expect(outcome.value == 1)
  }

  @Test func waitReturnsKnownResultImmediately() async {
    let outcome = Outcome<Int>()
    #expect(outcome.wait(for: .zero) == nil)
    outcome.resolve(1) {}
    #expect(outcome.wait(for: .seconds(600)) == 1)
    let summary = await outcome.wait()
    #expect(summary == 1)
  }

  @Test func allWaitingThreadsWakeUp() throws {
    let outcome = Outcome<Int>()
    let results = Lock<[Int?]>([])
    let threads = try (0..<3).map { _ in
      try #require(
        WorkerThread {
          let result = outcome.wait(for: .seconds(600))
          results.withLock { $0.append(result) }
        })
    }
    System.sleep(milliseconds: 1000)
    outcome.resolve(7) {}
    // A delayed thread ends within the seconds that a schedule may withhold it.
    expectDuration(0...60) { for thread in threads { thread.join() } }
    #expect(results.withLock(\.self) == [7, 7, 7])
  }

  @Test func allWaitersAreResumedOnce() async {
    let outcome = Outcome<Int>()
    let summaries = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 { group.addTask { await outcome.wait() } }
      outcome.resolve(7) {}
      outcome.resolve(8) {}
      var summaries: [Int] = []
      for await summary in group { summaries.append(summary) }
      return summaries
    }
    #expect(summaries == [7, 7, 7, 7])
  }
}
