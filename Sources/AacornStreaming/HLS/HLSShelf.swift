import AacornRecording

/// A store and its condition.
struct HLSShelf: Sendable {
  let store: any HLSStore
  /// Why nothing more is stored there.
  private(set) var failure: OutputError?
  /// The first segment that it lacks.
  private(set) var limit = Int.max
  /// Its current master playlist.
  private var master = ""

  init(_ store: any HLSStore) {
    self.store = store
  }

  /// Stores a file that belongs to the segment `number`, unless the store has failed.
  mutating func put(_ bytes: [UInt8], as name: String, of number: Int) {
    guard failure == nil else { return }
    do throws(OutputError) {
      try store.put(bytes, as: name)
    } catch {
      failure = error
      limit = number
    }
  }

  /// Publishes a playlist; at the end even if the store has failed, with what it has.
  mutating func publish(_ playlist: String, as name: String, _ contents: HLSPlaylistContents) {
    guard failure == nil || contents.edge.isComplete else { return }
    do throws(OutputError) {
      try store.publish(playlist, as: name, contents: contents)
    } catch {
      failure = failure ?? error
    }
  }

  /// Publishes the master playlist if it has changed.
  mutating func publishMaster(
    _ playlist: String, as name: String, _ contents: HLSPlaylistContents
  ) {
    guard playlist != master else { return }
    master = playlist
    publish(playlist, as: name, contents)
  }
}
