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
  mutating func publish(_ playlist: String, as name: String, edge: HLSEdge) {
    guard failure == nil || edge.isComplete else { return }
    do throws(OutputError) {
      try store.publish(playlist, as: name, edge: edge)
    } catch {
      failure = failure ?? error
    }
  }

  /// Publishes the master playlist if it has changed.
  mutating func publishMaster(_ playlist: String, as name: String, edge: HLSEdge) {
    guard playlist != master else { return }
    master = playlist
    publish(playlist, as: name, edge: edge)
  }
}
