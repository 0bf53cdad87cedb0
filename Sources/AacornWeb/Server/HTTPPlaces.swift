import AacornSystem

/// Tracks who is connected, who must leave when places run short, and whose time is up.
///
/// What speaks HTTP cuts off only silent clients, and libmicrohttpd accepts nobody at its limit. So
/// anybody could hold all the places with a byte now and then. Here each client has a deadline for
/// the headers and the body of a request, whatever trickles in, and newcomers always find a place.
///
/// A client is a stranger until it has sent the headers of a request that only guests may make, and
/// a guest from then on. Each kind leaves a quarter of the places to the other. The first stranger
/// to leave is the oldest one of the neighborhood with the most strangers: so many hostile clients
/// push out each other, and hardly ever a client of another address that sends its request right
/// away. A few places of each kind are this machine's: nobody from elsewhere pushes out the last
/// clients that have them.
final class HTTPPlaces: Sendable {
  struct Limits {
    var count: Int
    /// Nil for 64 per neighborhood except this machine's; 0 for no limit.
    var countPerNeighborhood: Int? = nil
    /// Nanoseconds.
    var headers: Int64
    var idle: Int64
  }

  private struct Place {
    /// Its connection, by the number that the back end gave it.
    let socket: Int32
    let neighborhood: UInt64
    var isGuest = false
    /// It has requested nothing since `restTime`.
    var isResting = true
    var restTime: Int64
    /// When the client is cut off.
    var deadline: Int64
    /// Bytes received when it became idle; nil if the system does not count them.
    var restCount: UInt64?
  }

  private struct State {
    var places: [Int: Place] = [:]
    /// Strangers by neighborhood, in order of arrival.
    var strangers: [UInt64: [Int]] = [:]
    var strangerCount = 0
    var guestCount = 0
    /// Clients of both kinds by neighborhood.
    var counts: [UInt64: Int] = [:]
    var lastNumber = 0
    /// When clients whose time is up are checked next.
    var watchTime = Int64.max
  }

  private let limits: Limits
  /// The most places for either kind.
  private let share: Int
  /// The places of each kind that are this machine's, if it wants them: so few that most of what
  /// the other kind leaves is for everybody.
  private let keptCount: Int
  private let state = Lock(State())
  private let cut: @Sendable (Int32) -> Void
  private let look: @Sendable (Int32) -> Glance

  init(
    _ limits: Limits, cut: @escaping @Sendable (Int32) -> Void,
    look: @escaping @Sendable (Int32) -> Glance
  ) {
    var limits = limits
    // One for each kind.
    limits.count = max(2, limits.count)
    self.limits = limits
    self.cut = cut
    self.look = look
    share = limits.count - max(1, limits.count / 4)
    keptCount = min(8, limits.count / 16)
  }

  /// The neighborhood of the clients on this machine.
  private static let thisMachine: UInt64 = 0

  /// The state of a client as seen from outside.
  struct Glance {
    /// Bytes received; nil if the system does not count them.
    var receivedCount: UInt64?
    /// It sends nothing more.
    var hasFinished = false
  }

  /// Further actions to take.
  struct Consequence: OptionSet {
    let rawValue: Int
    /// The watching thread must check earlier than planned.
    static let earlierWatch = Consequence(rawValue: 1)
    /// A client was cut off whose suspended connection nobody else may check.
    static let cutOff = Consequence(rawValue: 2)
  }

  // MARK: The life of a connection

  /// Admits a client that has connected, and returns its number.
  func enter(
    _ socket: Int32, from neighborhood: UInt64, at now: Int64
  ) -> (number: Int, Consequence) {
    state.withLock { state in
      state.lastNumber += 1
      let number = state.lastNumber
      let deadline = now + limits.headers
      state.places[number] = Place(
        socket: socket, neighborhood: neighborhood, restTime: now, deadline: deadline)
      state.strangers[neighborhood, default: []].append(number)
      state.strangerCount += 1
      state.counts[neighborhood, default: 0] += 1
      var consequence = watch(deadline, &state)
      if let limit = limit(of: neighborhood), state.counts[neighborhood, default: 0] > limit {
        consequence.formUnion(makeRoom(for: number, in: neighborhood, &state))
      } else if state.strangerCount > share
        || state.strangerCount + state.guestCount > limits.count
      {
        // Guests never have all the places, so there is a stranger other than the newcomer.
        consequence.formUnion(cut(longestStranger(state), &state))
      }
      return (number, consequence)
    }
  }

  /// Notes that the first line of a request has arrived.
  func noteRequest(_ number: Int, at now: Int64) -> Consequence {
    change(number) { place in
      place.isResting = false
      place.deadline = min(place.deadline, now + limits.headers)
    }
  }

  /// Makes a client a guest after headers that entitle it.
  func letIn(_ number: Int) -> Consequence {
    state.withLock { state in
      guard let place = state.places[number], !place.isGuest else { return [] }
      removeStranger(number, place.neighborhood, &state)
      state.places[number]?.isGuest = true
      state.guestCount += 1
      if state.guestCount <= share { return [] }
      return cut(longestGuest(besides: number, state), &state)
    }
  }

  /// Sets the deadline for the next part of a request; nil if nothing more is expected.
  func setDeadline(_ number: Int, _ deadline: Int64?) -> Consequence {
    change(number) { $0.deadline = deadline ?? .max }
  }

  /// Notes that a request is over; another may follow.
  func noteRest(_ number: Int, at now: Int64) -> Consequence {
    change(number) { place in
      place.isResting = true
      place.restTime = now
      place.deadline = now + limits.idle + limits.headers
      place.restCount = look(place.socket).receivedCount
    }
  }

  /// Notes that a connection is being closed: its socket must no longer be used.
  func leave(_ number: Int) {
    state.withLock { state in
      guard let place = state.places[number] else { return }
      forget(number, place, &state)
    }
  }

  /// Cuts off clients whose time is up; returns when to check again.
  func cutLate(at now: Int64) -> Int64 {
    state.withLock { state in
      if now < state.watchTime { return state.watchTime }
      var next = Int64.max
      for (number, place) in state.places {
        var deadline = place.deadline
        var glanceTime = Int64.max
        if place.isGuest && place.isResting {
          glanceTime = now + Self.glancePause
          let glance = look(place.socket)
          // libmicrohttpd does not notice an end that arrives together with the bytes before it.
          if glance.hasFinished { deadline = min(deadline, place.restTime + Self.glancePause) }
          if let count = place.restCount, glance.receivedCount != count {
            // The next request has begun.
            deadline = min(deadline, now + limits.headers)
            state.places[number]?.deadline = deadline
            state.places[number]?.restCount = nil
          }
        }
        if deadline <= now {
          _ = cut(number, &state)
        } else {
          next = min(next, deadline, glanceTime)
        }
      }
      state.watchTime = next
      return next
    }
  }

  /// Nanoseconds between checks of idle clients.
  private static let glancePause: Int64 = 1_000_000_000

  private func change(_ number: Int, _ body: (inout Place) -> Void) -> Consequence {
    state.withLock { state in
      guard var place = state.places[number] else { return [] }
      body(&place)
      state.places[number] = place
      let isWatched = place.isGuest && place.isResting
      return watch(
        isWatched ? min(place.deadline, place.restTime + Self.glancePause) : place.deadline, &state)
    }
  }

  private func watch(_ deadline: Int64, _ state: inout State) -> Consequence {
    if deadline >= state.watchTime { return [] }
    state.watchTime = deadline
    return .earlierWatch
  }

  // MARK: Who must leave

  private func limit(of neighborhood: UInt64) -> Int? {
    let limit = limits.countPerNeighborhood ?? (neighborhood == Self.thisMachine ? 0 : 64)
    return limit > 0 ? limit : nil
  }

  /// Removes a client of a neighborhood that has too many: the newest one if all others are busy.
  private func makeRoom(
    for number: Int, in neighborhood: UInt64, _ state: inout State
  ) -> Consequence {
    if let first = state.strangers[neighborhood]?.first, first != number {
      return cut(first, &state)
    }
    let resting = state.places.filter {
      $0.value.neighborhood == neighborhood && $0.value.isGuest && $0.value.isResting
    }
    return cut(resting.min { $0.value.restTime < $1.value.restTime }?.key ?? number, &state)
  }

  private func longestStranger(_ state: State) -> Int? {
    // Strangers have at least a quarter of the places when one must leave, so this leaves several.
    let groups = state.strangers.filter { neighborhood, strangers in
      neighborhood != Self.thisMachine || strangers.count > keptCount
    }
    return groups.values.max { one, other in
      one.count == other.count ? one[0] > other[0] : one.count < other.count
    }?.first
  }

  /// A guest that sends nothing more and so may be gone, otherwise an idle one, otherwise any: in
  /// each case the longest-standing one of the neighborhood with the most of these.
  private func longestGuest(besides number: Int, _ state: State) -> Int? {
    var guests = state.places.filter { $0.value.isGuest }
    if guests.count(where: { $0.value.neighborhood == Self.thisMachine }) <= keptCount {
      guests = guests.filter { $0.value.neighborhood != Self.thisMachine }
    }
    guests[number] = nil
    var candidates = guests.filter { look($0.value.socket).hasFinished }
    if candidates.isEmpty { candidates = guests.filter(\.value.isResting) }
    if candidates.isEmpty { candidates = guests }
    let groups = Dictionary(grouping: candidates, by: \.value.neighborhood)
    return groups.values.max { $0.count < $1.count }?.min { one, other in
      (one.value.restTime, one.key) < (other.value.restTime, other.key)
    }?.key
  }

  private func cut(_ number: Int?, _ state: inout State) -> Consequence {
    guard let number, let place = state.places[number] else { return [] }
    forget(number, place, &state)
    // Its number is no longer known, so nobody cuts a socket that may by then be another client's.
    cut(place.socket)
    return place.isResting ? [] : .cutOff
  }

  private func forget(_ number: Int, _ place: Place, _ state: inout State) {
    state.places[number] = nil
    let count = state.counts[place.neighborhood, default: 0]
    state.counts[place.neighborhood] = count > 1 ? count - 1 : nil
    if place.isGuest {
      state.guestCount -= 1
    } else {
      removeStranger(number, place.neighborhood, &state)
    }
  }

  private func removeStranger(_ number: Int, _ neighborhood: UInt64, _ state: inout State) {
    if let index = state.strangers[neighborhood]?.firstIndex(of: number) {
      state.strangers[neighborhood]?.remove(at: index)
    }
    if state.strangers[neighborhood]?.isEmpty == true { state.strangers[neighborhood] = nil }
    state.strangerCount -= 1
  }
}
