#if canImport(Network)
import Dispatch
import Foundation
import Network

/// A client's connection through Apple's Network framework.
final class NetworkByteLink: ByteLink, @unchecked Sendable {
  // Unchecked because of the variables, which only the carrier's queue uses. The framework calls
  // back on that queue.

  private let connection: NWConnection
  weak var owner: ClientConnection?
  private var hasEnded = false
  private var isSending = false

  /// 32 KiB, because the framework reports progress only between pieces.
  ///
  /// The progress of a slow client is therefore detected only once per piece.
  let pieceSize = 32 * 1024

  /// The maximum number of bytes to receive at a time.
  private static let receiveLimit = 64 * 1024

  init(_ connection: NWConnection) { self.connection = connection }

  /// Starts the connection.
  ///
  /// The framework calls back on `queue`.
  func start(on queue: DispatchQueue) {
    connection.stateUpdateHandler = { [weak self] state in
      switch state {
      case .failed, .waiting: self?.owner?.failed()
      case .setup, .preparing, .ready, .cancelled: break
      @unknown default: break
      }
    }
    connection.start(queue: queue)
  }

  func receive() {
    if hasEnded { return }
    connection.receive(minimumIncompleteLength: 1, maximumLength: Self.receiveLimit) {
      [weak self] data, _, isComplete, error in
      // One call can report bytes, the end and an error together.
      self?.hasEnded = isComplete || error != nil
      if let data, !data.isEmpty { self?.owner?.received(data) }
      if isComplete {
        self?.owner?.ended()
      } else if error != nil {
        self?.owner?.failed()
      }
    }
  }

  func send(_ bytes: [UInt8]) -> ByteSending {
    isSending = true
    connection.send(
      content: Data(bytes),
      completion: .contentProcessed { [weak self] error in
        self?.isSending = false
        if error == nil { self?.owner?.sent() } else { self?.owner?.failed() }
      })
    return .pending
  }

  func finishSending() {
    connection.send(
      content: nil, contentContext: .finalMessage, isComplete: true, completion: .idempotent)
  }

  /// Does nothing: the listener's parameters include keepalive probes.
  func probeSilence() {}

  func close() {
    connection.stateUpdateHandler = nil
    // The framework would keep the connection until the client has accepted the sent bytes, which a
    // stalled client never does.
    if isSending { connection.forceCancel() } else { connection.cancel() }
  }
}
#endif
