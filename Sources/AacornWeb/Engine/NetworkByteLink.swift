#if canImport(Network)
import Dispatch
import Foundation
import Network

/// A connection of Apple's Network framework that a client has made.
final class NetworkByteLink: ByteLink, @unchecked Sendable {
  // Unchecked because of the variables, which are used on the carrier's queue only: that is where
  // the framework calls back.

  private let connection: NWConnection
  weak var owner: EngineConnection?
  private var hasEnded = false
  private var isSending = false

  /// The framework does not tell how much of a piece is on its way, so that a client that takes
  /// little at a time shows only between pieces.
  let pieceSize = 32 * 1024

  /// The most bytes taken at a time.
  private static let receiveLimit = 64 * 1024

  init(_ connection: NWConnection) { self.connection = connection }

  /// Lets the framework begin, which calls back on a queue.
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
      // All three may come at once.
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

  /// The framework was told before.
  func probeSilence() {}

  func close() {
    connection.stateUpdateHandler = nil
    // The framework would keep the connection until the client has taken what it was sent, which
    // somebody who takes nothing never does.
    if isSending { connection.forceCancel() } else { connection.cancel() }
  }
}
#endif
