package import AacornDevices
import AacornSystem

/// A ``SyntheticSource`` with faults.
///
/// The same signal and faults produce the same blocks.
package final class FaultySource: CaptureSource {
  private let makeDevice: @Sendable (_ startTime: Int64) -> FaultyDevice
  private let flow: SyntheticFlow
  private let state: State

  /// The state that the thread shares with the source.
  private final class State: Sendable {
    let device: Lock<Device>
    /// Whether the current absence must end early.
    let isResuming = Atomic<Bool>(false)

    init(_ device: Device) { self.device = Lock(device) }
  }

  /// Creates a source that plays `signal`, each time from the beginning, and identifies as
  /// `device`.
  package init(
    _ device: Device, playing signal: any SyntheticSignal,
    pacing: SyntheticSource.Pacing = .realTime, faults: SyntheticFaults = SyntheticFaults()
  ) {
    var device = device
    device.sampleRate = signal.sampleRate
    device.channelCount = signal.channelCount
    makeDevice = { [device] startTime in
      FaultyDevice(device, playing: signal, faults: faults, startTime: startTime)
    }
    flow = SyntheticFlow(deviceID: device.id, pacing: pacing)
    state = State(device)
  }

  deinit {
    stop()
  }

  package var device: Device? { state.device.withLock { $0 } }

  /// The failure from the script or the signal.
  package var failure: DeviceError? { flow.failure.withLock { $0 } }

  package var followsClock: Bool { flow.pacing == .realTime }

  package var diagnostics: [String] { [] }

  /// Starts with the first frame of the signal, captured now.
  package func start(_ sink: CaptureSink) throws(DeviceError) {
    try flow.start { [flow, state, makeDevice] startTime in
      let device = makeDevice(startTime)
      state.device.withLock { $0 = device.device }
      Self.run(device, state, flow, sink)
    }
  }

  /// Ends an absence or a suspension of the script early.
  ///
  /// It has no effect if the source is unpaced, because an absence then takes no time.
  package func resume() {
    state.isResuming.store(true, ordering: .relaxed)
  }

  /// Ends the capture immediately.
  package func stop() { flow.stop() }

  private static func run(
    _ device: FaultyDevice, _ state: State, _ flow: SyntheticFlow, _ sink: CaptureSink
  ) {
    var device = device
    var samples: [Float] = []
    while true {
      if flow.pacing == .realTime, let end = device.absenceEnd {
        flow.sleep(until: end) { state.isResuming.load(ordering: .relaxed) }
        if state.isResuming.load(ordering: .relaxed) { device.cutAbsence(at: System.nanoseconds) }
      }
      let step = device.next(into: &samples)
      if let damage = device.damage { flow.failure.withLock { $0 = damage } }
      flow.sleep(until: step.time)
      if flow.isStopping { return }
      switch step {
      case .block(let block, _):
        flow.put {
          if flow.pacing == .unpaced && !sink.hasRoom(for: block) { return false }
          return samples.withUnsafeBytes { sink.write(block, $0, .float32) }
        }
      case .event(let notice, let time):
        if notice == .deviceChanged || notice == .deviceReturned {
          state.device.withLock { $0 = device.device }
        }
        // A request to resume from before this absence does not count.
        if device.absence != nil { state.isResuming.store(false, ordering: .relaxed) }
        flow.put { sink.notify(notice, time: time) }
        if notice == .ended { return }
      case .failure(let error, let time):
        flow.failure.withLock { $0 = error }
        flow.put { sink.notify(.failed, time: time) }
        return
      }
    }
  }
}
