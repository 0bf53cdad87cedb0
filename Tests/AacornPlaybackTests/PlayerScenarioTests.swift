import AacornSystem
import Simulation
import SoundRigs
import Testing

@testable import AacornPlayback

/// Random items, requests and devices, in all orders of threads.
@Suite(.simulated(seeds: 60, with: [.starvation, .clockChanges, .sleep])) struct PlayerScenarioTests
{
  @Test func eventsAgreeWithTheSummary() throws {
    var numbers = Simulation.numbers
    let files = try PlayedFiles()
    let (listener, target) = (PlayerListener(), PumpedTarget())
    var paths: [String] = []
    for index in 0..<Int.random(in: 1...4, using: &numbers) {
      let frameCount = [1, 300, 2000, 30_000].randomElement(using: &numbers) ?? 1
      paths.append(try files.wav(ramp(0..<frameCount), to: "\(index).wav"))
    }
    let session = PlayerSession(
      playing: paths.map { PlaylistItem($0) }, on: target, PlayerConfiguration()
    ) { listener.take($0) }
    try session.start()
    let isOver = Atomic(false)
    let blockLength = Int.random(in: 1...4096, using: &numbers)
    let device = try #require(
      WorkerThread {
        while !isOver.load(ordering: .acquiring) {
          target.pump(blockLength)
          System.sleep(milliseconds: blockLength / 48)
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
    if Bool.random(using: &numbers) {
      session.stop()
    } else {
      session.setPaused(false)
    }
    // All items together last less than three seconds.
    let start = System.seconds
    #expect(eventually { listener.hasStopped })
    #expect(System.seconds - start < 5)
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
    #expect(listener.positions.allSatisfy { $0.index == $0.begun })
    #expect(target.stopCount == 1)
    System.sleep(milliseconds: 1000)
    #expect(listener.eventTexts == events, "Nothing is reported after the end.")
  }
}
