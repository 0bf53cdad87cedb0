import AacornWeb

/// Who has requested an HLS presentation, and when.
///
/// A listener is an address together with its program's name, so several players of the same kind
/// behind one address count as one: HTTP does not distinguish them.
struct HLSListeners: Sendable {
  private struct Listener: Sendable, Hashable {
    var address: String
    var program: String
  }

  private struct Visit: Sendable {
    /// When it last got an answer.
    var nanoseconds: Int64
    /// Whether it received a media playlist with an end.
    var hasEnd: Bool
  }

  private var visits: [Listener: Visit] = [:]

  /// As many as our server could serve, so that invented program names cannot fill the memory.
  static let limit = 4096

  /// Records that a request is being answered.
  mutating func note(_ request: HTTPRequest, at nanoseconds: Int64, hasEnd: Bool = false) {
    let program = request.header("User-Agent") ?? ""
    let listener = Listener(address: request.remoteAddress, program: String(program.prefix(200)))
    if visits[listener] == nil, visits.count >= Self.limit {
      // Listeners of an hour ago no longer matter.
      visits = visits.filter { nanoseconds - $0.value.nanoseconds < 3_600_000_000_000 }
      if visits.count >= Self.limit { return }
    }
    let knowsEnd = visits[listener]?.hasEnd ?? false
    visits[listener] = Visit(nanoseconds: nanoseconds, hasEnd: hasEnd || knowsEnd)
  }

  /// The listeners since a time, and how many of them know that nothing follows.
  func count(since nanoseconds: Int64) -> (count: Int, finishedCount: Int) {
    let recent = visits.values.filter { $0.nanoseconds >= nanoseconds }
    return (recent.count, recent.count(where: \.hasEnd))
  }
}
