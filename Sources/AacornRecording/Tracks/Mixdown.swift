/// Joins the tracks into the sound of the recording: their samples are added, in the time of the
/// first one.
///
///     leader   ─► effects ─► fader ─┐
///     follower ─► effects ─► fader ─┼─► ducking ─► sum
///     follower ─► effects ─► fader ─┘
///
/// A recording of one source that was given no settings of a track is that source, bit for bit.
///
/// Where a track hears another one, echoes are taken out of tracks before the effects of them all
/// (``EchoStage``).
struct Mixdown {
  /// The track that gives the recording its time.
  var leader: SourceTrack
  /// The others.
  var followers: [FollowerTrack]
  /// The faders of all tracks, the leader's first; none for a source that passes as it is.
  var faders: [TrackFader] = []
  /// Frames of the mix that were taken; of the tracks, as far as echoes hold the mix back.
  private(set) var position = 0
  /// What takes echoes out; nil if there are none.
  var echoes: EchoStage?
  /// What each track contributed to the frames taken last, if that is wanted.
  private(set) var parts: [[Float]] = []
  private let keepsParts: Bool
  /// The factor for all tracks.
  var gain: Float
  /// Whether none is heard.
  var isMuted: Bool
  /// Whether nothing is waited for any more.
  private var isEnding = false
  /// Where the leader is, and when.
  var reference: TimeReference?
  /// The other tracks' peaks, for ducking.
  private var peaks: [Float] = []

  /// Seconds of the leader's sound for which a track is waited for.
  private static let patience = 0.3

  /// The sound of one source as it is.
  init(_ leader: SourceTrack) {
    self.leader = leader
    followers = []
    keepsParts = false
    gain = 1
    isMuted = false
  }

  /// A mix of a leader and others, whose settings are in the same order, the leader's first.
  ///
  /// The leader's own gain must be 1; that of the mix is the configuration's.
  init(
    _ leader: SourceTrack, _ followers: [FollowerTrack], _ settings: [TrackConfiguration],
    _ configuration: RecordingConfiguration, keepsParts: Bool = false
  ) {
    precondition(settings.count == 1 + followers.count)
    self.leader = leader
    self.followers = followers
    self.keepsParts = keepsParts
    gain = configuration.gain
    isMuted = configuration.isMuted
    faders = settings.map {
      TrackFader(
        $0, sampleRate: configuration.sampleRate, channelCount: configuration.channelCount)
    }
    faders[0].fadeIn()
    setFaders(isFirst: true)
  }

  /// Whether the recording is over: the leader has ended.
  var hasEnded: Bool { leader.hasEnded }

  private var channelCount: Int { leader.input.channelCount }
  private var sampleRate: Int { leader.input.sampleRate }

  /// Does a piece of the tracks' work; false if there is none.
  mutating func advance() throws(RecordingError) -> Bool {
    var hasWork = try leader.advance()
    if followers.isEmpty { return hasWork }
    noteReference()
    let needed = leader.frames.count / channelCount
    for index in followers.indices
    where followers[index].receive(
      at: position, needed: needed, reference, isPatient: !leader.followsClock)
    {
      hasWork = true
    }
    return hasWork
  }

  /// Notes where the leader's next frame comes to lie and when it is captured, if that is certain.
  private mutating func noteReference() {
    guard leader.followsClock, leader.work.isEmpty, leader.held.isEmpty, !leader.isPaused,
      leader.turns.isEmpty, let clock = leader.timeline.clock
    else { return }
    let ratio = Double(sampleRate) / Double(clock.sampleRate)
    reference = TimeReference(
      position: leader.input.exactPosition, time: clock.nextTime,
      framesPerSecond: ratio * (1 + leader.input.partsPerMillion * 1e-6) / clock.period)
  }

  /// Looks after devices that may have fallen silent.
  mutating func attend(now: Int64) {
    for index in followers.indices { followers[index].idle(now: now, at: position) }
  }

  /// What has happened on the tracks since the last call; at the end, all that is left.
  mutating func takeNews() -> [SourceTrack.News] {
    var news = leader.news
    leader.news.removeAll(keepingCapacity: true)
    // With several tracks, every entry says whose it is.
    if !faders.isEmpty {
      let name = faders[0].configuration.name
      news = news.map { item in
        guard case .gap(var gap) = item, gap.cause != .paused else { return item }
        gap.track = name
        return .gap(gap)
      }
    }
    for index in followers.indices {
      news += followers[index].takeNews(
        at: position, isCut: isEnding && leader.frames.isEmpty && leader.work.isEmpty,
        wallTime: leader.startWallTime)
    }
    return news
  }

  /// Nothing more comes.
  ///
  /// `time` is when the end was requested; if the leader is away, silence fills the time until then.
  mutating func end(at time: Int64?) {
    for index in followers.indices where followers[index].pace == .clock {
      _ = followers[index].receive(at: position, needed: 0, reference, isPatient: false)
      followers[index].end(at: time, position)
    }
    leader.end(at: time)
    isEnding = true
  }

  /// Ends the gaps that are growing; what has not been mixed by now never is.
  mutating func closeGaps() {
    leader.closeGap()
    leader.frames.removeAll()
    isEnding = true
  }

  /// Ends the parts of the growing gaps before a position; the rest goes on growing.
  mutating func cutGaps(at position: Int) {
    leader.cutGap(at: position)
    for index in followers.indices {
      followers[index].noteGaps(at: position, isCut: true, wallTime: leader.startWallTime)
    }
  }

  // MARK: - The mix

  /// Puts the frames that all tracks have, or are not waited for, into `frames`, in place of what is
  /// there.
  mutating func take(into frames: inout [Float]) {
    frames.removeAll(keepingCapacity: true)
    if faders.isEmpty {
      // Nothing is to be added, so the samples pass as they are.
      swap(&frames, &leader.frames)
      position += frames.count / channelCount
      return
    }
    parts = Array(repeating: [], count: keepsParts ? faders.count : 0)
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

  /// Fades in what begins with the next frame.
  private mutating func beginTracks() {
    for index in followers.indices
    where followers[index].isPlaying && followers[index].lead(at: position) == 0
      && !faders[index + 1].hasBegun
    {
      faders[index + 1].fadeIn(after: echoes?.heldCount ?? 0)
      let settings = faders[index + 1].configuration
      // What is there from the beginning goes without saying.
      if followers[index].pace == .mix && settings.startOffset > .zero {
        leader.news.append(.event(.trackStarted(settings.name)))
      }
    }
  }

  /// Fades out what is to be heard up to the next frame.
  private mutating func endTracks() {
    for index in faders.indices {
      guard let end = faders[index].stopPosition, position >= end else { continue }
      faders[index].stopPosition = nil
      stop(index, after: echoes?.heldCount ?? 0)
    }
  }

  /// Appends as many frames as there are of every track.
  private mutating func mix(_ chunks: inout [[Float]], into frames: inout [Float]) {
    fade(&chunks)
    let start = frames.count
    frames.append(contentsOf: repeatElement(0, count: chunks[0].count))
    for track in chunks.indices {
      let samples = chunks[track]
      for index in samples.indices { frames[start + index] += samples[index] }
      if keepsParts { parts[track] += samples }
    }
  }

  /// How many frames can be mixed now.
  private mutating func readyCount() -> Int {
    let ready = leader.frames.count / channelCount
    var length = ready
    for index in faders.indices {
      // What stops in between stops behind a piece of its own.
      guard let end = faders[index].stopPosition else { continue }
      length = min(length, max(0, end - position))
    }
    for index in followers.indices where followers[index].isPlaying {
      // What begins in between begins with a piece of its own.
      let lead = followers[index].lead(at: position)
      if lead > 0 { length = min(length, lead) }
      if isEnding || !followers[index].isAwaited { continue }
      let count = followers[index].available(at: position)
      // What effects hold back has come.
      let missing = ready + leader.effects.heldCount - count - followers[index].heldCount
      // A signal that nobody hears in real time was waited for before.
      let isLate =
        (leader.followsClock || followers[index].pace == .clock)
        && Double(missing) > Self.patience * Double(sampleRate)
      if isLate {
        followers[index].giveUpWaiting()
      } else {
        length = min(length, count)
      }
    }
    return length
  }

  /// Takes so many frames of every track.
  private mutating func takeChunks(_ length: Int) -> [[Float]] {
    var chunks = [Array(leader.frames.prefix(length * channelCount))]
    leader.frames.removeFirst(length * channelCount)
    for index in followers.indices {
      var chunk: [Float] = []
      chunk.reserveCapacity(length * channelCount)
      followers[index].take(length, at: position, into: &chunk)
      chunks.append(chunk)
    }
    return chunks
  }

  /// Makes every track as loud as it is to be heard.
  private mutating func fade(_ chunks: inout [[Float]]) {
    for index in faders.indices { faders[index].apply(to: &chunks[index]) }
    // All listen before one of them gives way, so that their order is of no account.
    for index in faders.indices {
      guard let trigger = faders[index].trigger else { continue }
      listen(to: trigger, except: index, chunks)
      faders[index].hear(peaks)
    }
    for index in faders.indices {
      faders[index].finish(&chunks[index])
      guard index > 0, faders[index].isFadedOut, faders[index].hasBegun,
        followers[index - 1].isPlaying
      else { continue }
      followers[index - 1].stop()
    }
  }

  /// Notes the greatest magnitude of the tracks that a trigger names, for every frame.
  private mutating func listen(
    to trigger: Ducking.Trigger, except own: Int, _ chunks: [[Float]]
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
