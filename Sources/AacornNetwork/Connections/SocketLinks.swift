import AacornSystem

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
