import AacornSystem

/// Runs small threads in all interleavings of their atomic operations, with all older values that
/// each load may return.
///
/// This target compiles files of the product a second time, as symbolic links. Its own ``Atomic``
/// replaces the product's, so each operation on a shared value asks the model which thread
/// continues. A load may return an older value unless a release and an acquire forbid it, as on
/// processors that reorder. Memory without atomic operations is checked by ``ModelMemory``.
///
/// Of interleavings that differ only in the order of independent operations, one runs to its end
/// (sleep sets). Values that are stored later are not returned, and changes always read the newest
/// value unless they fail. The bounds, without which the number of interleavings is infinite: a thread returns
/// an old value at most ``staleLoadLimit`` times in a run, and lets others continue after
/// ``turnLimit`` operations. A run with more than ``stepLimit`` operations fails, because its threads
/// wait for something that never happens.
final class Model: @unchecked Sendable {
  // Unchecked because only one thread at a time runs; semaphores pass on the turn.

  /// The result of all runs.
  struct Result {
    /// The number of interleavings.
    var runCount = 0
    /// The failure of the first run that failed, and the threads in the order of their steps.
    var failure: String?
  }

  /// The model of the current run; nil outside.
  nonisolated(unsafe) private(set) static var current: Model?
  private static let staleLoadLimit = 2
  private static let turnLimit = 12
  private static let stepLimit = 1000
  private static let runLimit = 2_000_000

  /// A decision of a run: one of several alternatives.
  private struct Choice {
    var taken: Int
    let count: Int
  }

  private var choices: [Choice] = []
  private var depth = 0
  private var threads: [ModelThread] = []
  private var runningIndex: Int?
  private let ended = Semaphore()
  private var steps: [Int] = []
  /// Threads whose next operation has been tried at this point, or before an independent one.
  private var asleep: Set<Int> = []
  /// Whether an equivalent run came before, so that no other decisions are tried in this one.
  private var isRedundant = false
  private var failure: String?
  private var isEndless: Bool { steps.count > Self.stepLimit }

  /// Runs the threads that `make` returns in all interleavings, until one fails.
  ///
  /// `make` creates the shared values of a run. The last of its closures runs alone, after the
  /// threads.
  static func explore(_ make: () -> (threads: [() -> Void], end: () -> Void)) -> Result {
    let model = Model()
    var result = Result()
    repeat {
      result.runCount += 1
      guard result.runCount < runLimit else {
        result.failure = "more than \(runLimit) interleavings"
        return result
      }
      model.run(make)
      if let failure = model.failure {
        result.failure = "run \(result.runCount): \(failure); threads \(model.steps.suffix(40))"
        return result
      }
    } while model.advance()
    return result
  }

  private func run(_ make: () -> (threads: [() -> Void], end: () -> Void)) {
    Self.current = self
    defer { Self.current = nil }
    (depth, steps, runningIndex, failure) = (0, [], nil, nil)
    (asleep, isRedundant) = ([], false)
    let bodies = make()
    threads = bodies.threads.indices.map { ModelThread(index: $0, of: bodies.threads.count) }
    let workers = zip(threads, bodies.threads).map { thread, body in
      let work = SendableWork(run: body)
      return WorkerThread("test") { [self] in
        thread.wait()
        work.run()
        thread.hasEnded = true
        passOn()
      }
    }
    passOn()
    while !ended.wait(milliseconds: 60_000) {}
    // Threads that wait for ever cannot be ended, only left behind.
    for worker in workers {
      if isEndless { worker?.detach() } else { worker?.join() }
    }
    runningIndex = nil
    if !isEndless { bodies.end() }
  }

  /// Selects the next run; false after the last one.
  private func advance() -> Bool {
    while let last = choices.last, last.taken + 1 == last.count { choices.removeLast() }
    guard !choices.isEmpty else { return false }
    choices[choices.count - 1].taken += 1
    return true
  }

  // MARK: On the running thread

  /// Records a failure of this run unless a condition holds.
  func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition, failure == nil { failure = message() }
  }

  /// The thread that runs; nil before and after the threads of a run.
  var running: ModelThread? { runningIndex.map { threads[$0] } }

  /// Returns one of the numbers below `count`, another one in each run.
  func choose(_ count: Int) -> Int {
    guard count > 1, !isRedundant else { return 0 }
    if depth == choices.count { choices.append(Choice(taken: 0, count: count)) }
    depth += 1
    return choices[depth - 1].taken
  }

  /// Passes the turn to another thread before this operation of the running thread, or does not.
  func step(_ operation: ModelOperation) {
    guard let thread = running else { return }
    if isEndless {
      require(false, "the threads do not end")
      ended.signal()
      while true { thread.wait() }
    }
    thread.turnCount += 1
    thread.next = operation
    passOn(from: thread)
  }

  private func passOn(from thread: ModelThread? = nil) {
    // A thread that has not begun runs up to its first operation, which changes nothing for others.
    if let new = threads.first(where: { !$0.hasEnded && $0.next == nil }) {
      return passOn(to: new, from: thread)
    }
    var rest = threads.filter { !$0.hasEnded }
    guard !rest.isEmpty else { return ended.signal() }
    let all = rest
    if let thread, thread.next == .spin || thread.turnCount > Self.turnLimit, rest.count > 1 {
      rest.removeAll { $0 === thread }
    }
    let awake = rest.filter { !asleep.contains($0.index) }
    if all.allSatisfy({ asleep.contains($0.index) }) { isRedundant = true }
    let options = awake.isEmpty ? rest : awake
    let taken = choose(options.count)
    let next = options[taken]
    asleep.formUnion(options[..<taken].map(\.index))
    if let operation = next.next {
      asleep = asleep.filter {
        $0 != next.index && threads[$0].next?.isIndependent(of: operation) == true
      }
    }
    passOn(to: next, from: thread)
  }

  private func passOn(to next: ModelThread, from thread: ModelThread?) {
    steps.append(next.index)
    guard next !== thread else { return }
    next.turnCount = 0
    runningIndex = next.index
    next.turn.signal()
    thread?.wait()
  }

  /// Returns one of the stores, which are listed newest first.
  func choose(among stores: [Int], _ thread: ModelThread) -> Int {
    guard thread.staleLoadCount < Self.staleLoadLimit else { return stores[0] }
    let age = choose(stores.count)
    if age > 0 { thread.staleLoadCount += 1 }
    return stores[age]
  }
}

/// A closure that runs on a thread of the model, while all others wait.
private struct SendableWork: @unchecked Sendable {
  // Unchecked because the model never runs two threads at a time.
  let run: () -> Void
}

/// A thread of a run.
final class ModelThread: @unchecked Sendable {
  // Unchecked because only the thread whose turn it is changes it.

  let index: Int
  /// For each thread, the number of its events that happened before this thread's next event.
  var clock: [Int]
  var hasEnded = false
  /// The operation before which the thread waits; nil before its first one.
  fileprivate var next: ModelOperation?
  fileprivate var turnCount = 0
  fileprivate var staleLoadCount = 0
  fileprivate let turn = Semaphore()

  fileprivate init(index: Int, of count: Int) {
    self.index = index
    clock = Array(repeating: 0, count: count)
  }

  fileprivate func wait() {
    while !turn.wait(milliseconds: 60_000) {}
  }

  /// Records that the events of `clock` happened before this thread's next event.
  func merge(_ clock: [Int]) {
    for index in clock.indices { self.clock[index] = max(self.clock[index], clock[index]) }
  }
}

/// The next operation of a thread.
enum ModelOperation: Equatable {
  case load(ObjectIdentifier)
  /// A store or a change.
  case store(ObjectIdentifier)
  case spin

  /// Whether the order of both does not matter.
  func isIndependent(of other: ModelOperation) -> Bool {
    switch (self, other) {
    case (.load, .load), (.spin, _), (_, .spin): true
    case (.load(let first), .store(let second)), (.store(let first), .load(let second)),
      (.store(let first), .store(let second)):
      first != second
    }
  }
}

/// Replaces `System` in the files of the product.
enum System {
  static func spin() { Model.current?.step(.spin) }
}
