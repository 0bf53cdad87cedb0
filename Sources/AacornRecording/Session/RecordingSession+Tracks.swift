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
      try TrackConfiguration.validate(settings, channelCount: configuration.channelCount)
      return settings
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
    do throws(DeviceError) {
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
    _ settings: [TrackConfiguration], effects: [EffectRack?], leader: any CaptureSource,
    followers: [OpenSource]
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
      tracks, settings: settings, configuration: configuration,
      keepsTracks: configuration.multitrack != nil)
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
    return try rethrow(as: RecordingError.output, multitrack.outputs(for: settings.map(\.name)))
  }

  // MARK: - Control

  /// Changes a track; returns false if there is no such track or the value is out of range.
  @discardableResult
  package func change(_ change: TrackChange, of name: String) -> Bool {
    let isPossible =
      switch change {
      case .gain(let decibels): abs(decibels) <= 60
      case .pan(let pan): abs(pan) <= 1
      case .effects(let effects): (try? configuration.validate(effects)) != nil
      default: true
      }
    guard isPossible, state.withLock({ $0.trackNames.contains(name) }) else { return false }
    control { $0.trackChanges.append((name, change)) }
    return true
  }

  package func setEffects(_ effects: [EffectDescription]) throws(EffectError) {
    try configuration.validate(effects)
    changeEffects { $0.change(to: effects) }
  }

  package func setBypassed(_ isBypassed: Bool, effect index: Int) {
    changeEffects { $0.bypass(index, isBypassed) }
  }

  package func setBypassed(_ isBypassed: Bool) {
    changeEffects { $0.isBypassed = isBypassed }
  }

  private func changeEffects(_ change: @escaping @Sendable (inout EffectRack) -> Void) {
    control { $0.effectChanges.append(change) }
  }
}
