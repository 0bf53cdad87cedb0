#if os(Linux)
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
    guard let pointer = unsafe Self.open(request, connection, user.toOpaque()) else {
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
    _ request: Request, _ connection: PipeWireConnection, _ user: UnsafeMutableRawPointer
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
#endif
