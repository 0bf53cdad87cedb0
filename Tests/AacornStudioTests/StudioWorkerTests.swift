import AacornSystem
import Simulation
import SoundRigs
import Testing

@testable import AacornStudio

@Suite("Queued work") struct StudioWorkerTests {
  @Test func tasksRunInOrderAndLastTaskRunsLast() {
    let worker = StudioWorker()
    let done = Lock<[Int]>([])
    let gate = Semaphore()
    worker.run { _ = gate.wait(milliseconds: TestTimeout.milliseconds) }
    for number in 0..<100 { worker.run { done.withLock { $0.append(number) } } }
    gate.signal()
    worker.stop(milliseconds: TestTimeout.milliseconds) { done.withLock { $0.append(100) } }
    #expect(done.withLock { $0 } == Array(0...100))
    #expect(!worker.run { done.withLock { $0.append(101) } })
    worker.stop(milliseconds: TestTimeout.milliseconds) { done.withLock { $0.append(102) } }
    #expect(done.withLock { $0 }.count == 101)
  }

  @Test(.simulated(seeds: 3)) func stopAbandonsATaskThatHangs() {
    let worker = StudioWorker()
    let done = Lock(0)
    worker.run {
      System.sleep(milliseconds: 300_000)
      done.withLock { $0 += 1 }
    }
    let hasEnded = expectDuration(60...60.001) {
      worker.stop(milliseconds: 60_000) { done.withLock { $0 += 10 } }
    }
    #expect(!hasEnded)
    #expect(worker.stop(milliseconds: 60_000) && done.withLock { $0 } == 0)
    System.sleep(milliseconds: 300_000)
    #expect(done.withLock { $0 } == 11)
  }

  @Test func taskNeverRunsAfterLastTask() {
    for _ in 0..<50 {
      let worker = StudioWorker()
      let isFinished = Lock(false)
      let late = Lock(0)
      let ended = Semaphore()
      let isStarted = System.startThread {
        while worker.run({ if isFinished.withLock({ $0 }) { late.withLock { $0 += 1 } } }) {}
        ended.signal()
      }
      #expect(isStarted)
      // The stop may come at any moment of the queueing; the number of queued tasks does not
      // matter.
      System.sleep(milliseconds: 1)
      worker.stop(milliseconds: TestTimeout.milliseconds) { isFinished.withLock { $0 = true } }
      #expect(ended.wait(milliseconds: TestTimeout.milliseconds))
      #expect(late.withLock { $0 } == 0)
    }
  }
}
