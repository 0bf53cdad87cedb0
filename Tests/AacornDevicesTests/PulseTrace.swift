#if os(Linux)
import AacornSystem
import CAacornPulseAudio

@testable import AacornDevices

/// The order of a library's callbacks in the main flows.
///
/// A real server and a simulated one must show the same order.
final class PulseTrace {
  /// The actions on the server, which has the outputs “one”, the default, and “two”.
  struct Server {
    var address: String
    var suspend: (Bool) throws -> Void
    var makeTwoDefault: () throws -> Void
    var unplugBoth: () throws -> Void
    var plugInOne: () throws -> Void
    var kill: () throws -> Void
  }

  /// The order that a server of PulseAudio 16 showed.
  static let expected = """
    connect for capture:
      ready
    uncork:
      corked
      read
    ask:
      report
      answer
    suspend:
      suspended
    resume:
      suspended
      read
    move:
      moved
    flow:
      read
    unplug:
      failed
    connect for playback:
      write
      ready
    uncork:
      corked
      underflow
    ask:
      report
      answer
    kill:
      failed
    disconnected
    """.split(separator: "\n").map(String.init)

  private let functions: UnsafePointer<aacorn_pulse_functions>
  private let loop: PulseLoop
  private let connection: PulseConnection
  private var lines: [String] = []
  private var watched: Set<String> = []
  private var stream: OpaquePointer?
  private var operations: [OpaquePointer] = []

  private init(_ library: PulseLibrary, _ address: String) throws {
    functions = library.functions
    loop = try PulseLoop(library)
    connection = try PulseConnection(
      loop, applicationName: "Trace", server: address, mayStartServer: false,
      until: System.nanoseconds + 60_000_000_000)
  }

  /// Runs the flows on a server and returns the order.
  static func record(_ library: PulseLibrary, _ server: Server) throws -> [String] {
    let trace = try PulseTrace(library, server.address)
    try trace.capture(server)
    try trace.play(server)
    return trace.lines
  }

  // MARK: Flows

  private func capture(_ server: Server) throws {
    makeStream()
    var attributes = aacorn_pulse_buffer_attr(
      maxlength: .max, tlength: .max, prebuf: .max, minreq: .max, fragsize: 960)
    _ = functions.pointee.stream_connect_record(
      stream, nil, &attributes, PulseStream.flags(for: target))
    run("connect for capture", ["ready"], until: "ready")
    uncork()
    run("uncork", ["corked", "read"], until: "read")
    updateTiming()
    run("ask", ["report", "answer"], until: "answer")
    try server.suspend(true)
    run("suspend", ["suspended"], until: "suspended")
    try server.suspend(false)
    run("resume", ["suspended", "read"], until: "read")
    try server.makeTwoDefault()
    run("move", ["moved"], until: "moved")
    run("flow", ["read"], until: "read")
    try server.unplugBoth()
    run("unplug", ["failed"], until: "failed")
    releaseStream()
  }

  private func play(_ server: Server) throws {
    try server.plugInOne()
    makeStream()
    var attributes = aacorn_pulse_buffer_attr(
      maxlength: .max, tlength: 9600, prebuf: 2, minreq: 1200, fragsize: .max)
    _ = functions.pointee.stream_connect_playback(
      stream, nil, &attributes, PulseStream.flags(for: target), nil, nil)
    run("connect for playback", ["ready", "write"], until: "write")
    let samples = [UInt8](repeating: 0, count: 9600)
    _ = functions.pointee.stream_write(
      stream, samples, samples.count, nil, 0, AACORN_PULSE_SEEK_RELATIVE)
    uncork()
    run("uncork", ["corked", "underflow"], until: "underflow")
    updateTiming()
    run("ask", ["report", "answer"], until: "answer")
    try server.kill()
    run("kill", ["failed"], until: "failed")
    lines.append(connection.isGood ? "connected" : "disconnected")
    releaseStream()
  }

  // MARK: Steps

  private var target: PulseStream.Target {
    PulseStream.Target(
      deviceName: nil,
      format: PulseFormat(PlaybackFormat(sampleRate: 48_000, channelCount: 1), loop.library),
      delay: .zero)
  }

  /// Runs the loop until a callback, and records the first call of each of those that are watched.
  private func run(_ step: String, _ watched: Set<String>, until last: String) {
    lines.append("\(step):")
    self.watched = watched
    let end = System.nanoseconds + 60_000_000_000
    while self.watched.contains(last), System.nanoseconds < end {
      loop.turn(until: System.nanoseconds + 20_000_000)
      let state = functions.pointee.stream_get_state(stream)
      if state == AACORN_PULSE_STREAM_READY { note("ready") }
      if state == AACORN_PULSE_STREAM_FAILED { note("failed") }
    }
    // Messages that have been sent belong to this step.
    self.watched = []
    let rest = System.nanoseconds + 100_000_000
    while System.nanoseconds < rest { loop.turn(until: rest) }
  }

  private func note(_ name: String) {
    if watched.remove(name) != nil { lines.append("  \(name)") }
  }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> PulseTrace? {
    pointer.map { Unmanaged<PulseTrace>.fromOpaque($0).takeUnretainedValue() }
  }

  private func makeStream() {
    var specification = target.format.specification
    var map = target.format.channelMap
    stream = functions.pointee.stream_new(connection.context, "Trace", &specification, &map)
    let pointer = Unmanaged.passUnretained(self).toOpaque()
    functions.pointee.stream_set_read_callback(stream, { PulseTrace.at($2)?.read() }, pointer)
    functions.pointee.stream_set_write_callback(
      stream, { PulseTrace.at($2)?.note("write") }, pointer)
    functions.pointee.stream_set_underflow_callback(
      stream, { PulseTrace.at($1)?.note("underflow") }, pointer)
    functions.pointee.stream_set_moved_callback(
      stream, { PulseTrace.at($1)?.note("moved") }, pointer)
    functions.pointee.stream_set_suspended_callback(
      stream, { PulseTrace.at($1)?.note("suspended") }, pointer)
    functions.pointee.stream_set_latency_update_callback(
      stream, { PulseTrace.at($1)?.note("report") }, pointer)
  }

  private func read() {
    note("read")
    var data: UnsafeRawPointer?
    var size = 0
    while functions.pointee.stream_peek(stream, &data, &size) >= 0, size > 0 {
      _ = functions.pointee.stream_drop(stream)
    }
  }

  private func uncork() {
    let operation = functions.pointee.stream_cork(
      stream, 0, { PulseTrace.at($2)?.note("corked") }, Unmanaged.passUnretained(self).toOpaque())
    if let operation { operations.append(operation) }
  }

  private func updateTiming() {
    let operation = functions.pointee.stream_update_timing_info(
      stream, { PulseTrace.at($2)?.note("answer") }, Unmanaged.passUnretained(self).toOpaque())
    if let operation { operations.append(operation) }
  }

  private func releaseStream() {
    for operation in operations { functions.pointee.operation_unref(operation) }
    operations = []
    functions.pointee.stream_set_read_callback(stream, nil, nil)
    functions.pointee.stream_set_write_callback(stream, nil, nil)
    functions.pointee.stream_set_underflow_callback(stream, nil, nil)
    functions.pointee.stream_set_moved_callback(stream, nil, nil)
    functions.pointee.stream_set_suspended_callback(stream, nil, nil)
    functions.pointee.stream_set_latency_update_callback(stream, nil, nil)
    _ = functions.pointee.stream_disconnect(stream)
    functions.pointee.stream_unref(stream)
  }
}
#endif
