#if os(Linux)
import AacornSystem
import Simulation
import Testing

@testable import AacornDevices

/// A playback of numbered frames on a simulated server.
final class ServerPlayback<Server: NumberedServer> {
  let server: Server
  let target: any PlaybackTarget
  let feed: PlaybackFeed
  private(set) var events: [DeviceEvent] = []
  private var next = 1

  /// Starts a playback on a server.
  init(_ server: Server, _ target: any PlaybackTarget, sampleRate: Int = 1000) throws {
    self.server = server
    self.target = target
    feed = PlaybackFeed(
      PlaybackFormat(sampleRate: sampleRate, channelCount: 1), frameCapacity: 2000)
    write(upTo: 2000)
    try target.start(feed)
  }

  deinit { target.stop() }

  /// Writes frames up to `last`, or until the feed is full.
  func write(upTo last: Int = .max) {
    let count = min(feed.freeFrameCount, last - next + 1)
    next += feed.write(array: (next..<next + count).map { Float($0) })
  }

  private func takeEvents() {
    while let event = feed.nextEvent() { events.append(event) }
  }

  /// Plays for this time.
  func play(seconds: Double) {
    let end = System.seconds + seconds
    while System.seconds < end {
      write()
      takeEvents()
      System.sleep(milliseconds: min(50, max(1, Int((end - System.seconds) * 1000))))
    }
    takeEvents()
  }

  /// Plays until these events have arrived, and requires that they do in this time.
  func expect(
    _ expected: DeviceEvent..., within seconds: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let end = System.seconds + seconds
    while events.count < expected.count {
      try #require(System.seconds < end, "\(events)", sourceLocation: sourceLocation)
      write()
      System.sleep(milliseconds: 5)
      takeEvents()
    }
    #expect(events == expected, sourceLocation: sourceLocation)
  }

  /// Writes some frames too late, and expects silence instead of them, whose length is counted.
  func expectSilenceForLateFrames(sourceLocation: SourceLocation = #_sourceLocation) {
    System.sleep(milliseconds: 3000)
    write(upTo: 3000)
    feed.pauseWriting()
    System.sleep(milliseconds: 2000)
    stop()
    #expect(playedNumbers == Array(1..<3001), sourceLocation: sourceLocation)
    let pieces = server.playedBlocks.flatMap(\.samples).split(separator: 0)
    #expect(pieces.count == 2, sourceLocation: sourceLocation)
    let gap = (pieces.last?.startIndex ?? 0) - (pieces.first?.endIndex ?? 0)
    #expect(gap > 0 && feed.missingFrameCount == gap, sourceLocation: sourceLocation)
    #expect(feed.underrunCount > 0, sourceLocation: sourceLocation)
  }

  /// Stops within the limit of the target, and checks that nothing follows.
  func stop() {
    let start = System.seconds
    target.stop()
    #expect(System.seconds - start < Server.stopLimit)
    let count = feed.consumedFrameCount
    System.sleep(milliseconds: 2000)
    server.advance()
    #expect(feed.consumedFrameCount == count, "Nothing is read after the stop.")
  }

  /// The numbers of the frames that the server has played, without silence.
  var playedNumbers: [Int] {
    server.advance()
    return server.playedBlocks.flatMap(\.samples).filter { $0 != 0 }.map { Int($0) }
  }

  /// The time at which a frame sounds; nil if it does not.
  func time(of frame: Int) -> Int64? {
    for entry in server.playedBlocks {
      if let index = entry.samples.firstIndex(of: Float(frame)) {
        return entry.time + Int64(index) * 1_000_000_000 / Int64(entry.rate)
      }
    }
    return nil
  }

  /// The difference between the frame that the feed states as played now and the one that is.
  var playedFrameError: Int {
    let now = System.nanoseconds
    server.advance()
    // The feed counts the frames from 0, and reports what has been played.
    var played = 0
    for entry in server.playedBlocks where entry.time <= now {
      let count = Int((now - entry.time) * Int64(entry.rate) / 1_000_000_000) + 1
      if let frame = entry.samples.prefix(count).last(where: { $0 != 0 }) { played = Int(frame) }
    }
    return (feed.playedFrame(at: now) ?? -1) - played
  }

  /// Expects that the feed knows which frame plays now, within this number of frames.
  func expectPlayedFrame(
    tolerance: Int = 3, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(abs(playedFrameError) <= tolerance, sourceLocation: sourceLocation)
  }
}
#endif
