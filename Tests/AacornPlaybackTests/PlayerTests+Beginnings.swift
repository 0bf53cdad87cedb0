import AacornDevices
import AacornSystem
import SoundRigs
import Testing

@testable import AacornPlayback

/// The reports of items that begin between two polls of the played position.
extension PlayerTests {
  @Test func itemsConsumedAfterLastPollAreReportedAndCounted() throws {
    let paths = try files.ramps(0..<100, 100..<300)
    let session = PlayerSession(
      playing: paths.map { PlaylistItem($0) }, on: .target(target), PlayerConfiguration()
    ) { [listener, target] event in
      listener.take(event)
      // The input has ended, and the played position has just been polled.
      if case .position = event, target.feed?.isWritingPaused == true { target.pump(300) }
    }
    try session.start()
    #expect(eventually { listener.hasStopped })
    #expect(session.summary?.playedItemCount == 2)
    #expect(session.summary?.isComplete == true)
    #expect(
      listener.eventTexts == ["started 0", "ended 0", "started 1", "ended 1", "stopped"])
  }

  @Test(arguments: [true, false])
  func itemStartedJustBeforeStopOrSeekIsReportedAndCounted(isStop: Bool) throws {
    let paths = try files.ramps(0..<100, 100..<300)
    let player = Lock<PlayerSession?>(nil)
    let hasMoved = Lock(false)
    let lastPosition = Lock<PlayerPosition?>(nil)
    let session = PlayerSession(
      playing: paths.map { PlaylistItem($0) }, on: .target(target), PlayerConfiguration()
    ) { [listener, target] event in
      listener.take(event)
      guard let session = player.withLock({ $0 }) else { return }
      switch event {
      case .position where target.feed?.isWritingPaused == true && !hasMoved.withLock { $0 }:
        hasMoved.withLock { $0 = true }
        // A part of the second file is played after the poll.
        target.pump(150)
        if isStop { session.stop() } else { session.previous() }
      case .started(let item) where item.index == 1 && isStop:
        // Another part is played after the last poll.
        target.pump(50)
        lastPosition.withLock { $0 = session.position }
      default: break
      }
    }
    player.withLock { $0 = session }
    // The session holds the listener.
    defer { player.withLock { $0 = nil } }
    try session.start()
    #expect(eventually { listener.eventTexts.contains("started 1") || listener.hasStopped })
    #expect(pump { listener.hasStopped })
    let both = ["started 0", "ended 0", "started 1", "ended 1"]
    #expect(listener.eventTexts == both + (isStop ? [] : both) + ["stopped"])
    #expect(session.summary?.playedItemCount == (isStop ? 2 : 4))
    #expect(session.summary?.isComplete == !isStop)
    // The position must not move back at the end.
    if isStop { #expect(session.summary?.position == lastPosition.withLock { $0 }) }
  }

  /// An item may begin during the callback that reports another one.
  @Test func positionsAreThoseOfItemsThatHaveBegun() throws {
    let paths = try files.ramps(0..<100, 100..<300, 300..<600)
    let hasMoved = Lock(false)
    let session = PlayerSession(
      playing: paths.map { PlaylistItem($0) }, on: .target(target), PlayerConfiguration()
    ) { [listener, target] event in
      listener.take(event)
      switch event {
      case .position where target.feed?.isWritingPaused == true && !hasMoved.withLock { $0 }:
        hasMoved.withLock { $0 = true }
        target.pump(150)
      case .started(let item) where item.index == 1:
        // Until the next position is due.
        let due = System.nanoseconds + PlayerSession.interval
        while System.nanoseconds < due { System.sleep(milliseconds: 1) }
        target.pump(200)
      default: break
      }
    }
    try session.start()
    #expect(eventually { listener.eventTexts.contains("started 2") || listener.hasStopped })
    #expect(pump { listener.hasStopped })
    #expect(listener.positions.contains { $0.index == 1 })
    #expect(listener.positions.allSatisfy { $0.index == $0.begun })
  }
}
