/// Takes the echoes out of tracks, and holds all others back for as long: they stay beside each other
/// to the sample.
///
///     track without echo ─► wait ───────────────────────────────┐
///     track with echo ────► echo track ─► wait ─────────────────┼─► all, equally long
///                               ▲ the other track, as it comes ─┘
struct EchoStage {
  /// The tracks that hear others; nil for those that do not.
  private var tracks: [EchoTrack?] = []
  /// What each track has for the mix.
  private var waiting: [[Float]]
  private let channelCount: Int
  /// Frames of every track that went in and have not come out.
  private(set) var heldCount = 0

  /// The stage for tracks with these settings, which are valid; nil if none of them hears another.
  init?(_ settings: [TrackConfiguration], channelCount: Int, sampleRate: Int) throws(TrackError) {
    if !settings.contains(where: { $0.echoCancellation != nil }) { return nil }
    self.channelCount = channelCount
    waiting = Array(repeating: [], count: settings.count)
    for track in settings {
      guard let echo = track.echoCancellation else {
        tracks.append(nil)
        continue
      }
      guard let far = settings.firstIndex(where: { $0.name == echo.track }) else {
        throw .unknownEcho(echo.track)
      }
      tracks.append(
        try EchoTrack(echo, of: far, channelCount: channelCount, sampleRate: sampleRate))
    }
  }

  /// Puts what is complete of all tracks in the place of as many frames of each.
  mutating func process(_ chunks: inout [[Float]]) {
    precondition(chunks.count == tracks.count)
    heldCount += (chunks.first?.count ?? 0) / channelCount
    for index in chunks.indices {
      if let far = tracks[index]?.far {
        tracks[index]?.process(chunks[index], chunks[far], into: &waiting[index])
      } else {
        waiting[index] += chunks[index]
      }
    }
    let length = waiting.map(\.count).min() ?? 0
    for index in chunks.indices {
      chunks[index] = Array(waiting[index].prefix(length))
      waiting[index].removeFirst(length)
    }
    heldCount -= length / channelCount
  }

  /// What is still inside of all tracks, as if silence followed; nothing more may go in.
  mutating func finish() -> [[Float]] {
    var chunks = waiting
    for index in chunks.indices { waiting[index] = [] }
    // What has been taken is not there a second time.
    if heldCount > 0 {
      for index in chunks.indices { tracks[index]?.finish(into: &chunks[index]) }
    }
    heldCount = 0
    return chunks
  }
}
