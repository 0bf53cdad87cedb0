import AacornDevices
import AacornRecording
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
  }

  /// What is counted on the way.
  struct Tally {
    var summary = PlayerSummary()
    /// Items in a row of which there was nothing to hear.
    var emptyCount = 0
    var lastError: AACFileError?
  }

  private enum Opening {
    case sound(SeekableSound)
    /// No item can be read.
    case nothing
    /// Somebody wants something else.
    case interrupted
  }

  /// How long to wait for the device at a time, in milliseconds.
  private static let look = 20
  /// How much sound waits for the device, in milliseconds.
  private static let stock = 300
  /// How long the device may take to say that the last sound was heard, in nanoseconds.
  private static let patience: Int64 = 1_000_000_000
  /// How often the position is told, in nanoseconds.
  private static let interval: Int64 = 250_000_000
  /// How far into an item ``previous()`` still goes to the one before.
  private static let beginning = Duration.seconds(3)

  /// The whole playback.
  func play() {
    var tally = Tally()
    do throws(PlayerError) {
      guard !items.isEmpty else { throw .noItems }
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
      run(&loop)
      finish(&loop)
    } catch {
      state.withLock { $0.isOpening = false }
      giveUp(error, tally.summary)
    }
  }

  private func openTarget(_ tally: Tally) throws(PlayerError) -> Loop {
    let target: any PlaybackTarget
    let feed: PlaybackFeed
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
    let (volume, isPaused) = controls.withLock { ($0.volume, $0.isPaused) }
    feed.isPaused = isPaused
    events(.opened(target.device))
    return Loop(
      target: target, feed: feed, chain: SoundChain(to: feed.format, volume: volume),
      tally: tally)
  }

  private func run(_ loop: inout Loop) {
    while true {
      obey(&loop)
      if controls.withLock(\.isStopped) || loop.tally.summary.failure != nil { return }
      if loop.wanted != nil { openWanted(&loop) }
      let isBusy = work(&loop)
      tell(&loop)
      if isOver(&loop) { return }
      takeNotices(&loop)
      if !isBusy { _ = loop.feed.waitForDevice(milliseconds: Self.look) }
    }
  }

  private func finish(_ loop: inout Loop) {
    loop.target.stop()
    leave(&loop)
    if let told = loop.told { events(.ended(told.item.index)) }
    var summary = loop.tally.summary
    state.withLock { state in
      let heard = state.hear(at: System.nanoseconds)
      summary.position = state.position(at: System.nanoseconds)
      summary.heard = Duration(
        samples: max(0, heard - loop.droppedCount), at: loop.feed.format.sampleRate)
    }
    summary.underrunCount = loop.feed.underrunCount
    conclude(summary)
  }

  // MARK: Items

  /// Opens what is wanted, or the next item that can be read.
  private func open(_ wanted: inout Wanted, _ tally: inout Tally) -> Opening {
    while true {
      let interruption = Interruption()
      let isWanted = controls.withLock { controls in
        controls.interruption = interruption
        controls.isSeekable = false
        return !controls.isStopped && controls.commands.isEmpty
      }
      guard isWanted || tally.summary.playedItemCount == 0 && !controls.withLock(\.isStopped)
      else { return .interrupted }
      do throws(AACFileError) {
        let sound = try self.sound(of: wanted.item, interruption)
        if wanted.time > .zero { _ = try sound.seek(toFrame: Self.frame(wanted.time, in: sound)) }
        let isSeekable = sound.isSeekable
        controls.withLock { $0.isSeekable = isSeekable }
        return .sound(sound)
      } catch {
        if error.kind == .interrupted { return .interrupted }
        note(error, wanted.item, &tally)
        guard let next = item(after: wanted.item, tally) else { return .nothing }
        wanted.item = next
        wanted.time = .zero
        wanted.isNewRun = true
      }
    }
  }

  private func sound(
    of index: Int, _ interruption: Interruption
  ) throws(AACFileError) -> SeekableSound {
    let path = items[index].path
    guard let address = HTTPAddress(path) else {
      return try SeekableSound(path, interruption: interruption)
    }
    let events = events
    let source = try HTTPSource(address, opening: interruption) { title in
      events(.title(index, title))
    }
    let sound = try SeekableSound(source.path, name: path, interruption: interruption)
    sound.companion = source
    return sound
  }

  private func note(_ error: AACFileError, _ item: Int, _ tally: inout Tally) {
    tally.emptyCount += 1
    tally.lastError = error
    tally.summary.unreadable[item] = error
    events(.unreadable(item, error))
  }

  /// What comes after an item; nil for the end.
  private func item(after item: Int, _ tally: Tally) -> Int? {
    let loop = controls.withLock(\.loop)
    let limit = loop == .item ? 1 : items.count
    // All of them in a row were silent or could not be read.
    if tally.emptyCount >= limit { return nil }
    switch loop {
    case .item: return item
    case .list: return (item + 1) % items.count
    case .none: return item + 1 < items.count ? item + 1 : nil
    }
  }

  private static func frame(_ time: Duration, in sound: SeekableSound) -> Int {
    min(time.sampleCount(at: sound.sampleRate), sound.frameCount ?? .max)
  }

  /// Opens what is wanted, or goes there in what is open.
  private func openWanted(_ loop: inout Loop) {
    guard var wanted = loop.wanted else { return }
    // What is missing meanwhile is nobody's fault.
    if wanted.isJump { endFeed(&loop) }
    if let sound = loop.sound, loop.item == wanted.item, wanted.isJump,
      sound.isSeekable || !wanted.isNewRun
    {
      do throws(AACFileError) {
        if try sound.seek(toFrame: Self.frame(wanted.time, in: sound)) {
          begin(sound, wanted, &loop)
        } else {
          // A pipe goes on as it was.
          loop.wanted = nil
          clearPending()
        }
      } catch {
        loop.sound = nil
        if error.kind != .interrupted {
          note(error, wanted.item, &loop.tally)
          follow(wanted.item, isJump: true, &loop)
        }
      }
      return
    }
    leave(&loop)
    switch open(&wanted, &loop.tally) {
    case .sound(let sound): begin(sound, wanted, &loop)
    case .nothing:
      if wanted.isJump { discard(&loop) }
      end(&loop)
    case .interrupted: loop.wanted = wanted
    }
  }

  /// The sound is the next one to be heard, or the one that is heard at once after a jump.
  private func begin(_ sound: SeekableSound, _ wanted: Wanted, _ loop: inout Loop) {
    if wanted.isJump { discard(&loop) }
    loop.wanted = nil
    let before = loop.chain.program
    let program: Double
    do throws(AACFileError) {
      program = try loop.chain.follow(sound, into: &loop.ready)
    } catch {
      loop.sound = nil
      note(error, wanted.item, &loop.tally)
      return follow(wanted.item, isJump: wanted.isJump, &loop)
    }
    loop.sound = sound
    loop.item = wanted.item
    loop.readCount = 0
    loop.isFromStart = sound.position == 0
    loop.isAtEnd = false
    loop.drainTime = nil
    loop.partCount += 1
    let part = PlaybackLedger.Part(
      program: program, number: loop.partCount, isNewRun: wanted.isNewRun,
      item: played(sound, wanted.item),
      seconds: Double(sound.position) / Double(sound.sampleRate))
    state.withLock { state in
      state.ledger?.append(part)
    }
    account(from: before, &loop)
    if wanted.isJump { clearPending() }
  }

  private func clearPending() {
    let isLast = controls.withLock(\.commands.isEmpty)
    if isLast { state.withLock { $0.pending = nil } }
  }

  private func played(_ sound: SeekableSound, _ index: Int) -> PlayedItem {
    let tags = sound.tags
    return PlayedItem(
      index: index, item: items[index], sampleRate: sound.sampleRate,
      channelCount: sound.channelCount, layout: sound.layout,
      duration: sound.frameCount.map { Duration(samples: $0, at: sound.sampleRate) },
      isCoded: sound.isCoded, title: tags.title, artist: tags.artist, album: tags.album)
  }

  /// Plans what comes after an item, or the end.
  private func follow(_ item: Int, isJump: Bool, _ loop: inout Loop) {
    if let next = self.item(after: item, loop.tally) {
      loop.wanted = Wanted(item: next, time: .zero, isJump: isJump)
    } else {
      loop.wanted = nil
      end(&loop)
    }
  }

  /// Lets out what is left; nothing follows.
  private func end(_ loop: inout Loop) {
    loop.wanted = nil
    loop.isAtEnd = true
    let before = loop.chain.program
    loop.chain.finish(into: &loop.ready)
    account(from: before, &loop)
    clearPending()
  }

  /// Says of the sound, which is left, whether it is damaged.
  private func leave(_ loop: inout Loop) {
    guard let sound = loop.sound else { return }
    loop.sound = nil
    guard loop.readCount > 0, let sentence = sound.damageSentence else { return }
    if loop.tally.summary.damaged.insert(loop.item).inserted {
      events(.damaged(loop.item, sentence))
    }
  }

  // MARK: Samples

  /// Writes or makes samples; false if there is nothing to do but wait.
  private func work(_ loop: inout Loop) -> Bool {
    if loop.first < loop.ready.count { return write(&loop) }
    if loop.isAtEnd {
      endFeed(&loop)
      return false
    }
    // What waits to be opened is opened at once.
    if loop.wanted != nil { return true }
    guard let sound = loop.sound, loop.feed.freeFrameCount > 0 else { return false }
    loop.ready.removeAll(keepingCapacity: true)
    loop.first = 0
    do throws(AACFileError) {
      if try sound.next(into: &loop.frames) {
        loop.readCount += loop.frames.count / sound.channelCount
        loop.tally.emptyCount = 0
        render(&loop)
        return true
      }
      if loop.readCount == 0, loop.isFromStart { loop.tally.emptyCount += 1 }
    } catch {
      if error.kind == .interrupted {
        let time = Duration(samples: sound.position, at: sound.sampleRate)
        loop.sound = nil
        loop.wanted = Wanted(item: loop.item, time: time, isJump: false, isNewRun: false)
        return true
      }
      note(error, loop.item, &loop.tally)
      // Some of it was heard.
      if loop.readCount > 0 { loop.tally.emptyCount = 0 }
    }
    leave(&loop)
    follow(loop.item, isJump: false, &loop)
    return true
  }

  private func render(_ loop: inout Loop) {
    let (speed, volume) = controls.withLock { ($0.speed, $0.volume) }
    loop.chain.speed = speed
    loop.chain.loudness = volume
    let before = loop.chain.program
    loop.chain.process(loop.frames, into: &loop.ready)
    account(from: before, &loop)
  }

  /// Notes where the frames come from that are ready and have not been written.
  private func account(from program: Double, _ loop: inout Loop) {
    let channelCount = loop.feed.format.channelCount
    let count = (loop.ready.count - loop.first) / channelCount
    guard count > 0 else { return }
    var peaks = [Float](repeating: 0, count: channelCount)
    var channel = 0
    for index in loop.first..<loop.ready.count {
      let magnitude = abs(loop.ready[index])
      if magnitude > peaks[channel] { peaks[channel] = magnitude }
      channel = channel + 1 == channelCount ? 0 : channel + 1
    }
    let frame = loop.writtenCount
    let speed = loop.chain.speed
    state.withLock { state in
      state.ledger?.note(frame: frame, program: program, speed: speed)
      state.levels.append((frame + count, peaks))
      // Nobody asks for them.
      if state.levels.count > 256 { state.levels.removeFirst(128) }
    }
  }

  private func write(_ loop: inout Loop) -> Bool {
    if loop.hasEnded {
      loop.hasEnded = false
      loop.feed.resumeWriting()
    }
    let samples = loop.ready
    let count = loop.feed.write(samples.span.extracting(loop.first..<samples.count))
    loop.first += count * loop.feed.format.channelCount
    loop.writtenCount += count
    return count > 0
  }

  private func endFeed(_ loop: inout Loop) {
    if loop.hasEnded { return }
    loop.hasEnded = true
    loop.feed.end()
  }

  /// Drops all that has not been heard.
  private func discard(_ loop: inout Loop) {
    loop.feed.discard()
    loop.ready.removeAll(keepingCapacity: true)
    loop.first = 0
    loop.chain.restart()
    let (frame, program, speed) = (loop.writtenCount, loop.chain.program, loop.chain.speed)
    let droppedCount = state.withLock { state in
      let heard = state.hear(at: System.nanoseconds)
      state.heardFrame = max(heard, frame)
      state.levels = []
      state.ledger?.forgetParts()
      state.ledger?.note(frame: frame, program: program, speed: speed)
      return max(0, frame - heard)
    }
    loop.droppedCount += droppedCount
  }

  private func isOver(_ loop: inout Loop) -> Bool {
    guard loop.isAtEnd, loop.wanted == nil, loop.first >= loop.ready.count, loop.feed.isDrained,
      controls.withLock(\.commands.isEmpty)
    else { return false }
    let now = System.nanoseconds
    let drainTime = loop.drainTime ?? now
    loop.drainTime = drainTime
    let heard = state.withLock { $0.hear(at: now) }
    if heard < loop.writtenCount, loop.isPaused || now - drainTime < Self.patience { return false }
    loop.tally.summary.isComplete = loop.tally.summary.playedItemCount > 0
    return true
  }

  // MARK: Requests and notices

  /// Carries out requests made since the last time.
  private func obey(_ loop: inout Loop) {
    let (commands, isPaused, mode) = controls.withLock { controls in
      defer { controls.commands = [] }
      if !controls.commands.isEmpty, !controls.isStopped, let interruption = controls.interruption {
        interruption.acknowledge()
        interruption.wait(milliseconds: 0)
      }
      return (controls.commands, controls.isPaused, controls.loop)
    }
    if isPaused != loop.isPaused {
      loop.isPaused = isPaused
      loop.feed.isPaused = isPaused
      events(.paused(isPaused))
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
      case .deviceLost: events(.deviceLost)
      case .deviceReturned: events(.deviceReturned(device))
      case .deviceChanged: events(.deviceChanged(device))
      case .suspended: events(.suspended)
      case .resumed: events(.resumed)
      case .failed:
        loop.tally.summary.failure = .playback(
          loop.target.failure
            ?? .system(operation: "play on", id: device?.id ?? "", reason: "it failed"))
      }
    }
  }

  // MARK: Telling

  /// Tells what is heard now.
  private func tell(_ loop: inout Loop) {
    let now = System.nanoseconds
    let toldNumber = loop.told?.number ?? 0
    let (begun, position) = state.withLock { state in
      let heard = state.hear(at: now)
      let begun = state.ledger.map { ledger in
        ledger.begun(by: heard).filter { $0.number > toldNumber }
      }
      let position = state.position(at: now)
      state.ledger?.forget(before: heard)
      return (begun ?? [], position)
    }
    for part in begun {
      if part.isNewRun || loop.told?.item.index != part.item.index {
        if let told = loop.told { events(.ended(told.item.index)) }
        events(.started(part.item))
        loop.tally.summary.playedItemCount += 1
      }
      loop.told = part
    }
    if let position, !loop.isPaused, now >= loop.nextPosition {
      loop.nextPosition = now + Self.interval
      events(.position(position))
    }
    // One stretch of silence is told once, when it is over.
    let missing = loop.feed.missingFrameCount
    if missing > loop.toldMissingCount, missing == loop.seenMissingCount {
      events(.underrun(frameCount: missing - loop.toldMissingCount))
      loop.toldMissingCount = missing
    }
    loop.seenMissingCount = missing
  }
}
