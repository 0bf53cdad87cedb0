import AacornDevices

/// Joins the tracks into the sound of the recording: their samples are added, as far as all of them
/// have come.
struct Mixdown {
  /// The tracks; the first one gives the recording its time.
  var tracks: [SourceTrack]

  /// A mix of these tracks, of which there is at least one.
  init(_ tracks: [SourceTrack]) {
    precondition(!tracks.isEmpty)
    self.tracks = tracks
  }

  /// The track that gives the recording its time.
  var leader: SourceTrack {
    get { tracks[0] }
    _modify { yield &tracks[0] }
  }

  /// Whether all sources have ended.
  var hasEnded: Bool { tracks.allSatisfy(\.hasEnded) }

  /// Does a piece of the tracks' work; false if there is none.
  mutating func advance() throws(RecordingError) -> Bool {
    var hasWork = false
    for index in tracks.indices where try tracks[index].advance() { hasWork = true }
    return hasWork
  }

  /// What has happened on the tracks since the last call.
  mutating func takeNews() -> [SourceTrack.News] {
    var news: [SourceTrack.News] = []
    for index in tracks.indices where !tracks[index].news.isEmpty {
      news += tracks[index].news
      tracks[index].news.removeAll(keepingCapacity: true)
    }
    return news
  }

  /// Puts the frames that all tracks have into `frames`, in place of what is there.
  mutating func take(into frames: inout [Float]) {
    frames.removeAll(keepingCapacity: true)
    if tracks.count == 1 {
      // Nothing is to be added, so the samples pass as they are.
      swap(&frames, &tracks[0].frames)
      return
    }
    // A track that has ended is silent.
    let lengths = tracks.filter { !$0.isOver }.map(\.frames.count)
    guard let length = lengths.min() ?? tracks.map(\.frames.count).max(), length > 0 else { return }
    frames.append(contentsOf: repeatElement(0, count: length))
    for index in tracks.indices {
      let count = min(length, tracks[index].frames.count)
      for sample in 0..<count { frames[sample] += tracks[index].frames[sample] }
      tracks[index].frames.removeFirst(count)
    }
  }
}

extension SourceTrack {
  /// Whether nothing more will come of it.
  fileprivate var isOver: Bool { hasEnded && work.isEmpty && held.isEmpty }
}
