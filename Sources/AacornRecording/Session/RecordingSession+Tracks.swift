import AacornDevices
import AacornSystem

/// Several sources in one recording.
extension RecordingSession {
  /// A started source and the sink for its blocks.
  typealias OpenSource = (source: any CaptureSource, sink: CaptureSink)

  /// Returns the settings of the tracks; empty for a source without track settings.
  func trackSettings(
    of material: RecordingMaterial
  ) throws(RecordingError) -> [TrackConfiguration] {
    switch material {
    case .one:
      // The file of the only track needs a name.
      return configuration.multitrack == nil ? [] : [TrackConfiguration("track")]
    case .tracks(let tracks):
      let settings = tracks.map(\.configuration)
      do throws(TrackError) {
        try TrackConfiguration.validate(settings, channelCount: configuration.channelCount)
      } catch {
        throw .tracks(error)
      }
      return settings
    }
  }

  /// Returns the echo cancellation of the tracks, nil without one; throws for a missing library
  /// before a microphone is opened.
  func echoStage(
    for settings: [TrackConfiguration], _ effects: [EffectRack]
  ) throws(RecordingError) -> EchoStage? {
    do throws(TrackError) {
      return try EchoStage(
        settings, effects: effects, channelCount: configuration.channelCount,
        sampleRate: configuration.sampleRate)
    } catch {
      throw .tracks(error)
    }
  }

  /// Opens all sources, the leader last, so that its samples do not wait for the others.
  func openSources(
    _ material: RecordingMaterial
  ) throws(RecordingError) -> (leader: OpenSource, followers: [OpenSource]) {
    let origins = material.origins
    guard let first = origins.first else { throw .tracks(.noTracks) }
    var followers: [OpenSource] = []
    do throws(RecordingError) {
      for origin in origins.dropFirst() {
        followers.append(try open(origin, followsMix: true))
        // Stop opening sources when the recording is stopped.
        if !state.withLock(\.isOpening) { throw .stopped }
      }
      let leader = try open(first, followsMix: false)
      return (leader, followers)
    } catch {
      for follower in followers { follower.source.stop() }
      throw error
    }
  }

  private func open(
    _ origin: SourceOrigin, followsMix: Bool
  ) throws(RecordingError) -> OpenSource {
    do throws(CaptureError) {
      let sink = CaptureSink()
      let source = try origin.source(followsMix: followsMix)
      try source.start(sink)
      return (source, sink)
    } catch {
      throw .capture(error)
    }
  }

  /// Returns the mix of open sources, with the effects of each track.
  func mix(
    _ settings: [TrackConfiguration], _ effects: [EffectRack?], _ leader: any CaptureSource,
    _ followers: [OpenSource]
  ) throws(RecordingError) -> Mixdown {
    var tracks: [FollowerTrack] = []
    for ((track, effects), follower) in zip(zip(settings, effects).dropFirst(), followers) {
      let followsClock = follower.source.followsClock
      if followsClock && !leader.followsClock {
        throw .tracks(.otherClock(track: track.name, leader: settings[0].name))
      }
      // The samples of a device with a start offset wait in memory, so the offset is limited.
      if followsClock && track.startOffset > .seconds(10) {
        throw .tracks(.impossibleTime(track: track.name))
      }
      tracks.append(
        FollowerTrack(
          track, configuration, pace: followsClock ? .clock : .mix, source: follower.source,
          sink: follower.sink, effects: effects))
    }
    return Mixdown(
      SourceTrack(
        configuration.forTrack, followsClock: leader.followsClock,
        effects: effects[0]),
      tracks, settings, configuration, keepsTracks: configuration.multitrack != nil)
  }

  /// Returns the outputs for files of one track each; empty if not requested.
  func partOutputs(
    _ settings: [TrackConfiguration]
  ) throws(RecordingError) -> [any PacketOutput] {
    guard let multitrack = configuration.multitrack else { return [] }
    if multitrack.format.isPCM != (configuration.coding.profile == nil) {
      throw .output(
        OutputError(
          .unsupported,
          "The track files in “\(multitrack.folder)” cannot be "
            + "\(multitrack.format.rawValue.uppercased()), which does not support the coding of the "
            + "recording.", recoveryAction: .otherFormat))
    }
    do throws(OutputError) {
      return try multitrack.outputs(for: settings.map(\.name))
    } catch {
      throw .output(error)
    }
  }

  // MARK: - Control

  /// Starts a track with its fade-in: a device becomes audible, and a signal is played from its
  /// beginning.
  ///
  /// A device that has failed stays silent, and ``RecorderEvent/trackFailed(_:_:)`` is reported
  /// again. Returns false if there is no such track.
  @discardableResult
  public func startTrack(named name: String) -> Bool { change(.start, of: name) }

  /// Fades out a track, which is silent until it is started again.
  ///
  /// Returns false if there is no such track.
  @discardableResult
  public func stopTrack(named name: String) -> Bool { change(.stop, of: name) }

  /// Stops a track that is audible, or starts it otherwise, even if it is fading out or its start
  /// offset has not been reached.
  ///
  /// Returns false if there is no such track.
  @discardableResult
  public func toggleTrack(named name: String) -> Bool { change(.toggle, of: name) }

  /// Sets the gain of a track in decibels, from −60 to 60.
  ///
  /// Returns false if there is no such track or the gain is out of range.
  @discardableResult
  public func setGain(_ decibels: Double, ofTrack name: String) -> Bool {
    abs(decibels) <= 60 && change(.gain(decibels), of: name)
  }

  /// Sets the pan position of a track, from left (−1) to right (1); effective only in recordings
  /// with two channels.
  ///
  /// Returns false if there is no such track or the position is out of range.
  @discardableResult
  public func setPan(_ pan: Double, ofTrack name: String) -> Bool {
    abs(pan) <= 1 && change(.pan(pan), of: name)
  }

  /// Mutes or unmutes a track.
  ///
  /// Returns false if there is no such track.
  @discardableResult
  public func setMuted(_ isMuted: Bool, track name: String) -> Bool {
    change(.muted(isMuted), of: name)
  }

  /// Adds a track to the soloed tracks, which alone are audible, or removes it.
  ///
  /// Returns false if there is no such track.
  @discardableResult
  public func setSolo(_ isSolo: Bool, track name: String) -> Bool {
    change(.solo(isSolo), of: name)
  }

  /// Replaces the effects of a track from now on.
  ///
  /// If the kinds of the effects and their order stay the same, the settings change gradually.
  /// Otherwise a crossfade leads to the new effects. Either transition takes at most ten
  /// milliseconds and does not click. Returns false if there is no such track, if there are more
  /// than ``EffectDescription/maxEffectCount`` effects, or if one cannot be created.
  @discardableResult
  public func setEffects(_ effects: [EffectDescription], ofTrack name: String) -> Bool {
    do throws(EffectError) {
      try configuration.validate(effects)
    } catch {
      return false
    }
    return change(.effects(effects), of: name)
  }

  /// Bypasses one of a track's effects, or ends the bypass; ignores an unknown index.
  ///
  /// The bypass also ends when ``setEffects(_:ofTrack:)`` changes the kinds or the order of the
  /// effects. Returns false if there is no such track.
  @discardableResult
  public func setBypassed(_ isBypassed: Bool, effect index: Int, ofTrack name: String) -> Bool {
    change(.bypass(index, isBypassed), of: name)
  }

  private func change(_ change: TrackCommand.Change, of name: String) -> Bool {
    guard state.withLock({ $0.trackNames.contains(name) }) else { return false }
    control { $0.trackCommands.append(TrackCommand(track: name, change: change)) }
    return true
  }
}
