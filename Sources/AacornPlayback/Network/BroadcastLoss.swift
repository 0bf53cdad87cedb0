/// Measures the loss of audio in a live stream whose connection breaks and is reopened.
///
///     received ────────────┤              ├──────────
///     on air   ────────────┴──── lost ────┴──────────► time
///
/// When the reader has to wait for bytes, it has received all audio that was broadcast up to that
/// time. Bytes that arrive without a wait were broadcast earlier. After a pause of the reader,
/// these bytes directly follow the bytes of its last wait. At the beginning of a connection, they
/// are older audio, because servers first send the last seconds before the connection. The times of
/// broadcast are computed from the byte rate.
struct BroadcastLoss {
  /// Received bytes, with their time of arrival.
  struct Arrival {
    var byteCount: Int
    /// The time on the monotonic clock, in nanoseconds.
    var time: Int64
    /// Whether the reader had to wait for the bytes.
    var hasWaited: Bool
  }

  /// The byte rate in bytes per second, as the server states it or, better, as measured; nil if
  /// unknown.
  private var byteRate: Double?
  /// The number of received bytes.
  private var byteCount = 0
  /// The first and the last time at which this connection had delivered all audio, with the number
  /// of bytes.
  private var firstCaughtUp: (time: Int64, byteCount: Int)?
  private var lastCaughtUp: (time: Int64, byteCount: Int)?
  /// The time at which the last bytes arrived.
  private var lastTime: Int64?
  /// The time at which the last audio of the previous connection was broadcast.
  private var endTime: Int64?
  /// The number of bytes received before this connection.
  private var startCount = 0

  /// The duration of a connection after which its byte rate is measured, in seconds.
  private static let minObservationSeconds = 5.0
  /// The minimum loss that is reported, in seconds.
  ///
  /// Clocks and servers are not more precise.
  private static let minLossSeconds = 0.1
  /// The maximum loss that is reported, in seconds.
  ///
  /// A longer interruption does not count as a gap in a live stream.
  private static let maxLossSeconds = 86_400.0

  /// Creates a measurement.
  ///
  /// `byteRate` is the byte rate, in bytes per second, that the server states.
  init(byteRate: Int?) { self.byteRate = byteRate.map { Double($0) } }

  /// Processes received bytes.
  ///
  /// Returns the duration of the loss before these bytes, once it is known.
  mutating func take(_ arrival: Arrival) -> Duration? {
    byteCount += arrival.byteCount
    lastTime = arrival.time
    if arrival.hasWaited { recordCaughtUp(at: arrival.time) }
    // The loss is computed when the reader first waits. Without a byte rate, the wait would not
    // make the result more precise.
    guard let endTime, arrival.hasWaited || byteRate == nil else { return nil }
    self.endTime = nil
    let start = Double(arrival.time - endTime) * 1e-9 - seconds(byteCount - startCount)
    return (Self.minLossSeconds...Self.maxLossSeconds).contains(start) ? .seconds(start) : nil
  }

  /// Records that the connection has ended, and that another one begins.
  mutating func recordBreak() {
    if endTime == nil, let lastTime {
      endTime = lastTime
      if byteRate != nil, let lastCaughtUp {
        endTime =
          lastCaughtUp.time + Int64(seconds(byteCount - lastCaughtUp.byteCount) * 1e9)
      }
    }
    startCount = byteCount
    (firstCaughtUp, lastCaughtUp) = (nil, nil)
  }

  private mutating func recordCaughtUp(at time: Int64) {
    lastCaughtUp = (time, byteCount)
    guard let firstCaughtUp else {
      self.firstCaughtUp = (time, byteCount)
      return
    }
    let passed = Double(time - firstCaughtUp.time) * 1e-9
    let count = byteCount - firstCaughtUp.byteCount
    if passed >= Self.minObservationSeconds, count > 0 { byteRate = Double(count) / passed }
  }

  /// Returns the playing time of a number of bytes, in seconds.
  private func seconds(_ byteCount: Int) -> Double {
    byteRate.map { min(Self.maxLossSeconds, Double(byteCount) / max(1, $0)) } ?? 0
  }
}
