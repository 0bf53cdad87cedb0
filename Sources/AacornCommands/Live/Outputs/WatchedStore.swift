import AacornRecording
import AacornStreaming

/// A wrapper that notifies the list of outputs when an HLS store fails.
///
/// Without this wrapper, a failure at the end of a stream would not be reported, because completing
/// the playlists does not throw.
struct WatchedStore: HLSStore {
  private let store: any HLSStore
  private let index: Int
  private let list: OutputList

  init(_ store: any HLSStore, _ index: Int, on list: OutputList) {
    self.store = store
    self.index = index
    self.list = list
  }

  var servesParts: Bool { store.servesParts }

  var closeTimeout: Duration { store.closeTimeout }

  func prepare(for configuration: HLSConfiguration) throws(OutputError) {
    try store.prepare(for: configuration)
  }

  func put(_ bytes: [UInt8], as name: String) throws(OutputError) {
    try watch { () throws(OutputError) in try store.put(bytes, as: name) }
  }

  func publish(
    _ playlist: String, as name: String, contents: HLSPlaylistContents
  ) throws(OutputError) {
    try watch { () throws(OutputError) in
      try store.publish(playlist, as: name, contents: contents)
    }
  }

  func remove(_ name: String) { store.remove(name) }

  func poll(isLast: Bool) throws(OutputError) -> [OutputError] { try store.poll(isLast: isLast) }

  private func watch(_ body: () throws(OutputError) -> Void) throws(OutputError) {
    do throws(OutputError) {
      try body()
    } catch {
      list.fail(index, error)
      throw error
    }
  }
}
