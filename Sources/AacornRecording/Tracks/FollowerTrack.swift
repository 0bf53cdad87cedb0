import AacornDevices
import AacornSystem

/// A further track on the time line of the first one, which is the leader.
///
///     device  ─► sink ─► source track ─► frames with places on the leader's time line ─► mix
///     signal  ─► sink ─► source track ─► frames that are taken as the mix needs them  ─► mix
///
/// A device is placed by the times of its blocks and held there (``TrackAlignment``). The mix never
/// waits long for a track: what has not come in time is silence, and an entry in the ledger.
struct FollowerTrack {
  /// The track's name.
  let name: String
  /// Who determines when its samples are heard.
  let pace: Pace
  /// The configuration for the track's own part of the way, without gain.
  private let configuration: RecordingConfiguration
  /// Its sound on the way to the mix.
  private(set) var track: SourceTrack
  /// Where the source puts its blocks.
  private(set) var sink: CaptureSink?
  /// What delivers them; nil for one that is told of from outside.
  let source: (any CaptureSource)?
  /// By how much it is heard later, in frames; where a signal starts.
  private var offset: Int

  /// Where its own frame 0 comes to lie in the mix; nil until that is known.
  private(set) var origin: Int?
  /// Its own number of the first of the frames that wait for the mix.
  private var head = 0
  private var alignment = TrackAlignment()
  /// Its own position when it was last compared with the leader.
  private var comparedPosition = 0.0
  /// Whether blocks have come since then.
  private var hasNews = false
  /// Whether it is to be placed anew, because time was left out.
  private var isMisplaced = false

  /// Whether sound is taken from it.
  private(set) var isPlaying: Bool
  /// Whether nothing more comes, until it is started again.
  private(set) var isOver = false
  /// Why it cannot continue.
  private var failure: RecordingError?
  /// Whether the mix has gone on without it.
  private var isOverdue = false
  /// Looks at the sink that found nothing.
  private var idleCount = 0
  /// When its last block came.
  private var lastTime: Int64?

  private var samples: [Float] = []
  /// Silence in place of what has not come, as far as it has not become news.
  var gaps: FollowerGaps
  /// What nobody has been told yet.
  var news: [SourceTrack.News] = []

  /// Milliseconds to wait for a signal at a time where nobody waits for the recording, and how often.
  private static let look = 50
  private static let lookLimit = 40
  /// Seconds by which a device may be out of place before it is placed anew.
  private static let tolerance = 0.02
  /// Seconds without a block after which a device is considered away.
  private static let standstill = 2.0

  /// A track of a source that has been started and puts its blocks into `sink`.
  init(
    _ settings: TrackConfiguration, _ configuration: RecordingConfiguration, pace: Pace,
    source: (any CaptureSource)? = nil, sink: CaptureSink? = nil, effects: EffectRack? = nil
  ) {
    name = settings.name
    self.pace = pace
    self.source = source
    self.sink = sink
    self.configuration = configuration.forFurtherTrack
    track = Self.track(self.configuration, pace, effects)
    offset = settings.startOffset.sampleCount(at: configuration.sampleRate)
    isPlaying = settings.startsByItself
    gaps = FollowerGaps(name, sampleRate: configuration.sampleRate)
  }

  private static func track(
    _ configuration: RecordingConfiguration, _ pace: Pace, _ effects: EffectRack?
  ) -> SourceTrack {
    SourceTrack(
      configuration, followsClock: pace == .clock, isStretchable: pace == .clock, effects: effects)
  }

  private var channelCount: Int { configuration.channelCount }
  private var sampleRate: Int { configuration.sampleRate }
  /// Frames that wait for the mix.
  private var waitingCount: Int { track.frames.count / channelCount }

  /// Whether the device is away, or never came.
  var isLost: Bool { track.absence != nil || isOverdue }

  // MARK: - From the source

  /// Takes what the source has, as far as the mix needs it; false if there was nothing.
  ///
  /// `position` is how far the mix is, `needed` how many frames the leader has for it, and
  /// `isPatient` says that a signal is waited for.
  mutating func receive(
    at position: Int, needed: Int, _ reference: TimeReference?, isPatient: Bool
  ) -> Bool {
    var hasWork = false
    if pace == .clock {
      while takeBlock(milliseconds: 0, position) { hasWork = true }
      compare(with: reference)
      discardLate(before: position)
    } else if isPlaying && !isOver {
      let wanted = needed - lead(at: position)
      while waitingCount < wanted && !isOver && !track.hasEnded {
        let isWaiting = isPatient && !isOverdue
        if takeBlock(milliseconds: isWaiting ? Self.look : 0, position) {
          (hasWork, idleCount) = (true, 0)
          continue
        }
        guard isWaiting else { break }
        idleCount += 1
        if idleCount >= Self.lookLimit { isOverdue = true }
      }
    }
    return hasWork
  }

  private mutating func takeBlock(milliseconds: Int, _ position: Int) -> Bool {
    samples.removeAll(keepingCapacity: true)
    guard let block = sink?.read(into: &samples, milliseconds: milliseconds) else { return false }
    accept(block, samples, at: position)
    return true
  }

  /// Accepts a block of samples or a notice, when the mix is at `position`.
  mutating func accept(_ block: CaptureBlock, _ samples: [Float], at position: Int) {
    if isOver { return }
    if block.notice == .failed {
      // What has come until now is heard to its end.
      track.end(at: nil)
      work(at: position)
      if isOver { return }
      return fail(
        .capture(
          source?.failure
            ?? .system(
              operation: "capture from", id: source?.device?.id ?? name, reason: "it failed")))
    }
    if block.notice == .samples {
      isOverdue = false
      lastTime = block.time
    }
    hasNews = true
    let wasThere = track.absence == nil
    let device = block.notice == .samples && track.hasStarted ? nil : source?.device
    track.accept(block, samples, from: device)
    if block.notice == .ended { track.end(at: nil) }
    work(at: position)
    if wasThere, track.absence != nil { letOut(at: position) }
  }

  /// Lets out what the resampler and the effects hold back of a device that nothing comes of for now.
  ///
  /// The mix does not wait for it, and would have passed the place of these frames by the time that
  /// silence pushes them out.
  private mutating func letOut(at position: Int) {
    guard pace == .clock else { return }
    track.pushOut()
    work(at: position)
    track.finishEffects()
  }

  /// Does what the blocks call for; what is late at once is not kept.
  private mutating func work(at position: Int) {
    do throws(RecordingError) {
      while try track.advance() {
        if pace == .clock { discardLate(before: position) }
      }
    } catch {
      fail(error)
    }
    for news in track.news { tell(news) }
    track.news.removeAll(keepingCapacity: true)
  }

  private mutating func fail(_ error: RecordingError) {
    isOver = true
    failure = error
    track.work = []
    track.finishEffects()
    news.append(.event(.trackFailed(name, error)))
  }

  /// Handles a time in which the device may have fallen silent.
  mutating func idle(now: Int64, at position: Int) {
    guard pace == .clock, !isOver, let lastTime else { return }
    let isStandstill = Double(now - lastTime) * 1e-9 > Self.standstill
    track.idle(now: now, isStandstill: isStandstill)
    work(at: position)
  }

  // MARK: - On the leader's time line

  /// Looks where the leader was when the next frame was captured, and corrects the track's place.
  ///
  /// That of a device that is away waits for its return: the gap is told by the place that it had.
  private mutating func compare(with reference: TimeReference?) {
    guard hasNews, track.absence == nil,
      !track.isPaused, track.turns.isEmpty, track.held.isEmpty, track.work.isEmpty,
      let reference, let clock = track.timeline.clock
    else { return }
    hasNews = false
    let place = reference.position(at: clock.nextTime) + Double(offset)
    let own = track.input.exactPosition
    let passed = (own - comparedPosition) / Double(sampleRate)
    comparedPosition = own
    guard let origin else {
      self.origin = Int((place - own).rounded())
      isMisplaced = false
      return
    }
    let error = place - Double(origin) - own
    if isMisplaced || abs(error) > Self.tolerance * Double(sampleRate) {
      isMisplaced = false
      self.origin = origin + Int(error.rounded())
    } else {
      alignment.correct(error / Double(sampleRate), after: passed)
      track.input.stretch(partsPerMillion: alignment.partsPerMillion)
    }
  }

  /// Drops frames that the mix has passed; without a place, all but the last second.
  private mutating func discardLate(before position: Int) {
    let place = origin.map { $0 + head }
    let late = if let place { position - place } else { waitingCount - sampleRate }
    drop(min(waitingCount, late))
  }

  private mutating func drop(_ count: Int) {
    guard count > 0 else { return }
    head += count
    track.frames.removeFirst(count * channelCount)
  }

  // MARK: - To the mix

  /// Whether the mix waits for it.
  var isAwaited: Bool {
    isPlaying && !isOver && !isOverdue && !track.hasEnded && track.absence == nil
  }

  /// How many frames of the mix come before a signal begins.
  func lead(at position: Int) -> Int { pace == .mix ? max(0, offset - position) : 0 }

  /// How many frames it has from a place of the mix on, silence before its beginning included.
  func available(at position: Int) -> Int {
    if pace == .mix { return lead(at: position) + waitingCount }
    guard let origin else { return 0 }
    return max(0, origin + head + waitingCount - position)
  }

  /// The mix goes on without it, until its next block.
  mutating func giveUpWaiting() {
    isOverdue = true
    if pace == .clock { track.finishEffects() }
  }

  /// Appends what is heard from a place of the mix on: its frames, and silence for what is missing.
  mutating func take(_ count: Int, at position: Int, into output: inout [Float]) {
    guard isPlaying else {
      // Of a device that is not heard no frames are missed, but its absence is told.
      if pace == .clock, track.absence != nil, !track.hasEnded { miss(count, at: position) }
      return beSilent(count, into: &output)
    }
    var lead = 0
    if pace == .mix {
      lead = min(count, self.lead(at: position))
    } else {
      discardLate(before: position)
      if let origin { lead = min(count, max(0, origin + head - position)) }
    }
    let ready = pace == .clock && origin == nil ? 0 : min(count - lead, waitingCount)
    let missing = count - lead - ready
    beSilent(lead, into: &output)
    if pace == .clock && head > 0 && lead > 0 { miss(lead, at: position) }
    // Its place is where it is first heard, and each stumble moves it.
    if pace == .mix && ready > 0 { origin = position + lead - head }
    output.append(contentsOf: track.frames.prefix(ready * channelCount))
    drop(ready)
    beSilent(missing, into: &output)
    if missing > 0 { miss(missing, at: position + lead + ready) }
  }

  private mutating func miss(_ count: Int, at position: Int) {
    if track.hasEnded && !isOver && waitingCount == 0 {
      isOver = true
      news.append(.event(.trackEnded(name)))
    }
    // What never began, and what has ended, is not missing.
    guard track.hasStarted, !isOver, !track.hasEnded else { return }
    gaps.add(position, count, track.absence ?? (pace == .mix ? .programLate : .unexplained))
  }

  private func beSilent(_ count: Int, into output: inout [Float]) {
    output.append(contentsOf: repeatElement(0, count: count * channelCount))
  }

  // MARK: - Control

  /// Pauses or resumes with the leader, if that has one at the border of what both have captured.
  mutating func pause(_ isPaused: Bool, at time: Int64, from border: Int64?) {
    if let border, nextTime != nil {
      track.pause(isPaused, at: time, from: border)
    } else {
      // It leaves out another time than the leader.
      if track.isToBePaused != isPaused { isMisplaced = true }
      track.pause(isPaused, at: time)
    }
    work(at: 0)
  }

  /// Nothing more comes: the recording ends at this time, with the mix at `position`.
  mutating func end(at time: Int64?, _ position: Int) {
    if isOver || track.hasEnded { return }
    track.end(at: time)
    work(at: position)
  }

  /// Is heard from the place of the mix on; a signal begins again, which is true then.
  @discardableResult
  mutating func start(at position: Int) -> Bool {
    if isPlaying && !isOver {
      // One that was to begin later begins now.
      if lead(at: position) > 0 { offset = position }
      return false
    }
    isPlaying = true
    if pace == .clock {
      // It stays silent, and whoever wants to hear it is to know why.
      if let failure { fail(failure) }
      return false
    }
    offset = position
    guard let source else { return false }
    source.stop()
    let sink = CaptureSink()
    do throws(CaptureError) {
      try source.start(sink)
      self.sink = sink
      var effects = track.effects
      effects.restart()
      track = Self.track(configuration, pace, effects)
      (isOver, isOverdue, idleCount, head, origin) = (false, false, 0, 0, nil)
      failure = nil
      return true
    } catch {
      fail(.capture(error))
      return false
    }
  }

  /// Is silent from now on; a signal has ended with that.
  mutating func stop() {
    isPlaying = false
    if pace == .mix { source?.stop() }
  }

  /// Goes through other effects with the next frame that comes.
  mutating func changeEffects(_ change: (inout EffectRack) -> Void) { change(&track.effects) }
}
