import AacornRecording
import AacornStreaming
import AacornSystem
import SoundRigs
import Testing

@testable import AacornCommands

/// The start of one of several streams, and its restart delays.
@Suite struct StreamEntryRunnerTests {
  private let captured = CapturedConsole()
  private let told = Lock<[StreamEntryEvent]>([])

  /// A stream of a file that does not exist.
  private func runner(_ name: String, patience: Double = 10) throws -> StreamEntryRunner {
    let text = "[\(name)]\nfile = /nonexistent/a.wav\nsave = /nonexistent/a.aac\n"
    let list = try StreamList(text, from: "a", StreamCommand()) { _ in nil }
    let entry = try #require(list.entries.first)
    let (captured, told) = (captured, told)
    return StreamEntryRunner(entry, patience: patience) { interruption in
      Console(
        output: captured.console.output, errors: captured.console.errors, isLive: false,
        columns: 80, interruption: interruption, stream: name)
    } events: { event in
      told.withLock { $0.append(event) }
    }
  }

  private var pauses: [Int] {
    told.withLock { events in
      events.compactMap { event in
        if case .waiting(_, _, let milliseconds) = event { milliseconds } else { nil }
      }
    }
  }

  @Test func whoHoldsAnotherOneUpForLongIsNamed() throws {
    // The old stream never starts, and therefore never ends.
    let old = try runner("old")
    let new = try runner("new", patience: 0.05)
    new.start(after: [old])
    let warning = StreamEntryEvent.warning(
      "[new] waits for the end of the previous [old], and then starts.")
    #expect(comesTrue { told.withLock { $0.contains(warning) } })
    #expect(new.snapshot().state == .ready)
    new.stop()
    #expect(comesTrue { new.isOver })
    #expect(new.end == StreamEntryState.End(kind: .stopped, status: .success))
    #expect(!told.withLock { $0.contains(.started("new")) })
  }

  @Test func oneWhoseTurnHasNotComeCanBeEnded() throws {
    let late = try runner("late")
    late.start(delay: 600_000)
    late.stop()
    #expect(comesTrue { late.isOver })
    #expect(late.end?.status == .success)
    #expect(!told.withLock { $0.contains(.started("late")) })
  }

  @Test func theFirstPauseAfterAHurryIsShortAgain() throws {
    let one = try runner("one")
    one.start()
    // Otherwise the second pause would be at least 1.5 s, and the third at least 3 s.
    for count in 1...3 {
      #expect(comesTrue { pauses.count == count })
      one.hurry()
    }
    #expect(comesTrue { pauses.count == 4 })
    one.stop()
    #expect(comesTrue { one.isOver })
    #expect(pauses.allSatisfy { (750...1260).contains($0) }, "\(pauses)")
  }
}
