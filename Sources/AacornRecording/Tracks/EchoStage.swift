/// Takes the echoes out of tracks, and holds all others back for as long: they stay beside each other
/// to the sample.
///
///     track without echo ─► effects ─► wait ─────────────────────┐
///     track with echo ────► echo track ─► effects ─► wait ───────┼─► all, equally long
///                               ▲ the other track, as it comes ──┘
///
/// Effects would change what is heard of a loudspeaker, and what it plays, so that those of all tracks
/// are here where there are echoes.
struct EchoStage {
  /// The tracks that hear others; nil for those that do not.
  private var tracks: [EchoTrack?] = []
  /// What each track goes through.
  private var effects: [EffectRack]
  /// How many frames of each track go into its effects before these begin anew; nil if they go on.
  private var restarts: [Int?]
  /// What each track has for the mix.
  private var waiting: [[Float]]
  private let channelCount: Int
  /// Frames of every track that went in and have not come out.
  private(set) var heldCount = 0

  /// The stage for tracks with these settings, which are valid; nil if none of them hears another.
  init?(
    _ settings: [TrackConfiguration], effects: [EffectRack]? = nil, channelCount: Int,
    sampleRate: Int
  ) throws(TrackError) {
    if !settings.contains(where: { $0.echoCancellation != nil }) { return nil }
    self.channelCount = channelCount
    let none = EffectRack(channelCount: channelCount, sampleRate: sampleRate)
    self.effects = effects ?? Array(repeating: none, count: settings.count)
    restarts = Array(repeating: nil, count: settings.count)
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
      var sound: [Float] = []
      if let far = tracks[index]?.far {
        tracks[index]?.process(chunks[index], chunks[far], into: &sound)
      } else {
        sound = chunks[index]
      }
      treat(&sound, of: index)
      waiting[index] += sound
    }
    let length = waiting.map(\.count).min() ?? 0
    for index in chunks.indices {
      chunks[index] = Array(waiting[index].prefix(length))
      waiting[index].removeFirst(length)
    }
    heldCount -= length / channelCount
  }

  /// Puts what a track's effects make of its sound in the place of that.
  private mutating func treat(_ sound: inout [Float], of index: Int) {
    let count = sound.count / channelCount
    guard let rest = restarts[index] else { return effects[index].process(&sound) }
    if rest > count {
      restarts[index] = rest - count
      return effects[index].process(&sound)
    }
    restarts[index] = nil
    var old = Array(sound.prefix(rest * channelCount))
    sound.removeFirst(old.count)
    effects[index].process(&old)
    effects[index].finish(into: &old)
    effects[index].process(&sound)
    sound = old + sound
  }

  /// Begins the effects of a track anew with the next frame that goes in: that of a signal which is
  /// played again.
  ///
  /// What they hold back comes out as if silence followed, so that the tracks stay beside each other,
  /// and nothing else is heard of the signal as it was before. A source that repeats its sound by
  /// itself is one signal: its effects go on, and reverberation of its end sounds into its beginning,
  /// as where somebody plays it over and over.
  mutating func restartEffects(of index: Int) { restarts[index] = tracks[index]?.heldCount ?? 0 }

  /// Changes the effects of a track, with the next frame that goes in.
  mutating func changeEffects(of index: Int, _ change: (inout EffectRack) -> Void) {
    change(&effects[index])
  }

  /// What is still inside of all tracks, as if silence followed; nothing more may go in.
  mutating func finish() -> [[Float]] {
    var chunks = waiting
    for index in chunks.indices { waiting[index] = [] }
    // What has been taken is not there a second time.
    if heldCount > 0 {
      for index in chunks.indices {
        var sound: [Float] = []
        tracks[index]?.finish(into: &sound)
        treat(&sound, of: index)
        effects[index].finish(into: &sound)
        chunks[index] += sound
      }
    }
    heldCount = 0
    return chunks
  }
}
