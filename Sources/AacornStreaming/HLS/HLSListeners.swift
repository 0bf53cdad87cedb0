import AacornNetwork

/// The listeners of an HLS presentation, with the time of their last request.
///
/// A listener is identified by its address and the name of its program. Several players of the same
/// kind that share an address count as one, because HTTP does not distinguish them.
struct HLSListeners: Sendable {
  private struct Listener: Sendable, Hashable {
    var address: String
    var program: String
  }

  private struct ListenerSession: Sendable {
    /// The time of the last response, in nanoseconds.
    var nanoseconds: Int64
    /// Whether the listener received a media playlist with an end.
    var hasEnd: Bool
  }

  private var sessions: [Listener: ListenerSession] = [:]

  /// The maximum number of listeners that are counted.
  ///
  /// The limit bounds the memory that a client can occupy with invented program names.
  static let limit = 4096

  /// Records a request that is being answered.
  mutating func record(_ request: HTTPRequest, at nanoseconds: Int64, hasEnd: Bool = false) {
    let program = request.header("User-Agent") ?? ""
    let listener = Listener(address: request.remoteAddress, program: String(program.prefix(200)))
    if sessions[listener] == nil, sessions.count >= Self.limit {
      // Listeners without a request in the last hour do not matter anymore.
      sessions = sessions.filter { nanoseconds - $0.value.nanoseconds < 3_600_000_000_000 }
      if sessions.count >= Self.limit { return }
    }
    let knowsEnd = sessions[listener]?.hasEnd ?? false
    sessions[listener] = ListenerSession(nanoseconds: nanoseconds, hasEnd: hasEnd || knowsEnd)
  }

  /// Returns the number of listeners since a time, and the number of them that received the end of
  /// the playlist.
  func count(since nanoseconds: Int64) -> (count: Int, finishedCount: Int) {
    let recent = sessions.values.filter { $0.nanoseconds >= nanoseconds }
    return (recent.count, recent.count(where: \.hasEnd))
  }
}
