/// Removes the echoes from tracks, and delays all others by the same time, so that the tracks stay
/// aligned to the sample.
///
///     track without echo ─► effects ─► wait ─────────────────────┐
///     track with echo ────► echo track ─► effects ─► wait ───────┼─► all, equally long
///                               ▲ the other track, unprocessed ──┘
///
/// Effects would change both the echo and its reference. So if a track has echo cancellation, the
/// effects of all tracks run here, after it.
struct EchoStage {
  /// The tracks with echo cancellation; nil for the others.
  private var tracks: [EchoTrack?] = []
  private var effects: [EffectRack]
  /// The number of frames until the effects of each track restart; nil without a restart.
  private var restarts: [Int?]
  /// The processed samples of each track that wait for the mix.
  private var waiting: [[Float]]
  private let channelCount: Int
  /// Input frames of every track that have not been output yet.
  private(set) var heldCount = 0

  /// Creates the stage for tracks with valid settings; nil if none of them has echo cancellation.
  init?(
    _ settings: [TrackConfiguration], effects: [EffectRack]? = nil, channelCount: Int,
    sampleRate: Int
  ) throws(RecordingError) {
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
        throw .tracks(.unknownEcho(echo.track))
      }
      tracks.append(
        try EchoTrack(echo, of: far, channelCount: channelCount, sampleRate: sampleRate))
    }
  }

  /// Replaces the frames of each track by its processed frames.
  ///
  /// The number of frames is the largest that is available for every track.
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
      applyEffects(&sound, of: index)
      waiting[index] += sound
    }
    let length = waiting.map(\.count).min() ?? 0
    for index in chunks.indices {
      chunks[index] = Array(waiting[index].prefix(length))
      waiting[index].removeFirst(length)
    }
    heldCount -= length / channelCount
  }

  /// Replaces a track's samples by the output of its effects.
  private mutating func applyEffects(_ sound: inout [Float], of index: Int) {
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

  /// Restarts the effects of a track at the next input frame, because its signal is played again.
  ///
  /// The effects output their delayed samples as if silence followed, so that the tracks stay
  /// aligned. Nothing else of the old playback is audible in the new one. A source that repeats its
  /// sound by itself is one signal: its effects continue, and the reverberation of its end reaches
  /// into its beginning.
  mutating func restartEffects(of index: Int) { restarts[index] = tracks[index]?.heldCount ?? 0 }

  /// Changes the effects of a track, from the next input frame on.
  mutating func changeEffects(of index: Int, _ change: (inout EffectRack) -> Void) {
    change(&effects[index])
  }

  /// Returns the remaining frames of all tracks, as if silence followed; accepts no more input.
  mutating func finish() -> [[Float]] {
    var chunks = waiting
    for index in chunks.indices { waiting[index] = [] }
    // A second call returns nothing.
    if heldCount > 0 {
      for index in chunks.indices {
        var sound: [Float] = []
        tracks[index]?.finish(into: &sound)
        applyEffects(&sound, of: index)
        effects[index].finish(into: &sound)
        chunks[index] += sound
      }
    }
    heldCount = 0
    return chunks
  }
}
