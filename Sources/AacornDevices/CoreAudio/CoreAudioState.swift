import AacornSystem

/// The state shared by the controlling thread and the program's threads.
final class CoreAudioState: Sendable {
  private struct Content {
    var device: Device?
    var failure: DeviceError?
    var diagnostics: [String] = []
    var opening: Result<Void, DeviceError>?
    var isFinished = false
  }

  /// Events for the controlling thread.
  let mailbox = CoreAudioMailbox()
  /// Whether samples may flow.
  let gate = CoreAudioGate()
  /// The name of the opened device, for errors.
  private let title: String
  private let content = Lock(Content())
  private let opened = Semaphore()
  private let finished = Semaphore()

  init(_ title: String) {
    self.title = title
  }

  var device: Device? { content.withLock { $0.device } }
  var failure: DeviceError? { content.withLock { $0.failure } }
  var diagnostics: [String] { content.withLock { $0.diagnostics } }

  // MARK: On the controlling thread

  /// Records the device in use, and its diagnostics.
  func use(_ device: Device, _ diagnostics: [String]) {
    content.withLock {
      $0.device = device
      $0.diagnostics = diagnostics
    }
  }

  /// Records another diagnostic, kept until the next device is opened.
  func addDiagnostic(_ text: String) {
    content.withLock { if !$0.diagnostics.contains(text) { $0.diagnostics.append(text) } }
  }

  /// Records the error that ends the run.
  func fail(_ error: DeviceError) {
    content.withLock { $0.failure = error }
  }

  /// Reports the result of the first opening.
  func finishOpening(_ result: Result<Void, DeviceError>) {
    content.withLock { if $0.opening == nil { $0.opening = result } }
    opened.signal()
  }

  /// Reports that the controlling thread has finished.
  func finish() {
    finishOpening(.failure(stopped))
    content.withLock { $0.isFinished = true }
    finished.signal()
  }

  // MARK: On the program's threads

  /// Waits until the device is open, cannot be opened or is stopped.
  func waitForOpening() throws(DeviceError) {
    while true {
      if let result = content.withLock({ $0.opening }) { return try result.get() }
      if !gate.isOpen { throw stopped }
      _ = opened.wait(milliseconds: 100)
    }
  }

  /// Makes the controlling thread reopen the device, whatever made it unavailable.
  func resume() {
    mailbox.post(.resume)
  }

  /// Ends the controlling thread and waits for it, for at most 800 ms: the system's audio service
  /// may hang.
  func stop() {
    mailbox.post(.stop)
    for _ in 0..<8 where !content.withLock({ $0.isFinished }) {
      _ = finished.wait(milliseconds: 100)
    }
    gate.close()
  }

  private var stopped: DeviceError {
    .system(operation: "open", id: title, reason: "it was stopped before it started")
  }
}
