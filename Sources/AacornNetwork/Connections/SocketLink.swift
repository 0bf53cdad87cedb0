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

/// The open links of a carrier, with the poll entry of each.
final class SocketLinks {
  private var links: [SocketLink] = []
  /// The links that have closed, or wait for other events than their entries in `set` state.
  private var changed: [SocketLink] = []
  /// The reading end of a pipe, the listener and the links, in this order.
  private var set = PollSet()

  private static let listenerIndex = 1
  private static let firstIndex = 2

  /// Creates a list that also waits for the reading end of a pipe, and for clients of a listener.
  init(wake: Int32, listener: Int32) {
    set.add(wake, reading: true)
    set.add(listener)
  }

  /// Creates a link that owns a socket from now on.
  func add(_ descriptor: Int32) -> SocketLink {
    let link = SocketLink(descriptor, self)
    link.index = links.count
    links.append(link)
    set.add(descriptor)
    return link
  }

  func recordChange(_ link: SocketLink) { changed.append(link) }

  /// Waits for the pipe, a client if `isAccepting` is true, or a link, for at most `milliseconds`
  /// (−1 for no limit).
  ///
  /// Returns the ready links with their states, and whether a client can be accepted.
  func wait(
    isAccepting: Bool, milliseconds: Int
  ) -> (ready: [(SocketLink, PollSet.Outcome)], hasClient: Bool) {
    update()
    set.change(Self.listenerIndex, reading: isAccepting, writing: false)
    var ready: [(SocketLink, PollSet.Outcome)] = []
    var hasClient = false
    for index in set.wait(milliseconds: milliseconds) {
      if index >= Self.firstIndex {
        ready.append((links[index - Self.firstIndex], set.outcome(index)))
      } else if index == Self.listenerIndex {
        hasClient = set.outcome(index).canRead
      }
    }
    return (ready, hasClient)
  }

  private func update() {
    for link in changed {
      link.isChanged = false
      let index = link.index + Self.firstIndex
      if !link.isClosed {
        set.change(index, reading: link.isReceiving, writing: link.isSending)
        continue
      }
      set.remove(index)
      let last = links.removeLast()
      if last !== link {
        last.index = link.index
        links[link.index] = last
      }
    }
    changed.removeAll(keepingCapacity: true)
  }
}
