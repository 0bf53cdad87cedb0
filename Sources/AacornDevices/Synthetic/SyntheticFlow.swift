import AacornSystem

/// The thread of a simulated device, and the state that it shares with its owner without retaining
/// the owner.
final class SyntheticFlow: Sendable {
  struct State {
    var device: Device
    var failure: DeviceError?
  }

  let state: Lock<State>
  /// Whether the current absence of a source must end early.
  let isResuming = Atomic<Bool>(false)
  private let stopping = Atomic<Bool>(false)
  private let thread = Lock<WorkerThread?>(nil)

  init(_ device: Device) {
    state = Lock(State(device: device))
  }

  /// Whether the thread should end.
  var isStopping: Bool { stopping.load(ordering: .relaxed) }

  /// Runs the work on a new thread, with `device` in use at first.
  ///
  /// An error about damage in a file stays, because the file is the same.
  func start(_ device: Device, _ work: @escaping @Sendable () -> Void) throws(DeviceError) {
    let startError = thread.withLock { thread -> DeviceError? in
      if thread != nil { return .alreadyRunning(id: device.id) }
      stopping.store(false, ordering: .relaxed)
      state.withLock { state in
        state.device = device
        if state.failure?.isDamage == false { state.failure = nil }
      }
      thread = WorkerThread(work)
      if thread != nil { return nil }
      return .system(operation: "start", id: device.id, reason: "the system has no threads left")
    }
    if let startError { throw startError }
  }

  /// Ends the thread and waits for it; a second call has no effect.
  func stop() {
    thread.withLock { thread in
      stopping.store(true, ordering: .relaxed)
      thread?.join()
      thread = nil
    }
  }

  /// Sleeps in short pieces, so that `stop` takes effect soon.
  func sleep(until deadline: Int64, orFor isEnough: () -> Bool = { false }) {
    while !isStopping && !isEnough() {
      let now = System.nanoseconds
      if now >= deadline { return }
      System.sleep(until: min(deadline, now + 50_000_000))
    }
  }
}
