import AacornSystem
import Simulation
import Testing

@Suite struct SimulationTests {
  /// The sum of two threads that each read a counter, and add 1 to it later.
  private func lostUpdate(seed: Int) async throws -> (sum: Int, fingerprint: UInt64) {
    let simulation = Simulation(seed: seed)
    let counter = Lock(0)
    let left = try await simulation.run {
      let threads = (0..<2).compactMap { _ in
        WorkerThread {
          let value = counter.withLock { $0 }
          counter.withLock { $0 = value + 1 }
        }
      }
      for thread in threads { thread.join() }
    }
    #expect(left == nil)
    return (counter.withLock { $0 }, simulation.fingerprint)
  }

  @Test func someSeedsFindARace() async throws {
    var sums: Set<Int> = []
    for seed in 0..<20 { sums.insert(try await lostUpdate(seed: seed).sum) }
    #expect(sums == [1, 2])
  }

  @Test func aSeedRepeatsItsSteps() async throws {
    var fingerprints: Set<UInt64> = []
    for seed in 0..<10 {
      let (first, second) = (try await lostUpdate(seed: seed), try await lostUpdate(seed: seed))
      #expect(first == second)
      fingerprints.insert(first.fingerprint)
    }
    #expect(fingerprints.count > 5)
  }

  @Test(.simulated(seeds: 3)) func anHourPassesAtOnce() async throws {
    let start = System.nanoseconds
    System.sleep(milliseconds: 3_600_000)
    let end = System.nanoseconds
    #expect((3_600_000_000_000..<3_600_000_010_000).contains(end - start))
  }

  @Test(.simulated(seeds: 3)) func waitsEndAtTheirDeadline() throws {
    let (semaphore, start) = (Semaphore(), System.seconds)
    #expect(!semaphore.wait(milliseconds: 5000))
    #expect(abs(System.seconds - start - 5) < 0.001)
    let thread = try #require(
      WorkerThread {
        System.sleep(milliseconds: 2000)
        semaphore.signal()
      })
    #expect(semaphore.wait(milliseconds: 5000))
    #expect(abs(System.seconds - start - 7) < 0.001)
    thread.join()
  }

  @Test(.simulated(seeds: 3)) func aSleepStopsOnlyTheMonotonicClock() {
    let (start, wall, slept) = (
      System.nanoseconds, System.wallNanoseconds, System.sleptNanoseconds
    )
    Simulation.putToSleep(milliseconds: 5000)
    #expect(System.nanoseconds - start < 10_000)
    #expect(System.sleptNanoseconds - slept == 5_000_000_000)
    #expect(abs(System.wallNanoseconds - wall - 5_000_000_000) < 10_000)
  }

  @Test(.simulated(seeds: 3)) func wakeUpsOfIdleThreadsAreCounted() throws {
    let semaphore = Semaphore()
    let isFinished = Atomic(false)
    let thread = try #require(
      WorkerThread {
        while !isFinished.load(ordering: .acquiring) { _ = semaphore.wait(milliseconds: 100) }
      })
    let before = Simulation.wakeUpCount
    System.sleep(milliseconds: 10_050)
    // One of them is the wake-up of this thread.
    #expect((100...102).contains(Simulation.wakeUpCount - before))
    isFinished.store(true, ordering: .releasing)
    thread.join()
  }

  @Test func aDeadlockEndsTheProcessWithAReport() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try await Simulation(seed: 3, test: "waits()").run {
        let lock = Lock(0)
        lock.withLock { _ in
          let thread = WorkerThread { lock.withLock { $0 += 1 } }
          thread?.join()
        }
      }
    }
    let report = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    for text in [
      "All threads of the test “waits()” wait for each other.", "Seed 3,",
      "thread 0 waits (join) without limit",
      "thread 1 waits (lock) without limit", "The last steps",
    ] {
      #expect(report.contains(text))
    }
  }

  @Test func aDescriptorThatStaysOpenIsAFault() async throws {
    let opened = Lock<Int32>(-1)
    let fault = try await Simulation(seed: 3).run {
      let descriptor = try System.open("/dev/null", for: .reading)
      opened.withLock { $0 = descriptor }
    }
    #expect(fault?.contains("were not closed") == true && fault?.contains("/dev/null") == true)
    try System.close(opened.withLock { $0 })
  }

  @Test func aDescriptorThatIsClosedTwiceIsAFault() async throws {
    let fault = try await Simulation(seed: 3).run {
      let descriptor = try System.open("/dev/null", for: .reading)
      try System.close(descriptor)
      try? System.close(descriptor)
    }
    #expect(fault?.contains("was closed, but it was not open") == true)
    let isFine = try await Simulation(seed: 3).run {
      let file = OpenFile(try System.open("/dev/null", for: .reading))
      try file.close()
      try file.close()
    }
    #expect(isFine == nil)
  }
}
