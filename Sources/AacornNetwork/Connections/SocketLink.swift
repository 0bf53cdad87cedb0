import AacornSystem

/// A client's connection over a socket.
final class SocketLink: ByteLink {
  let descriptor: Int32
  weak var owner: ClientConnection?
  /// The index in `links`.
  var index = 0
  private unowned let links: SocketLinks
  /// Whether the link has closed, or waits for other events than its poll entry states.
  var isChanged = false
  /// Whether the owner waits for bytes.
  private(set) var isReceiving = false
  private var output: [UInt8] = []
  private var sentCount = 0
  private(set) var isClosed = false

  /// 128 KiB, the maximum size of the blocks in which `HTTPBody` reads a file.
  let pieceSize = 128 * 1024

  /// Creates a link that owns the socket from now on.
  init(_ descriptor: Int32, _ links: SocketLinks) {
    self.descriptor = descriptor
    self.links = links
  }

  /// Whether a send is incomplete.
  var isSending: Bool { sentCount < output.count }

  func receive() {
    isReceiving = true
    recordChange()
  }

  func send(_ bytes: [UInt8]) -> ByteSending {
    output = bytes
    sentCount = 0
    let result = advance()
    if result == .pending { recordChange() }
    return result
  }

  private func advance() -> ByteSending {
    do throws(SystemError) {
      while isSending {
        let count = try System.send(descriptor, output, from: sentCount)
        if count == 0 { return .pending }
        sentCount += count
      }
    } catch {
      return .failed
    }
    output = []
    sentCount = 0
    return .done
  }

  func finishSending() { System.finishWriting(descriptor) }

  func probeSilence() { System.probeSilence(descriptor) }

  func close() {
    if isClosed { return }
    isClosed = true
    output = []
    sentCount = 0
    try? System.close(descriptor)
    recordChange()
  }

  private func recordChange() {
    if isChanged { return }
    isChanged = true
    links.recordChange(self)
  }

  // MARK: Carrier side

  /// Continues a send, because the socket may accept bytes.
  func continueSending() {
    let before = sentCount
    recordChange()
    switch advance() {
    case .done: owner?.sent()
    case .pending: if sentCount > before { owner?.progressed() }
    case .failed: owner?.failed()
    }
  }

  /// Receives bytes, or detects the end.
  ///
  /// `buffer` is temporary storage.
  func take(_ buffer: inout [UInt8], isBroken: Bool) {
    let count: Int?
    do throws(SystemError) {
      count = try System.receive(descriptor, into: &buffer)
    } catch {
      owner?.failed()
      return
    }
    guard let count else {
      if isBroken { owner?.failed() }
      return
    }
    isReceiving = false
    recordChange()
    if count == 0 { owner?.ended() } else { owner?.received(buffer[..<count]) }
  }
}
