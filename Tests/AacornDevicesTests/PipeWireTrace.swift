#if os(Linux)
import AacornSystem
import CAacornPipeWire

@testable import AacornDevices

/// The order of the callbacks in the main flows.
///
/// A real server and a simulated one must show the same order.
final class PipeWireTrace: Sendable {
  /// The actions on the server, which has the outputs “one”, the default, and “two”.
  struct Server {
    var address: String
    var makeTwoDefault: () throws -> Void
    var unplugBoth: () throws -> Void
    var plugInOne: () throws -> Void
    var kill: () throws -> Void
  }

  /// The order that both servers must show.
  static let expected = """
    connect:
      node
      setting
      complete
    open:
      connecting
      paused
      link
      streaming
      samples
    move:
      removed
      link
      samples
    unplug:
      removed
      paused
    plug in:
      node
      link
      streaming
      samples
    kill:
      broken
      unconnected
    """.split(separator: "\n").map(String.init)

  private struct State {
    var lines: [String] = []
    var watched: Set<String> = []
  }

  private let state = Lock(State())

  /// Runs the flows on a server and returns the order.
  static func record(_ library: PipeWireLibrary, _ server: Server) throws -> [String] {
    let trace = PipeWireTrace()
    try trace.run(library, server)
    return trace.state.withLock { $0.lines }
  }

  private func run(_ library: PipeWireLibrary, _ server: Server) throws {
    let user = Unmanaged.passUnretained(self).toOpaque()
    var events = Self.sessionEvents
    guard let session = aacorn_pw_open(library.functions, &events, user) else { return }
    defer { aacorn_pw_close(session) }
    try step("connect", ["node", "setting", "complete"]) {
      _ = aacorn_pw_connect(session, server.address, "Trace")
    }
    var stream: OpaquePointer?
    try step("open", ["connecting", "paused", "link", "streaming", "samples"]) {
      var request = aacorn_pw_stream_request()
      var streamEvents = Self.streamEvents
      var positions: [UInt32] = [2]
      stream = "Trace".withCString { name in
        positions.withUnsafeMutableBufferPointer {
          request.application_name = name
          request.is_monitor = true
          request.channel_count = 1
          request.positions = UnsafePointer($0.baseAddress)
          request.block_milliseconds = 20
          return aacorn_pw_stream_open(session, &request, &streamEvents, user)
        }
      }
    }
    defer { if let stream { aacorn_pw_stream_close(stream) } }
    try step("move", ["removed", "link", "samples"], server.makeTwoDefault)
    try step("unplug", ["removed", "paused"], server.unplugBoth)
    try step("plug in", ["node", "link", "streaming", "samples"], server.plugInOne)
    try step("kill", ["broken", "unconnected"], server.kill)
  }

  /// Does something, and records the first call of each watched callback until the last has come.
  private func step(_ name: String, _ watched: [String], _ action: () throws -> Void) throws {
    state.withLock {
      $0.lines.append("\(name):")
      $0.watched = Set(watched)
    }
    try action()
    let end = System.seconds + 60
    while System.seconds < end && state.withLock({ !$0.watched.isEmpty }) {
      System.sleep(milliseconds: 5)
    }
    state.withLock { $0.watched = [] }
    // Messages that have been sent belong to this step.
    System.sleep(milliseconds: 300)
  }

  private func note(_ name: String) {
    state.withLock {
      guard $0.watched.contains(name) else { return }
      // Frames of a former link may arrive after its end.
      if name == "samples" && !$0.watched.isDisjoint(with: ["link", "streaming"]) { return }
      $0.watched.remove(name)
      $0.lines.append("  \(name)")
    }
  }

  private static func note(_ name: String, _ pointer: UnsafeMutableRawPointer?) {
    guard let pointer else { return }
    Unmanaged<PipeWireTrace>.fromOpaque(pointer).takeUnretainedValue().note(name)
  }

  private static var sessionEvents: aacorn_pw_session_events {
    aacorn_pw_session_events(
      node: { user, _, properties in
        let name = aacorn_pw_property(properties, "node.name").map { String(cString: $0) }
        if name == "one" { PipeWireTrace.note("node", user) }
      },
      channels: { _, _, _ in },
      link: { user, _, _ in PipeWireTrace.note("link", user) },
      removed: { user, _ in PipeWireTrace.note("removed", user) },
      setting: { user, _, _ in PipeWireTrace.note("setting", user) },
      complete: { PipeWireTrace.note("complete", $0) },
      broken: { user, _ in PipeWireTrace.note("broken", user) })
  }

  private static var streamEvents: aacorn_pw_stream_events {
    aacorn_pw_stream_events(
      process: { user, _ in PipeWireTrace.note("samples", user) }, fill: nil,
      state: { user, state, _ in
        let names = ["error", "unconnected", "connecting", "paused", "streaming"]
        PipeWireTrace.note(names[Int(state) + 1], user)
      })
  }
}
#endif
