#if os(Linux)
/// A simulated server whose inputs number their frames, starting with 1.
protocol NumberedServer: AnyObject {
  /// The maximum time in seconds for the end of a capture or playback.
  static var stopLimit: Double { get }
  var origin: Int64 { get }
  /// The rate of all devices' clocks relative to the monotonic clock.
  var pace: Double { get }
  /// The frames that the server has dropped without a notice.
  var lost: [Range<Int>] { get }
  /// The samples that all sinks have played.
  var playedBlocks: [PlayedBlock] { get }
  /// Does all work up to now.
  @discardableResult func advance() -> Int64
}

extension NumberedServer {
  /// The address for clients.
  var address: String { "server:\(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))" }

  /// Returns the server with an address, which must exist; nil if it is not such an address.
  static func at(_ address: String) -> Self? {
    guard address.hasPrefix("server:"), let bits = UInt(address.dropFirst(7)),
      let pointer = UnsafeRawPointer(bitPattern: bits)
    else { return nil }
    return Unmanaged<Self>.fromOpaque(pointer).takeUnretainedValue()
  }
}

/// Frames that a sink has rendered, and the time at which the first one sounds.
struct PlayedBlock {
  var time: Int64
  var rate: Int
  var channels: Int
  /// The position of the first frame in the sink's count of frames.
  var position: Int
  var samples: [Float]
}

/// Work of a server, or the arrival of a message, at a time.
struct ServerStep {
  var time: Int64
  var order: Int
  var run: () -> Void
}

extension [ServerStep] {
  /// Adds a step to the steps, which are in the order of their times.
  mutating func add(_ step: ServerStep) {
    let index = lastIndex { ($0.time, $0.order) <= (step.time, step.order) }
    insert(step, at: index.map { $0 + 1 } ?? 0)
  }
}
#endif
