import AacornDevices
import AacornSystem

/// A change from one source to another.
///
/// A separate thread opens the new source, and stops the old one. A sound server may take twenty
/// seconds for each of these, and the old source's ring has room for only four seconds. In the
/// meantime the session's thread continues to empty the ring.
final class SourceOpening: Sendable {
  /// The progress of the change.
  enum Phase: Sendable {
    /// The new source is being opened.
    case opening
    /// The new source delivers, and the old source is being stopped.
    case closingOld
    /// The old source has been stopped.
    case done
    /// The new source could not be opened.
    case failed(DeviceError)
    /// The change was canceled; the new source is stopped as soon as it is open.
    case abandoned
  }

  let source: any CaptureSource
  /// The sink of the new source until it takes over.
  let sink = CaptureSink()
  private let current = Lock(Phase.opening)
  private let isDone = Semaphore()

  init(_ source: any CaptureSource) { self.source = source }

  var phase: Phase { current.withLock(\.self) }

  /// Opens the new source, then stops `old`; wakes the reader of `oldSink` after each of these.
  ///
  /// Returns false if the system has no thread.
  func begin(replacing old: any CaptureSource, _ oldSink: CaptureSink) -> Bool {
    System.startThread("source opening") { [self] in
      do throws(DeviceError) {
        try source.start(sink)
        if move(to: .closingOld) {
          oldSink.wake()
          old.stop()
          _ = move(to: .done)
        } else {
          source.stop()
        }
      } catch {
        _ = move(to: .failed(error))
      }
      isDone.signal()
      oldSink.wake()
    }
  }

  /// Cancels the change if the new source is not open yet; otherwise returns false, and the new
  /// source takes over.
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

  /// Changes the phase; returns false after a cancellation.
  private func move(to next: Phase) -> Bool {
    current.withLock { phase in
      if case .abandoned = phase { return false }
      phase = next
      return true
    }
  }
}
