public import AacornDevices
public import AacornRecording
import AacornSystem

/// A player for audio files, which it plays one after the other without gaps.
///
///     let player = Player(playing: [PlaylistItem("song.m4a"), PlaylistItem("next.flac")])
///     try await player.start()
///     await player.seek(to: .seconds(90))
///     let summary = await player.end()
///
/// All files that can be encoded or decoded can be played. Samples are converted to the sampling
/// rate and the channels of the device. A player plays once. The actor is only for control:
/// decoding has a separate thread, and no thread of Swift concurrency is blocked.
public actor Player {
  /// The events, sent when they become audible.
  ///
  /// The last event is `stopped`.
  ///
  /// The sequence is bounded: if the reader is slow, the oldest events are lost.
  public nonisolated let events: AsyncStream<PlayerEvent>

  private let session: PlayerSession
  private let effectWork = SerialWork("effects")

  /// The maximum number of events that wait for a reader.
  public static let eventLimit = 512

  /// Creates a player on a device that is selected when the player starts.
  ///
  /// - Parameters:
  ///   - items: The items to play, in order.
  ///   - request: The requested device and its settings.
  ///   - backend: The audio system; nil for the best one that works.
  ///   - configuration: The playback settings.
  public init(
    playing items: [PlaylistItem], on request: PlaybackRequest = PlaybackRequest(),
    backend: DeviceBackend? = nil, _ configuration: PlayerConfiguration = PlayerConfiguration()
  ) {
    self.init(items, origin: .request(request, backend), configuration: configuration)
  }

  /// Creates a player on a custom target.
  public init(
    playing items: [PlaylistItem], on target: any PlaybackTarget,
    _ configuration: PlayerConfiguration = PlayerConfiguration()
  ) {
    self.init(items, origin: .target(target), configuration: configuration)
  }

  private init(
    _ items: [PlaylistItem], origin: TargetOrigin, configuration: PlayerConfiguration
  ) {
    let (events, continuation) = AsyncStream<PlayerEvent>.makeStream(
      bufferingPolicy: .bufferingNewest(Self.eventLimit))
    self.events = events
    session = PlayerSession(playing: items, on: origin, configuration) { event in
      continuation.yield(event)
      if case .stopped = event { continuation.finish() }
    }
  }

  deinit { session.stop() }

  /// Opens the first readable item and the device, and starts to play.
  ///
  /// A canceled task, or ``stop()``, cancels the start.
  public func start() async throws(PlayerError) {
    if let failure = await session.startWithoutBlocking() { throw failure }
  }

  /// Ends the playback immediately.
  @discardableResult
  public func stop() async -> PlayerSummary {
    session.stop()
    return await session.end()
  }

  /// Waits until all items have been played, or until the playback cannot continue.
  public func end() async -> PlayerSummary { await session.end() }

  /// Pauses the playback at the current position.
  public func pause() { session.setPaused(true) }

  /// Resumes after a pause.
  ///
  /// It also requests the device again if another app has taken it, for example for a call.
  public func resume() { session.setPaused(false) }

  /// Seeks to a time in the current item, with the precision of a sample.
  ///
  /// A time after the end is the end.
  ///
  /// In a pipe, only forward seeks are possible. Audio from the web is requested again, unless it
  /// is a live stream.
  public func seek(to time: Duration) { session.seek(to: time) }

  /// Seeks forward or backward in the current item.
  public func seek(by distance: Duration) { session.seek(by: distance) }

  /// Skips to the next item.
  ///
  /// After the last one, continues with the first if the list is a loop, and ends otherwise.
  public func next() { session.next() }

  /// Returns to the beginning of the item, or to the previous item during the first three seconds.
  public func previous() { session.previous() }

  /// Sets the speed from 0.5 to 2, at the same pitch.
  public func setSpeed(_ speed: Double) { session.setSpeed(speed) }

  /// Replaces the effects without a click.
  ///
  /// Effects of the same kinds change to their new parameters smoothly.
  ///
  /// Returns false if the effects cannot be created, or if there are too many. The library of
  /// an effect may have to be loaded first; no thread of Swift's concurrency waits for it.
  @discardableResult
  public func setEffects(_ effects: [EffectDescription]) async -> Bool {
    let session = session
    return await effectWork.value { session.setEffects(effects) }
  }

  /// Sets the factor that all samples are multiplied by: 0 is silence, 1 leaves them unchanged.
  public func setVolume(_ volume: Float) { session.setVolume(volume) }

  /// Sets the behavior at the end of an item.
  public func setLoop(_ loop: PlayerConfiguration.Loop) { session.setLoop(loop) }

  /// The current position, or the target of a seek in progress; nil before the playback.
  public var position: PlayerPosition? { session.position }

  /// The current state of the player.
  public var state: PlayerState { session.playerState }

  /// The current device, or the last one.
  public var device: Device? { session.device }

  /// Details about the target, such as a missing real-time priority.
  public var diagnostics: [String] { session.diagnostics }

  /// Returns the peak of each channel since the last call; empty if no audio was played.
  public func takePeaks() -> [Float] { session.takePeaks() }
}
