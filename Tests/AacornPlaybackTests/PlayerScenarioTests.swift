import AacornDevices
import AacornSystem
import Simulation
import SoundRigs
import TestSignals
import Testing

@testable import AacornPlayback

/// The times at which a device reads.
private enum Pace: CaseIterable {
  /// A block in the time that it plays.
  case clock
  /// Some blocks at a time, such as between two steps of the player.
  case bursts
  /// As soon as there are samples.
  case none
}

/// Random items, requests and devices, in all orders of threads.
@Suite(.simulated(seeds: 200, with: .all)) struct PlayerScenarioTests {
  /// The number of frames of the longest item.
  ///
  /// The samples of each item differ from those of all others.
  private static let longest = 5000

  /// The items of which the target has played samples.
  private func playedItems(_ samples: [Float]) -> Set<Int> {
    let firsts = (0..<4).map { ramp($0 * Self.longest..<$0 * Self.longest + 1)[0] }
    return Set(samples.map { sample in (firsts.lastIndex { $0 <= sample }) ?? 0 })
  }

  /// Expects that each sample is the next one of its item, except after this many jumps.
  private func expectContinuity(_ samples: [Float], besides jumpCount: Int) {
    let step = ramp(1..<2)[0]
    #expect(zip(samples, samples.dropFirst()).count { $1 - $0 != step } <= jumpCount)
  }

  @Test func eventsAgreeWithTheSummary() throws {
    var numbers = Simulation.numbers
    let files = try PlayedFiles()
    let (listener, target) = (PlayerListener(), PumpedTarget())
    var (paths, frameCounts, sound): ([String], [Int], [Float]) = ([], [], [])
    for index in 0..<Int.random(in: 1...4, using: &numbers) {
      let frameCount = [1, 300, 2000, Self.longest].randomElement(using: &numbers) ?? 1
      let first = index * Self.longest
      let samples = ramp(first..<first + frameCount)
      paths.append(try files.wav(samples, to: "\(index).wav"))
      frameCounts.append(frameCount)
      sound += samples
    }
    let player = Lock<PlayerSession?>(nil)
    let lastPosition = Lock<PlayerPosition?>(nil)
    let session = PlayerSession(
      playing: paths.map { PlaylistItem($0) }, on: .target(target), PlayerConfiguration()
    ) { event in
      listener.take(event)
      guard case .ended = event, let session = player.withLock(\.self) else { return }
      lastPosition.withLock { $0 = session.position }
    }
    player.withLock { $0 = session }
    // The session holds its listener.
    defer { player.withLock { $0 = nil } }
    try session.start()
    let isOver = Atomic(false)
    let pace = Pace.allCases.randomElement(using: &numbers) ?? .clock
    let limit = [64, 512, 4096].randomElement(using: &numbers) ?? 64
    let blockLength = Int.random(in: (pace == .none ? 1 : 48)...limit, using: &numbers)
    let burst = pace == .bursts ? Int.random(in: 2...16, using: &numbers) : 1
    let device = try #require(
      WorkerThread("test") {
        var readCount = 0
        while !isOver.load(ordering: .acquiring) {
          let count = target.pump(blockLength)
          readCount += 1
          if pace != .none {
            if readCount % burst == 0 {
              System.sleep(milliseconds: min(100, burst * blockLength / 48))
            }
          } else if count == 0 {
            System.sleep(milliseconds: 1)
          }
        }
      })
    defer {
      isOver.store(true, ordering: .releasing)
      device.join()
    }
    var (jumpCount, seekCount) = (0, 0)
    for _ in 0..<Int.random(in: 0...6, using: &numbers) {
      System.sleep(milliseconds: Int.random(in: 0...200, using: &numbers))
      let request = Int.random(in: 0..<6, using: &numbers)
      if request >= 2 { jumpCount += 1 }
      switch request {
      case 0: session.setPaused(true)
      case 1: session.setPaused(false)
      case 2: session.next()
      case 3: session.previous()
      case 4:
        seekCount += 1
        session.seek(to: .milliseconds(Int.random(in: 0...700, using: &numbers)))
      default: session.seek(by: .milliseconds(Int.random(in: -200...200, using: &numbers)))
      }
    }
    System.sleep(milliseconds: Int.random(in: 0...50, using: &numbers))
    let isStopped = Bool.random(using: &numbers)
    let missingCountBeforeStop = target.feed?.missingFrameCount ?? 0
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
    for item in playedItems(target.samples) where summary.isComplete {
      #expect(events.contains("started \(item)"), "Every item that was played has started.")
    }
    #expect(listener.positions.allSatisfy { $0.index == $0.begun })
    if !isStopped {
      expectContinuity(target.samples, besides: jumpCount + max(0, startedCount - 1))
    }
    let position = summary.position ?? PlayerPosition(index: 0, time: .zero)
    let remainder = Double(frameCounts[position.index]) / 48_000 - position.time / .seconds(1)
    #expect(position.time >= .zero && remainder > -1e-6)
    if summary.isComplete {
      #expect(position.index == paths.count - 1 && remainder < 1e-6)
      #expect(summary.playedDuration == Duration(samples: target.samples.count, at: 48_000))
    }
    // The target of a seek is the position until the seek is complete.
    if seekCount == 0, let last = lastPosition.withLock(\.self) {
      #expect(summary.position == last, "The position does not change at the end.")
    }
    if jumpCount == 0 && startedCount > 0 {
      #expect(
        events.dropLast().last == "ended \(position.index)",
        "The item that was played last has started.")
    }
    if jumpCount == 0 && !isStopped {
      #expect(target.samples == sound && summary.isComplete)
      #expect(summary.playedItemCount == paths.count)
    }
    #expect(target.stopCount == 1)
    // The device reads on until it is stopped.
    let maxMissingCount =
      summary.isComplete ? target.missingCountBeforeEnd : target.feed?.missingFrameCount ?? 0
    #expect(
      listener.missingFrameCount <= maxMissingCount,
      "Silence after the last sample is not an underrun.")
    if isStopped && jumpCount == 0 && !summary.isComplete {
      #expect(listener.missingFrameCount >= missingCountBeforeStop, "Every underrun is reported.")
    }
    isOver.store(true, ordering: .releasing)
    System.sleep(milliseconds: 1000)
    #expect(listener.eventTexts == events, "Nothing is reported after the end.")
  }
}
