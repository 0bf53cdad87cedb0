import AacornDevices

// Changes by the client take effect at the next mixed frame. Changes of effects take effect at the
// next received frame.
extension Mixdown {
  /// The maximum difference, in nanoseconds, between the times of devices that pause at the same
  /// capture time.
  private static let maxDistanceNanoseconds: Int64 = 300_000_000

  func stopSources() {
    for follower in followers { follower.source?.stop() }
  }

  /// Reconnects the sources of the follower tracks to their devices.
  func resumeSources() {
    for follower in followers { follower.source?.resume() }
  }

  /// Pauses or resumes all tracks, at the same capture time.
  mutating func pause(_ isPaused: Bool, at time: Int64) {
    guard isPaused != leader.isToBePaused else { return }
    // The leader's position before the pause is invalid after it.
    if !isPaused { reference = nil }
    let pauseTime = self.pauseTime
    if let pauseTime {
      leader.pause(isPaused, at: time, from: pauseTime)
    } else {
      leader.pause(isPaused, at: time)
    }
    for index in followers.indices where followers[index].pace == .clock {
      followers[index].pause(isPaused, at: time, from: pauseTime)
    }
  }

  /// The earliest capture time that no device has passed; nil if no other device has a similar
  /// time.
  ///
  /// Blocks of several devices arrive at different times, so one device is ahead of the others. If
  /// each paused at its current position, different periods would be omitted, and the tracks would
  /// be misaligned.
  private var pauseTime: Int64? {
    guard leader.followsClock, let own = leader.nextTime else { return nil }
    let others = followers.compactMap(\.nextTime).filter {
      abs($0 - own) < Self.maxDistanceNanoseconds
    }
    return others.isEmpty ? nil : max(own, others.max() ?? own)
  }

  /// Mutes or unmutes the whole mix.
  mutating func mute(_ isMuted: Bool) {
    if faders.isEmpty { return leader.mute(isMuted) }
    guard isMuted != self.isMuted else { return }
    self.isMuted = isMuted
    leader.events.append(.muted(isMuted))
    setFaders()
  }

  /// Multiplies the whole mix by another factor.
  mutating func setGain(_ gain: Float) {
    if faders.isEmpty {
      leader.input.gain = gain
    } else if gain != self.gain {
      self.gain = gain
      setFaders()
    }
  }

  var isSilenced: Bool { faders.isEmpty ? leader.input.isMuted : isMuted }

  /// Changes a track; ignores a track that does not exist.
  mutating func apply(_ change: TrackChange, to track: String) {
    guard let index = faders.firstIndex(where: { $0.configuration.name == track }) else { return }
    switch change {
    case .gain(let decibels): faders[index].gain = Gain.factor(decibels: decibels)
    case .pan(let pan): faders[index].pan = pan
    case .muted(let isMuted): faders[index].isMuted = isMuted
    case .solo(let isSolo): faders[index].isSolo = isSolo
    case .effects(let effects): changeEffects(of: index) { $0.change(to: effects) }
    case .bypass(let effect, let isBypassed):
      changeEffects(of: index) { $0.bypass(effect, isBypassed) }
    case .start: start(index)
    case .stop: stop(index)
    case .toggle: if isAudible(index) { stop(index) } else { start(index) }
    }
    setFaders()
  }

  /// Returns whether a track is audible or fading in; false for a track whose start is still to
  /// come.
  private func isAudible(_ index: Int) -> Bool {
    faders[index].isFadedIn && contributes(index)
  }

  /// Returns whether a track contributes to the mix, now or after its start offset.
  private func contributes(_ index: Int) -> Bool {
    index == 0 || (followers[index - 1].isPlaying && !followers[index - 1].isFinished)
  }

  private mutating func start(_ index: Int) {
    let wasAudible = isAudible(index)
    if index > 0 {
      // A track that ended by itself was not faded out.
      if followers[index - 1].isFinished { faders[index].resetFade() }
      if followers[index - 1].start(at: position) { echoes?.restartEffects(of: index) }
    }
    // Echo cancellation delays the next frames, so delay the fade. The leader needs no delay,
    // because its frames never stopped.
    faders[index].fadeIn(after: index > 0 ? echoes?.heldCount ?? 0 : 0)
    if !wasAudible && isAudible(index) {
      leader.events.append(.trackStarted(faders[index].configuration.name))
    }
  }

  /// Fades a track out from the next frame on, or after `delay` frames.
  mutating func stop(_ index: Int, after delay: Int = 0) {
    let isToBegin = !faders[index].hasBegun && contributes(index)
    if isAudible(index) || isToBegin {
      leader.events.append(.trackStopped(faders[index].configuration.name))
    }
    faders[index].fadeOut(after: delay)
    // A track that has not begun needs no fade.
    if index > 0 && !faders[index].hasBegun { followers[index - 1].stop() }
  }

  private mutating func changeEffects(of index: Int, _ change: (inout EffectRack) -> Void) {
    if echoes != nil {
      echoes?.changeEffects(of: index, change)
    } else if index == 0 {
      change(&leader.effects)
    } else {
      change(&followers[index - 1].track.effects)
    }
  }

  /// Moves the faders to the current settings.
  mutating func setFaders(isFirst: Bool = false) {
    let hasSolo = faders.contains(where: \.isSolo)
    for index in faders.indices {
      faders[index].update(
        master: gain, isSilenced: isMuted || (hasSolo && !faders[index].isSolo), isFirst: isFirst)
    }
  }

  /// The watches of the signals of all tracks, the leader's first.
  private var watches: [SignalWatch] { [leader.input.watch] + followers.map(\.track.input.watch) }

  /// Whether the sources of all tracks that contribute to the mix are silent.
  var isSilent: Bool {
    watches.enumerated().allSatisfy { index, watch in watch.isSilent || !contributes(index) }
  }

  /// Returns the silences of all tracks that had any, in a recording of this length.
  func silences(upTo length: Int) -> [SourceSilence] {
    watches.enumerated().compactMap { index, watch in
      // Captured samples after the end of the recording were watched as well.
      let count = min(length, watch.silentSampleCount)
      if count == 0 { return nil }
      let track = faders.isEmpty ? nil : faders[index].configuration.name
      return SourceSilence(track: track, sampleCount: count)
    }
  }

  /// Returns the levels of the tracks since the last call.
  mutating func takeTrackLevels() -> [RecordingStatus.Track] {
    var tracks: [RecordingStatus.Track] = []
    for index in faders.indices {
      var track = RecordingStatus.Track(name: faders[index].configuration.name)
      track.peak = faders[index].takePeak()
      track.isMuted = faders[index].isMuted
      track.isDeviceLost =
        index == 0 ? leader.absence != nil : followers[index - 1].isLost
      track.isSilent = watches[index].isSilent
      track.isPlaying = contributes(index)
      tracks.append(track)
    }
    return tracks
  }
}
