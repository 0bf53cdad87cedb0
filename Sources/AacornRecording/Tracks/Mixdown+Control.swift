// What is changed from outside; every change begins with the next frame that is taken, that of effects
// with the next one that comes.
extension Mixdown {
  /// Nanoseconds by which devices that are there are apart at most.
  private static let mostDistance: Int64 = 300_000_000

  /// Ends what the further tracks' sources do.
  func stopSources() {
    for follower in followers { follower.stopSource() }
  }

  /// Has the further tracks' sources take their devices back.
  func resumeSources() {
    for follower in followers { follower.resumeSource() }
  }

  /// Pauses or resumes all tracks, at the same time of their devices.
  mutating func pause(_ isPaused: Bool, at time: Int64) {
    guard isPaused != leader.isToBePaused else { return }
    // Where the leader was before the pause says nothing of where it is behind it.
    if !isPaused { reference = nil }
    let border = self.border
    if let border {
      leader.pause(isPaused, at: time, from: border)
    } else {
      leader.pause(isPaused, at: time)
    }
    for index in followers.indices where followers[index].pace == .clock {
      followers[index].pause(isPaused, at: time, from: border)
    }
  }

  /// The time until which none of the devices has been heard; nil if there is only one.
  ///
  /// Their blocks come at different times, so one is ahead of the other. If each was cut where it is,
  /// they would leave out different times, and the difference would be missing in one of them.
  private var border: Int64? {
    guard leader.followsClock, let own = leader.nextTime else { return nil }
    let others = followers.compactMap(\.nextTime).filter { abs($0 - own) < Self.mostDistance }
    return others.isEmpty ? nil : max(own, others.max() ?? own)
  }

  /// Mutes or unmutes the whole mix.
  mutating func mute(_ isMuted: Bool) {
    if faders.isEmpty { return leader.mute(isMuted) }
    guard isMuted != self.isMuted else { return }
    self.isMuted = isMuted
    leader.news.append(.event(.muted(isMuted)))
    setFaders()
  }

  /// Multiplies the whole mix by another factor.
  mutating func amplify(_ gain: Float) {
    if faders.isEmpty {
      leader.input.gain = gain
    } else if gain != self.gain {
      self.gain = gain
      setFaders()
    }
  }

  /// Whether the whole mix is muted.
  var isSilenced: Bool { faders.isEmpty ? leader.input.isMuted : isMuted }

  /// Carries out a command for a track; one for a track that does not exist changes nothing.
  mutating func obey(_ command: TrackCommand) {
    guard let index = faders.firstIndex(where: { $0.configuration.name == command.track }) else {
      return
    }
    switch command.change {
    case .gain(let decibels): faders[index].gain = Gain.factor(decibels: decibels)
    case .pan(let pan): faders[index].pan = pan
    case .muted(let isMuted): faders[index].isMuted = isMuted
    case .solo(let isSolo): faders[index].isSolo = isSolo
    case .effects(let effects): changeEffects(of: index) { $0.change(to: effects) }
    case .bypass(let effect, let isBypassed):
      changeEffects(of: index) { $0.bypass(effect, isBypassed) }
    case .start: start(index)
    case .stop: stop(index)
    case .toggle: if isHeard(index) { stop(index) } else { start(index) }
    }
    setFaders()
  }

  /// Whether a track is heard, or becomes so; one that waits for its time does not.
  private func isHeard(_ index: Int) -> Bool {
    faders[index].isFadedIn && takesPart(index)
  }

  /// Whether there is something to hear of a track, now or when its time comes.
  private func takesPart(_ index: Int) -> Bool {
    index == 0 || (followers[index - 1].isPlaying && !followers[index - 1].isOver)
  }

  private mutating func start(_ index: Int) {
    let wasHeard = isHeard(index)
    if index > 0 {
      // What came to its end by itself was never faded out.
      if followers[index - 1].isOver { faders[index].beginAnew() }
      if followers[index - 1].start(at: position) { echoes?.restartEffects(of: index) }
    }
    // What comes from now on is heard behind what echoes hold back; the leader was never away.
    faders[index].fadeIn(after: index > 0 ? echoes?.heldCount ?? 0 : 0)
    if !wasHeard && isHeard(index) {
      leader.news.append(.event(.trackStarted(faders[index].configuration.name)))
    }
  }

  /// Has a track fade out from the next frame on, or after so many more.
  mutating func stop(_ index: Int, after delay: Int = 0) {
    let isToBegin = !faders[index].hasBegun && takesPart(index)
    if isHeard(index) || isToBegin {
      leader.news.append(.event(.trackStopped(faders[index].configuration.name)))
    }
    faders[index].fadeOut(after: delay)
    // What has yet to begin has nothing to fade.
    if index > 0 && !faders[index].hasBegun { followers[index - 1].stop() }
  }

  private mutating func changeEffects(of index: Int, _ change: (inout EffectRack) -> Void) {
    if echoes != nil {
      echoes?.changeEffects(of: index, change)
    } else if index == 0 {
      change(&leader.effects)
    } else {
      followers[index - 1].changeEffects(change)
    }
  }

  /// Has the faders go to what is wanted now.
  mutating func setFaders(isFirst: Bool = false) {
    let hasSolo = faders.contains(where: \.isSolo)
    for index in faders.indices {
      faders[index].follow(
        master: gain, isSilenced: isMuted || (hasSolo && !faders[index].isSolo), isFirst: isFirst)
    }
  }

  /// The levels of the tracks since the last call.
  mutating func takeTrackLevels() -> [RecordingStatus.Track] {
    var tracks: [RecordingStatus.Track] = []
    for index in faders.indices {
      var track = RecordingStatus.Track(name: faders[index].configuration.name)
      track.peak = faders[index].takePeak()
      track.isMuted = faders[index].isMuted
      track.isDeviceLost =
        index == 0 ? leader.absence != nil : followers[index - 1].isLost
      track.isPlaying =
        index == 0
        || (followers[index - 1].isPlaying && !followers[index - 1].isOver)
      tracks.append(track)
    }
    return tracks
  }
}
