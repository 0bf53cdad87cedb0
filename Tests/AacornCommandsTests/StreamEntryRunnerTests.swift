import AacornRecording
import AacornStreaming
import AacornSystem
import SoundRigs
import Testing

@testable import AacornCommands

/// The start of one of several streams, and its restart delays.
@Suite struct StreamEntryRunnerTests {
  private let captured = CapturedConsole()
  private let reportedEvents = Lock<[StreamEntryEvent]>([])

  /// A stream of a file that does not exist.
  private func runner(_ name: String, waitWarningDelay: Double = 10) throws -> StreamEntryRunner {
    let text = "[\(name)]\nfile = /nonexistent/a.wav\nsave = /nonexistent/a.aac\n"
    let list = try StreamList(text, from: "a", StreamCommand()) { _ in nil }
    let entry = try #require(list.entries.first)
    let (captured, reportedEvents) = (captured, reportedEvents)
    return StreamEntryRunner(entry, waitWarningDelay: waitWarningDelay) { interruption in
      Console(
        output: captured.console.output, errors: captured.console.errors, isLive: false,
        columns: 80, interruption: interruption, stream: name)
    } events: { event in
      reportedEvents.withLock { $0.append(event) }
    }
  }

  private var pauses: [Int] {
    reportedEvents.withLock { events in
      events.compactMap { event in
        if case .changed(_, .waiting, _, let milliseconds) = event { milliseconds } else { nil }
      }
    }
  }

  @Test func longWaitForPredecessorIsReported() throws {
    // The old stream never starts, and therefore never ends.
    let old = try runner("old")
    let new = try runner("new", waitWarningDelay: 0.05)
    new.start(after: [old])
    let warning = StreamEntryEvent.warning(
      "[new] waits for the end of the previous [old], and then starts.")
    #expect(eventually { reportedEvents.withLock { $0.contains(warning) } })
    #expect(new.snapshot().state == .ready)
    new.stop()
    #expect(eventually { new.isFinished })
    #expect(new.snapshot().state == .stopped && new.snapshot().endStatus == .success)
    #expect(!reportedEvents.withLock { $0.contains(.changed("new", .running)) })
  }

  @Test func waitingStreamCanBeStopped() throws {
    let late = try runner("late")
    late.start(delay: 600_000)
    late.stop()
    #expect(eventually { late.isFinished })
    #expect(late.snapshot().endStatus == .success)
    #expect(!reportedEvents.withLock { $0.contains(.changed("late", .running)) })
  }

  @Test func pauseAfterEarlyStartIsShort() throws {
    let one = try runner("one")
    one.start()
    // If `startSoon` did not reset the delays, the second pause would be at least 1.5 s, and the
    // third at least 3 s.
    for count in 1...3 {
      #expect(eventually { pauses.count == count })
      one.startSoon()
    }
    #expect(eventually { pauses.count == 4 })
    one.stop()
    #expect(eventually { one.isFinished })
    #expect(pauses.allSatisfy { (750...1260).contains($0) }, "\(pauses)")
  }
}
