import AacornDevices
package import AacornRecording
import AacornSignal
import AacornSystem

/// The loop of the session's thread, which fills the feed until all items have been played.
extension PlayerSession {
  /// The variables that only the thread uses.
  ///
  /// A command changes only `phase`.
  struct Loop {
    let target: any PlaybackTarget
    let feed: PlaybackFeed
    var chain: SoundChain
    var phase: Phase
    /// The item that is read, or that was read last.
    var item = 0
    /// The open item; not nil while it is read.
    var open: OpenItem?
    /// The number of parts since the start.
    var partCount = 0
    var frames: [Float] = []
    /// The samples for the feed.
    ///
    /// Samples from `first` on have not been written.
    var ready: [Float] = []
    var first = 0
    var writtenCount = 0
    /// The number of written frames that were discarded.
    var droppedCount = 0
    var isPaused = false
    var resumptions = 0
    var reportedPart: PlaybackLedger.Part?
    var nextPosition: Int64 = 0
    /// The numbers of missing frames at the last poll and in the last report.
    var missingCount = 0
    var reportedMissingCount = 0
    var tally: Tally
  }

  /// The thread's current task.
  ///
  /// In any phase, the thread first writes samples that are ready.
  ///
  ///     opening ── begin ──► reading ── selectNext ──► opening, or draining after the last item
  ///
  /// A command leads from any phase to `opening`.
  enum Phase {
    /// An item must be opened, or the open one must be read from another position.
    case opening(Wanted)
    /// The open item is read.
    case reading
    /// All items have been read, and the device plays the remaining samples.
    ///
    /// The value is the time since when the device has read all samples; nil before that time.
    case draining(since: Int64?)
  }

  /// An open item, from the position at which its reading began.
  struct OpenItem {
    let sound: SeekableSound
    /// Whether the item is read from its beginning.
    let isFromStart: Bool
    /// The requested start of the item.
    let chosenStart: Duration?
    /// The number of frames read.
    var readCount = 0
  }

  /// A request to open an item.
  struct Wanted {
    var item: Int
    var time: Duration
    /// Whether the item replaces audio that has not been played yet.
    var isJump: Bool
    /// Whether the item starts, for the first time or again; false after a seek.
    var startsItem = true

    /// Whether `time` is the requested start of the item, rather than a position to continue at.
    var isChosenStart: Bool { startsItem && !isJump && time > .zero }
  }

  /// The counters and results of the playback.
  struct Tally {
    var summary = PlayerSummary()
    /// The number of consecutive items without audio.
    var emptyCount = 0
    var lastError: AACFileError?
    /// The live streams and pipes in which an impossible seek was requested.
    var unseekable: Set<Int> = []
    /// The downloaded file of an item, with the index of the item.
    var fetched: (item: Int, file: FetchedFile)?
  }

  /// The maximum duration of a single wait for the device, in milliseconds.
  private static let pollMilliseconds = 20
  /// The capacity of the feed, in milliseconds of audio.
  private static let feedMilliseconds = 300
  /// The time between reports of the position or of a download, in nanoseconds.
  static let interval: Int64 = 250_000_000
  /// The time in an item up to which ``previous()`` selects the previous item.
  private static let beginning = Duration.seconds(3)

  /// Runs the playback from the first item to the end, on the session's thread.
  func play() {
    var tally = Tally()
    do throws(PlayerError) {
      guard !items.isEmpty else { throw .noItems }
      try Self.check(controls.withLock(\.settings.effects))
      var wanted = Wanted(item: 0, time: max(.zero, configuration.start), isJump: false)
      var first: SeekableSound?
      while first == nil {
        switch open(&wanted, &tally) {
        case .sound(let found): first = found
        case .nothing:
          throw tally.lastError.map { PlayerError.nothingReadable($0) } ?? .noItems
        case .interrupted: if controls.withLock(\.isStopped) { throw .stopped }
        }
      }
      var loop = try openTarget(tally, wanted)
      if let first { begin(first, for: wanted, &loop) }
      startup.resolve(nil)
      let isComplete = run(&loop)
      finish(&loop, isComplete: isComplete)
    } catch {
      state.withLock { $0.isOpening = false }
      giveUp(error, tally.summary)
    }
  }

  /// Throws if the effects are invalid, before any item is opened or downloaded.
  package static func check(_ effects: [EffectDescription]) throws(PlayerError) {
    do throws(EffectError) {
      _ = try EffectChain(effects, channelCount: 2, sampleRate: 48_000)
    } catch {
      throw .effects(error)
    }
  }

  private func openTarget(_ tally: Tally, _ wanted: Wanted) throws(PlayerError) -> Loop {
    let target: any PlaybackTarget
    let feed: PlaybackFeed
    let settings = controls.withLock(\.settings)
    do throws(DeviceError) {
      target = try origin.target()
      let format = try target.preferredFormat()
      guard Resampler.supportedRates.contains(format.sampleRate),
        (1...64).contains(format.channelCount)
      else {
        throw .unsupportedFormat(
          id: target.device?.id ?? "",
          reason: "it has \(format.sampleRate) Hz and \(format.channelCount) channels")
      }
      feed = PlaybackFeed(format, frameCapacity: format.sampleRate * Self.feedMilliseconds / 1000)
      feed.isPaused = controls.withLock(\.settings.isPaused)
    } catch {
      throw .playback(error)
    }
    let chain = try rethrow(
      as: PlayerError.effects,
      SoundChain(to: feed.format, effects: settings.effects, volume: settings.volume))
    try rethrow(as: PlayerError.playback, target.start(feed))
    let isWanted = state.withLock { state in
      defer { state.isOpening = false }
      guard state.isOpening else { return false }
      state.feed = feed
      pauseFeed(in: &state)
      state.ledger = PlaybackLedger(sampleRate: feed.format.sampleRate)
      state.device = target.device
      state.diagnostics = target.diagnostics
      return true
    }
    if !isWanted {
      target.stop()
      throw .stopped
    }
    report(.opened(target.device))
    return Loop(
      target: target, feed: feed, chain: chain, phase: .opening(wanted), tally: tally)
  }

  /// Runs until the end.
  ///
  /// Returns whether the end of the list was reached.
  private func run(_ loop: inout Loop) -> Bool {
    while true {
      applyRequests(&loop)
      if controls.withLock(\.isStopped) || loop.tally.summary.failure != nil { return false }
      if case .opening(let wanted) = loop.phase { openOrSeek(wanted, &loop) }
      let isBusy = work(&loop)
      reportProgress(&loop)
      if isFinished(&loop) { return true }
      handleDeviceEvents(&loop)
      if !isBusy { _ = loop.feed.waitForDevice(milliseconds: Self.pollMilliseconds) }
    }
  }

  private func finish(_ loop: inout Loop, isComplete: Bool) {
    // The device may have started items since the last poll. The played duration and position are
    // determined now, because a stopping device discards frames that it has accepted but not
    // played.
    let last = reportStartedItems(&loop, isLast: true)
    if !isComplete { countMissingFrames(&loop, isStopping: true) }
    reportUnderrun(&loop)
    loop.target.stop()
    leave(&loop)
    if let reportedPart = loop.reportedPart { report(.ended(reportedPart.item.index)) }
    var summary = loop.tally.summary
    summary.isComplete =
      isComplete && summary.playedItemCount > 0 && summary.unreadable[loop.item] == nil
    summary.position = last.position
    summary.playedDuration = Duration(
      samples: max(0, last.frame - loop.droppedCount), at: loop.feed.format.sampleRate)
    summary.lost = state.withLock(\.lost)
    complete(summary)
  }

  // MARK: Requests and device events

  /// Applies the requests since the last call.
  private func applyRequests(_ loop: inout Loop) {
    let (commands, isPaused, resumptions, mode) = controls.withLock { controls in
      defer { controls.commands = [] }
      if !controls.commands.isEmpty, !controls.isStopped, let interruption = controls.interruption {
        interruption.acknowledge()
        interruption.wait(milliseconds: 0)
      }
      let settings = controls.settings
      return (controls.commands, settings.isPaused, controls.resumptions, settings.loop)
    }
    if isPaused != loop.isPaused {
      loop.isPaused = isPaused
      report(.paused(isPaused))
    }
    if resumptions > loop.resumptions {
      loop.resumptions = resumptions
      loop.target.resume()
    }
    for command in commands {
      guard let wanted = target(of: command, mode, loop) else {
        // The requested item is after the last one, so the playback ends.
        stop()
        return
      }
      loop.phase = .opening(wanted)
    }
  }

  /// Returns the target of a command, or nil for the end.
  private func target(
    of command: Command, _ mode: PlayerConfiguration.Loop, _ loop: Loop
  ) -> Wanted? {
    let playedPosition = state.withLock { $0.position(at: System.nanoseconds) }
    var base = playedPosition ?? PlayerPosition(index: loop.item, time: .zero, duration: nil)
    if case .opening(let wanted) = loop.phase, wanted.isJump {
      if wanted.item != base.index { base.duration = nil }
      base.index = wanted.item
      base.time = wanted.time
    }
    switch command {
    case .seek(let time):
      return Wanted(
        item: base.index, time: min(time, base.duration ?? time), isJump: true, startsItem: false)
    case .move(let distance):
      let time = max(.zero, base.time + distance)
      return Wanted(
        item: base.index, time: min(time, base.duration ?? time), isJump: true, startsItem: false)
    case .next:
      if base.index + 1 < items.count {
        return Wanted(item: base.index + 1, time: .zero, isJump: true)
      }
      return mode == .list ? Wanted(item: 0, time: .zero, isJump: true) : nil
    case .previous:
      if base.time > Self.beginning || base.index == 0 && mode != .list {
        return Wanted(item: base.index, time: .zero, isJump: true)
      }
      let index = (base.index + items.count - 1) % items.count
      return Wanted(item: index, time: .zero, isJump: true)
    }
  }

  private func handleDeviceEvents(_ loop: inout Loop) {
    while let event = loop.feed.nextEvent() {
      let device = loop.target.device
      state.withLock { state in
        state.device = device ?? state.device
        switch event {
        case .deviceLost, .suspended: state.isWaiting = true
        case .deviceReturned, .deviceChanged, .resumed: state.isWaiting = false
        case .ended, .failed: break
        }
      }
      switch event {
      case .deviceLost: report(.deviceLost)
      case .deviceReturned: report(.deviceReturned(device))
      case .deviceChanged: report(.deviceChanged(device))
      case .suspended: report(.suspended)
      case .resumed: report(.resumed)
      case .failed:
        loop.tally.summary.failure = .playback(
          loop.target.failure
            ?? .system(operation: "play on", id: device?.id ?? "", reason: "the device failed"))
      // Targets have no end.
      case .ended: break
      }
    }
  }

  // MARK: Reports

  /// Reports items that have begun.
  ///
  /// Returns the last played frame and its position.
  ///
  /// If `isLast`, the played position is fixed afterward, so that it cannot differ from the
  /// summary.
  @discardableResult
  func reportStartedItems(
    _ loop: inout Loop, isLast: Bool = false
  ) -> (frame: Int, position: PlayerPosition?) {
    let reportedNumber = loop.reportedPart?.number ?? 0
    let (frame, position, begun) = state.withLock { state in
      let playedFrame = state.updatePlayedFrame(at: System.nanoseconds)
      if isLast { state.feed = nil }
      let begun = state.ledger?.begun(by: playedFrame).filter { $0.number > reportedNumber } ?? []
      // Parts are removed only after they were reported.
      state.ledger?.discardEntries(before: playedFrame)
      return (playedFrame, state.position(of: playedFrame), begun)
    }
    for part in begun {
      if part.startsItem || loop.reportedPart?.item.index != part.item.index {
        if let reportedPart = loop.reportedPart { report(.ended(reportedPart.item.index)) }
        report(.started(part.item))
        loop.tally.summary.playedItemCount += 1
      }
      loop.reportedPart = part
    }
    return (frame, position)
  }

  private func reportProgress(_ loop: inout Loop) {
    // The position is from the same poll as the reported items, because a later poll could belong
    // to an item whose start is unreported. The start of an item counts as the position even before
    // its first sample is played.
    let position = reportStartedItems(&loop).position
    let now = System.nanoseconds
    if let position, position.index == loop.reportedPart?.item.index, !loop.isPaused,
      now >= loop.nextPosition
    {
      loop.nextPosition = now + Self.interval
      report(.position(position))
    }
    let missingCount = loop.missingCount
    countMissingFrames(&loop)
    // An underrun has ended if it has not grown since the last poll.
    if loop.missingCount == missingCount { reportUnderrun(&loop) }
  }

  /// Counts the frames that the device has missed so far.
  ///
  /// Silence is an underrun only if samples follow it, or if the playback stops before its end. The
  /// end is not known before the last samples are written.
  private func countMissingFrames(_ loop: inout Loop, isStopping: Bool = false) {
    let (missingCount, underrunCount) = (loop.feed.missingFrameCount, loop.feed.underrunCount)
    guard isStopping || !loop.feed.isDrained else { return }
    loop.missingCount = missingCount
    loop.tally.summary.underrunCount = underrunCount
  }

  /// Reports an underrun, once.
  private func reportUnderrun(_ loop: inout Loop) {
    guard loop.missingCount > loop.reportedMissingCount else { return }
    report(.underrun(frameCount: loop.missingCount - loop.reportedMissingCount))
    loop.reportedMissingCount = loop.missingCount
  }
}
