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
        WorkerThread("test") {
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
      WorkerThread("test") {
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
      WorkerThread("test") {
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
          let thread = WorkerThread("test") { lock.withLock { $0 += 1 } }
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

  /// A thread that waits for a signal keeps its world from ending.
  @Test func aThreadThatStillWaitsIsAFault() async throws {
    await #expect(processExitsWith: .success) {
      let fault = try await Simulation(seed: 3).run {
        let thread = WorkerThread("test") { _ = Semaphore().wait(milliseconds: 3_600_000) }
        thread?.detach()
      }
      let words = try #require(fault)
      #expect(words.contains("threads have not ended") && words.contains("thread 1 waits (wait)"))
    }
  }

  @Test(arguments: [".aacorn-1-1.tmp", ".stream.m3u8.partial", ".aacorn-uploads/repair-1"])
  func aTemporaryFileThatStaysIsAFault(name: String) async throws {
    let folder = try Folder()
    try folder.makeFolder(".aacorn-uploads")
    /// Returns the fault of a world that creates the file, and removes it or not.
    func fault(
      removes: Bool, _ change: @escaping @Sendable (Disk) -> Void = { _ in }
    ) async throws -> String? {
      let fault = try await Simulation(seed: 3).run {
        let disk = Disk(folder.path)
        // A removal that fails because there is no file excuses no later one.
        try? System.remove(folder.file(name))
        try System.close(System.open(folder.file(name), for: .creating))
        change(disk)
        if removes { try? System.remove(folder.file(name)) }
      }
      try? folder.remove(name)
      return fault
    }
    let left = "These temporary files were not removed: \(name)."
    #expect(try await fault(removes: true) == nil)
    #expect(try await fault(removes: false) == left)
    let leftOnEarlierDisk = try await fault(removes: false) { _ in _ = Disk(folder.path) }
    #expect(leftOnEarlierDisk == left)
    // Only a disk that refuses the removal excuses the program.
    let (refused, failed) = (
      try await fault(removes: true) { $0.failure = (0..<Int.max, .device) },
      try await fault(removes: false) { $0.failure = (0..<Int.max, .device) }
    )
    #expect(refused == nil && failed == left)
  }

  /// A power failure leaves the old or the new contents of each sector of 512 bytes.
  @Test(.simulated(seeds: 3), .needsSimulation)
  func aPowerFailureTearsPagesBetweenSectors() throws {
    let folder = try Folder()
    try folder.write([UInt8](repeating: 0, count: 8192), to: "a")
    let disk = Disk(folder.path)
    let descriptor = try System.open(folder.file("a"), for: .changing)
    for value in 1...4 as ClosedRange<UInt8> {
      try System.write(descriptor, [UInt8](repeating: value, count: 8192), at: 0)
    }
    try System.close(descriptor)
    var tornPageCount = 0
    try disk.eachCrash { crash in
      let bytes = try #require(crash.files["a"])
      #expect(bytes.count == 8192)
      for start in stride(from: 0, to: 8192, by: 512) {
        #expect(Set(bytes[start..<start + 512]).count == 1, "\(crash)")
      }
      for start in [0, 4096] where Set(bytes[start..<start + 4096]).count > 1 {
        tornPageCount += 1
        #expect(crash.description.hasSuffix("some sectors"), "\(crash)")
      }
    }
    #expect(tornPageCount > 0)
  }

  @Test(
    arguments: [
      ("3", [0, 1, 2]), ("2630001+2", [2_630_001, 2_630_002]), ("2 40+1", [0, 1, 40]),
      ("", nil), ("0", nil), ("+5", nil), ("5+", nil), ("1+2+3", nil), ("-1+2", nil),
      ("2 x", nil),
    ] as [(String, [Int]?)])
  func seedsAreNumbersAndRanges(words: String, seeds: [Int]?) {
    #expect(Simulated.seeds(in: words) == seeds)
  }
}
