import AacornCodec
import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem
import AacornWeb

/// Where everything about a running stream is written down, by many threads, and looked up by the
/// display and the status page.
final class StreamBoard: OutputBoard {
  private struct State {
    var snapshot: StreamSnapshot
    /// The ways to servers, which know their numbers themselves.
    var connections: [Int: LiveConnection] = [:]
    var session: RecordingSession?
    var meter = LevelMeterDisplay()
    /// When the number of samples was seen to grow.
    var flowTime = -Double.infinity
  }

  private let state: Lock<State>
  private let redactor: Redactor
  private let events: @Sendable (StreamEvent) -> Void

  /// Seconds without a new sample after which the sound counts as gone.
  private static let patience = 3.0

  /// A board for a stream that has not begun; `events` is told every change of an output.
  init(_ plan: StreamPlan, events: @escaping @Sendable (StreamEvent) -> Void) {
    var snapshot = StreamSnapshot()
    snapshot.timing = plan.configuration.timing
    snapshot.channelCount = plan.configuration.channelCount
    snapshot.metadata = plan.metadata
    state = Lock(State(snapshot: snapshot))
    redactor = plan.redactor
    self.events = events
  }

  /// Puts up another output, and says which number it has.
  func add(_ kind: StreamSnapshot.Kind, name: String) -> Int {
    state.withLock { state in
      let count = state.snapshot.outputs.count { $0.kind == kind }
      let id = count == 0 ? kind.rawValue : "\(kind.rawValue)-\(count + 1)"
      state.snapshot.outputs.append(StreamSnapshot.Output(kind, id: id, name: name))
      return state.snapshot.outputs.count - 1
    }
  }

  /// Has the numbers of an output be those of a connection.
  func connect(_ index: Int, to connection: LiveConnection) {
    state.withLock { $0.connections[index] = connection }
  }

  /// Has the numbers of the sound be those of a session.
  func watch(_ session: RecordingSession) { state.withLock { $0.session = session } }

  // MARK: - What happens

  /// An output changed its state.
  func change(_ index: Int, to newState: StreamSnapshot.State) {
    let isNew = state.withLock { state in
      let old = state.snapshot.outputs[index].state
      // What has failed stays so, whatever becomes of its remains.
      if state.snapshot.outputs[index].hasFailed || old == newState { return false }
      state.snapshot.outputs[index].state = newState
      if newState == .live { state.snapshot.outputs[index].trouble = nil }
      if let trouble = newState.trouble { state.snapshot.outputs[index].trouble = trouble }
      return true
    }
    if isNew { events(.output(index, newState)) }
  }

  /// The connection of an output changed its state.
  func change(_ index: Int, to newState: LiveState) {
    change(index, to: StreamSnapshot.State(newState, redactor))
  }

  /// An output cannot go on.
  func fail(_ index: Int, _ error: OutputError) {
    change(
      index,
      to: .failed(
        StreamSnapshot.Trouble(word: error.kind.rawValue, sentence: redactor.clean(error.sentence))
      ))
  }

  /// An output that was given up from outside, of which only the name is known.
  func fail(named name: String, _ error: OutputError) {
    let index = state.withLock { state in
      state.snapshot.outputs.firstIndex { $0.name == name && !$0.hasFailed }
    }
    if let index, error.kind == .tooSlow { fail(index, error) }
  }

  /// An output without a connection takes packets.
  func begin(_ index: Int) { change(index, to: StreamSnapshot.State.live) }

  /// An output without a connection is complete.
  func end(_ index: Int) { change(index, to: StreamSnapshot.State.stopped) }

  /// A frame of an output without a connection was written.
  func count(_ index: Int, frameCount: Int, byteCount: Int) {
    state.withLock { state in
      state.snapshot.outputs[index].frameCount = frameCount
      state.snapshot.outputs[index].byteCount = byteCount
    }
  }

  /// So many segments are there to be listed, unless the output has failed.
  func setSegmentCount(_ index: Int, _ count: Int) {
    state.withLock { state in
      if state.snapshot.outputs[index].hasFailed { return }
      state.snapshot.outputs[index].segmentCount = count
    }
  }

  /// A frame came out of the encoder.
  func countFrame() { state.withLock { $0.snapshot.frameCount += 1 } }

  func began(at wallTime: Int64) { state.withLock { $0.snapshot.startWallTime = wallTime } }

  func showStopping() { state.withLock { $0.snapshot.isStopping = true } }

  /// So many listeners are waited for before the end.
  func showListeners(_ count: Int) {
    state.withLock { state in
      state.snapshot.isStopping = true
      state.snapshot.lastListenerCount = count
    }
  }

  /// Tells all servers what is being played from now on; false if it is what was played before.
  func update(_ metadata: LiveMetadata) -> Bool {
    let connections = state.withLock { state -> [LiveConnection]? in
      if state.snapshot.metadata == metadata { return nil }
      state.snapshot.metadata = metadata
      return Array(state.connections.values)
    }
    for connection in connections ?? [] { connection.update(metadata) }
    return connections != nil
  }

  // MARK: - How it is

  /// Whether no output is left.
  var isHopeless: Bool { state.withLock { $0.snapshot.haveAllFailed } }

  /// How everything is doing now.
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
