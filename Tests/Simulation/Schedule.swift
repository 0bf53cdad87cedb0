import TestSignals

/// The rule by which a simulation chooses the thread that continues.
struct Schedule {
  private enum Rule {
    /// Each thread runs until it waits.
    case untilWait
    /// One point in `interval` switches to any thread.
    case uniform(interval: Int)
    /// The thread with the highest priority runs. At a few points, the priority of the running thread
    /// becomes the lowest (probabilistic concurrency testing).
    case priorities
  }

  private let rule: Rule
  private var numbers: SeededNumbers
  private var priorities: [Int: Int] = [:]
  private var lowestPriority = 0
  private var changes: [Int] = []
  /// The number of the thread that does not run in the first 0.3 s of each second; nil for none.
  private let starved: Int?
  /// The number of the thread that rests after each step, and for how many nanoseconds; nil for none.
  private let slow: (thread: Int, rest: Int64)?

  /// Creates the schedule of a seed; seed 0 runs each thread until it waits.
  init(seed: Int, starves: Bool, slows: Bool) {
    numbers = SeededNumbers(seed: seed)
    starved = starves && seed % 4 == 3 ? Int.random(in: 0..<8, using: &numbers) : nil
    // Not the thread of the test, whose steps say what happens.
    slow =
      slows && seed % 4 == 1
      ? (.random(in: 1..<12, using: &numbers), .random(in: 1_000_000...20_000_000, using: &numbers))
      : nil
    if seed == 0 {
      rule = .untilWait
    } else if seed % 2 == 1 {
      rule = .uniform(interval: [2, 8, 32].randomElement(using: &numbers) ?? 8)
    } else {
      rule = .priorities
      // Two changes, each at a step between 1 and 65,536, on a logarithmic scale.
      for _ in 0..<2 {
        let size = 1 << Int.random(in: 0..<16, using: &numbers)
        changes.append(size + Int.random(in: 0..<size, using: &numbers))
      }
    }
  }

  /// The maximum time in seconds for which a thread that can continue does not run.
  var maxDelay: Double { starved == nil ? 0 : 0.3 }

  /// Whether a thread has rested after a step.
  private(set) var isSlow = false

  /// The time in nanoseconds for which a thread does not run after a step.
  mutating func rest(after thread: Int) -> Int64 {
    guard let slow, slow.thread == thread else { return 0 }
    isSlow = true
    return slow.rest
  }

  /// Whether a thread may not run at a time.
  func isStarved(_ thread: Int, at nanoseconds: Int64) -> Bool {
    thread == starved && nanoseconds % 1_000_000_000 < 300_000_000
  }

  /// The end of the current period without the starved thread.
  static func endOfStarvation(at nanoseconds: Int64) -> Int64 {
    nanoseconds - nanoseconds % 1_000_000_000 + 300_000_000
  }

  /// Chooses one of the threads that can continue.
  ///
  /// `current` is the running thread, whether or not it can continue. `gives` is true if it lets the
  /// others run first.
  mutating func choose(from ready: [Int], current: Int, step: Int, gives: Bool) -> Int {
    let others = gives && ready.count > 1 ? ready.filter { $0 != current } : ready
    switch rule {
    case .untilWait:
      return others.contains(current) ? current : (others.first { $0 > current } ?? others[0])
    case .uniform(let interval):
      if others.contains(current), Int.random(in: 0..<interval, using: &numbers) != 0 {
        return current
      }
      return others[Int.random(in: 0..<others.count, using: &numbers)]
    case .priorities:
      for thread in ready where priorities[thread] == nil {
        priorities[thread] = Int.random(in: 1...1_000_000, using: &numbers)
      }
      if gives || changes.contains(step) {
        lowestPriority -= 1
        priorities[current] = lowestPriority
      }
      return others.max { priorities[$0, default: 0] < priorities[$1, default: 0] } ?? others[0]
    }
  }
}
