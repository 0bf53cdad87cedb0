public import AacornDevices
public import AacornRecording
import AacornSystem

/// A playback from start to end, for programs that have threads rather than tasks.
///
///     files ─► this session's thread ─► feed ─► the device's thread
///
/// All functions may be called from any thread. Only ``start()`` and ``waitForEnd(for:)`` wait.
public final class PlayerSession: Sendable {
  /// What is played.
  public let items: [PlaylistItem]
  /// How it was to be played at first.
  public let configuration: PlayerConfiguration
  let origin: TargetOrigin
  private let listener: @Sendable (PlayerEvent) -> Void
  let controls = Lock(Controls())
  let state = Lock(State())
  private let outcome = Outcome<PlayerSummary>()

  /// What was asked for, for the session's thread.
  struct Controls {
    var isStarted = false
    var isStopped = false
    var isPaused = false
    /// How often the target was asked to take its device back.
    var resumptions = 0
    var loop = PlayerConfiguration.Loop.none
    var speed = 1.0
    var effects: [EffectDescription] = []
    var volume: Float = 1
    var commands: [Command] = []
    /// Ends a wait for bytes, or a long way through a file.
    var interruption: Interruption?
    /// Whether what is read can be opened again elsewhere, so that nothing is lost by that.
    var isSeekable = false
    /// Who is to be told whether the playback has begun.
    var whenDecided: (@Sendable (PlayerError?) -> Void)?
  }

  /// A jump that was asked for.
  enum Command: Equatable {
    case seek(Duration)
    case move(Duration)
    case next
    case previous
  }

  /// What the session's thread tells, and what follows from that.
  struct State {
    var feed: PlaybackFeed?
    var ledger: PlaybackLedger?
    /// The last frame that was heard, or would have been but for a jump.
    var heardFrame = 0
    /// The peaks of the frames before one, which have not been heard or asked for.
    var levels: [(end: Int, peaks: [Float])] = []
    /// The place of a jump on its way.
    var pending: PlayerPosition?
    var device: PlaybackDevice?
    var remarks: [String] = []
    /// How much of broadcasts was lost.
    var lost = Duration.zero
    /// Whether the device is away or asleep.
    var isWaiting = false
    /// Whether nothing has been decided yet.
    var isOpening = true
  }

  /// Creates a playback on a device that is looked for when it starts.
  ///
  /// - Parameters:
  ///   - items: What to play, in order.
  ///   - request: What to ask of the device.
  ///   - backend: The sound system; nil for the best one that works.
  ///   - configuration: How to play.
  ///   - events: Is called with what happens, on threads of the session, and must not wait.
  public convenience init(
    playing items: [PlaylistItem], on request: PlaybackRequest = PlaybackRequest(),
    backend: CaptureBackend? = nil, _ configuration: PlayerConfiguration = PlayerConfiguration(),
    events: @escaping @Sendable (PlayerEvent) -> Void = { _ in }
  ) {
    self.init(items, .request(request, backend), configuration, events)
  }

  /// Creates a playback on a target of your own.
  public convenience init(
    playing items: [PlaylistItem], on target: any PlaybackTarget,
    _ configuration: PlayerConfiguration = PlayerConfiguration(),
    events: @escaping @Sendable (PlayerEvent) -> Void = { _ in }
  ) {
    self.init(items, .target(target), configuration, events)
  }

  init(
    _ items: [PlaylistItem], _ origin: TargetOrigin, _ configuration: PlayerConfiguration,
    _ events: @escaping @Sendable (PlayerEvent) -> Void
  ) {
    self.items = items
    self.origin = origin
    self.configuration = configuration
    listener = events
    controls.withLock { controls in
      controls.isPaused = configuration.isPaused
      controls.loop = configuration.loop
      controls.speed = configuration.speed
      controls.effects = configuration.effects
      controls.volume = Self.allowed(configuration.volume)
    }
  }

  // MARK: Beginning

  /// Opens the first item that can be read and the device, in this order, and begins to play.
  ///
  /// Effects that cannot be made are told of before.
  /// It waits until they are open. Nothing is left behind if it throws.
  public func start() throws(PlayerError) {
    try start { false }
  }

  /// The same; nothing is waited for any longer once `isCancelled` says so.
  package func start(isCancelled: () -> Bool) throws(PlayerError) {
    let failure = Lock<PlayerError?>(nil)
    let isDecided = Semaphore()
    begin { error in
      failure.withLock { $0 = error }
      isDecided.signal()
    }
    while !isDecided.wait(milliseconds: 100) {
      if isCancelled() { stop() }
    }
    if let error = failure.withLock(\.self) { throw error }
  }

  /// Does the same on the session's thread; `whenDecided` is told once, on any thread, whether the
  /// playback has begun.
  func begin(whenDecided: @escaping @Sendable (PlayerError?) -> Void) {
    let isFirst = controls.withLock { controls in
      if controls.isStarted { return false }
      (controls.isStarted, controls.whenDecided) = (true, whenDecided)
      return true
    }
    guard isFirst else { return whenDecided(.alreadyStarted) }
    let hasThread = System.startThread { [self] in
      System.blockPipeSignal()
      play()
    }
    if !hasThread { giveUp(.noThread) }
    if controls.withLock(\.isStopped) { giveUpOpening() }
  }

  /// Tells whether the playback has begun, once.
  func decide(_ error: PlayerError?) {
    let whenDecided = controls.withLock { controls in
      defer { controls.whenDecided = nil }
      return controls.whenDecided
    }
    whenDecided?(error)
  }

  /// It does not begin.
  func giveUp(_ error: PlayerError, _ summary: PlayerSummary = PlayerSummary()) {
    var summary = summary
    summary.failure = error
    conclude(summary)
    decide(error)
  }

  /// Waits no longer for what is being opened.
  private func giveUpOpening() {
    let isOpening = state.withLock { state in
      defer { state.isOpening = false }
      return state.isOpening
    }
    if isOpening { giveUp(.stopped) }
  }

  /// Tells everybody what has become of the playback, once.
  func conclude(_ summary: PlayerSummary) {
    let isFirst = state.withLock { state in
      guard outcome.settle(summary) else { return false }
      state.feed = nil
      state.pending = nil
      return true
    }
    guard isFirst else { return }
    listener(.stopped(summary))
    outcome.tell()
  }

  /// Tells what happens, unless the end has been told.
  func tell(_ event: PlayerEvent) {
    if summary == nil { listener(event) }
  }

  // MARK: Control

  /// Ends the playback at once.
  public func stop() {
    let isStarted = controls.withLock { controls in
      controls.isStopped = true
      controls.interruption?.raise(System.interruptSignal)
      return controls.isStarted
    }
    // What never began is over as well, for those who wait.
    if isStarted { giveUpOpening() } else { conclude(PlayerSummary()) }
  }

  /// Holds the sound where it is, or lets it go on.
  ///
  /// To go on also takes back a device that something else has, as after a call.
  public func setPaused(_ isPaused: Bool) {
    controls.withLock { controls in
      controls.isPaused = isPaused
      if !isPaused { controls.resumptions += 1 }
    }
    state.withLock { state in
      // What was heard until now stays what is heard.
      _ = state.hear(at: System.nanoseconds)
      state.feed?.isPaused = isPaused
    }
  }

  /// Goes to a time in the item that is heard, exactly; one beyond its end is the end.
  ///
  /// Of a pipe only what follows can be had. What has come from the web is asked for again, unless it
  /// is a broadcast.
  public func seek(to time: Duration) {
    let time = max(.zero, time)
    state.withLock { state in
      var position =
        state.position(at: System.nanoseconds)
        ?? PlayerPosition(index: 0, time: .zero, duration: nil)
      position.time = min(time, position.duration ?? time)
      state.pending = position
    }
    post(.seek(time), leavesSound: false)
  }

  /// Goes this far forward or back in the item that is heard.
  public func seek(by distance: Duration) { post(.move(distance), leavesSound: false) }

  /// Goes to the next item; after the last one to the first if the list is a loop, or else to the end.
  public func next() { post(.next, leavesSound: true) }

  /// Goes to the beginning of the item, or in its first three seconds to the item before.
  public func previous() { post(.previous, leavesSound: true) }

  /// Changes the speed of what has not been decoded yet: from a third of a second on.
  public func setSpeed(_ speed: Double) { controls.withLock { $0.speed = speed } }

  /// Changes the effects of what has not been decoded yet: from a third of a second on.
  ///
  /// Those of the same kinds, in the same order, move to their new numbers; others take over. Both is
  /// done within ten milliseconds. False if these are more than `EffectDescription.mostEffects`, or
  /// if one of them cannot be made.
  @discardableResult
  public func setEffects(_ effects: [EffectDescription]) -> Bool {
    let format = state.withLock { $0.feed?.format }
    let trial = try? EffectChain(
      effects, channelCount: format?.channelCount ?? 2, sampleRate: format?.sampleRate ?? 48_000)
    if effects.count > EffectDescription.mostEffects || trial == nil { return false }
    controls.withLock { $0.effects = effects }
    return true
  }

  /// Changes the factor by which samples are multiplied.
  public func setVolume(_ volume: Float) {
    controls.withLock { $0.volume = Self.allowed(volume) }
  }

  /// What samples may be multiplied by.
  private static func allowed(_ volume: Float) -> Float { volume.isFinite ? max(0, volume) : 1 }

  /// Changes what comes after the item.
  public func setLoop(_ loop: PlayerConfiguration.Loop) { controls.withLock { $0.loop = loop } }

  private func post(_ command: Command, leavesSound: Bool) {
    controls.withLock { controls in
      controls.commands.append(command)
      // A place in a pipe that does not deliver is not worth losing the pipe.
      if leavesSound || controls.isSeekable { controls.interruption?.raise(System.interruptSignal) }
    }
  }

  // MARK: What happens

  /// What is heard now, or will be after a jump on its way; nil before anything is.
  public var position: PlayerPosition? {
    state.withLock { state in
      outcome.summary?.position ?? state.pending ?? state.position(at: System.nanoseconds)
    }
  }

  /// What the player does now.
  public var playerState: PlayerState {
    let (isStarted, isPaused) = controls.withLock { ($0.isStarted, $0.isPaused) }
    return state.withLock { state in
      if outcome.summary != nil { return .stopped }
      if !isStarted { return .idle }
      if state.isOpening { return .opening }
      if state.isWaiting { return .waiting }
      return isPaused ? .paused : .playing
    }
  }

  /// The device in use, or the last one.
  public var device: PlaybackDevice? { state.withLock(\.device) }

  /// Details of the target that explain how it behaves.
  public var remarks: [String] { state.withLock(\.remarks) }

  /// The peak of each channel in what was heard since the last call; empty if nothing was.
  public func takePeaks() -> [Float] {
    state.withLock { state in
      let heard = state.hear(at: System.nanoseconds)
      let count = state.levels.prefix { $0.end <= heard }.count
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

  /// The summary, once the playback has ended.
  public var summary: PlayerSummary? { outcome.summary }

  /// Waits for the end, for at most this time.
  public func waitForEnd(for time: Duration) -> PlayerSummary? { outcome.wait(for: time) }

  /// Waits for the end without blocking a thread.
  public func end() async -> PlayerSummary {
    if !controls.withLock(\.isStarted) { return PlayerSummary() }
    return await outcome.wait()
  }
}

extension PlayerSession.State {
  /// The frame that is heard at a time; it never goes back.
  mutating func hear(at time: Int64) -> Int {
    if let feed {
      heardFrame = max(heardFrame, feed.heardFrame(at: time) ?? feed.takenFrameCount)
    }
    return heardFrame
  }

  /// What is heard at a time.
  mutating func position(at time: Int64) -> PlayerPosition? { position(of: hear(at: time)) }

  /// Where a frame that was heard stands.
  func position(of frame: Int) -> PlayerPosition? {
    guard let place = ledger?.place(of: frame) else { return nil }
    return PlayerPosition(
      index: place.part.item.index, time: .seconds(place.seconds),
      duration: place.part.item.duration)
  }
}
