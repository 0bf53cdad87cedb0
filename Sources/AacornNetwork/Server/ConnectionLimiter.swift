import AacornSystem

/// Tracks the connected clients, each of which occupies a slot.
///
/// It selects clients to disconnect when there are too many, or when their deadline has passed.
///
/// A client that sends a byte now and then must not occupy a slot forever. So each client has a
/// deadline for the headers and the body of a request, even if it sends bytes slowly, and new
/// clients always find a slot.
///
/// A client is unauthenticated until it has sent the headers of a request that makes it a guest.
/// Guests occupy at most three quarters of the slots, and so do unauthenticated clients. At the
/// limit, the oldest unauthenticated client of the neighborhood with the most such clients is
/// displaced. Many hostile clients thus displace each other, and rarely a client of another address
/// that sends its request immediately. A few slots of each kind are reserved for this machine:
/// clients of other machines do not displace the last local clients.
///
/// It reports a new earliest deadline, because `disconnectExpired` must then be called earlier than
/// planned.
final class ConnectionLimiter: Sendable {
  struct Limits {
    var count: Int
    /// The maximum number of clients per neighborhood (`PeerAddress.neighborhood`).
    ///
    /// Nil selects 64, without a limit for this machine; 0 means no limit.
    var countPerNeighborhood: Int? = nil
    /// The time limits in nanoseconds.
    var headers: Int64
    var idle: Int64
  }

  private struct Slot {
    /// The number in the table of connections.
    let connection: Int32
    let neighborhood: UInt64
    var isGuest = false
    /// Whether the client is idle: no request has begun since `idleStartTime`.
    var isIdle = true
    var idleStartTime: Int64
    /// The time at which the client is disconnected.
    var deadline: Int64
  }

  private struct State {
    var slots: [Int: Slot] = [:]
    /// The slot numbers of unauthenticated clients by neighborhood, in order of arrival.
    var unauthenticated: [UInt64: [Int]] = [:]
    var unauthenticatedCount = 0
    var guestCount = 0
    /// The number of clients by neighborhood, unauthenticated clients and guests.
    var counts: [UInt64: Int] = [:]
    var lastNumber = 0
    /// The time of the next check for passed deadlines.
    var nextCheckTime = Int64.max
  }

  private let limits: Limits
  /// The maximum number of guests, and of unauthenticated clients: three quarters of all slots.
  private let maxCountPerKind: Int
  /// The number of guests, and of unauthenticated clients, on this machine that other machines
  /// cannot displace.
  ///
  /// The reserve is small, so that most of the quarter that each kind leaves to the other remains
  /// for other machines.
  private let localReserve: Int
  private let state = Lock(State())
  private let disconnect: @Sendable (Int32) -> Void
  private let hasFinished: @Sendable (Int32) -> Bool
  private let deadlineAdvanced: @Sendable () -> Void

  /// Creates a limiter without clients.
  ///
  /// `disconnect` ends a connection, and `hasFinished` returns whether its client has ended its
  /// input. Both receive its number in the table of connections. `deadlineAdvanced` is called when
  /// a deadline becomes the earliest one. All three are called while the limiter is locked, so they
  /// must neither wait nor call the limiter.
  init(
    _ limits: Limits, disconnect: @escaping @Sendable (Int32) -> Void,
    hasFinished: @escaping @Sendable (Int32) -> Bool,
    deadlineAdvanced: @escaping @Sendable () -> Void
  ) {
    var limits = limits
    // At least one slot for guests and one for unauthenticated clients.
    limits.count = max(2, limits.count)
    self.limits = limits
    self.disconnect = disconnect
    self.hasFinished = hasFinished
    self.deadlineAdvanced = deadlineAdvanced
    maxCountPerKind = limits.count - max(1, limits.count / 4)
    localReserve = min(8, limits.count / 16)
  }

  /// The neighborhood of clients on this machine.
  private static let thisMachine: UInt64 = 0

  // MARK: Life cycle of a connection

  /// Admits a client that has connected, and returns its slot number.
  func enter(_ connection: Int32, from neighborhood: UInt64, at now: Int64) -> Int {
    state.withLock { state in
      state.lastNumber += 1
      let number = state.lastNumber
      let deadline = now + limits.headers
      state.slots[number] = Slot(
        connection: connection, neighborhood: neighborhood, idleStartTime: now, deadline: deadline)
      state.unauthenticated[neighborhood, default: []].append(number)
      state.unauthenticatedCount += 1
      state.counts[neighborhood, default: 0] += 1
      scheduleCheck(deadline, &state)
      if let limit = limit(of: neighborhood), state.counts[neighborhood, default: 0] > limit {
        makeRoom(for: number, in: neighborhood, &state)
      } else if state.unauthenticatedCount > maxCountPerKind
        || state.unauthenticatedCount + state.guestCount > limits.count
      {
        // Guests never occupy all slots, so there is an unauthenticated client other than the new
        // one.
        disconnect(unauthenticatedToEvict(state), &state)
      }
      return number
    }
  }

  /// Records that a request has begun.
  func recordRequestStart(_ number: Int, at now: Int64) {
    change(number) { slot in
      slot.isIdle = false
      slot.deadline = min(slot.deadline, now + limits.headers)
    }
  }

  /// Makes a client a guest, after a request that `HTTPAdmission` admitted as one.
  func admitAsGuest(_ number: Int) {
    state.withLock { state in
      guard let slot = state.slots[number], !slot.isGuest else { return }
      removeUnauthenticated(number, slot.neighborhood, &state)
      state.slots[number]?.isGuest = true
      state.guestCount += 1
      if state.guestCount > maxCountPerKind {
        disconnect(guestToEvict(besides: number, state), &state)
      }
    }
  }

  /// Sets the deadline for the next part of a request, or nil if no input is expected.
  func setDeadline(_ number: Int, _ deadline: Int64?) {
    change(number) { $0.deadline = deadline ?? .max }
  }

  /// Records the end of a request, after which another one may follow.
  func recordRequestEnd(_ number: Int, at now: Int64) {
    change(number) { slot in
      slot.isIdle = true
      slot.idleStartTime = now
      slot.deadline = now + limits.idle + limits.headers
    }
  }

  /// Removes a connection that is being closed.
  func leave(_ number: Int) {
    state.withLock { state in
      guard let slot = state.slots[number] else { return }
      discard(number, slot, &state)
    }
  }

  /// Disconnects clients whose deadline has passed.
  ///
  /// Returns the time of the next check.
  func disconnectExpired(at now: Int64) -> Int64 {
    state.withLock { state in
      if now < state.nextCheckTime { return state.nextCheckTime }
      var next = Int64.max
      for (number, slot) in state.slots {
        if slot.deadline <= now {
          disconnect(number, &state)
        } else {
          next = min(next, slot.deadline)
        }
      }
      state.nextCheckTime = next
      return next
    }
  }

  private func change(_ number: Int, _ body: (inout Slot) -> Void) {
    state.withLock { state in
      guard var slot = state.slots[number] else { return }
      body(&slot)
      state.slots[number] = slot
      scheduleCheck(slot.deadline, &state)
    }
  }

  private func scheduleCheck(_ deadline: Int64, _ state: inout State) {
    if deadline >= state.nextCheckTime { return }
    state.nextCheckTime = deadline
    deadlineAdvanced()
  }

  // MARK: Displacement

  private func limit(of neighborhood: UInt64) -> Int? {
    let limit = limits.countPerNeighborhood ?? (neighborhood == Self.thisMachine ? 0 : 64)
    return limit > 0 ? limit : nil
  }

  /// Disconnects a client of a neighborhood that has too many: the oldest other unauthenticated
  /// client, else the guest that has been idle for the longest time, else the new client.
  private func makeRoom(for number: Int, in neighborhood: UInt64, _ state: inout State) {
    if let first = state.unauthenticated[neighborhood]?.first, first != number {
      return disconnect(first, &state)
    }
    let idleGuests = state.slots.filter {
      $0.value.neighborhood == neighborhood && $0.value.isGuest && $0.value.isIdle
    }
    disconnect(
      idleGuests.min { $0.value.idleStartTime < $1.value.idleStartTime }?.key ?? number, &state)
  }

  private func unauthenticatedToEvict(_ state: State) -> Int? {
    // Unauthenticated clients have at least a quarter of the slots when one is displaced, so
    // several candidates remain.
    let groups = state.unauthenticated.filter { neighborhood, clients in
      neighborhood != Self.thisMachine || clients.count > localReserve
    }
    return groups.values.max { one, other in
      one.count == other.count ? one[0] > other[0] : one.count < other.count
    }?.first
  }

  /// Returns the guest to disconnect: one that has ended its input and may be gone, otherwise an
  /// idle one, otherwise any.
  ///
  /// In each case, it is the guest that has been idle longest, in the neighborhood with the most
  /// such guests.
  private func guestToEvict(besides number: Int, _ state: State) -> Int? {
    var guests = state.slots.filter { $0.value.isGuest }
    if guests.count(where: { $0.value.neighborhood == Self.thisMachine }) <= localReserve {
      guests = guests.filter { $0.value.neighborhood != Self.thisMachine }
    }
    guests[number] = nil
    var candidates = guests.filter { hasFinished($0.value.connection) }
    if candidates.isEmpty { candidates = guests.filter(\.value.isIdle) }
    if candidates.isEmpty { candidates = guests }
    let groups = Dictionary(grouping: candidates, by: \.value.neighborhood)
    return groups.values.max { $0.count < $1.count }?.min { one, other in
      (one.value.idleStartTime, one.key) < (other.value.idleStartTime, other.key)
    }?.key
  }

  private func disconnect(_ number: Int?, _ state: inout State) {
    guard let number, let slot = state.slots[number] else { return }
    discard(number, slot, &state)
    disconnect(slot.connection)
  }

  private func discard(_ number: Int, _ slot: Slot, _ state: inout State) {
    state.slots[number] = nil
    let count = state.counts[slot.neighborhood, default: 0]
    state.counts[slot.neighborhood] = count > 1 ? count - 1 : nil
    if slot.isGuest {
      state.guestCount -= 1
    } else {
      removeUnauthenticated(number, slot.neighborhood, &state)
    }
  }

  private func removeUnauthenticated(_ number: Int, _ neighborhood: UInt64, _ state: inout State) {
    if let index = state.unauthenticated[neighborhood]?.firstIndex(of: number) {
      state.unauthenticated[neighborhood]?.remove(at: index)
    }
    if state.unauthenticated[neighborhood]?.isEmpty == true {
      state.unauthenticated[neighborhood] = nil
    }
    state.unauthenticatedCount -= 1
  }
}
