import AacornCodec
import AacornDevices
import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem

/// The status store of a running recording or stream.
///
/// Many threads write it; the display and the status page read it.
final class LiveStatusStore: Sendable {
  private struct State {
    var snapshot: LiveSnapshot
    /// The session, whose callbacks retain this store.
    weak var session: RecordingSession?
    var meter = LevelMeterDisplay()
    /// The meter of the tracks, with one channel for each track.
    var trackMeter = LevelMeterDisplay()
    /// The time in seconds at which samples of the source last arrived.
    var flowTime = -Double.infinity
  }

  /// The outputs, which have their own lock.
  let outputs: OutputList
  private let state: Lock<State>

  /// The time in seconds without new samples after which the audio counts as stalled.
  private static let stallTimeoutSeconds = 3.0

  /// Creates the status store of a recording or a stream that has not started.
  ///
  /// `events` is called when an output changes its state.
  init(_ plan: LivePlan, events: @escaping @Sendable (LiveEvent) -> Void) {
    var snapshot = LiveSnapshot()
    snapshot.timing = plan.configuration.timing
    for kind in plan.renditions.keys { snapshot.otherTimings[kind] = plan.timing(for: kind) }
    snapshot.channelCount = plan.configuration.channelCount
    snapshot.metadata = plan.metadata
    snapshot.bitrate = plan.adaptation?.bitrate
    state = Lock(State(snapshot: snapshot))
    outputs = OutputList(
      plan.redactor, failureMessage: { error, _ in error.commandMessage }
    ) { index, _, state in events(.output(index, state)) }
  }

  /// Sets the session from which snapshots get the state of the audio.
  func watch(_ session: RecordingSession) { state.withLock { $0.session = session } }

  // MARK: - Updates

  /// Changes the state.
  func update(_ change: (inout LiveSnapshot) -> Void) {
    state.withLock { change(&$0.snapshot) }
  }

  /// Sets the metadata and sends them to all servers; returns false if they have not changed.
  func update(_ metadata: LiveMetadata) -> Bool {
    let isNew = state.withLock { state in
      if state.snapshot.metadata == metadata { return false }
      state.snapshot.metadata = metadata
      return true
    }
    if isNew { outputs.update(metadata) }
    return isNew
  }

  // MARK: - Status

  /// Returns the current state.
  func snapshot() -> LiveSnapshot {
    // The session may lose its last reference here, which must not happen under the lock.
    let session = state.withLock(\.session)
    var snapshot = state.withLock { state in
      if let session {
        Self.copyStatus(session.takeStatus(), &state)
        state.snapshot.isMonitored = session.monitorStatus != nil
      }
      return state.snapshot
    }
    snapshot.outputs = outputs.all
    return snapshot
  }

  private static func copyStatus(_ status: RecordingStatus, _ state: inout State) {
    let now = System.seconds
    // While the device delivers nothing, silence increases the number of samples.
    if !status.isDeviceLost, status.sampleCount > state.snapshot.sound.sampleCount {
      state.flowTime = now
    }
    state.meter.update(status.peaks, at: now)
    state.snapshot.levels = state.meter.readings
    state.trackMeter.update(status.tracks.map(\.peak), at: now)
    state.snapshot.trackLevels = state.trackMeter.readings
    state.snapshot.sound = status
    state.snapshot.isFlowing = !status.isStopped && now - state.flowTime < stallTimeoutSeconds
  }
}
