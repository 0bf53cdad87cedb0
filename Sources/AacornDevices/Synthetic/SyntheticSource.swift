import AacornSystem

/// A simulated device that plays a signal as a microphone would, optionally with faults.
///
/// In real time the device follows the monotonic clock, and a slow consumer loses frames. An
/// unpaced device has its own clock that starts at 0. It delivers as fast as the sink accepts
/// blocks, and waits while the sink is full. So the same signal and faults produce the same blocks.
public final class SyntheticSource: CaptureSource {
  /// The clock that the device follows.
  public enum Pacing: Sendable, Equatable {
    /// The monotonic clock.
    case realTime
    /// A separate clock, as fast as the consumer.
    case unpaced
  }

  private let signal: any SyntheticSignal
  private let offered: Device
  private let blockDuration: Duration
  private let pacing: Pacing
  private let faults: SyntheticFaults
  private let flow: SyntheticFlow

  /// Creates a source that plays `signal`, each time from the beginning, and identifies as
  /// `device`.
  public init(
    _ device: Device, playing signal: any SyntheticSignal,
    blockDuration: Duration = .milliseconds(10), pacing: Pacing = .realTime,
    faults: SyntheticFaults = SyntheticFaults()
  ) {
    var device = device
    device.sampleRate = signal.sampleRate
    device.channelCount = signal.channelCount
    offered = device
    self.signal = signal
    self.blockDuration = max(.milliseconds(1), blockDuration)
    self.pacing = pacing
    self.faults = faults
    flow = SyntheticFlow(device)
  }

  deinit {
    stop()
  }

  /// The simulated device.
  public var device: Device? { flow.state.withLock(\.device) }

  /// The failure from the script or the signal.
  public var failure: DeviceError? { flow.state.withLock(\.failure) }

  /// Whether the source runs in real time.
  public var followsClock: Bool { pacing == .realTime }

  /// A diagnostic that the program generates the audio.
  public var diagnostics: [String] { ["The program generates the audio."] }

  /// Starts with the first frame of the signal, captured now.
  public func start(_ sink: CaptureSink) throws(DeviceError) {
    try flow.start(offered) { [flow, signal, offered, blockDuration, pacing, faults] now in
      let device = SyntheticDevice(
        offered, playing: signal, blockDuration: blockDuration, faults: faults,
        startTime: pacing == .realTime ? now : 0)
      Self.run(device, pacing: pacing, in: flow, into: sink)
    }
  }

  /// Ends an absence or a suspension of the script early.
  ///
  /// It has no effect if the source is unpaced, because an absence then takes no time.
  public func resume() {
    flow.isResuming.store(true, ordering: .relaxed)
  }

  /// Ends the capture immediately.
  public func stop() { flow.stop() }

  private static func run(
    _ device: SyntheticDevice, pacing: Pacing, in flow: SyntheticFlow, into sink: CaptureSink
  ) {
    var device = device
    var samples: [Float] = []
    while true {
      if pacing == .realTime, let end = device.absenceEnd {
        flow.sleep(until: end) { flow.isResuming.load(ordering: .relaxed) }
        if flow.isResuming.load(ordering: .relaxed) { device.cutAbsence(at: System.nanoseconds) }
      }
      let step = device.next(into: &samples)
      if let damage = device.damage { flow.state.withLock { $0.failure = damage } }
      if pacing == .realTime { flow.sleep(until: step.time) }
      if flow.isStopping { return }
      switch step {
      case .block(let block, _):
        put(pacing: pacing, in: flow) {
          if pacing == .unpaced && !sink.hasRoom(for: block) { return false }
          return unsafe samples.withUnsafeBytes { unsafe sink.write(block, $0, .float32) }
        }
      case .event(let notice, let time):
        if notice == .deviceChanged || notice == .deviceReturned {
          flow.state.withLock { $0.device = device.device }
        }
        // A request to resume from before this absence does not count.
        if device.absence != nil { flow.isResuming.store(false, ordering: .relaxed) }
        put(pacing: pacing, in: flow) { sink.notify(notice, time: time) }
        if notice == .ended { return }
      case .failure(let error, let time):
        flow.state.withLock { $0.failure = error }
        put(pacing: pacing, in: flow) { sink.notify(.failed, time: time) }
        return
      }
    }
  }

  /// Writes to the sink; if unpaced, waits until there is room.
  private static func put(pacing: Pacing, in flow: SyntheticFlow, _ write: () -> Bool) {
    var pause = 1
    while !write() && pacing == .unpaced && !flow.isStopping {
      System.sleep(milliseconds: pause)
      // An unpaced consumer makes room immediately, but a mix in real time only from time to time.
      // So lengthen the pause, up to 8 ms.
      pause = min(2 * pause, 8)
    }
  }
}

/// The thread of a simulated device, and the state that it shares with its owner.
///
/// The thread does not retain the owner.
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
  /// The work receives the time of the start. An error about damage in a source's file stays, because
  /// the file is the same.
  func start(
    _ device: Device, _ work: @escaping @Sendable (_ now: Int64) -> Void
  ) throws(DeviceError) {
    let startError = thread.withLock { thread -> DeviceError? in
      if thread != nil { return .alreadyRunning(id: device.id) }
      stopping.store(false, ordering: .relaxed)
      state.withLock { state in
        state.device = device
        if state.failure?.isDamage == false { state.failure = nil }
      }
      let now = System.nanoseconds
      thread = WorkerThread("synthetic") { work(now) }
      return thread == nil ? .noThread(for: device.id) : nil
    }
    if let startError { throw startError }
  }

  /// Ends the thread and waits for it; a second call has no effect.
  ///
  /// It waits under the lock, so that `start` cannot begin before the old thread has ended.
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
