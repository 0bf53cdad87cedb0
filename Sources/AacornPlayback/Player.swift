public import AacornDevices
public import AacornRecording

/// Plays sound files, one after the other without a gap.
///
///     let player = Player(playing: [PlaylistItem("song.m4a"), PlaylistItem("next.flac")])
///     try await player.start()
///     await player.seek(to: .seconds(90))
///     let summary = await player.end()
///
/// Whatever can be encoded or decoded can be played. Samples are brought to the rate and the channels
/// of the device. A player plays once. Its actor is for control only: decoding has a thread of its own,
/// and no thread of Swift's concurrency waits.
public actor Player {
  /// What happens, as it is heard; the last one is `stopped`.
  ///
  /// The sequence is bounded: a reader that is far behind loses the oldest events.
  public nonisolated let events: AsyncStream<PlayerEvent>

  private let session: PlayerSession

  /// The most events that wait for a reader.
  public static let eventLimit = 512

  /// A player on a device that is looked for when it starts.
  ///
  /// - Parameters:
  ///   - items: What to play, in order.
  ///   - request: What to ask of the device.
  ///   - backend: The sound system; nil for the best one that works.
  ///   - configuration: How to play.
  public init(
    playing items: [PlaylistItem], on request: PlaybackRequest = PlaybackRequest(),
    backend: CaptureBackend? = nil, _ configuration: PlayerConfiguration = PlayerConfiguration()
  ) {
    self.init(items, .request(request, backend), configuration)
  }

  /// A player on a target of your own.
  public init(
    playing items: [PlaylistItem], on target: any PlaybackTarget,
    _ configuration: PlayerConfiguration = PlayerConfiguration()
  ) {
    self.init(items, .target(target), configuration)
  }

  private init(
    _ items: [PlaylistItem], _ origin: TargetOrigin, _ configuration: PlayerConfiguration
  ) {
    let (events, continuation) = AsyncStream<PlayerEvent>.makeStream(
      bufferingPolicy: .bufferingNewest(Self.eventLimit))
    self.events = events
    session = PlayerSession(items, origin, configuration) { event in
      continuation.yield(event)
      if case .stopped = event { continuation.finish() }
    }
  }

  deinit { session.stop() }

  /// Opens the first item that can be read and the device, and begins to play.
  ///
  /// A canceled task, or ``stop()``, gives it up.
  public func start() async throws(PlayerError) {
    let session = session
    let failure = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        session.begin { continuation.resume(returning: $0) }
      }
    } onCancel: {
      session.stop()
    }
    if let failure { throw failure }
  }

  /// Ends the playback at once.
  @discardableResult
  public func stop() async -> PlayerSummary {
    session.stop()
    return await session.end()
  }

  /// Waits until everything has been heard, or the playback cannot go on.
  public func end() async -> PlayerSummary { await session.end() }

  /// Holds the sound where it is.
  public func pause() { session.setPaused(true) }

  /// Continues after a pause, and takes back a device that something else has, as after a call.
  public func resume() { session.setPaused(false) }

  /// Goes to a time in the item that is heard, exactly; one beyond its end is the end.
  ///
  /// Of a pipe only what follows can be had. What has come from the web is asked for again, unless it
  /// is a broadcast.
  public func seek(to time: Duration) { session.seek(to: time) }

  /// Goes this far forward or back in the item that is heard.
  public func seek(by distance: Duration) { session.seek(by: distance) }

  /// Goes to the next item; after the last one to the first if the list is a loop, or else to the end.
  public func next() { session.next() }

  /// Goes to the beginning of the item, or in its first three seconds to the item before.
  public func previous() { session.previous() }

  /// Plays at 0.5 to 2 times the speed from now on, at the same pitch.
  public func setSpeed(_ speed: Double) { session.setSpeed(speed) }

  /// Sends the sound through other effects from now on, without a click; those of the same kinds move
  /// to their new numbers.
  ///
  /// False if they cannot be made, or are too many.
  @discardableResult
  public func setEffects(_ effects: [EffectDescription]) -> Bool { session.setEffects(effects) }

  /// Multiplies all samples by a factor: 0 is silence, 1 leaves them as they are.
  public func setVolume(_ volume: Float) { session.setVolume(volume) }

  /// Chooses what comes after the item.
  public func setLoop(_ loop: PlayerConfiguration.Loop) { session.setLoop(loop) }

  /// What is heard now, or will be after a jump on its way; nil before anything is.
  public var position: PlayerPosition? { session.position }

  /// What the player does now.
  public var state: PlayerState { session.playerState }

  /// The device in use, or the last one.
  public var device: PlaybackDevice? { session.device }
}
