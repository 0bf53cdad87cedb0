/// Mixes the tracks into the recording: adds their samples, on the time line of the first track.
///
///     leader   ─► effects ─► fader ─┐
///     follower ─► effects ─► fader ─┼─► ducking ─► sum
///     follower ─► effects ─► fader ─┘
///
/// A recording of one source without track settings is that source, bit for bit.
///
/// With echo cancellation, the echoes are removed before the effects of all tracks
/// (``EchoStage``).
struct Mixdown {
  /// The track that sets the recording's time line.
  var leader: SourceTrack
  /// The other tracks.
  var followers: [FollowerTrack]
  /// The faders of all tracks, the leader's first; empty for a source that passes unchanged.
  var faders: [TrackFader] = []
  /// The number of frames taken from the tracks.
  ///
  /// The mix is shorter by the frames that the echo stage has not output yet.
  private(set) var position = 0
  /// The echo cancellation; nil if no track uses it.
  var echoes: EchoStage?
  /// The contribution of each track to the last frames, if requested.
  private(set) var parts: [[Float]] = []
  private let keepsTracks: Bool
  var gain: Float
  var isMuted: Bool
  /// Whether the recording is ending, so that the mix waits for no track.
  private var isEnding = false
  /// The leader's position at a known time.
  var reference: TimeReference?
  /// The peaks of the other tracks, for ducking.
  private var peaks: [Float] = []

  /// The maximum wait for a track, in seconds of the leader's audio.
  private static let trackTimeoutSeconds = 0.3

  /// Creates a mix that passes one source unchanged.
  init(_ leader: SourceTrack) {
    self.leader = leader
    followers = []
    keepsTracks = false
    gain = 1
    isMuted = false
  }

  /// Creates a mix of a leader and followers; the settings have the same order, the leader's first.
  ///
  /// The leader's own gain must be 1. The configuration's gain is applied to the mix.
  init(
    _ leader: SourceTrack, _ followers: [FollowerTrack], settings: [TrackConfiguration],
    configuration: RecordingConfiguration, keepsTracks: Bool = false
  ) {
    precondition(settings.count == 1 + followers.count)
    self.leader = leader
    self.followers = followers
    self.keepsTracks = keepsTracks
    gain = configuration.gain
    isMuted = configuration.isMuted
    faders = settings.map {
      TrackFader(
        $0, sampleRate: configuration.sampleRate, channelCount: configuration.channelCount)
    }
    faders[0].fadeIn()
    setFaders(isFirst: true)
  }

  /// Whether the recording has ended because the leader has.
  var hasEnded: Bool { leader.hasEnded }

  private var channelCount: Int { leader.input.channelCount }
  private var sampleRate: Int { leader.input.sampleRate }

  /// Does a piece of the tracks' work; returns false if there is none.
  mutating func advance() throws(RecordingError) -> Bool {
    var hasWork = try leader.advance()
    if followers.isEmpty { return hasWork }
    recordReference()
    let needed = leader.frames.count / channelCount
    for index in followers.indices
    where followers[index].receive(
      at: position, needed: needed, reference, mayWait: !leader.followsClock)
    {
      hasWork = true
    }
    return hasWork
  }

  /// Records the position and the capture time of the leader's next frame, unless pending audio or
  /// pauses may still change the position.
  private mutating func recordReference() {
    guard leader.followsClock, leader.work.isEmpty, leader.held.isEmpty, !leader.isPaused,
      leader.pauseRequests.isEmpty, let clock = leader.timeline.clock
    else { return }
    let ratio = Double(sampleRate) / Double(clock.sampleRate)
    reference = TimeReference(
      position: leader.input.exactPosition, time: clock.nextTime,
      framesPerSecond: ratio * (1 + leader.input.partsPerMillion * 1e-6) / clock.period)
  }

  /// Checks for devices that have fallen silent.
  mutating func checkStalls(now: Int64) {
    for index in followers.indices { followers[index].idle(now: now, at: position) }
  }

  /// Returns the events of the tracks since the last call; at the end, all remaining ones.
  mutating func takeEvents() -> [RecorderEvent] {
    var events = leader.events
    leader.events.removeAll(keepingCapacity: true)
    // With several tracks, every entry names its track.
    if !faders.isEmpty {
      let name = faders[0].configuration.name
      events = events.map { event in
        guard case .gap(var gap) = event, gap.cause != .paused else { return event }
        gap.track = name
        return .gap(gap)
      }
    }
    for index in followers.indices {
      events += followers[index].takeEvents(
        at: position, isCut: isEnding && leader.frames.isEmpty && leader.work.isEmpty,
        wallTime: leader.startWallTime)
    }
    return events
  }

  /// Ends all tracks.
  ///
  /// `time` is the time at which the end was requested; if the leader is missing, silence fills the
  /// time until then.
  mutating func end(at time: Int64?) {
    for index in followers.indices where followers[index].pace == .clock {
      _ = followers[index].receive(at: position, needed: 0, reference, mayWait: false)
      followers[index].end(at: time, position)
    }
    leader.end(at: time)
    isEnding = true
  }

  /// Ends the open gaps and discards frames that have not been mixed.
  mutating func closeGaps() {
    leader.closeGap()
    leader.frames.removeAll()
    isEnding = true
  }

  /// Reports the parts of the open gaps before a position; the gaps stay open from there.
  mutating func cutGaps(at position: Int) {
    leader.cutGap(at: position)
    for index in followers.indices {
      followers[index].collectGaps(at: position, isCut: true, wallTime: leader.startWallTime)
    }
  }

  // MARK: - The mix

  /// Replaces `frames` by the mix of all tracks, as far as all awaited tracks have frames.
  mutating func take(into frames: inout [Float]) {
    frames.removeAll(keepingCapacity: true)
    if faders.isEmpty {
      // Nothing to add, so the samples pass unchanged.
      swap(&frames, &leader.frames)
      position += frames.count / channelCount
      return
    }
    parts = Array(repeating: [], count: keepsTracks ? faders.count : 0)
    while true {
      beginTracks()
      endTracks()
      let length = readyCount()
      if length == 0 { break }
      var chunks = takeChunks(length)
      echoes?.process(&chunks)
      mix(&chunks, into: &frames)
      position += length
    }
    guard isEnding, leader.work.isEmpty, leader.frames.isEmpty, var rest = echoes?.finish() else {
      return
    }
    mix(&rest, into: &frames)
  }

  /// Fades in the tracks that begin with the next frame.
  private mutating func beginTracks() {
    for index in followers.indices
    where followers[index].isPlaying && followers[index].framesUntilStart(at: position) == 0
      && !faders[index + 1].hasBegun
    {
      faders[index + 1].fadeIn(after: echoes?.heldCount ?? 0)
      let settings = faders[index + 1].configuration
      // A track that plays from the beginning needs no event.
      if followers[index].pace == .mix && settings.startOffset > .zero {
        leader.events.append(.trackStarted(settings.name))
      }
    }
  }

  /// Fades out the tracks that end at the current position.
  private mutating func endTracks() {
    for index in faders.indices {
      guard let end = faders[index].stopPosition, position >= end else { continue }
      faders[index].stopPosition = nil
      stop(index, after: echoes?.heldCount ?? 0)
    }
  }

  /// Mixes the frames of all tracks and appends the sum.
  private mutating func mix(_ chunks: inout [[Float]], into frames: inout [Float]) {
    fade(&chunks)
    let start = frames.count
    frames.append(contentsOf: repeatElement(0, count: chunks[0].count))
    for track in chunks.indices {
      let samples = chunks[track]
      for index in samples.indices { frames[start + index] += samples[index] }
      if keepsTracks { parts[track] += samples }
    }
  }

  /// Returns the number of frames that can be mixed now.
  private mutating func readyCount() -> Int {
    let ready = leader.frames.count / channelCount
    var length = ready
    for index in faders.indices {
      // End the chunk at a stop, so that the track stops at a chunk's border.
      guard let end = faders[index].stopPosition else { continue }
      length = min(length, max(0, end - position))
    }
    for index in followers.indices where followers[index].isPlaying {
      // End the chunk before a start, so that the track starts at a chunk's border.
      let lead = followers[index].framesUntilStart(at: position)
      if lead > 0 { length = min(length, lead) }
      if isEnding || !followers[index].isAwaited { continue }
      let count = followers[index].available(at: position)
      // Frames that the effects have not output yet do not count as missing.
      let missing = ready + leader.effects.heldCount - count - followers[index].heldCount
      // `receive` has already waited for a signal that is not played in real time.
      let isLate =
        (leader.followsClock || followers[index].pace == .clock)
        && Double(missing) > Self.trackTimeoutSeconds * Double(sampleRate)
      if isLate {
        followers[index].giveUpWaiting()
      } else {
        length = min(length, count)
      }
    }
    return length
  }

  /// Removes and returns `length` frames of every track.
  private mutating func takeChunks(_ length: Int) -> [[Float]] {
    var chunks = [Array(leader.frames.prefix(length * channelCount))]
    leader.frames.removeFirst(length * channelCount)
    for index in followers.indices {
      var chunk: [Float] = []
      followers[index].take(length, at: position, into: &chunk)
      chunks.append(chunk)
    }
    return chunks
  }

  /// Applies the faders and the ducking of all tracks.
  private mutating func fade(_ chunks: inout [[Float]]) {
    for index in faders.indices { faders[index].apply(to: &chunks[index]) }
    // Measure all tracks before ducking any of them, so that their order does not matter.
    for index in faders.indices {
      guard let trigger = faders[index].trigger else { continue }
      measurePeaks(of: trigger, except: index, chunks)
      faders[index].computeDucking(peaks)
    }
    for index in faders.indices {
      faders[index].finish(&chunks[index])
      guard index > 0, faders[index].isFadedOut, faders[index].hasBegun,
        followers[index - 1].isPlaying
      else { continue }
      followers[index - 1].stop()
    }
  }

  /// Stores in `peaks` the peak of every frame in the tracks that `trigger` selects.
  private mutating func measurePeaks(
    of trigger: Ducking.Trigger, except own: Int, _ chunks: [[Float]]
  ) {
    peaks.removeAll(keepingCapacity: true)
    peaks.append(contentsOf: repeatElement(0, count: chunks[own].count / channelCount))
    for index in faders.indices where index != own {
      if case .track(let name) = trigger, faders[index].configuration.name != name { continue }
      let samples = chunks[index]
      for frame in peaks.indices {
        for channel in 0..<channelCount {
          let magnitude = samples[frame * channelCount + channel].magnitude
          if magnitude > peaks[frame] { peaks[frame] = magnitude }
        }
      }
    }
  }
}
