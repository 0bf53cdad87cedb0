import AacornDevices
package import AacornRecording
import AacornSignal
import AacornSystem

/// The session's thread: it fills the feed until everything has been heard.
extension PlayerSession {
  /// What only the thread uses.
  struct Loop {
    let target: any PlaybackTarget
    let feed: PlaybackFeed
    var chain: SoundChain
    var sound: SeekableSound?
    /// The item that is being read.
    var item = 0
    /// What is to be opened next.
    var wanted: Wanted?
    /// Frames of the item that have been read.
    var readCount = 0
    /// Whether it is read from its beginning.
    var isFromStart = true
    /// Where somebody wants the first item to begin, as long as that is read.
    var chosenStart: Duration?
    /// Parts so far.
    var partCount = 0
    var frames: [Float] = []
    /// Samples for the feed, of which those from `first` on have not been written.
    var ready: [Float] = []
    var first = 0
    var writtenCount = 0
    /// Frames that were written and dropped.
    var droppedCount = 0
    /// Whether the feed has been told that nothing comes for now.
    var hasEnded = false
    /// Whether there is nothing more to read.
    var isAtEnd = false
    /// When all that was written had been taken.
    var drainTime: Int64?
    var isPaused = false
    var resumptions = 0
    /// The part that was told last.
    var told: PlaybackLedger.Part?
    var nextPosition: Int64 = 0
    /// Missing frames that were seen, and told.
    var seenMissingCount = 0
    var toldMissingCount = 0
    var tally: Tally
  }

  /// What is to be opened.
  struct Wanted {
    var item: Int
    var time: Duration
    /// Whether it replaces what has not been heard yet.
    var isJump: Bool
    /// Whether the item is played anew.
    var isNewRun = true

    /// Whether somebody wants the item to begin at the time, and not to go on there.
    var isChosenStart: Bool { isNewRun && !isJump && time > .zero }
  }

  /// What is counted on the way.
  struct Tally {
    var summary = PlayerSummary()
    /// Items in a row of which there was nothing to hear.
    var emptyCount = 0
    var lastError: AACFileError?
    /// Broadcasts and pipes in which somebody wanted another place.
    var unseekable: Set<Int> = []
    /// What was fetched to be played from a file, and of which item that is.
    var fetched: (item: Int, file: FetchedFile)?
  }

  /// How long to wait for the device at a time, in milliseconds.
  private static let look = 20
  /// How much sound waits for the device, in milliseconds.
  private static let stock = 300
  /// How often the position is told, or how much was fetched, in nanoseconds.
  static let interval: Int64 = 250_000_000
  /// How far into an item ``previous()`` still goes to the one before.
  private static let beginning = Duration.seconds(3)

  /// The whole playback.
  func play() {
    var tally = Tally()
    do throws(PlayerError) {
      guard !items.isEmpty else { throw .noItems }
      try Self.check(controls.withLock(\.effects))
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
      var loop = try openTarget(tally)
      if let first { begin(first, wanted, &loop) }
      decide(nil)
      let isOver = run(&loop)
      finish(&loop, isComplete: isOver)
    } catch {
      state.withLock { $0.isOpening = false }
      giveUp(error, tally.summary)
    }
  }

  /// Throws why the effects cannot be made, before anything is opened or fetched for them.
  ///
  /// The device's channels are not known yet. What fits one of the usual numbers of them may fit these.
  package static func check(_ effects: [EffectDescription]) throws(PlayerError) {
    var first: EffectError?
    for channelCount in [2, 1, 6, 8] {
      do throws(EffectError) {
        _ = try EffectRack(effects, channelCount: channelCount, sampleRate: 48_000)
        return
      } catch {
        first = first ?? error
      }
    }
    if let first { throw .effects(first) }
  }

  private func openTarget(_ tally: Tally) throws(PlayerError) -> Loop {
    let target: any PlaybackTarget
    let feed: PlaybackFeed
    let (effects, volume) = controls.withLock { ($0.effects, $0.volume) }
    do throws(PlaybackError) {
      target = try origin.target()
      let format = try target.preferredFormat()
      guard Resampler.supportedRates.contains(format.sampleRate),
        (1...64).contains(format.channelCount)
      else {
        throw .unsupportedFormat(
          id: target.device?.id ?? "",
          reason: "it has \(format.sampleRate) Hz and \(format.channelCount) channels")
      }
      feed = PlaybackFeed(format, frameCapacity: format.sampleRate * Self.stock / 1000)
      feed.isPaused = controls.withLock(\.isPaused)
    } catch {
      throw .playback(error)
    }
    let chain: SoundChain
    do throws(EffectError) {
      chain = try SoundChain(to: feed.format, effects: effects, volume: volume)
    } catch {
      throw .effects(error)
    }
    do throws(PlaybackError) {
      try target.start(feed)
    } catch {
      throw .playback(error)
    }
    let isWanted = state.withLock { state in
      defer { state.isOpening = false }
      guard state.isOpening else { return false }
      state.feed = feed
      state.ledger = PlaybackLedger(sampleRate: feed.format.sampleRate)
      state.device = target.device
      state.remarks = target.remarks
      return true
    }
    if !isWanted {
      target.stop()
      throw .stopped
    }
    feed.isPaused = controls.withLock(\.isPaused)
    tell(.opened(target.device))
    return Loop(target: target, feed: feed, chain: chain, tally: tally)
  }

  /// Returns whether it has come to the end of the list.
  private func run(_ loop: inout Loop) -> Bool {
    while true {
      obey(&loop)
      if controls.withLock(\.isStopped) || loop.tally.summary.failure != nil { return false }
      if loop.wanted != nil { openWanted(&loop) }
      let isBusy = work(&loop)
      tell(&loop)
      if isOver(&loop) { return true }
      takeNotices(&loop)
      if !isBusy { _ = loop.feed.waitForDevice(milliseconds: Self.look) }
    }
  }

  private func finish(_ loop: inout Loop, isComplete: Bool) {
    // Items may have begun in what the device has played since the last look. What was heard, and where
    // that is, is of this one: a device that stops drops what it has taken and not played.
    let last = tellBeginnings(&loop, isLast: true)
    // Silence after the last sample is what is wanted.
    if !isComplete { tellMissing(&loop, isOver: true) }
    let underrunCount = loop.feed.underrunCount
    loop.target.stop()
    leave(&loop)
    if let told = loop.told { tell(.ended(told.item.index)) }
    var summary = loop.tally.summary
    summary.isComplete =
      isComplete && summary.playedItemCount > 0 && summary.unreadable[loop.item] == nil
    summary.position = last.position
    summary.heard = Duration(
      samples: max(0, last.frame - loop.droppedCount), at: loop.feed.format.sampleRate)
    summary.lost = state.withLock(\.lost)
    summary.underrunCount = underrunCount
    conclude(summary)
  }

  // MARK: Requests and notices

  /// Carries out requests made since the last time.
  private func obey(_ loop: inout Loop) {
    let (commands, isPaused, resumptions, mode) = controls.withLock { controls in
      defer { controls.commands = [] }
      if !controls.commands.isEmpty, !controls.isStopped, let interruption = controls.interruption {
        interruption.acknowledge()
        interruption.wait(milliseconds: 0)
      }
      return (controls.commands, controls.isPaused, controls.resumptions, controls.loop)
    }
    if isPaused != loop.isPaused {
      loop.isPaused = isPaused
      loop.feed.isPaused = isPaused
      tell(.paused(isPaused))
    }
    if resumptions > loop.resumptions {
      loop.resumptions = resumptions
      loop.target.resume()
    }
    for command in commands {
      guard let wanted = target(of: command, mode, loop) else {
        // After the last item there is nothing.
        stop()
        return
      }
      loop.wanted = wanted
    }
  }

  /// Where a command leads to; nil for the end.
  private func target(
    of command: Command, _ mode: PlayerConfiguration.Loop, _ loop: Loop
  ) -> Wanted? {
    let heard = state.withLock { $0.position(at: System.nanoseconds) }
    var base = heard ?? PlayerPosition(index: loop.item, time: .zero, duration: nil)
    if let wanted = loop.wanted, wanted.isJump {
      if wanted.item != base.index { base.duration = nil }
      base.index = wanted.item
      base.time = wanted.time
    }
    switch command {
    case .seek(let time):
      return Wanted(
        item: base.index, time: min(time, base.duration ?? time), isJump: true, isNewRun: false)
    case .move(let distance):
      let time = max(.zero, base.time + distance)
      return Wanted(
        item: base.index, time: min(time, base.duration ?? time), isJump: true, isNewRun: false)
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

  private func takeNotices(_ loop: inout Loop) {
    while let notice = loop.feed.takeNotice() {
      let device = loop.target.device
      state.withLock { state in
        state.device = device ?? state.device
        switch notice {
        case .deviceLost, .suspended: state.isWaiting = true
        case .deviceReturned, .deviceChanged, .resumed: state.isWaiting = false
        case .failed: break
        }
      }
      switch notice {
      case .deviceLost: tell(.deviceLost)
      case .deviceReturned: tell(.deviceReturned(device))
      case .deviceChanged: tell(.deviceChanged(device))
      case .suspended: tell(.suspended)
      case .resumed: tell(.resumed)
      case .failed:
        loop.tally.summary.failure = .playback(
          loop.target.failure
            ?? .system(operation: "play on", id: device?.id ?? "", reason: "it failed"))
      }
    }
  }

  // MARK: Telling

  /// Tells what has begun, and returns how much has been heard by then, and where that is.
  ///
  /// After the last look nothing more counts as heard: what is heard does not go back to what the summary says.
  @discardableResult
  func tellBeginnings(
    _ loop: inout Loop, isLast: Bool = false
  ) -> (frame: Int, position: PlayerPosition?) {
    let toldNumber = loop.told?.number ?? 0
    let (frame, position, begun) = state.withLock { state in
      let heard = state.hear(at: System.nanoseconds)
      if isLast { state.feed = nil }
      let begun = state.ledger?.begun(by: heard).filter { $0.number > toldNumber } ?? []
      // Only what is told is forgotten.
      state.ledger?.forget(before: heard)
      return (heard, state.position(of: heard), begun)
    }
    for part in begun {
      if part.isNewRun || loop.told?.item.index != part.item.index {
        if let told = loop.told { tell(.ended(told.item.index)) }
        tell(.started(part.item))
        loop.tally.summary.playedItemCount += 1
      }
      loop.told = part
    }
    return (frame, position)
  }

  /// Tells what is heard now.
  private func tell(_ loop: inout Loop) {
    // Another look could find the next item, before its beginning is told; and before there is a sample of
    // an item, its beginning is the position already.
    let position = tellBeginnings(&loop).position
    let now = System.nanoseconds
    if let position, position.index == loop.told?.item.index, !loop.isPaused,
      now >= loop.nextPosition
    {
      loop.nextPosition = now + Self.interval
      tell(.position(position))
    }
    tellMissing(&loop)
  }

  /// Tells a stretch of silence once, when it is over: when it has not grown since the last look, or the
  /// device is about to stop.
  private func tellMissing(_ loop: inout Loop, isOver: Bool = false) {
    let missing = loop.feed.missingFrameCount
    if missing > loop.toldMissingCount, isOver || missing == loop.seenMissingCount {
      tell(.underrun(frameCount: missing - loop.toldMissingCount))
      loop.toldMissingCount = missing
    }
    loop.seenMissingCount = missing
  }
}
