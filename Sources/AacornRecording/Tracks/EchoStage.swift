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
  /// sound by itself is one signal: its effects continue.
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

/// Passes the samples of a track (near) and of its reference track (far) through an
/// ``EchoCanceller``.
///
///     near ─► a block later ─┐
///     far ───────────────────┴─► blocks ─► canceller ─► near, at its position
///
/// A canceller finds only echoes that follow the playback. Two devices may be misaligned by some
/// milliseconds, so the near samples are delayed by ten milliseconds before the canceller. The
/// output keeps the positions of the input. The result does not depend on the block sizes.
struct EchoTrack {
  let far: Int
  private let canceller: EchoCanceller
  private let channelCount: Int
  private let reference: EchoCancellation.Reference
  /// Complete frames that wait for a full block.
  private var nearSamples: [Float]
  private var farSamples: [Float] = []
  /// Frames of the initial delay that have not been removed from the output.
  private var remainingLead: Int
  /// Input frames that have not been output yet.
  private(set) var heldCount = 0

  /// Creates a track without history; its reference has the same channel count.
  init(
    _ echo: EchoCancellation, of far: Int, channelCount: Int, sampleRate: Int
  ) throws(RecordingError) {
    self.far = far
    self.channelCount = channelCount
    reference = echo.reference
    canceller = try EchoCanceller(
      channelCount: channelCount,
      referenceChannelCount: echo.reference == .mix ? 1 : channelCount, sampleRate: sampleRate,
      tail: echo.tail)
    remainingLead = canceller.blockLength
    nearSamples = Array(repeating: 0, count: remainingLead * channelCount)
  }

  /// Accepts the same number of frames of both tracks, and appends the finished frames.
  mutating func process(_ near: [Float], _ far: [Float], into output: inout [Float]) {
    precondition(near.count == far.count && near.count % channelCount == 0)
    nearSamples += near
    append(far)
    heldCount += near.count / channelCount
    let start = output.count
    let length = canceller.blockLength
    let farCount = reference == .mix ? 1 : channelCount
    var frame = 0
    // `nearSamples` has a block more, so only the number of far samples matters.
    while (frame + length) * farCount <= farSamples.count {
      canceller.process(
        nearSamples[frame * channelCount..<(frame + length) * channelCount],
        farSamples[frame * farCount..<(frame + length) * farCount], into: &output)
      frame += length
    }
    nearSamples.removeFirst(frame * channelCount)
    farSamples.removeFirst(frame * farCount)
    let lead = min(remainingLead, frame)
    output.removeSubrange(start..<start + lead * channelCount)
    remainingLead -= lead
    heldCount -= frame - lead
  }

  private mutating func append(_ far: [Float]) {
    if reference == .channels {
      farSamples += far
      return
    }
    var index = 0
    while index < far.count {
      var sum: Float = 0
      for channel in 0..<channelCount { sum += far[index + channel] }
      farSamples.append(sum / Float(channelCount))
      index += channelCount
    }
  }

  /// Appends the remaining frames, as if silence followed; accepts no more input.
  mutating func finish(into output: inout [Float]) {
    let end = output.count + heldCount * channelCount
    let silence = [Float](repeating: 0, count: 2 * canceller.blockLength * channelCount)
    process(silence, silence, into: &output)
    output.removeLast(output.count - end)
    heldCount = 0
  }
}
