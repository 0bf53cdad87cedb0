import AacornSystem
import Glibc
package import Testing

/// Runs each test in simulated worlds, one for each seed.
///
/// `AACORN_SEED=17` runs only that seed. `AACORN_SEEDS=1000` runs that many seeds, and `AACORN_SEEDS='75 4000+75'`
/// 75 seeds from 0 on and 75 from 4000 on.
package struct Simulated: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true
  let seeds: Int
  let faults: Simulation.Faults

  private static let descriptorLimit = System.raiseDescriptorLimit()
  /// The number of schedules that this process has run, which it prints when it ends.
  private static let scheduleCount: Lock<Int> = {
    atexit { print("\(Simulated.scheduleCount.withLock { $0 }) schedules ran.") }
    return Lock(0)
  }()

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard let testCase, System.canSimulate,
      !test.traits.contains(where: { $0 is RealTime })
    else { return try await function() }
    // Tests run in parallel, and a lack of descriptors would delay `accept`.
    _ = Self.descriptorLimit
    // These have descriptors of the process, which no world opens.
    _ = (Interruption.process, Interruption.never)
    // Half of the tests repeat odd seeds first, and half even ones, which have another kind of schedule.
    let repeated = 1 + test.name.utf8.count % 2
    for seed in try chosenSeeds() {
      let first = try await run(seed, test, testCase, function)
      if first.hasFailed { return }
      // A simulation that does not repeat itself cannot be trusted. With sockets, causes outside the world change the
      // steps: see the limits in README.md.
      if seed % 25 == repeated, !first.usesSockets {
        let second = try await run(seed, test, testCase, function)
        if first.fingerprint != second.fingerprint {
          Issue.record(
            "Two runs of seed \(seed) took different steps. Something in this test depends on more than the seed."
          )
          return
        }
      }
    }
  }

  private func chosenSeeds() throws -> [Int] {
    if let only = System.environment("AACORN_SEED") { return [try #require(Int(only))] }
    guard let words = System.environment("AACORN_SEEDS") else { return Array(0..<seeds) }
    return try #require(Self.seeds(in: words), "AACORN_SEEDS is unreadable: \(words)")
  }

  /// Returns the seeds that the value of `AACORN_SEEDS` names; nil if it names none, or is unreadable.
  package static func seeds(in words: String) -> [Int]? {
    var chosen: [Int] = []
    for word in words.split(separator: " ") {
      let numbers = word.split(separator: "+", omittingEmptySubsequences: false).map { Int($0) }
      let first = numbers.count == 1 ? 0 : numbers[0]
      guard numbers.count <= 2, let first, let count = numbers.last ?? nil, first >= 0, count > 0
      else { return nil }
      chosen += first..<first + count
    }
    return chosen.isEmpty ? nil : chosen
  }

  private func run(
    _ seed: Int, _ test: Test, _ testCase: Test.Case, _ function: @Sendable () async throws -> Void
  ) async throws -> (hasFailed: Bool, usesSockets: Bool, fingerprint: UInt64) {
    Self.scheduleCount.withLock { $0 += 1 }
    let simulation = Simulation(seed: seed, faults: faults, test: test.name)
    let hasFailed = Lock(false)
    let name = test.name.prefix { $0 != "(" }
    let command = "AACORN_SEED=\(seed) Scripts/check-unit-tests --filter '\(name)\\('"
    let trait = IssueHandlingTrait.compactMapIssues { issue in
      var issue = issue
      let isFirst = hasFailed.withLock { value in
        defer { value = true }
        return !value
      }
      issue.comments.append(isFirst ? "\(simulation)" : "seed \(seed)")
      if isFirst { issue.comments.append("To repeat it: \(command)") }
      return issue
    }
    try await trait.provideScope(for: test, testCase: testCase) {
      do {
        if let left = try await simulation.run(function) {
          Issue.record("\(left)")
        }
      } catch is ExpectationFailedError {
        // `#require` has recorded it.
      } catch {
        Issue.record(error)
      }
    }
    return (
      hasFailed.withLock { $0 }, simulation.localNetwork.wasUsed, simulation.fingerprint
    )
  }
}

/// Expects that `body` takes a time in a range of seconds of the caller's world.
///
/// The end may be an error. Outside simulations, no duration is checked, because a busy machine may start
/// the measurement late.
@discardableResult
package func expectDuration<Result>(
  _ range: ClosedRange<Double>, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Result
) rethrows -> Result {
  let start = System.seconds
  defer {
    let duration = System.seconds - start
    #expect(
      Simulation.current == nil || range.contains(duration), "\(duration) s",
      sourceLocation: sourceLocation)
  }
  return try body()
}

/// Marks a test of a simulated suite that needs real time.
///
/// Processes and sleeping tasks do not wait for virtual time. Threads that spin do not let others continue.
package struct RealTime: TestTrait {}

extension Trait where Self == RealTime {
  /// Runs this test outside simulations.
  package static var realTime: RealTime { RealTime() }
}

extension Trait where Self == Simulated {
  /// Runs each test in this number of simulated worlds.
  package static func simulated(
    seeds: Int, with faults: Simulation.Faults = []
  ) -> Simulated {
    Simulated(seeds: seeds, faults: faults)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips tests where there are no worlds: under the thread sanitizer.
  package static var needsSimulation: ConditionTrait { .enabled(if: System.canSimulate) }
}
