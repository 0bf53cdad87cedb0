#if os(Linux)
import AacornSignal
import CAacornPipeWire

/// A capturing stream, which must be closed before its connection ends.
@safe
final class PipeWireStream {
  /// What to capture from, and how.
  struct Request {
    var applicationName: String
    /// The only node to capture from; nil follows the default.
    var target: String?
    var isMonitor: Bool
    var sampleRate: Int?
    var channelCount: Int
    /// The names of the device's channels.
    var positions: [String]
    var blockMilliseconds: Int
  }

  let tap: PipeWireTap
  private var pointer: OpaquePointer?
  private let user: Unmanaged<PipeWireTap>

  init(
    _ request: Request, connection: PipeWireConnection, tap: PipeWireTap
  ) throws(CaptureError) {
    self.tap = tap
    unsafe user = .passRetained(tap)
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

  /// Closes the stream; nothing comes after that.
  ///
  /// A second call does nothing.
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

  /// Whether the thread that delivers samples has real-time priority; nil before the first ones.
  var isRealtime: Bool? {
    guard let pointer = unsafe pointer else { return nil }
    let answer = unsafe aacorn_pw_stream_is_realtime(pointer)
    return answer < 0 ? nil : answer > 0
  }

  private static func open(
    _ request: Request, _ connection: PipeWireConnection, _ user: UnsafeMutableRawPointer
  ) -> OpaquePointer? {
    guard let session = unsafe connection.session else { return nil }
    let positions = positions(count: request.channelCount, of: request.positions)
    var events = PipeWireEvents.stream
    return unsafe request.applicationName.withCString { name in
      unsafe withOptionalCString(request.target) { target in
        unsafe positions.withUnsafeBufferPointer { positions in
          var wanted = unsafe aacorn_pw_stream_request(
            application_name: name, target: target, is_monitor: request.isMonitor,
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

  /// SPA's positions for this many channels.
  ///
  /// They are those of the standard layout, so that the server sorts (or mixes) the device's
  /// channels into the order expected downstream. Channels without a position are left alone.
  static func positions(count: Int, of names: [String]) -> [UInt32] {
    let firstAuxiliary: UInt32 = 0x1000
    let count = min(max(1, count), Int(AACORN_PW_CHANNEL_LIMIT))
    let auxiliary = names.compactMap { name in
      name.hasPrefix("AUX") ? UInt32(name.dropFirst(3)).map { firstAuxiliary + $0 } : nil
    }
    if auxiliary.count == count { return auxiliary }
    if count == 1 { return [2] }
    if let layout = ChannelLayout.standard(channelCount: count) {
      return layout.speakers.map(number)
    }
    return (0..<UInt32(count)).map { firstAuxiliary + $0 }
  }

  private static func number(of speaker: SpeakerPosition) -> UInt32 {
    switch speaker {
    case .frontLeft: 3
    case .frontRight: 4
    case .frontCenter: 5
    case .lowFrequency: 6
    case .sideLeft: 7
    case .sideRight: 8
    case .frontLeftOfCenter: 9
    case .frontRightOfCenter: 10
    case .backCenter: 11
    case .backLeft: 12
    case .backRight: 13
    case .topCenter: 14
    case .topFrontLeft: 15
    case .topFrontCenter: 16
    case .topFrontRight: 17
    case .topBackLeft: 18
    case .topBackCenter: 19
    case .topBackRight: 20
    }
  }
}
#endif
