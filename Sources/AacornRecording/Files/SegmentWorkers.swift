import AacornSystem

/// Threads that encode the segments of a file in parallel and return them in order.
///
///     a segment ─► submit ─► worker │ worker │ … ─► takeFirst
///
/// At most one more segment than threads is in progress: the additional one keeps the threads busy
/// while the caller takes a product. That limits the memory, independent of the audio's length.
final class SegmentWorkers<Segment: Sendable, Product: Sendable>: Sendable {
  private final class Job: Sendable {
    let segment: Lock<Segment?>
    let product = Lock<Product?>(nil)
    let completion = Semaphore()

    init(_ segment: Segment) { self.segment = Lock(segment) }
  }

  private struct State {
    /// Jobs that no thread has started.
    var waiting: [Job] = []
    /// Jobs with products that have not been fetched, in the order of the audio.
    var pending: [Job] = []
    var isClosed = false
  }

  private let state = Lock(State())
  private let workSignal = Semaphore()
  private let threadCount: Int
  private let make: @Sendable (inout Segment) -> Product

  /// Starts this many threads, or the available number, that convert segments by `make`; returns
  /// nil if there are fewer than two.
  static func start(
    threadCount: Int, _ make: @escaping @Sendable (inout Segment) -> Product
  ) -> (workers: SegmentWorkers, threads: [WorkerThread])? {
    guard threadCount > 1 else { return nil }
    let workers = SegmentWorkers(threadCount: threadCount, make)
    var threads: [WorkerThread] = []
    for _ in 0..<threadCount {
      guard let thread = WorkerThread("encoder", { workers.work() }) else { break }
      threads.append(thread)
    }
    if threads.count > 1 { return (workers, threads) }
    workers.close(threads)
    return nil
  }

  private init(threadCount: Int, _ make: @escaping @Sendable (inout Segment) -> Product) {
    self.threadCount = threadCount
    self.make = make
  }

  /// Whether enough segments are in progress.
  var isFull: Bool { state.withLock { $0.pending.count > threadCount } }

  func submit(_ segment: Segment) {
    let job = Job(segment)
    state.withLock {
      $0.waiting.append(job)
      $0.pending.append(job)
    }
    workSignal.signal()
  }

  /// Removes the first pending segment and returns its product, waiting for it; nil if there is
  /// none.
  func takeFirst() -> Product? {
    guard let job = state.withLock({ $0.pending.isEmpty ? nil : $0.pending.removeFirst() }) else {
      return nil
    }
    while !job.completion.wait(milliseconds: 1000) {}
    return job.product.withLock { $0.take() }
  }

  /// Ends the threads after their current work, and waits for them.
  func close(_ threads: [WorkerThread]) {
    state.withLock {
      $0.isClosed = true
      $0.waiting = []
    }
    for _ in threads { workSignal.signal() }
    for thread in threads { thread.join() }
  }

  private func work() {
    while true {
      while !workSignal.wait(milliseconds: 1000) {}
      let (job, isClosed) = state.withLock { state in
        (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.isClosed)
      }
      guard let job else {
        if isClosed { return }
        continue
      }
      // Remove the segment from the job: without a second reference, changing the segment makes no
      // copy.
      guard var segment = job.segment.withLock({ $0.take() }) else { continue }
      let product = make(&segment)
      job.product.withLock { $0 = product }
      job.completion.signal()
    }
  }
}
