/// How much of a broadcast is lost where its connection breaks and is made anew.
///
///     came     ────────────┤              ├──────────
///     on air   ────────────┴──── lost ────┴──────────► time
///
/// Whenever bytes had to be waited for, all that had been on air has come. What comes at once lies
/// behind that after a pause, and before it at the beginning of a connection, where servers give some
/// seconds in advance; by how much follows from the bytes a second.
struct BroadcastLoss {
  /// Bytes that have come, and when.
  struct Arrival {
    var byteCount: Int
    /// By the monotonic clock, in nanoseconds.
    var time: Int64
    /// Whether they were waited for.
    var hasWaited: Bool
  }

  /// Bytes a second, as the server says or, better, as they come; nil if neither is known.
  private var byteRate: Double?
  /// Bytes so far.
  private var byteCount = 0
  /// The first moment of the connection when all had come, and the last, with the bytes until then.
  private var first: (time: Int64, byteCount: Int)?
  private var last: (time: Int64, byteCount: Int)?
  /// When the last bytes came.
  private var lastTime: Int64?
  /// When that was on air with which the connection before this one ended.
  private var endTime: Int64?
  /// Bytes until this connection began.
  private var startCount = 0

  /// Seconds after which the bytes of a connection tell how many come in one.
  private static let observation = 5.0
  /// Less than this is not told, in seconds: clocks and servers are not more exact.
  private static let tolerance = 0.1
  /// More than this is no break of a broadcast, in seconds.
  private static let limit = 86_400.0

  /// A broadcast of so many bytes a second, if the server says so.
  init(byteRate: Int?) { self.byteRate = byteRate.map { Double($0) } }

  /// Takes note of bytes, and returns how much was lost before them, once that is known.
  mutating func take(_ arrival: Arrival) -> Duration? {
    byteCount += arrival.byteCount
    lastTime = arrival.time
    if arrival.hasWaited { keepUp(at: arrival.time) }
    // Without a rate, nothing is gained by waiting.
    guard let endTime, arrival.hasWaited || byteRate == nil else { return nil }
    self.endTime = nil
    let start = Double(arrival.time - endTime) * 1e-9 - seconds(byteCount - startCount)
    return (Self.tolerance...Self.limit).contains(start) ? .seconds(start) : nil
  }

  /// Notes that the connection has ended, and another one begins.
  mutating func noteBreak() {
    if endTime == nil, let lastTime {
      endTime = lastTime
      if byteRate != nil, let last {
        endTime = last.time + Int64(seconds(byteCount - last.byteCount) * 1e9)
      }
    }
    startCount = byteCount
    (first, last) = (nil, nil)
  }

  private mutating func keepUp(at time: Int64) {
    last = (time, byteCount)
    guard let first else {
      self.first = (time, byteCount)
      return
    }
    let passed = Double(time - first.time) * 1e-9
    let count = byteCount - first.byteCount
    if passed >= Self.observation, count > 0 { byteRate = Double(count) / passed }
  }

  /// How long so many bytes sound.
  private func seconds(_ byteCount: Int) -> Double {
    byteRate.map { min(Self.limit, Double(byteCount) / max(1, $0)) } ?? 0
  }
}
