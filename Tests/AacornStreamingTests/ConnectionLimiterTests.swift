import AacornSystem
import Testing

@testable import AacornNetwork

@Suite struct ConnectionLimiterTests {
  /// Connection slots with clients numbered from 1, and the clients that were disconnected.
  private final class Rig: Sendable {
    let limiter: ConnectionLimiter
    let disconnectedNumbers: Lock<[Int32]>
    let finished: Lock<Set<Int32>>
    let advanceCount: Lock<Int>

    init(_ count: Int, perNeighborhood: Int? = 0) {
      let disconnectedNumbers = Lock<[Int32]>([])
      let finished = Lock<Set<Int32>>([])
      let advanceCount = Lock(0)
      self.advanceCount = advanceCount
      self.disconnectedNumbers = disconnectedNumbers
      self.finished = finished
      limiter = ConnectionLimiter(
        .init(count: count, countPerNeighborhood: perNeighborhood, headers: 10, idle: 30),
        disconnect: { connection in disconnectedNumbers.withLock { $0.append(connection) } },
        hasFinished: { connection in finished.withLock { $0.contains(connection) } },
        deadlineAdvanced: { advanceCount.withLock { $0 += 1 } })
    }

    private let lastConnection = Lock<Int32>(0)

    /// Adds a client, and returns its number, which is also the number of its connection.
    @discardableResult
    func enter(_ neighborhood: UInt64 = 0, at now: Int64 = 0) -> Int {
      let connection = lastConnection.withLock { last in
        last += 1
        return last
      }
      let number = limiter.enter(connection, from: neighborhood, at: now)
      #expect(number == Int(connection))
      return number
    }

    @discardableResult
    func guest(_ neighborhood: UInt64 = 0, idleSince time: Int64? = 0) -> Int {
      let number = enter(neighborhood)
      limiter.recordRequestStart(number, at: 0)
      limiter.admitAsGuest(number)
      limiter.setDeadline(number, nil)
      if let time { limiter.recordRequestEnd(number, at: time) }
      return number
    }

    func endInput(of number: Int) { finished.withLock { _ = $0.insert(Int32(number)) } }

    var disconnected: [Int32] { disconnectedNumbers.withLock { $0 } }
  }

  @Test func oldestUnauthenticatedClientIsEvicted() {
    let rig = Rig(8)
    for _ in 0..<6 { rig.enter() }
    #expect(rig.disconnected.isEmpty)
    for _ in 0..<3 { rig.enter() }
    #expect(rig.disconnected == [1, 2, 3])
  }

  @Test func largestNeighborhoodIsEvictedFirst() {
    let rig = Rig(8)
    let alone = rig.enter(1)
    for _ in 0..<1000 { rig.enter(2) }
    #expect(!rig.disconnected.contains(Int32(alone)))
    #expect(rig.disconnected.count == 1001 - 6)
    // If every client is alone in its neighborhood, the oldest is disconnected.
    let others = Rig(8)
    for neighborhood in 0..<8 { others.enter(UInt64(neighborhood)) }
    #expect(others.disconnected == [1, 2])
  }

  @Test func guestsLeaveRoomForThoseWhoCome() {
    let rig = Rig(8)
    let working = rig.guest(idleSince: nil)
    let early = rig.guest(idleSince: 5)
    let late = rig.guest(idleSince: 9)
    for _ in 0..<3 { rig.guest(idleSince: nil) }
    #expect(rig.disconnected.isEmpty)
    rig.guest(idleSince: nil)
    #expect(rig.disconnected == [Int32(early)])
    rig.guest(idleSince: nil)
    #expect(rig.disconnected == [Int32(early), Int32(late)])
    // All are busy: first a client that has finished sending is disconnected, then the oldest.
    rig.endInput(of: 6)
    rig.guest(idleSince: nil)
    #expect(rig.disconnected.last == 6)
    rig.guest(idleSince: nil)
    #expect(rig.disconnected.last == Int32(working))
  }

  @Test func connectionsPerAddressAreLimited() {
    let rig = Rig(100, perNeighborhood: 3)
    for _ in 0..<3 { rig.guest(7, idleSince: nil) }
    let fourth = rig.enter(7)
    #expect(rig.disconnected == [Int32(fourth)])
    rig.enter(8)
    #expect(rig.disconnected.count == 1)
    // An idle client makes room for a new one, but a client that was not admitted does so first.
    rig.limiter.recordRequestEnd(2, at: 4)
    let fifth = rig.enter(7)
    #expect(rig.disconnected.last == 2)
    rig.enter(7)
    #expect(rig.disconnected.last == Int32(fifth))
  }

  @Test func localClientsHaveNoPerAddressLimit() {
    let rig = Rig(1000, perNeighborhood: nil)
    for _ in 0..<200 { rig.guest(0, idleSince: nil) }
    #expect(rig.disconnected.isEmpty)
    for _ in 0..<64 { rig.guest(9, idleSince: nil) }
    #expect(rig.disconnected.isEmpty)
    rig.enter(9)
    #expect(rig.disconnected.count == 1)
  }

  @Test func remoteGuestsLeaveLocalReserve() {
    let rig = Rig(96)
    // These clients are idle, and would be disconnected first without the reserve.
    let ours = (0..<6).map { _ in Int32(rig.guest(0, idleSince: 0)) }
    for number in ours { rig.endInput(of: Int(number)) }
    for neighborhood in 1...200 { rig.guest(UInt64(neighborhood), idleSince: nil) }
    #expect(rig.disconnected.count == 206 - 72)
    #expect(Set(rig.disconnected).isDisjoint(with: ours))
  }

  @Test func localClientsBeyondReserveAreEvicted() {
    let rig = Rig(96)
    for _ in 0..<60 { rig.enter(0) }
    for neighborhood in 1...1000 { rig.enter(UInt64(neighborhood)) }
    #expect(rig.disconnected.count { $0 <= 60 } == 54)
    let others = Rig(96)
    for _ in 0..<60 { others.guest(0, idleSince: 1) }
    for neighborhood in 1...1000 { others.guest(UInt64(neighborhood), idleSince: nil) }
    #expect(others.disconnected.count { $0 <= 60 } == 54)
    // Clients of this machine displace each other.
    let own = Rig(96)
    for _ in 0..<100 { own.guest(0, idleSince: nil) }
    let oldest: [Int32] = Array(1...28)
    #expect(own.disconnected == oldest)
    // With few slots, none is reserved.
    let few = Rig(8)
    few.enter(0)
    for neighborhood in 1...8 { few.enter(UInt64(neighborhood)) }
    #expect(few.disconnected.first == 1)
  }

  @Test func minimalLimitAdmitsGuestAndUnauthenticatedClient() {
    let rig = Rig(1)
    for _ in 0..<5 { rig.enter() }
    #expect(rig.disconnected == [1, 2, 3, 4])
    rig.limiter.admitAsGuest(5)
    rig.enter()
    #expect(rig.disconnected == [1, 2, 3, 4])
    rig.limiter.admitAsGuest(6)
    #expect(rig.disconnected == [1, 2, 3, 4, 5])
  }

  @Test func earlierDeadlineRequestsEarlierCheck() {
    let rig = Rig(100)
    #expect(rig.limiter.disconnectExpired(at: 0) == .max)
    rig.enter(at: 5)
    #expect(rig.advanceCount.withLock { $0 } == 1)
    rig.enter(at: 6)
    rig.limiter.setDeadline(1, 100)
    #expect(rig.advanceCount.withLock { $0 } == 1)
    rig.limiter.setDeadline(2, 10)
    #expect(rig.advanceCount.withLock { $0 } == 2)
    #expect(rig.limiter.disconnectExpired(at: 9) == 10)
  }
}
