#if os(Linux)
import AacornSystem
import CAacornPipeWire

/// A stream that captures or plays, which must be closed before its connection ends.
@safe
final class PipeWireStream {
  /// The parameters of a stream.
  struct Request {
    var applicationName: String
    var isPlayback: Bool
    /// The only node to use; nil follows the default.
    var target: String?
    /// Whether to capture a sink's monitor.
    var isMonitor: Bool
    var sampleRate: Int?
    /// The position of each channel, in SPA's numbers.
    var positions: [UInt32]
    /// The duration of a block, or the time that samples may wait to be played.
    var blockMilliseconds: Int
  }

  let condition: PipeWireStreamCondition
  private var pointer: OpaquePointer?
  private let user: Unmanaged<AnyObject>

  /// Opens a stream with callbacks to `end`: a ``PipeWireTap`` or, for playback, a
  /// ``PipeWireRenderer``.
  init(
    _ request: Request, connection: PipeWireConnection, end: AnyObject,
    condition: PipeWireStreamCondition
  ) throws(DeviceError) {
    self.condition = condition
    unsafe user = .passRetained(end)
    guard let pointer = unsafe Self.open(request, in: connection, for: user.toOpaque()) else {
      unsafe user.release()
      throw .system(
        operation: "open", id: request.target ?? "default",
        reason: "PipeWire rejected the stream")
    }
    unsafe self.pointer = pointer
  }

  deinit {
    close()
  }

  /// Closes the stream; no callback follows.
  ///
  /// A second call has no effect.
  func close() {
    guard let open = unsafe pointer else { return }
    unsafe pointer = nil
    unsafe aacorn_pw_stream_close(open)
    unsafe user.release()
  }

  /// The server's number for the stream's node; nil once it is closed.
  var node: UInt32? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe aacorn_pw_stream_node(pointer)
  }

  /// Whether the data thread has real-time priority; nil before the first samples.
  var isRealtime: Bool? {
    guard let pointer = unsafe pointer else { return nil }
    let answer = unsafe aacorn_pw_stream_is_realtime(pointer)
    return answer < 0 ? nil : answer > 0
  }

  private static func open(
    _ request: Request, in connection: PipeWireConnection, for user: UnsafeMutableRawPointer
  ) -> OpaquePointer? {
    guard let session = unsafe connection.session else { return nil }
    var events = request.isPlayback ? PipeWireEvents.playback : PipeWireEvents.capture
    return unsafe request.applicationName.withCString { name in
      unsafe withOptionalCString(request.target) { target in
        unsafe request.positions.withUnsafeBufferPointer { positions in
          var wanted = unsafe aacorn_pw_stream_request(
            application_name: name, is_playback: request.isPlayback, target: target,
            is_monitor: request.isMonitor,
            sample_rate: UInt32(clamping: request.sampleRate ?? 0),
            channel_count: UInt32(positions.count), positions: positions.baseAddress,
            block_milliseconds: UInt32(clamping: max(1, request.blockMilliseconds)))
          return unsafe aacorn_pw_stream_open(session, &wanted, &events, user)
        }
      }
    }
  }

  private static func withOptionalCString<Result>(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    guard let text else { return body(nil) }
    return unsafe text.withCString { unsafe body($0) }
  }
}

/// The state of a stream, as reported by its callbacks to the watching thread, and the events that
/// this thread asks the data thread to report.
final class PipeWireStreamCondition: Sendable {
  /// The state of a stream.
  struct State: Sendable {
    var number = Int(AACORN_PW_STREAM_STATE_CONNECTING.rawValue)
    var error: String?
    /// Whether an error occurred, or the session manager has removed the node.
    var isDead = false
  }

  /// Events that the data thread reports before the next samples.
  struct Events: OptionSet {
    let rawValue: UInt8

    /// The device has returned.
    static let returned = Events(rawValue: 1)
    /// Another device is in use.
    static let changed = Events(rawValue: 2)
    /// The device is awake again.
    static let resumed = Events(rawValue: 4)
  }

  private let wake: Semaphore
  /// The pending events, which the data thread reports because it must be the only one that writes
  /// to the sink or the feed.
  private let pendingEvents: Atomic<UInt8>
  private let flowed = Atomic<Bool>(false)
  private let state = Lock(State())

  init(wake: Semaphore, pendingEvents: Events) {
    self.wake = wake
    self.pendingEvents = Atomic(pendingEvents.rawValue)
  }

  /// Requests that the data thread reports events before the next samples.
  func announce(_ events: Events) { pendingEvents.insert(events.rawValue) }

  /// Whether events are pending.
  var hasEvents: Bool { pendingEvents.load(ordering: .relaxed) != 0 }

  /// Returns and removes the pending events, on the data thread.
  func takeEvents() -> Events { Events(rawValue: pendingEvents.exchange(0)) }

  /// Whether samples have arrived or been requested.
  var hasFlowed: Bool { flowed.load(ordering: .acquiring) }

  var currentState: State { state.withLock { $0 } }

  /// Records that samples flow, on the data thread.
  func flow() {
    if flowed.load(ordering: .relaxed) { return }
    flowed.store(true, ordering: .releasing)
    wake.signal()
  }

  func setState(_ number: Int, _ error: String?) {
    state.withLock {
      $0.number = number
      $0.error = error ?? $0.error
      if number == Int(AACORN_PW_STREAM_STATE_ERROR.rawValue) { $0.isDead = true }
      if number == Int(AACORN_PW_STREAM_STATE_UNCONNECTED.rawValue) { $0.isDead = true }
    }
    wake.signal()
  }
}

/// The library's callbacks, which call the objects of their `user` pointers.
enum PipeWireEvents {
  /// The loop thread's callbacks, for a ``PipeWireConnection``.
  static var session: aacorn_pw_session_events {
    unsafe aacorn_pw_session_events(
      node: { user, id, properties in
        let node = PipeWireNode { unsafe text(aacorn_pw_property(properties, $0)) }
        unsafe PipeWireConnection.ConnectionState.at(user)?.change { $0.put(id, node) }
      },
      channels: { user, id, count in
        unsafe PipeWireConnection.ConnectionState.at(user)?.change { $0.setChannels(of: id, count) }
      },
      link: { user, id, properties in
        guard
          let output = unsafe number(aacorn_pw_property(properties, "link.output.node")),
          let input = unsafe number(aacorn_pw_property(properties, "link.input.node"))
        else { return }
        unsafe PipeWireConnection.ConnectionState.at(user)?.change {
          $0.links[id] = .init(output: output, input: input)
        }
      },
      removed: { user, id in
        unsafe PipeWireConnection.ConnectionState.at(user)?.change { $0.remove(id) }
      },
      setting: { user, key, value in
        guard let key = unsafe text(key) else { return }
        let value = unsafe text(value)
        unsafe PipeWireConnection.ConnectionState.at(user)?.change { $0.set(key, value) }
      },
      complete: { user in
        unsafe PipeWireConnection.ConnectionState.at(user)?.change { $0.isComplete = true }
      },
      broken: { user, reason in
        let reason = unsafe text(reason) ?? ""
        unsafe PipeWireConnection.ConnectionState.at(user)?.change { $0.failure = reason }
      })
  }

  /// The callbacks of a capturing stream, for a ``PipeWireTap``; `process` runs on the data thread.
  static var capture: aacorn_pw_stream_events {
    unsafe aacorn_pw_stream_events(
      process: { user, block in
        guard let block = unsafe block else { return }
        unsafe PipeWireTap.at(user)?.take(block.pointee)
      },
      fill: nil,
      state: { user, state, error in
        let error = unsafe text(error)
        unsafe PipeWireTap.at(user)?.condition.setState(Int(state), error)
      })
  }

  /// The callbacks of a playing stream, for a ``PipeWireRenderer``; `fill` runs on the data thread.
  static var playback: aacorn_pw_stream_events {
    unsafe aacorn_pw_stream_events(
      process: nil,
      fill: { user, space in
        guard let space = unsafe space else { return }
        unsafe PipeWireRenderer.at(user)?.fill(space.pointee)
      },
      state: { user, state, error in
        let error = unsafe text(error)
        unsafe PipeWireRenderer.at(user)?.condition.setState(Int(state), error)
      })
  }
}

// The following functions are outside the type, because a C callback cannot capture any value, not
// even the type.

private func text(_ start: UnsafePointer<CChar>?) -> String? {
  guard let start = unsafe start else { return nil }
  return unsafe String(cString: start)
}

private func number(_ start: UnsafePointer<CChar>?) -> UInt32? {
  unsafe text(start).flatMap { UInt32($0) }
}
#endif
