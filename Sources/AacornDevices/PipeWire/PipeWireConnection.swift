#if os(Linux)
import AacornSystem
import CAacornPipeWire

/// A session with a PipeWire server, and the known state of the server's objects.
///
/// Used by one thread until it is closed; the server's messages arrive on the library's thread.
@safe
final class PipeWireConnection {
  /// The state that the library's thread writes and the owner's thread reads.
  final class ConnectionState: CallbackTarget, Sendable {
    let graph = Lock(PipeWireGraph())
    let wake: Semaphore

    init(wake: Semaphore) {
      self.wake = wake
    }

    func change(_ body: (inout PipeWireGraph) -> Void) {
      graph.withLock { body(&$0) }
      wake.signal()
    }
  }

  private let connectionState: ConnectionState
  /// The library's session; nil once it is closed.
  private(set) var session: OpaquePointer?
  private let user: Unmanaged<ConnectionState>

  /// Creates a session without a connection; `wake` is signaled after every change.
  init(_ library: PipeWireLibrary, wake: Semaphore) throws(DeviceError) {
    connectionState = ConnectionState(wake: wake)
    unsafe user = .passRetained(connectionState)
    var events = PipeWireEvents.session
    guard let session = unsafe aacorn_pw_open(library.functions, &events, user.toOpaque()) else {
      unsafe user.release()
      throw .system(operation: "set up", id: "PipeWire", reason: "its context cannot be created")
    }
    unsafe self.session = session
  }

  deinit {
    close()
  }

  /// Ends the session with everything in it, including modules; close streams first.
  ///
  /// A second call has no effect.
  func close() {
    guard let open = unsafe session else { return }
    unsafe session = nil
    unsafe aacorn_pw_close(open)
    unsafe user.release()
  }

  /// The currently known state.
  var graph: PipeWireGraph { connectionState.graph.withLock { $0 } }

  /// Connects to the server at a socket, or to the default server, and waits until its objects are
  /// known.
  func connect(
    to remote: String?, applicationName: String, milliseconds: Int = 3000,
    unless isCancelled: () -> Bool = { false }
  ) throws(DeviceError) {
    connectionState.graph.withLock { $0 = PipeWireGraph() }
    guard let session = unsafe session else {
      throw .noServer(backend: .pipeWire, reason: "the connection is closed")
    }
    let error = unsafe aacorn_pw_connect(session, remote, applicationName)
    if error != 0 {
      throw .noServer(
        backend: .pipeWire, reason: unsafe String(cString: aacorn_pw_error_text(error)))
    }
    let isAnswered = wait(milliseconds: milliseconds, unless: isCancelled) {
      $0.isComplete || $0.failure != nil
    }
    let failure = graph.failure
    if isAnswered && failure == nil { return }
    disconnect()
    throw .noServer(backend: .pipeWire, reason: failure ?? "it does not answer")
  }

  /// Ends the connection, if any.
  func disconnect() {
    if let session = unsafe session { unsafe aacorn_pw_disconnect(session) }
  }

  /// Waits for a condition; returns false on timeout or cancellation.
  func wait(
    milliseconds: Int, unless isCancelled: () -> Bool = { false },
    until condition: (PipeWireGraph) -> Bool
  ) -> Bool {
    let deadline = System.nanoseconds + Int64(milliseconds) * 1_000_000
    while !condition(graph) {
      let left = (deadline - System.nanoseconds) / 1_000_000
      if left <= 0 || isCancelled() { return false }
      _ = connectionState.wake.wait(milliseconds: Int(min(left, 100)))
    }
    return true
  }

  /// Loads a PipeWire module until the session is closed; returns the reason on failure.
  func loadModule(_ name: String, arguments: String) -> String? {
    guard let session = unsafe session else { return "the connection is closed" }
    let error = unsafe aacorn_pw_load_module(session, name, arguments)
    return error == 0 ? nil : unsafe String(cString: aacorn_pw_error_text(error))
  }
}
#endif
