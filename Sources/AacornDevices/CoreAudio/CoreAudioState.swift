import AacornSystem

/// What the controlling thread and the program's threads share.
final class CoreAudioState<Device: CoreAudioEndpoint>: Sendable {
  private struct Content {
    var device: Device?
    var failure: CaptureError?
    var remarks: [String] = []
    var opening: Result<Void, CaptureError>?
    var isOver = false
  }

  /// Events for the controlling thread.
  let mailbox = CoreAudioMailbox()
  /// Whether samples may flow.
  let gate = CoreAudioGate()
  /// What is opened, for errors.
  private let title: String
  private let content = Lock(Content())
  private let opened = Semaphore()
  private let over = Semaphore()

  init(_ title: String) {
    self.title = title
  }

  var device: Device? { content.withLock { $0.device } }
  var failure: CaptureError? { content.withLock { $0.failure } }
  var remarks: [String] { content.withLock { $0.remarks } }

  // MARK: On the controlling thread

  /// Records which device is in use, and what is notable about it.
  func use(_ device: Device, _ remarks: [String]) {
    content.withLock {
      $0.device = device
      $0.remarks = remarks
    }
  }

  /// Records something else that is notable, until the next device is opened.
  func remark(_ text: String) {
    content.withLock { if !$0.remarks.contains(text) { $0.remarks.append(text) } }
  }

  /// Records why it cannot continue.
  func fail(_ error: CaptureError) {
    content.withLock { $0.failure = error }
  }

  /// Reports how the first opening went.
  func finishOpening(_ result: Result<Void, CaptureError>) {
    content.withLock { if $0.opening == nil { $0.opening = result } }
    opened.signal()
  }

  /// Reports that the controlling thread has nothing left to do.
  func finish() {
    finishOpening(.failure(stopped))
    content.withLock { $0.isOver = true }
    over.signal()
  }

  // MARK: On the program's threads

  /// Waits until the device is open or cannot be opened, or somebody stops it.
  func waitForOpening() throws(CaptureError) {
    while true {
      if let result = content.withLock({ $0.opening }) { return try result.get() }
      if !gate.isOpen { throw stopped }
      _ = opened.wait(milliseconds: 100)
    }
  }

  /// Has the controlling thread take the device back, whatever keeps it away.
  func resume() {
    mailbox.post(.resume)
  }

  /// Ends the controlling thread and waits for it, but not forever: the system's audio service may
  /// hang.
  func stop() {
    mailbox.post(.stop)
    for _ in 0..<8 where !content.withLock({ $0.isOver }) {
      _ = over.wait(milliseconds: 100)
    }
    gate.shut()
  }

  private var stopped: CaptureError {
    .system(operation: "open", id: title, reason: "it was stopped before it started")
  }
}
