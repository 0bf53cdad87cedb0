import AacornRecording

/// A store, and what has become of it.
struct HLSShelf: Sendable {
  let store: any HLSStore
  /// Why nothing more is put there.
  private(set) var failure: OutputError?
  /// The first segment that it does not have.
  private(set) var limit = Int.max
  /// The master playlist that it has.
  private var master = ""

  init(_ store: any HLSStore) {
    self.store = store
  }

  /// Puts a file that belongs to the segment `number`, unless the store has failed.
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

  /// Publishes the master playlist, if it is another than before.
  mutating func publishMaster(_ playlist: String, as name: String, edge: HLSEdge) {
    guard playlist != master else { return }
    master = playlist
    publish(playlist, as: name, edge: edge)
  }
}
