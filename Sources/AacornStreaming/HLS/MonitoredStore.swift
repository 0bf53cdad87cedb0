import AacornRecording

/// A store, with its failure and the number of the first segment that it lacks.
struct MonitoredStore: Sendable {
  let store: any HLSStore
  /// The error after which the store receives no more files; nil while the store works.
  private(set) var failure: OutputError?
  /// The number of the first segment that is missing in the store.
  private(set) var limit = Int.max
  /// The text of the last published master playlist.
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

  /// Publishes a playlist, unless the store has failed.
  ///
  /// The final playlist is published even after a failure, with the segments that the store has.
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
