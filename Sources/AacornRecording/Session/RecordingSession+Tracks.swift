import AacornDevices
import AacornSystem

/// Several sources in one recording.
extension RecordingSession {
  /// A source that has been started, and where it puts its sound.
  typealias OpenSource = (source: any CaptureSource, sink: CaptureSink)

  /// The settings of the tracks; none for a source that is recorded as it is.
  func trackSettings(
    of material: RecordingMaterial
  ) throws(RecordingError) -> [TrackConfiguration] {
    switch material {
    case .one:
      // The file of the only track has to be called something.
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

  /// What takes echoes out of tracks, nil if nothing does; a library that is missing is better known
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

  /// Opens all sources, the one that gives the recording its time last: nothing of it waits for the
  /// others.
  func openSources(
    _ material: RecordingMaterial
  ) throws(RecordingError) -> (leader: OpenSource, followers: [OpenSource]) {
    let origins = material.origins
    guard let first = origins.first else { throw .tracks(.noTracks) }
    var followers: [OpenSource] = []
    do throws(RecordingError) {
      for origin in origins.dropFirst() {
        followers.append(try open(origin, isFurther: true))
        // A recording that is stopped meanwhile opens nothing more.
        if !state.withLock(\.isOpening) { throw .stopped }
      }
      let leader = try open(first, isFurther: false)
      return (leader, followers)
    } catch {
      for follower in followers { follower.source.stop() }
      throw error
    }
  }

  private func open(
    _ origin: SourceOrigin, isFurther: Bool
  ) throws(RecordingError) -> OpenSource {
    do throws(CaptureError) {
      let sink = CaptureSink()
      let source = try origin.source(isFurther: isFurther)
      try source.start(sink)
      return (source, sink)
    } catch {
      throw .capture(error)
    }
  }

  /// The mix of sources that are open, with what each track goes through.
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
      // A device's sound waits in memory for as long as it is late.
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
      tracks, settings, configuration, keepsParts: configuration.multitrack != nil)
  }

  /// The outputs for files of one track each; none if they are not wanted.
  func partOutputs(
    _ settings: [TrackConfiguration]
  ) throws(RecordingError) -> [any PacketOutput] {
    guard let multitrack = configuration.multitrack else { return [] }
    if multitrack.format.isPCM != (configuration.coding.profile == nil) {
      throw .output(
        OutputError(
          .unsupported,
          "The files of the tracks in “\(multitrack.folder)” are to be "
            + "\(multitrack.format.rawValue.uppercased()), which does not hold the coding of the "
            + "recording.", remedy: .otherFormat))
    }
    do throws(OutputError) {
      return try multitrack.outputs(for: settings.map(\.name))
    } catch {
      throw .output(error)
    }
  }

  // MARK: - Control

  /// Starts a track: a device is heard, and a signal is played from its beginning, both with the
  /// track's fade.
  ///
  /// A device that has failed stays silent; ``RecorderEvent/trackFailed(_:_:)`` is told again. False
  /// if there is no such track.
  @discardableResult
  public func startTrack(named name: String) -> Bool { change(.start, of: name) }

  /// Stops a track, which fades out and is silent until it is started again.
  ///
  /// False if there is no such track.
  @discardableResult
  public func stopTrack(named name: String) -> Bool { change(.stop, of: name) }

  /// Stops a track that is heard, or else starts it: one that fades out comes back, and one that waits
  /// for its time starts now.
  ///
  /// False if there is no such track.
  @discardableResult
  public func toggleTrack(named name: String) -> Bool { change(.toggle, of: name) }

  /// Makes a track this many decibels louder than it comes, from −60 to 60.
  ///
  /// False if there is no such track, or if the gain is out of range.
  @discardableResult
  public func setGain(_ decibels: Double, ofTrack name: String) -> Bool {
    abs(decibels) <= 60 && change(.gain(decibels), of: name)
  }

  /// Puts a track between left (−1) and right (1); in a recording without two channels that changes
  /// nothing.
  ///
  /// False if there is no such track, or if the place is out of range.
  @discardableResult
  public func setPan(_ pan: Double, ofTrack name: String) -> Bool {
    abs(pan) <= 1 && change(.pan(pan), of: name)
  }

  /// Mutes or unmutes a track.
  ///
  /// False if there is no such track.
  @discardableResult
  public func setMuted(_ isMuted: Bool, track name: String) -> Bool {
    change(.muted(isMuted), of: name)
  }

  /// Lets a track, and others with the same wish, be heard alone, or no longer.
  ///
  /// False if there is no such track.
  @discardableResult
  public func setSolo(_ isSolo: Bool, track name: String) -> Bool {
    change(.solo(isSolo), of: name)
  }

  /// Sends a track through other effects from now on.
  ///
  /// Those of the same kinds, in the same order, move to their new numbers; others take over. Both is
  /// done within ten milliseconds, without a click. False if there is no such track, if these are more
  /// than ``EffectDescription/mostEffects``, or if one of them cannot be made.
  @discardableResult
  public func setEffects(_ effects: [EffectDescription], ofTrack name: String) -> Bool {
    do throws(EffectError) {
      try configuration.validate(effects)
    } catch {
      return false
    }
    return change(.effects(effects), of: name)
  }

  /// Takes one of a track's effects out of the way, or back; one that there is not changes nothing.
  ///
  /// Other effects that take over are in the way. False if there is no such track.
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
