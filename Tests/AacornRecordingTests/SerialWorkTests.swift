import AacornSystem
import Foundation
import Simulation
import SoundRigs
import Testing

@testable import AacornRecording

@Suite(.simulated(seeds: 8, with: .all)) struct SerialWorkTests {
  @Test func threadHasTheNameOfItsWork() {
    let (work, name) = (SerialWork("named work"), Lock(""))
    work.run {
      let text = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
      name.withLock { $0 = text ?? "" }
    }
    #expect(eventually { !name.withLock(\.isEmpty) })
    #expect(name.withLock { $0 } == "named work\n")
  }

  @Test func workRunsInTheOrderOfTheCalls() {
    let (work, done) = (SerialWork("test"), Lock<[Int]>([]))
    for number in 0..<20 {
      // Without the order, later work would overtake the slow beginning.
      work.run {
        if number % 5 == 0 { System.sleep(milliseconds: 100) }
        done.withLock { $0.append(number) }
      }
      if number == 10 { #expect(eventually { done.withLock { $0.count == 11 } }) }
    }
    #expect(eventually { done.withLock { $0.count == 20 } })
    #expect(done.withLock { $0 } == Array(0..<20))
  }

  @Test func valueIsTheResultAfterAllEarlierWork() async {
    let (work, done) = (SerialWork("test"), Lock<[Int]>([]))
    work.run {
      System.sleep(milliseconds: 100)
      done.withLock { $0.append(1) }
    }
    let earlier = await work.value {
      defer { done.withLock { $0.append(2) } }
      return done.withLock { $0 }
    }
    #expect(earlier == [1])
    #expect(await work.value { done.withLock { $0 } } == [1, 2])
  }

  @Test func stopRunsTheLastWorkAfterAllQueuedWork() {
    let (work, done) = (SerialWork("test"), Lock<[Int]>([]))
    for number in 0..<20 {
      work.run {
        if number % 5 == 0 { System.sleep(milliseconds: 100) }
        done.withLock { $0.append(number) }
      }
    }
    #expect(work.stop(milliseconds: 600_000) { done.withLock { $0.append(20) } })
    #expect(done.withLock { $0 } == Array(0...20))
    #expect(!work.run { done.withLock { $0.append(21) } })
    #expect(work.stop(milliseconds: 600_000) { done.withLock { $0.append(22) } })
    #expect(done.withLock { $0.count } == 21)
  }

  @Test(.needsSimulation) func idleWorkHasNoThread() {
    let (work, done) = (SerialWork("test"), Lock(0))
    let earlierCount = Simulation.threadCount
    for burst in 1...3 {
      for _ in 0..<5 {
        work.run {
          System.sleep(milliseconds: 100)
          done.withLock { $0 += 1 }
        }
      }
      #expect(eventually { done.withLock { $0 == 5 * burst } })
      // The thread ends after its last work.
      System.sleep(milliseconds: 1000)
      #expect(Simulation.threadCount == earlierCount + burst)
    }
    #expect(work.stop(milliseconds: 1000))
    #expect(!work.run {})
    #expect(Simulation.threadCount == earlierCount + 3)
  }

  @Test(.needsSimulation) func stopAbandonsWorkThatHangs() {
    let (work, done) = (SerialWork("test"), Lock(0))
    work.run {
      System.sleep(milliseconds: 300_000)
      done.withLock { $0 += 1 }
    }
    let hasEnded = expectDuration(60...60.001 + Simulation.maxDelay) {
      work.stop(milliseconds: 60_000) { done.withLock { $0 += 10 } }
    }
    #expect(!hasEnded)
    #expect(work.stop(milliseconds: 60_000) && done.withLock { $0 } == 0)
    #expect(eventually { done.withLock { $0 == 11 } })
  }

  /// The stop may come at any moment of the queueing.
  @Test func workNeverRunsAfterTheLastWork() throws {
    for _ in 0..<20 {
      let (work, isFinished, lateCount) = (SerialWork("test"), Lock(false), Lock(0))
      let thread = try #require(
        WorkerThread("test") {
          while work.run({ if isFinished.withLock({ $0 }) { lateCount.withLock { $0 += 1 } } }) {
            System.sleep(milliseconds: 1)
          }
        })
      System.sleep(milliseconds: 10)
      #expect(work.stop(milliseconds: 600_000) { isFinished.withLock { $0 = true } })
      thread.join()
      #expect(lateCount.withLock { $0 } == 0)
    }
  }
}
