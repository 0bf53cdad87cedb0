import AacornCodec
import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem
import AacornWeb

/// Everything about a running stream: written by many threads, read by the display and the status
/// page.
final class StreamBoard: OutputBoard {
  private struct State {
    var snapshot: StreamSnapshot
    /// The connections to servers, which have their own numbers.
    var connections: [Int: LiveConnection] = [:]
    var session: RecordingSession?
    var meter = LevelMeterDisplay()
    /// When the number of samples last grew.
    var flowTime = -Double.infinity
  }

  private let state: Lock<State>
  private let redactor: Redactor
  private let events: @Sendable (StreamEvent) -> Void

  /// Seconds without a new sample after which the audio counts as gone.
  private static let patience = 3.0

  /// Creates the board of a stream that has not begun; `events` is called at every change of an
  /// output.
  init(_ plan: StreamPlan, events: @escaping @Sendable (StreamEvent) -> Void) {
    var snapshot = StreamSnapshot()
    snapshot.timing = plan.configuration.timing
    snapshot.channelCount = plan.configuration.channelCount
    snapshot.metadata = plan.metadata
    state = Lock(State(snapshot: snapshot))
    redactor = plan.redactor
    self.events = events
  }

  /// Adds an output and returns its number.
  func add(_ kind: StreamSnapshot.Kind, name: String) -> Int {
    state.withLock { state in
      let count = state.snapshot.outputs.count { $0.kind == kind }
      let id = count == 0 ? kind.rawValue : "\(kind.rawValue)-\(count + 1)"
      state.snapshot.outputs.append(StreamSnapshot.Output(kind, id: id, name: name))
      return state.snapshot.outputs.count - 1
    }
  }

  /// Takes the numbers of an output from a connection.
  func connect(_ index: Int, to connection: LiveConnection) {
    state.withLock { $0.connections[index] = connection }
  }

  /// Takes the numbers of the audio from a session.
  func watch(_ session: RecordingSession) { state.withLock { $0.session = session } }

  // MARK: - What happens

  /// Records a change of an output's state.
  func change(_ index: Int, to newState: StreamSnapshot.State) {
    let isNew = state.withLock { state in
      let old = state.snapshot.outputs[index].state
      // A failed output stays failed, whatever becomes of its remains.
      if state.snapshot.outputs[index].hasFailed || old == newState { return false }
      state.snapshot.outputs[index].state = newState
      if newState == .live { state.snapshot.outputs[index].trouble = nil }
      if let trouble = newState.trouble { state.snapshot.outputs[index].trouble = trouble }
      return true
    }
    if isNew { events(.output(index, newState)) }
  }

  /// Records a change of state of an output's connection.
  func change(_ index: Int, to newState: LiveState) {
    change(index, to: StreamSnapshot.State(newState, redactor))
  }

  /// Records that an output cannot continue.
  func fail(_ index: Int, _ error: OutputError) {
    change(
      index,
      to: .failed(
        StreamSnapshot.Trouble(
          word: error.kind.rawValue, sentence: redactor.clean(error.commandSentence))))
  }

  /// Records the failure of an output that was abandoned elsewhere, of which only the name is
  /// known.
  func fail(named name: String, _ error: OutputError) {
    let index = state.withLock { state in
      state.snapshot.outputs.firstIndex { $0.name == name && !$0.hasFailed }
    }
    if let index, error.kind == .tooSlow { fail(index, error) }
  }

  /// Records that an output without a connection accepts packets.
  func begin(_ index: Int) { change(index, to: StreamSnapshot.State.live) }

  /// Records that an output without a connection is complete.
  func end(_ index: Int) { change(index, to: StreamSnapshot.State.stopped) }

  /// Counts a frame written by an output without a connection.
  func count(_ index: Int, frameCount: Int, byteCount: Int) {
    state.withLock { state in
      state.snapshot.outputs[index].frameCount = frameCount
      state.snapshot.outputs[index].byteCount = byteCount
    }
  }

  /// Records how many segments can be listed, unless the output has failed.
  func setSegmentCount(_ index: Int, _ count: Int) {
    state.withLock { state in
      if state.snapshot.outputs[index].hasFailed { return }
      state.snapshot.outputs[index].segmentCount = count
    }
  }

  /// Counts a frame from the encoder.
  func countFrame() { state.withLock { $0.snapshot.frameCount += 1 } }

  func began(at wallTime: Int64) { state.withLock { $0.snapshot.startWallTime = wallTime } }

  func showStopping() { state.withLock { $0.snapshot.isStopping = true } }

  /// Records how many listeners are waited for before the end.
  func showListeners(_ count: Int) {
    state.withLock { state in
      state.snapshot.isStopping = true
      state.snapshot.lastListenerCount = count
    }
  }

  /// Tells all servers what is being played from now on; false if it has not changed.
  func update(_ metadata: LiveMetadata) -> Bool {
    let connections = state.withLock { state -> [LiveConnection]? in
      if state.snapshot.metadata == metadata { return nil }
      state.snapshot.metadata = metadata
      return Array(state.connections.values)
    }
    for connection in connections ?? [] { connection.update(metadata) }
    return connections != nil
  }

  // MARK: - Status

  /// Whether no output is left.
  var isHopeless: Bool { state.withLock { $0.snapshot.haveAllFailed } }

  /// The current status of everything.
  func snapshot() -> StreamSnapshot {
    state.withLock { state in
      if let session = state.session { Self.take(session.takeStatus(), &state) }
      for (index, connection) in state.connections {
        let status = connection.status
        state.snapshot.outputs[index].frameCount = status.sentFrameCount
        state.snapshot.outputs[index].returnedFrameCount = status.returnedFrameCount
        state.snapshot.outputs[index].droppedFrameCount = status.droppedFrameCount
        state.snapshot.outputs[index].byteCount = status.sentByteCount
        state.snapshot.outputs[index].queuedFrameCount = status.queuedFrameCount
        state.snapshot.outputs[index].queuedMilliseconds = status.queuedMilliseconds
        state.snapshot.outputs[index].reconnectCount = status.reconnectCount
        state.snapshot.outputs[index].metadataTrouble = status.metadataError.map {
          redactor.clean($0.sentence)
        }
      }
      return state.snapshot
    }
  }

  private static func take(_ status: RecordingStatus, _ state: inout State) {
    let now = System.seconds
    if status.sampleCount > state.snapshot.sampleCount { state.flowTime = now }
    state.meter.take(status.peaks, at: now)
    state.snapshot.sampleCount = status.sampleCount
    state.snapshot.gapCount = status.gapCount
    state.snapshot.lostSampleCount = status.filledSampleCount
    state.snapshot.drift = status.driftPartsPerMillion
    state.snapshot.levels = state.meter.readings
    state.snapshot.clippedSampleCount = status.clippedSampleCount
    state.snapshot.device = status.device.map { $0.name.isEmpty ? $0.id : $0.name }
    state.snapshot.isDeviceLost = status.isDeviceLost
    state.snapshot.isMuted = status.isMuted
    state.snapshot.isFlowing = !status.isStopped && now - state.flowTime < patience
  }
}
