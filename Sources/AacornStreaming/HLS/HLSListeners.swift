import AacornWeb

/// Who has asked a server for an HLS presentation, and when.
///
/// A listener is an address with a name of its program, so that several players of the same kind
/// behind one address count as one: HTTP does not tell them apart.
struct HLSListeners: Sendable {
  private struct Listener: Sendable, Hashable {
    var address: String
    var program: String
  }

  private struct Visit: Sendable {
    /// When something was last answered.
    var nanoseconds: Int64
    /// Whether a media playlist with its end was among the answers.
    var hasEnd: Bool
  }

  private var visits: [Listener: Visit] = [:]

  /// As many as a server of ours could serve; who invents names of programs fills no memory.
  static let limit = 4096

  /// Takes down that a request is being answered.
  mutating func note(_ request: HTTPRequest, at nanoseconds: Int64, hasEnd: Bool = false) {
    let program = request.header("User-Agent") ?? ""
    let listener = Listener(address: request.remoteAddress, program: String(program.prefix(200)))
    if visits[listener] == nil, visits.count >= Self.limit {
      // Nobody asks about listeners of an hour ago.
      visits = visits.filter { nanoseconds - $0.value.nanoseconds < 3_600_000_000_000 }
      if visits.count >= Self.limit { return }
    }
    let knowsEnd = visits[listener]?.hasEnd ?? false
    visits[listener] = Visit(nanoseconds: nanoseconds, hasEnd: hasEnd || knowsEnd)
  }

  /// Those since a time, and how many of them know that nothing follows.
  func count(since nanoseconds: Int64) -> (count: Int, finishedCount: Int) {
    let recent = visits.values.filter { $0.nanoseconds >= nanoseconds }
    return (recent.count, recent.count(where: \.hasEnd))
  }
}
