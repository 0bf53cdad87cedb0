import AacornSystem
import Foundation
import Glibc
package import Testing

/// Runs each test in simulated worlds, one for each seed.
///
/// `AACORN_SEED=17` runs only that seed. `AACORN_SEEDS=1000` runs that many seeds.
package struct Simulated: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true
  let seeds: Int
  let hardship: Simulation.Hardship

  /// The thread sanitizer needs real threads: one thread at a time, each after the other, never races.
  private static let isSanitized = dlsym(nil, "__tsan_init") != nil

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard let testCase, !Self.isSanitized, !test.traits.contains(where: { $0 is RealTime }) else {
      return try await function()
    }
    let environment = ProcessInfo.processInfo.environment
    let count = environment["AACORN_SEEDS"].flatMap { Int($0) } ?? seeds
    let only = environment["AACORN_SEED"].flatMap { Int($0) }
    for seed in only.map({ $0..<$0 + 1 }) ?? 0..<count {
      let first = try await run(seed, test, testCase, function)
      // A simulation that does not repeat itself cannot be trusted.
      if first.hasFailed { return }
      if seed % 50 == 1 {
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

  private func run(
    _ seed: Int, _ test: Test, _ testCase: Test.Case, _ function: @Sendable () async throws -> Void
  ) async throws -> (hasFailed: Bool, fingerprint: UInt64) {
    let simulation = Simulation(seed: seed, hardship: hardship)
    let hasFailed = Lock(false)
    let trait = IssueHandlingTrait.compactMapIssues { issue in
      var issue = issue
      let isFirst = hasFailed.withLock { value in
        defer { value = true }
        return !value
      }
      issue.comments.append(isFirst ? "\(simulation)" : "seed \(seed)")
      return issue
    }
    try await trait.provideScope(for: test, testCase: testCase) {
      do {
        if let left = try await simulation.run(function) {
          Issue.record("Ten minutes after the test, threads have not ended.\n\(left)")
        }
      } catch {
        Issue.record(error)
      }
    }
    return (hasFailed.withLock { $0 }, simulation.fingerprint)
  }
}

/// Marks a test of a simulated suite that needs real time.
///
/// Sockets, processes and sleeping tasks do not wait for virtual time. Threads that spin do not let others continue.
package struct RealTime: TestTrait {}

extension Trait where Self == RealTime {
  /// Runs this test outside simulations.
  package static var realTime: RealTime { RealTime() }
}

extension Trait where Self == Simulated {
  /// Runs each test in this number of simulated worlds.
  package static func simulated(
    seeds: Int, with hardship: Simulation.Hardship = []
  ) -> Simulated {
    Simulated(seeds: seeds, hardship: hardship)
  }
}
