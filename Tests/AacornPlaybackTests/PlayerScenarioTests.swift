import AacornDevices
import AacornSystem
import Simulation
import SoundRigs
import TestSignals
import Testing

@testable import AacornPlayback

/// Random items, requests and devices, in all orders of threads.
@Suite(.simulated(seeds: 150, with: .all)) struct PlayerScenarioTests {
  /// The number of frames of the longest item.
  ///
  /// The samples of each item differ from those of all others.
  private static let longest = 5000

  /// The items of which the target has played samples.
  private func playedItems(_ samples: [Float]) -> Set<Int> {
    let firsts = (0..<4).map { ramp($0 * Self.longest..<$0 * Self.longest + 1)[0] }
    return Set(samples.map { sample in (firsts.lastIndex { $0 <= sample }) ?? 0 })
  }

  @Test func eventsAgreeWithTheSummary() throws {
    var numbers = Simulation.numbers
    let files = try PlayedFiles()
    let (listener, target) = (PlayerListener(), PumpedTarget())
    var paths: [String] = []
    for index in 0..<Int.random(in: 1...4, using: &numbers) {
      let frameCount = [1, 300, 2000, Self.longest].randomElement(using: &numbers) ?? 1
      let first = index * Self.longest
      paths.append(try files.wav(ramp(first..<first + frameCount), to: "\(index).wav"))
    }
    let session = PlayerSession(
      playing: paths.map { PlaylistItem($0) }, on: target, PlayerConfiguration()
    ) { listener.take($0) }
    try session.start()
    let isOver = Atomic(false)
    let blockLength = Int.random(in: 1...4096, using: &numbers)
    // A device without a pace reads at any moment, such as between two steps of the player.
    let isPaced = Bool.random(using: &numbers)
    let device = try #require(
      WorkerThread {
        while !isOver.load(ordering: .acquiring) {
          let count = target.pump(blockLength)
          if isPaced {
            System.sleep(milliseconds: blockLength / 48)
          } else if count == 0 {
            System.sleep(milliseconds: 1)
          }
        }
      })
    defer {
      isOver.store(true, ordering: .releasing)
      device.join()
    }
    for _ in 0..<Int.random(in: 0...6, using: &numbers) {
      System.sleep(milliseconds: Int.random(in: 0...200, using: &numbers))
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0: session.setPaused(true)
      case 1: session.setPaused(false)
      case 2: session.next()
      case 3: session.previous()
      case 4: session.seek(to: .milliseconds(Int.random(in: 0...700, using: &numbers)))
      default: session.seek(by: .milliseconds(Int.random(in: -200...200, using: &numbers)))
      }
    }
    let isStopped = Bool.random(using: &numbers)
    if isStopped {
      session.stop()
    } else {
      session.setPaused(false)
    }
    // All items together last less than half a second.
    let start = System.seconds
    #expect(eventually { listener.hasStopped })
    #expect(System.seconds - start < 2)
    let summary = try #require(session.summary)
    let events = listener.eventTexts

    var current: String?
    var startedCount = 0
    for event in events {
      let words = event.split(separator: " ").map(String.init)
      switch words[0] {
      case "started":
        #expect(current == nil)
        current = words[1]
        startedCount += 1
      case "ended":
        #expect(current == words[1])
        current = nil
      default: break
      }
    }
    #expect(current == nil, "Every item that has started ends.")
    #expect(startedCount == summary.playedItemCount)
    // While it is being stopped, the device may read samples that do not count as played.
    for item in playedItems(target.samples) where !isStopped {
      #expect(events.contains("started \(item)"), "Every item that was played has started.")
    }
    #expect(listener.positions.allSatisfy { $0.index == $0.begun })
    #expect(target.stopCount == 1)
    // The device reads on until it is stopped. Silence after the last sample does not count.
    let limit = isStopped ? target.feed?.missingFrameCount ?? 0 : target.missingCountBeforeEnd
    #expect(listener.missingFrameCount <= limit)
    System.sleep(milliseconds: 1000)
    #expect(listener.eventTexts == events, "Nothing is reported after the end.")
  }
}
