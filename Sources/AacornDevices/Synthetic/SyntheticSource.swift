import AacornSignal
package import AacornSystem

/// A simulated device that plays a signal as a microphone would.
///
/// In real time the device follows the monotonic clock, and a slow consumer loses frames. An
/// unpaced device has its own clock that starts at 0. It delivers as fast as the sink accepts
/// blocks, and waits while the sink is full. So the same signal produces the same blocks.
public final class SyntheticSource: CaptureSource {
  /// The clock that the device follows.
  public enum Pacing: Sendable, Equatable {
    /// The monotonic clock.
    case realTime
    /// A separate clock, as fast as the consumer.
    case unpaced
  }

  /// The simulated device.
  public let device: Device?
  private let signal: any SyntheticSignal
  private let blockDuration: Duration
  private let flow: SyntheticFlow

  /// Creates a source that plays `signal`, each time from the beginning, and identifies as
  /// `device`.
  public init(
    _ device: Device, playing signal: any SyntheticSignal,
    blockDuration: Duration = .milliseconds(10), pacing: Pacing = .realTime
  ) {
    var device = device
    device.sampleRate = signal.sampleRate
    device.channelCount = signal.channelCount
    self.device = device
    self.signal = signal
    self.blockDuration = max(.milliseconds(1), blockDuration)
    flow = SyntheticFlow(deviceID: device.id, pacing: pacing)
  }

  deinit {
    stop()
  }

  /// The failure from the signal.
  public var failure: DeviceError? { flow.failure.withLock { $0 } }

  /// Whether the source runs in real time.
  public var followsClock: Bool { flow.pacing == .realTime }

  /// A diagnostic that the program generates the audio.
  public var diagnostics: [String] { ["The program generates the audio."] }

  /// Starts with the first frame of the signal, captured now.
  public func start(_ sink: CaptureSink) throws(DeviceError) {
    try flow.start { [flow, signal, blockDuration] startTime in
      let clock = SyntheticClock(sampleRate: signal.sampleRate, startTime: startTime)
      Self.play(
        signal, blockFrameCount: clock.blockFrameCount(of: blockDuration), clock: clock,
        flow: flow, to: sink)
    }
  }

  /// Ends the capture immediately.
  public func stop() { flow.stop() }

  /// Delivers the signal in blocks, each when it is complete.
  private static func play(
    _ signal: any SyntheticSignal, blockFrameCount: Int, clock: SyntheticClock,
    flow: SyntheticFlow, to sink: CaptureSink
  ) {
    var signal = signal
    var samples: [Float] = []
    var frame = 0
    while true {
      samples.removeAll(keepingCapacity: true)
      let count =
        signal.channelCount < 1 ? 0 : signal.read(into: &samples, frameCount: blockFrameCount)
      let failure = signal.failure
      if let failure, count == 0 || failure.isDamage {
        flow.failure.withLock { $0 = failure }
      }
      let time = clock.time(of: frame)
      frame += count
      flow.sleep(until: clock.time(of: frame))
      if flow.isStopping { return }
      if count == 0 {
        let event: DeviceEvent = failure?.isDamage == false ? .failed : .ended
        flow.put { sink.notify(event, time: time) }
        return
      }
      let block = CaptureBlock(
        frameCount: count, channelCount: signal.channelCount, sampleRate: clock.sampleRate,
        time: time, layout: signal.layout)
      flow.put {
        if flow.pacing == .unpaced && !sink.hasRoom(for: block) { return false }
        return unsafe samples.withUnsafeBytes { unsafe sink.write(block, $0, .float32) }
      }
    }
  }
}

/// The clock of a simulated device, which counts frames from its start.
struct SyntheticClock {
  /// Frames per second.
  let sampleRate: Int
  /// The time of frame 0, in nanoseconds.
  var startTime: Int64

  init(sampleRate: Int, startTime: Int64) {
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
    self.startTime = startTime
  }

  /// Returns the time of a frame, in nanoseconds.
  func time(of frame: Int) -> Int64 {
    // Times more than 146 years away are clamped.
    startTime &+ Int64(min(Double(frame) / Double(sampleRate) * 1e9 + 0.5, 0x1p62))
  }

  /// Returns the number of frames in a block, at least one.
  func blockFrameCount(of duration: Duration) -> Int {
    min(max(1, duration.sampleCount(at: sampleRate)), 1 << 20)
  }
}

/// The thread of a simulated device, its pace, and the state that it shares with its owner.
///
/// The thread does not retain the owner.
package final class SyntheticFlow: Sendable {
  /// The clock that the thread follows.
  package let pacing: SyntheticSource.Pacing
  /// The error that ended the device, or damage in its signal.
  package let failure = Lock<DeviceError?>(nil)
  private let deviceID: String
  private let stopping = Atomic<Bool>(false)
  private let thread = Lock<WorkerThread?>(nil)

  /// Creates a flow for the device with this ID.
  package init(deviceID: String, pacing: SyntheticSource.Pacing) {
    self.deviceID = deviceID
    self.pacing = pacing
  }

  /// Whether the thread should end.
  package var isStopping: Bool { stopping.load(ordering: .relaxed) }

  /// Runs the work on a new thread.
  ///
  /// The work receives the time of the start by the clock. An error about damage in a source's file
  /// stays, because the file is the same.
  package func start(
    _ work: @escaping @Sendable (_ startTime: Int64) -> Void
  ) throws(DeviceError) {
    let startError = thread.withLock { thread -> DeviceError? in
      if thread != nil { return .alreadyRunning(id: deviceID) }
      stopping.store(false, ordering: .relaxed)
      failure.withLock { if $0?.isDamage == false { $0 = nil } }
      let startTime = pacing == .realTime ? System.nanoseconds : 0
      thread = WorkerThread("synthetic") { work(startTime) }
      return thread == nil ? .noThread(for: deviceID) : nil
    }
    if let startError { throw startError }
  }

  /// Ends the thread and waits for it; a second call has no effect.
  ///
  /// It waits under the lock, so that `start` cannot begin before the old thread has ended.
  package func stop() {
    thread.withLock { thread in
      stopping.store(true, ordering: .relaxed)
      thread?.join()
      thread = nil
    }
  }

  /// Sleeps in short pieces, so that `stop` takes effect soon; returns immediately if unpaced.
  package func sleep(until deadline: Int64, orFor isEnough: () -> Bool = { false }) {
    while pacing == .realTime && !isStopping && !isEnough() {
      let now = System.nanoseconds
      if now >= deadline { return }
      System.sleep(until: min(deadline, now + 50_000_000))
    }
  }

  /// Writes to the sink; if unpaced, waits until there is room.
  package func put(_ write: () -> Bool) {
    var pause = 1
    while !write() && pacing == .unpaced && !isStopping {
      System.sleep(milliseconds: pause)
      // An unpaced consumer makes room immediately, but a mix in real time only from time to time.
      // So lengthen the pause, up to 8 ms.
      pause = min(2 * pause, 8)
    }
  }
}
