package import AacornNetwork
package import AacornRecording
import AacornSystem

/// The outputs of a recording or a stream, with their status.
///
/// Many threads update the list; the display in a terminal or a web page reads it.
package final class OutputList: Sendable {
  /// A function that receives the index of an output, its previous status, and its new state.
  package typealias Change = @Sendable (Int, OutputStatus, OutputStatus.State) -> Void

  private struct State {
    var outputs: [OutputStatus] = []
    /// The connections to servers, by index.
    ///
    /// They have their own counters.
    var connections: [Int: LiveConnection] = [:]
    /// The HLS uploads, by index, with the number of renditions.
    ///
    /// They have their own counters.
    var uploads: [Int: (store: HLSUploadStore, renditionCount: Int)] = [:]
  }

  private let state = Lock(State())
  private let needsAll: Bool
  private let redactor: Redactor
  private let failureMessage: @Sendable (_ error: OutputError, _ name: String) -> String
  private let problemMessage: @Sendable (NetworkError) -> String
  private let changes: Change

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - redactor: Removes secrets from all messages.
  ///   - needsAll: True if the failure to open one output must prevent the start.
  ///   - failureMessage: Returns the message for an output, with this name, that cannot continue.
  ///   - problemMessage: Returns the message for a connection that does not work.
  ///   - changes: Called with every change of a state.
  package init(
    _ redactor: Redactor, needsAll: Bool = false,
    failureMessage: @escaping @Sendable (_ error: OutputError, _ name: String) -> String = {
      error, _ in error.message
    },
    problemMessage: @escaping @Sendable (NetworkError) -> String = { $0.message },
    changes: @escaping Change
  ) {
    self.redactor = redactor
    self.needsAll = needsAll
    self.failureMessage = failureMessage
    self.problemMessage = problemMessage
    self.changes = changes
  }

  // MARK: - Outputs

  /// Adds an output, and returns its index.
  package func add(_ kind: OutputStatus.Kind, name: String, url: String = "") -> Int {
    state.withLock { state in
      let count = state.outputs.count { $0.kind == kind }
      let id = count == 0 ? kind.rawValue : "\(kind.rawValue)-\(count + 1)"
      var output = OutputStatus(kind, id: id, name: name)
      output.url = url
      state.outputs.append(output)
      return state.outputs.count - 1
    }
  }

  /// Adds a server, and returns the output that sends to it.
  ///
  /// The output reports its queued and dropped audio to `bitrate`.
  package func connect(
    to server: LiveServer, _ options: LiveOptions = LiveOptions(), metadata: LiveMetadata,
    bitrate: AdaptiveBitrate? = nil
  ) -> any PacketOutput {
    let service = server.service
    let index = add(server.kind, name: service.name)
    let output = LiveOutput(
      service, options, metadata: metadata, bitrate: bitrate,
      states: { [weak self] in self?.change(index, to: $0) })
    state.withLock { $0.connections[index] = output.connection }
    return WatchedOutput(output, index, on: self, isConnected: true)
  }

  /// Adds a server to which HLS is uploaded, and returns the output for it.
  package func upload(
    to server: HLSUploadConfiguration, _ configuration: HLSConfiguration,
    _ options: LiveOptions = LiveOptions(), renditionCount: Int
  ) -> any PacketOutput {
    let index = add(.hls, name: server.address)
    let store = HLSUploadStore(
      server, options, states: { [weak self] in self?.change(index, to: $0) })
    state.withLock { $0.uploads[index] = (store, renditionCount) }
    let output = HLSOutput(configuration, stores: [store], name: server.address)
    return WatchedOutput(output, index, on: self, isConnected: true)
  }

  /// The current status of all outputs, by index.
  package var all: [OutputStatus] {
    state.withLock { state in
      var outputs = state.outputs
      for (index, connection) in state.connections {
        let status = connection.status
        outputs[index].frameCount = status.sentFrameCount
        outputs[index].returnedFrameCount = status.returnedFrameCount
        outputs[index].droppedFrameCount = status.droppedFrameCount
        outputs[index].byteCount = status.sentByteCount
        outputs[index].queuedFrameCount = status.queuedFrameCount
        outputs[index].queuedMilliseconds = status.queuedDuration.milliseconds
        outputs[index].reconnectCount = status.reconnectCount
        outputs[index].metadataProblem = status.metadataError.map {
          redactor.clean(problemMessage($0))
        }
      }
      for (index, upload) in state.uploads {
        let status = upload.store.status
        outputs[index].byteCount = status.sentByteCount
        outputs[index].segmentCount = status.sentSegmentCount / upload.renditionCount
        // A segment that is missing in only one rendition counts as well.
        outputs[index].droppedSegmentCount =
          (status.droppedSegmentCount + upload.renditionCount - 1) / upload.renditionCount
        outputs[index].queuedMilliseconds = status.queuedDuration.milliseconds
        outputs[index].reconnectCount = status.reconnectCount
        outputs[index].removalProblem = status.removalError.map {
          redactor.clean(problemMessage($0))
        }
      }
      return outputs
    }
  }

  /// Sends new metadata to all servers.
  package func update(_ metadata: LiveMetadata) {
    let connections = state.withLock { Array($0.connections.values) }
    for connection in connections { connection.update(metadata) }
  }

  // MARK: - Events

  /// Whether the failures prevent the start: all outputs are required, or all have failed.
  var cannotBegin: Bool { needsAll || state.withLock { $0.outputs.haveAllFailed } }

  /// Records that an output without a connection is ready for packets.
  package func begin(_ index: Int) { set(index, to: .live) }

  /// Records that an output without a connection is complete.
  package func end(_ index: Int) { set(index, to: .stopped) }

  /// Sets the counters of an output without a connection.
  ///
  /// A connection counts by itself.
  package func count(_ index: Int, frameCount: Int, byteCount: Int, segmentCount: Int? = nil) {
    state.withLock { state in
      state.outputs[index].frameCount = frameCount
      state.outputs[index].byteCount = byteCount
      if !state.outputs[index].hasFailed { state.outputs[index].segmentCount = segmentCount }
    }
  }

  /// Records that an output cannot continue.
  package func fail(_ index: Int, _ error: OutputError) {
    let name = state.withLock { $0.outputs[index].name }
    set(index, to: .failed(problem(error.kind.rawValue, failureMessage(error, name))))
  }

  /// Records the failure of an output that the recording gave up because it was too slow.
  ///
  /// The recording reports only the name of the output.
  package func fail(named name: String, _ error: OutputError) {
    let index = state.withLock { state in
      state.outputs.firstIndex { $0.name == name && !$0.hasFailed }
    }
    if let index, error.kind == .tooSlow { fail(index, error) }
  }

  /// Records a new state of an output's connection.
  func change(_ index: Int, to newState: LiveState) {
    set(index, to: newState.map { problem($0.kind.rawValue, problemMessage($0)) })
  }

  private func problem(_ keyword: String, _ message: String) -> OutputStatus.StreamProblem {
    OutputStatus.StreamProblem(keyword: keyword, message: redactor.clean(message))
  }

  private func set(_ index: Int, to newState: OutputStatus.State) {
    let old = state.withLock { state -> OutputStatus? in
      let old = state.outputs[index]
      // A failed output stays failed, even if its connection still changes its state.
      if old.hasFailed || old.state == newState { return nil }
      state.outputs[index].state = newState
      if newState == .live { state.outputs[index].problem = nil }
      if let problem = newState.problem { state.outputs[index].problem = problem }
      return old
    }
    if let old { changes(index, old, newState) }
  }
}
