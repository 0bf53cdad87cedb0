import AacornSystem

/// What the controlling thread of a source and the program's threads share.
final class CoreAudioState: Sendable {
  private struct Content {
    var device: CaptureDevice?
    var failure: CaptureError?
    var remarks: [String] = []
    var opening: Result<Void, CaptureError>?
    var isOver = false
  }

  /// Events for the controlling thread.
  let mailbox = CoreAudioMailbox()
  /// Whether samples may go to the sink.
  let gate = CoreAudioGate()
  private let content = Lock(Content())
  private let opened = Semaphore()
  private let over = Semaphore()

  var device: CaptureDevice? { content.withLock { $0.device } }
  var failure: CaptureError? { content.withLock { $0.failure } }
  var remarks: [String] { content.withLock { $0.remarks } }

  // MARK: For the controlling thread

  /// Tells which device is in use, and what is remarkable about it.
  func use(_ device: CaptureDevice, _ remarks: [String]) {
    content.withLock {
      $0.device = device
      $0.remarks = remarks
    }
  }

  /// Tells why the source cannot go on.
  func fail(_ error: CaptureError) {
    content.withLock { $0.failure = error }
  }

  /// Tells how the first opening went.
  func finishOpening(_ result: Result<Void, CaptureError>) {
    content.withLock { if $0.opening == nil { $0.opening = result } }
    opened.signal()
  }

  /// Tells that the controlling thread has nothing left to do.
  func finish() {
    finishOpening(.failure(Self.stopped))
    content.withLock { $0.isOver = true }
    over.signal()
  }

  // MARK: For the program's threads

  /// Waits until the device is open or cannot be opened, or somebody stops the source.
  func waitForOpening() throws(CaptureError) {
    while true {
      if let result = content.withLock({ $0.opening }) { return try result.get() }
      if !gate.isOpen { throw Self.stopped }
      _ = opened.wait(milliseconds: 100)
    }
  }

  /// Has the controlling thread end, and waits for that, but not forever: the system's sound
  /// service may hang.
  func stop() {
    mailbox.post(.stop)
    for _ in 0..<8 where !content.withLock({ $0.isOver }) {
      _ = over.wait(milliseconds: 100)
    }
    gate.shut()
  }

  private static let stopped = CaptureError.system(
    operation: "open", id: "the microphone", reason: "it was stopped before it began")
}
