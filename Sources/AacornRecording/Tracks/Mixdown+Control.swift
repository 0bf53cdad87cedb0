// What is changed from outside; every change begins with the next frame that is taken, that of effects
// with the next one that comes.
extension Mixdown {
  /// Ends what the further tracks' sources do.
  func stopSources() {
    for follower in followers { follower.stopSource() }
  }

  /// Has the further tracks' sources take their devices back.
  func resumeSources() {
    for follower in followers { follower.resumeSource() }
  }

  /// Pauses or resumes all tracks.
  mutating func pause(_ isPaused: Bool, at time: Int64) {
    guard isPaused != leader.isPaused else { return }
    leader.pause(isPaused, at: time)
    for index in followers.indices where followers[index].pace == .clock {
      followers[index].pause(isPaused, at: time)
    }
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
    case .start:
      if index > 0 { followers[index - 1].start(at: position) }
      // What comes from now on is heard behind what echoes hold back; the leader was never away.
      faders[index].fadeIn(after: index > 0 ? echoes?.heldCount ?? 0 : 0)
    case .stop:
      faders[index].fadeOut()
      // What has yet to begin has nothing to fade.
      if index > 0 && !faders[index].hasBegun { followers[index - 1].stop() }
    }
    setFaders()
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
