import AacornNetwork
import AacornSystem

/// Limits the number of wrong tokens and codes per neighborhood of clients, and reports bursts.
///
/// A neighborhood may send `burst` wrong ones, and then one per `interval`. The memory is constant:
/// when too many neighborhoods are active, all further ones share one budget.
final class GuessLimiter: Sendable {
  private struct Budget {
    /// The neighborhood of the clients, see `HTTPRequest.neighborhood`.
    let neighborhood: UInt64
    /// The time at which the budget is complete again; each wrong guess adds an interval.
    var fullTime: Int64
    /// The hash values of the last wrong guesses, oldest first.
    var lastGuesses: [Int] = []
  }

  private struct State {
    var budgets: [Budget] = []
    /// The budget of all neighborhoods beyond the limit.
    var shared = Budget(neighborhood: 0, fullTime: .min)
    /// The number of wrong guesses since the last report.
    var count = 0
    var nextReportTime = Int64.min
  }

  private let state = Lock(State())
  private let report: @Sendable (String) -> Void

  /// The number of wrong guesses that a person may need.
  static let burst = 16
  /// The time in nanoseconds after which another wrong guess is allowed.
  static let interval: Int64 = 4_000_000_000
  /// The time in nanoseconds between reports.
  static let reportInterval: Int64 = 600_000_000_000
  private static let budgetLimit = 64
  /// The number of wrong guesses of a neighborhood whose repetitions do not count.
  private static let rememberedCount = 4

  /// Creates a limiter; `report` is called with a message, and must not wait.
  init(report: @escaping @Sendable (String) -> Void = { _ in }) { self.report = report }

  /// Whether a client has used up the budget of its neighborhood.
  func isExhausted(for request: HTTPRequest, now: Int64 = System.nanoseconds) -> Bool {
    state.withLock { state in
      let index = state.budgets.firstIndex { $0.neighborhood == request.neighborhood }
      if let index { return Self.isExhausted(state.budgets[index], now) }
      return state.budgets.count >= Self.budgetLimit && Self.isExhausted(state.shared, now)
    }
  }

  private static func isExhausted(_ budget: Budget, _ now: Int64) -> Bool {
    budget.fullTime > now && budget.fullTime - now > Int64(burst - 1) * interval
  }

  /// Records a wrong token or code, or a guess that was rejected unseen.
  ///
  /// A repetition does not count: pages and programs that are left over from earlier starts send
  /// their old tokens again and again.
  func recordWrong(
    _ guess: String, in request: HTTPRequest, now: Int64 = System.nanoseconds
  ) {
    let message: String? = state.withLock { state in
      let (hash, index) = (guess.hashValue, Self.index(of: request.neighborhood, now, &state))
      var budget = index.map { state.budgets[$0] } ?? state.shared
      if budget.lastGuesses.contains(hash) { return nil }
      if budget.lastGuesses.count == Self.rememberedCount { budget.lastGuesses.removeFirst() }
      budget.lastGuesses.append(hash)
      if !Self.isExhausted(budget, now) {
        budget.fullTime = max(budget.fullTime, now) + Self.interval
      }
      if let index { state.budgets[index] = budget } else { state.shared = budget }
      state.count += 1
      guard Self.isExhausted(budget, now), now >= state.nextReportTime else { return nil }
      defer { state.count = 0 }
      state.nextReportTime = now + Self.reportInterval
      return Self.message(count: state.count, from: request.remoteAddress)
    }
    if let message { report(message) }
  }

  /// Returns the index of a neighborhood's budget, which is created if possible; nil for the shared
  /// budget.
  private static func index(
    of neighborhood: UInt64, _ now: Int64, _ state: inout State
  ) -> Int? {
    if let index = state.budgets.firstIndex(where: { $0.neighborhood == neighborhood }) {
      return index
    }
    if state.budgets.count >= budgetLimit {
      state.budgets.removeAll { $0.fullTime <= now }
      if state.budgets.count >= budgetLimit { return nil }
    }
    state.budgets.append(Budget(neighborhood: neighborhood, fullTime: now))
    return state.budgets.count - 1
  }

  private static func message(count: Int, from address: String) -> String {
    let client = address == "unix" ? "the socket" : displayed(address)
    return "The studio received \(count) wrong tokens or codes, most recently from \(client)."
      + " Further ones are slowed down. If they are not yours, another person or program is trying"
      + " to log in."
  }
}
