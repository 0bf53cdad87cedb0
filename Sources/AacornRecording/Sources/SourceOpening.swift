import AacornDevices
import AacornSystem

/// A source that takes over from another one.
///
/// It is opened on a thread of its own, and the old one is stopped there, because a sound server
/// may take twenty seconds for either and the old ring holds four: meanwhile the session's thread
/// empties it as always.
final class SourceOpening: Sendable {
  /// How far it is.
  enum Phase: Sendable {
    /// The new source is being opened.
    case opening
    /// It delivers, and the old source is being stopped.
    case closingOld
    /// Nothing comes from the old source any more.
    case done
    /// It could not be opened.
    case failed(CaptureError)
    /// Nobody wants it any more; it is stopped as soon as it is open.
    case abandoned
  }

  let source: any CaptureSource
  /// Where it puts its sound until it takes over.
  let sink = CaptureSink()
  private let current = Lock(Phase.opening)
  private let isDone = Semaphore()

  init(_ source: any CaptureSource) { self.source = source }

  var phase: Phase { current.withLock(\.self) }

  /// Opens the new source, then stops `old`; `oldSink` is poked when either has happened.
  ///
  /// False if the system has no thread for it.
  func begin(replacing old: any CaptureSource, _ oldSink: CaptureSink) -> Bool {
    System.startThread { [self] in
      do throws(CaptureError) {
        try source.start(sink)
        if move(to: .closingOld) {
          oldSink.poke()
          old.stop()
          _ = move(to: .done)
        } else {
          source.stop()
        }
      } catch {
        _ = move(to: .failed(error))
      }
      isDone.signal()
      oldSink.poke()
    }
  }

  /// Gives it up if it is not open yet; false if it is, so that it takes over in any case.
  func abandon() -> Bool {
    current.withLock { phase in
      switch phase {
      case .closingOld, .done: return false
      case .opening, .failed, .abandoned:
        phase = .abandoned
        return true
      }
    }
  }

  /// Waits until the old source has been stopped.
  func waitUntilDone() {
    while !isDone.wait(milliseconds: 60_000) {}
  }

  /// False if it has been abandoned.
  private func move(to next: Phase) -> Bool {
    current.withLock { phase in
      if case .abandoned = phase { return false }
      phase = next
      return true
    }
  }
}
