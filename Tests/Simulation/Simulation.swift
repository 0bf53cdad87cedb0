package import AacornSystem
import CSimulation
import Glibc
package import TestSignals

/// A world in which one thread runs at a time, chosen by a seed, on virtual time.
package final class Simulation: World, @unchecked Sendable {
  // Unchecked because one thread runs at a time; `mutex` guards what other threads reach.

  /// The faults that a simulation injects; it always varies the order of its threads.
  package struct Faults: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    /// Some schedules do not run one of the threads in the first 0.3 s of each second.
    package static let starvation = Faults(rawValue: 1)
    /// The wall clock is set forward and back.
    package static let clockChanges = Faults(rawValue: 2)
    /// The machine sleeps from time to time.
    package static let sleep = Faults(rawValue: 4)
    /// Calls send and receive parts of their bytes, buffers are small, and `accept` fails at times.
    package static let network = Faults(rawValue: 8)
    /// Some schedules let one of the threads rest after each step, so that it can be slower than real time.
    package static let slowness = Faults(rawValue: 16)
    /// All faults but slowness, in which no time limit holds.
    package static let all: Faults = [.starvation, .clockChanges, .sleep, .network]
  }

  private final class Member {
    let thread: SimulatedThread
    /// Whether the thread may continue; guarded by `mutex`.
    var isChosen = false
    var condition = pthread_cond_t()
    var wait: (reason: WaitReason, deadline: Int64?, isReady: () -> Bool)?
    /// The time before which a slow thread does not continue.
    var restEnd: Int64 = 0

    init(_ thread: SimulatedThread) {
      self.thread = thread
      pthread_cond_init(&condition, nil)
    }

    deinit { pthread_cond_destroy(&condition) }
  }

  /// The time by which the virtual clock advances at each step, so that loops end that look at it.
  private static let nanosecondsOfStep: Int64 = 200
  /// The number of readings of the clock in a row after which another thread may run.
  private static let readingLimit = 64

  package let seed: Int
  private let test: String

  package let localNetwork: LocalNetwork
  package var network: any WorldNetwork { localNetwork }

  /// The world in which the caller runs; nil outside simulations.
  package static var current: Simulation? { SimulatedThread.current?.world as? Simulation }

  /// Random numbers that follow from the seed of the world in which the caller runs.
  package static var numbers: SeededNumbers { SeededNumbers(seed: current?.seed ?? 0) }

  /// The number of times at which all threads of the caller's world waited, so that the clock advanced.
  ///
  /// Each time wakes a thread, so the number shows how often idle threads wake up.
  package static var wakeUpCount: Int { current?.wakeUpCount ?? 0 }

  /// The number of threads that have been started in the caller's world.
  package static var threadCount: Int { current?.threadCount ?? 0 }

  /// The maximum time in seconds for which the schedule keeps a thread of the caller's world from running.
  package static var maxDelay: Double { current?.schedule.maxDelay ?? 0 }

  /// Whether a thread of the caller's world has been slowed, so that no time limit holds.
  package static var isSlow: Bool { current?.schedule.isSlow ?? false }

  /// Suspends the computer of the caller's world: its wall clock advances, but not its monotonic clock.
  package static func putToSleep(milliseconds: Int) {
    guard let world = current else { return }
    let length = Int64(milliseconds) * 1_000_000
    world.clockEvents.append((world.now, length, length))
  }

  private var schedule: Schedule
  private(set) var now: Int64
  private let start: Int64
  private var clockEvents: [(time: Int64, slept: Int64, wall: Int64)] = []
  private var readings = 0
  private var step = 0
  private var wakeUpCount = 0
  private var members: [Member] = []
  private var threadCount = 0
  /// The threads that may still have to be joined or detached.
  private var threads: [SimulatedThread] = []
  private var trace = Trace()
  /// A number that is equal for equal runs.
  package private(set) var fingerprint: UInt64 = 0

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var arrival = pthread_cond_t()
  private var jobs: [UnownedJob] = []
  private var isOver = false
  /// Whether the thread of the tasks waits for a task.
  private var isIdle = false

  package init(seed: Int, faults: Faults = [], test: String = "") {
    self.seed = seed
    self.test = test
    schedule = Schedule(
      seed: seed, starves: faults.contains(.starvation), slows: faults.contains(.slowness))
    localNetwork = LocalNetwork(seed: seed, isFaulty: faults.contains(.network))
    var numbers = SeededNumbers(seed: seed &+ 1 << 32)
    start = 1_000_000_000_000 + Int64.random(in: 0..<1_000_000_000, using: &numbers)
    now = start
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(&arrival, nil)
    for _ in 0..<3 {
      let time = start + Int64.random(in: 0..<10_000_000_000, using: &numbers)
      if faults.contains(.sleep) {
        // A recording contains silence for a sleep, so an hour would be slow.
        let length = Int64.random(in: 1_000_000...20_000_000_000, using: &numbers)
        clockEvents.append((time, length, length))
      }
      if faults.contains(.clockChanges) {
        let length = Int64.random(in: 1_000_000...3_600_000_000_000, using: &numbers)
        clockEvents.append((time, 0, Bool.random(using: &numbers) ? length : -length))
      }
    }
  }

  deinit {
    pthread_cond_destroy(&arrival)
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  // MARK: Clocks

  package var nanoseconds: Int64 {
    now += Self.nanosecondsOfStep
    readings += 1
    if readings >= Self.readingLimit { pass(.clock) }
    return now
  }

  package var sleptNanoseconds: Int64 {
    let now = nanoseconds
    return clockEvents.reduce(0) { $0 + ($1.time <= now ? $1.slept : 0) }
  }

  package var wallNanoseconds: Int64 {
    _ = nanoseconds
    return wallTime
  }

  /// The wall clock, for the world itself.
  var wallTime: Int64 {
    // 1 January 2026.
    1_767_225_600_000_000_000
      + clockEvents.reduce(now - start) { $0 + ($1.time <= now ? $1.wall : 0) }
  }

  // MARK: Disk

  /// The disk of this world; nil if all calls go to the real disk.
  var disk: Disk? {
    didSet { leftovers += oldValue?.leftovers ?? [] }
  }
  /// The temporary files that were left on earlier disks of this world.
  private var leftovers: [String] = []
  var descriptors = OpenDescriptors()

  // MARK: Threads

  package func makeThread() -> SimulatedThread {
    let thread = SimulatedThread(threadCount, of: self)
    threadCount += 1
    threads.removeAll(where: \.isReleased)
    threads.append(thread)
    locked { members.append(Member(thread)) }
    return thread
  }

  package func discard(_ thread: SimulatedThread) {
    thread.isReleased = true
    locked { members.removeAll { $0.thread === thread } }
  }

  package func begin(_ thread: SimulatedThread) {
    guard let member = member(of: thread) else { return }
    block(member)
  }

  package func end(_ thread: SimulatedThread) {
    trace.add(thread.number, "end", now)
    locked { members.removeAll { $0.thread === thread } }
    // Threads that have not ended with the first one, which runs the test, stay where they are.
    if thread.number != 0 && !members.isEmpty { resume(next(after: thread.number, gives: false)) }
  }

  package func pass(_ reason: WaitReason) {
    guard let me = current else { return }
    switchThread(me, reason)
  }

  package func wait(
    for reason: WaitReason, until deadline: Int64?, _ isReady: () -> Bool
  ) -> Bool {
    guard let me = current else { return isReady() }
    return withoutActuallyEscaping(isReady) { isReady in
      me.wait = (reason, deadline, isReady)
      switchThread(me, reason)
      me.wait = nil
      return isReady()
    }
  }

  private var current: Member? {
    SimulatedThread.current.flatMap { member(of: $0) }
  }

  private func member(of thread: SimulatedThread) -> Member? {
    locked { members.first { $0.thread === thread } }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  private func switchThread(_ me: Member, _ reason: WaitReason) {
    now += Self.nanosecondsOfStep
    readings = 0
    step += 1
    trace.add(me.thread.number, reason.rawValue, now)
    me.restEnd = now + schedule.rest(after: me.thread.number)
    let chosen = next(after: me.thread.number, gives: reason == .spin || reason == .clock)
    if chosen === me { return }
    resume(chosen)
    block(me)
  }

  /// Returns the thread that continues, and advances the clock if all wait.
  private func next(after current: Int, gives: Bool) -> Member {
    while true {
      let awake = members.filter { member in
        guard let wait = member.wait else { return true }
        return wait.deadline.map { $0 <= now } ?? false || wait.isReady()
      }
      let ready = awake.filter {
        $0.restEnd <= now && !schedule.isStarved($0.thread.number, at: now)
      }
      if !ready.isEmpty {
        let number = schedule.choose(
          from: ready.map(\.thread.number), current: current, step: step, gives: gives)
        return ready.first { $0.thread.number == number } ?? ready[0]
      }
      // A program that another test starts must not keep closed descriptors open until a deadline.
      if simulation_wait_for_processes() { continue }
      var deadlines = members.compactMap { $0.wait?.deadline }.filter { $0 > now }
      for member in awake {
        let isResting = member.restEnd > now
        deadlines.append(isResting ? member.restEnd : Schedule.endOfStarvation(at: now))
      }
      if let deadline = deadlines.min() {
        now = deadline
        wakeUpCount += 1
      } else if !isIdle || !waitForArrival() {
        // Scripts/run-tests reads this line, and runs the other tests again.
        fatalError("All threads of the test “\(test)” wait for each other.\n\(description)")
      }
    }
  }

  private func resume(_ member: Member) {
    pthread_mutex_lock(mutex)
    member.isChosen = true
    pthread_cond_signal(&member.condition)
    pthread_mutex_unlock(mutex)
  }

  private func block(_ member: Member) {
    pthread_mutex_lock(mutex)
    while !member.isChosen { pthread_cond_wait(&member.condition, mutex) }
    member.isChosen = false
    pthread_mutex_unlock(mutex)
  }

  // MARK: Tasks

  /// Runs a test as a task whose code, and that of all its tasks, runs on one thread of this world.
  ///
  /// Returns after all threads of the world have ended, or with a description of the remainder: threads that have
  /// not ended, or that their owners have neither joined nor detached, open descriptors, and temporary files on the
  /// disk.
  package func run(_ body: @Sendable () async throws -> Void) async throws -> String? {
    Self.takesJobs
    let main = makeThread()
    main.isReleased = true
    resume(members[0])
    let finished = Finished()
    let thread = WorkerThread("test") {
      main.run { self.runJobs() }
      finished.finish()
    }
    guard let thread else { fatalError("The system has no threads left.") }
    thread.detach()
    let result: Result<Void, any Error>
    do {
      try await withTaskExecutorPreference(self) {
        defer { end() }
        try await body()
      }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    await finished.wait()
    try result.get()
    if !members.isEmpty {
      return "Ten minutes after the test, threads have not ended.\n\(description)"
    }
    let kept = threads.filter { !$0.isReleased }.map { "\($0.number)" }
    if !kept.isEmpty {
      let numbers = kept.joined(separator: ", ")
      return "No owner has joined or detached these threads: \(numbers).\n\(description)"
    }
    disk = nil
    let files = Set(leftovers).sorted().joined(separator: ", ")
    return descriptors.fault
      ?? (files.isEmpty ? nil : "These temporary files were not removed: \(files).")
  }

  /// Ends the test, on the thread that runs its tasks.
  private func end() {
    fingerprint = trace.fingerprint
    arrive { isOver = true }
  }

  private func runJobs() {
    // The number of steps must not depend on when the test arrives from outside.
    guard waitForArrival() else { fatalError("No test began in this world.") }
    // Threads that continue after the test have ten minutes to end.
    var limit: Int64?
    while true {
      if let job = locked({ jobs.isEmpty ? nil : jobs.removeFirst() }) {
        job.runSynchronously(on: asUnownedTaskExecutor())
        continue
      }
      if isOver {
        let end = limit ?? now + 600_000_000_000
        limit = end
        if members.count == 1 || now >= end { return }
        _ = wait(for: .join, until: end) { locked { members.count == 1 || !jobs.isEmpty } }
      } else {
        isIdle = true
        _ = wait(for: .wait, until: nil) { locked { !jobs.isEmpty || isOver } }
        isIdle = false
      }
    }
  }

  private func arrive(_ change: () -> Void) {
    locked {
      change()
      pthread_cond_signal(&arrival)
    }
  }

  /// Waits for a job from a thread outside this world, in real time; returns false after five minutes.
  ///
  /// This limit only turns a hang into a failure, so it is that of `TestTimeout`.
  private func waitForArrival() -> Bool {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    time.tv_sec += 300
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while jobs.isEmpty && !isOver {
      if pthread_cond_timedwait(&arrival, mutex, &time) == ETIMEDOUT { return false }
    }
    return true
  }

  /// Makes tasks that a thread of a world starts run in that world.
  private static let takesJobs: Void = simulation_take_jobs { job in
    guard let job, let world = Simulation.current else { return false }
    world.arrive { world.jobs.append(unsafeBitCast(job, to: UnownedJob.self)) }
    return true
  }
}

extension Simulation: TaskExecutor {
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    arrive { jobs.append(job) }
  }
}

extension Simulation: CustomStringConvertible {
  /// What each thread waits for, and the last steps.
  package var description: String {
    let threads = members.map { member in
      let wait = member.wait.map { wait in
        let end = wait.deadline.map { " until \(milliseconds($0))" } ?? " without limit"
        return "waits (\(wait.reason.rawValue))\(end)"
      }
      return "  thread \(member.thread.number) \(wait ?? "can continue")"
    }
    return "Seed \(seed), \(milliseconds(now)) after the start, step \(step):\n"
      + threads.joined(separator: "\n") + "\nThe last steps, thread:reason@time:\n"
      + trace.last.map { "\($0.thread):\($0.reason)@\(milliseconds($0.time))" }.joined(
        separator: " ")
  }

  private func milliseconds(_ time: Int64) -> String {
    let microseconds = (time - start) / 1000
    return "\(microseconds / 1000).\(String(1000 + microseconds % 1000).dropFirst()) ms"
  }
}
