package import AacornDevices
package import AacornRecording
import AacornSystem

/// A playback from start to end: the synchronous part of ``Player``, whose comments describe the
/// methods.
///
///     files ─► this session's thread ─► feed ─► the device's thread
///
/// All methods may be called from any thread. Only ``start(isCancelled:)`` and ``wait(for:)`` block.
package final class PlayerSession: Sendable {
  package let items: [PlaylistItem]
  package let configuration: PlayerConfiguration
  let origin: TargetOrigin
  private let listener: @Sendable (PlayerEvent) -> Void
  let controls = Lock(Controls())
  let state = Lock(State())
  /// The result of the start: its error, or nil.
  let startup = Outcome<PlayerError?>()
  private let outcome = Outcome<PlayerSummary>()

  /// The requests to the session's thread.
  struct Controls {
    var isStarted = false
    var isStopped = false
    /// The current settings.
    var settings = PlayerConfiguration()
    /// The number of requests to reopen a device that another app has taken.
    var resumptions = 0
    var commands: [Command] = []
    /// The interruption of the current read or seek.
    var interruption: Interruption?
    /// Whether the current item can be reopened at another position without a loss.
    var isSeekable = false
  }

  /// A requested seek or skip.
  enum Command: Equatable {
    case seek(Duration)
    case move(Duration)
    case next
    case previous
  }

  /// The state that the session's thread publishes, and values derived from it.
  struct State {
    var feed: PlaybackFeed?
    var ledger: PlaybackLedger?
    /// The last played frame, or the last discarded one after a seek.
    var playedFrame = 0
    /// The peaks of consecutive runs of frames that have not been returned yet, each with the index
    /// of the frame after the run.
    var levels: [(end: Int, peaks: [Float])] = []
    /// The target of a seek in progress.
    var pending: PlayerPosition?
    var device: Device?
    var diagnostics: [String] = []
    /// The lost duration of live streams.
    var lost = Duration.zero
    /// Whether the device is disconnected or suspended.
    var isWaiting = false
    /// Whether the result of the start is pending.
    var isOpening = true
  }

  package init(
    playing items: [PlaylistItem], on origin: TargetOrigin,
    _ configuration: PlayerConfiguration = PlayerConfiguration(),
    events: @escaping @Sendable (PlayerEvent) -> Void = { _ in }
  ) {
    self.items = items
    self.origin = origin
    self.configuration = configuration
    listener = events
    controls.withLock { controls in
      controls.settings = configuration
      controls.settings.volume = Self.allowed(configuration.volume)
    }
  }

  // MARK: Start

  /// Opens the first readable item and the device, in this order, and starts to play.
  ///
  /// Invalid effects throw before anything is opened. The method waits until the item and the
  /// device are open, or until `isCancelled` returns true. If it throws, all resources are released.
  package func start(isCancelled: () -> Bool = { false }) throws(PlayerError) {
    guard begin() else { throw .alreadyStarted }
    var result = startup.wait(for: .milliseconds(100))
    while result == nil {
      if isCancelled() { stop() }
      result = startup.wait(for: .milliseconds(100))
    }
    if let failure = result ?? nil { throw failure }
  }

  /// Starts without blocking a thread, and returns the error of a failed start.
  ///
  /// Canceling the task stops the playback.
  func startWithoutBlocking() async -> PlayerError? {
    await withTaskCancellationHandler {
      begin() ? await startup.wait() : .alreadyStarted
    } onCancel: {
      stop()
    }
  }

  /// Starts on the session's thread; `startup` receives the result.
  ///
  /// Returns false if the playback was started before.
  private func begin() -> Bool {
    let isFirst = controls.withLock { controls in
      defer { controls.isStarted = true }
      return !controls.isStarted
    }
    guard isFirst else { return false }
    let hasThread = System.startThread("player") { [self] in
      System.blockPipeSignal()
      play()
    }
    if !hasThread { giveUp(.noThread) }
    if controls.withLock(\.isStopped) { giveUpOpening() }
    return true
  }

  /// Ends a playback that could not start.
  func giveUp(_ error: PlayerError, _ summary: PlayerSummary = PlayerSummary()) {
    var summary = summary
    summary.failure = error
    complete(summary)
    startup.resolve(error)
  }

  /// Ends the wait for items and devices that are being opened.
  private func giveUpOpening() {
    let isOpening = state.withLock { state in
      defer { state.isOpening = false }
      return state.isOpening
    }
    if isOpening { giveUp(.stopped) }
  }

  /// Publishes the summary, and notifies all waiting threads and tasks, once.
  func complete(_ summary: PlayerSummary) {
    outcome.resolve(summary) {
      state.withLock { state in
        state.feed = nil
        state.pending = nil
      }
      listener(.stopped(summary))
    }
  }

  /// Reports an event, unless the end has been reported.
  func report(_ event: PlayerEvent) {
    if summary == nil { listener(event) }
  }

  // MARK: Control

  package func stop() {
    let isStarted = controls.withLock { controls in
      controls.isStopped = true
      controls.interruption?.raise(System.interruptSignal)
      return controls.isStarted
    }
    // A playback that never started has ended, too, for waiting callers.
    if isStarted { giveUpOpening() } else { complete(PlayerSummary()) }
  }

  package func setPaused(_ isPaused: Bool) {
    controls.withLock { controls in
      controls.settings.isPaused = isPaused
      if !isPaused { controls.resumptions += 1 }
    }
    state.withLock { pauseFeed(in: &$0) }
  }

  /// Pauses or continues the feed as currently requested.
  ///
  /// After the start of the device, only this function writes `isPaused` of the feed, under the lock
  /// of the state, so that the feed has the last requested value. It does not wait for the session's thread, which may be
  /// reading from a stalled server.
  func pauseFeed(in state: inout State) {
    // Determine the played position before the pause changes the feed, because a pause must not
    // change the position.
    _ = state.updatePlayedFrame(at: System.nanoseconds)
    state.feed?.isPaused = controls.withLock(\.settings.isPaused)
  }

  package func seek(to time: Duration) {
    let time = max(.zero, time)
    state.withLock { state in
      var position =
        state.position(at: System.nanoseconds)
        ?? PlayerPosition(index: 0, time: .zero, duration: nil)
      position.time = min(time, position.duration ?? time)
      state.pending = position
    }
    post(.seek(time), leavesItem: false)
  }

  package func seek(by distance: Duration) { post(.move(distance), leavesItem: false) }

  package func next() { post(.next, leavesItem: true) }

  package func previous() { post(.previous, leavesItem: true) }

  /// Sets the speed of audio that has not been decoded yet.
  ///
  /// The change is audible about a third of a second later.
  package func setSpeed(_ speed: Double) { controls.withLock { $0.settings.speed = speed } }

  /// Sets the effects for audio that has not been decoded yet.
  ///
  /// The change is audible about a third of a second later.
  ///
  /// Effects of the same kinds, in the same order, change to their new parameters. Other effects
  /// are crossfaded. Both take ten milliseconds at most. Returns false if there are more than
  /// `EffectDescription.maxEffectCount`, or if one of them cannot be created.
  @discardableResult
  package func setEffects(_ effects: [EffectDescription]) -> Bool {
    let format = state.withLock { $0.feed?.format }
    let trial = try? EffectChain(
      effects, channelCount: format?.channelCount ?? 2, sampleRate: format?.sampleRate ?? 48_000)
    if trial == nil { return false }
    controls.withLock { $0.settings.effects = effects }
    return true
  }

  package func setVolume(_ volume: Float) {
    controls.withLock { $0.settings.volume = Self.allowed(volume) }
  }

  /// Returns a valid volume factor.
  private static func allowed(_ volume: Float) -> Float { volume.isFinite ? max(0, volume) : 1 }

  package func setLoop(_ loop: PlayerConfiguration.Loop) {
    controls.withLock { $0.settings.loop = loop }
  }

  private func post(_ command: Command, leavesItem: Bool) {
    controls.withLock { controls in
      controls.commands.append(command)
      // Interrupting the read of a stalled pipe would end the pipe, so a seek in a pipe does not
      // interrupt.
      if leavesItem || controls.isSeekable { controls.interruption?.raise(System.interruptSignal) }
    }
  }

  // MARK: Status

  package var position: PlayerPosition? {
    state.withLock { state in
      outcome.value?.position ?? state.pending ?? state.position(at: System.nanoseconds)
    }
  }

  package var playerState: PlayerState {
    let (isStarted, isPaused) = controls.withLock { ($0.isStarted, $0.settings.isPaused) }
    return state.withLock { state in
      if outcome.value != nil { return .stopped }
      if !isStarted { return .idle }
      if state.isOpening { return .opening }
      if state.isWaiting { return .waiting }
      return isPaused ? .paused : .playing
    }
  }

  package var device: Device? { state.withLock(\.device) }

  package var diagnostics: [String] { state.withLock(\.diagnostics) }

  package func takePeaks() -> [Float] {
    state.withLock { state in
      let playedFrame = state.updatePlayedFrame(at: System.nanoseconds)
      let count = state.levels.prefix { $0.end <= playedFrame }.count
      var peaks: [Float] = []
      for level in state.levels.prefix(count) {
        if peaks.count != level.peaks.count {
          peaks = level.peaks
        } else {
          for index in peaks.indices { peaks[index] = max(peaks[index], level.peaks[index]) }
        }
      }
      state.levels.removeFirst(count)
      return peaks
    }
  }

  /// The summary; nil until the playback has ended.
  package var summary: PlayerSummary? { outcome.value }

  /// Waits at most `time` for the end and the report of the event `stopped`.
  ///
  /// Returns the summary, or nil after the timeout.
  package func wait(for time: Duration) -> PlayerSummary? { outcome.wait(for: time) }

  package func end() async -> PlayerSummary {
    if !controls.withLock(\.isStarted) { return PlayerSummary() }
    return await outcome.wait()
  }
}

extension PlayerSession.State {
  /// Returns the last frame that was played by a time.
  ///
  /// The result never decreases.
  mutating func updatePlayedFrame(at time: Int64) -> Int {
    if let feed {
      playedFrame = max(playedFrame, feed.playedFrame(at: time) ?? feed.consumedFrameCount)
    }
    return playedFrame
  }

  mutating func position(at time: Int64) -> PlayerPosition? {
    position(of: updatePlayedFrame(at: time))
  }

  func position(of frame: Int) -> PlayerPosition? {
    guard let entry = ledger?.position(of: frame) else { return nil }
    return PlayerPosition(
      index: entry.part.item.index, time: .seconds(entry.seconds),
      duration: entry.part.item.duration)
  }
}

/// The destination of a playback.
package enum TargetOrigin: Sendable {
  /// An existing target.
  case target(any PlaybackTarget)
  /// A device to select when the playback starts, on a given audio system or the best one.
  case request(PlaybackRequest, DeviceBackend?)

  /// Returns the target.
  ///
  /// Selecting a device may take a while.
  func target() throws(DeviceError) -> any PlaybackTarget {
    switch self {
    case .target(let target): return target
    case .request(let request, let backend):
      return try DeviceSystems.makeTarget(request, backend: backend)
    }
  }
}
