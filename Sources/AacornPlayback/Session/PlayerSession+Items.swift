import AacornDevices
import AacornRecording
import AacornSystem

/// Reading of items, in list order or as requested.
extension PlayerSession {
  /// The result of opening an item.
  enum Opening {
    /// The item can be read.
    case sound(SeekableSound)
    /// No item can be read.
    case nothing
    /// Another request has interrupted the attempt.
    case interrupted
  }

  /// Opens the requested item, or the next one that can be read.
  func open(_ wanted: inout Wanted, _ tally: inout Tally) -> Opening {
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
        let sound = try self.sound(of: wanted.item, interruption, &tally)
        if wanted.time > .zero {
          if !Self.isLive(sound) {
            if wanted.isChosenStart { try Self.check(wanted.time, in: sound) }
            _ = try sound.seek(toFrame: Self.frame(wanted.time, in: sound))
          } else if wanted.isJump || wanted.startsItem {
            reportUnseekable(wanted.item, &tally)
          }
        }
        let isSeekable = sound.isSeekable
        controls.withLock { $0.isSeekable = isSeekable }
        return .sound(sound)
      } catch {
        if error.kind == .interrupted { return .interrupted }
        recordUnreadable(error, item: wanted.item, &tally)
        guard let next = item(after: wanted.item, tally) else { return .nothing }
        wanted.item = next
        wanted.time = .zero
        wanted.startsItem = true
      }
    }
  }

  private func sound(
    of index: Int, _ interruption: Interruption, _ tally: inout Tally
  ) throws(AACFileError) -> SeekableSound {
    let path = items[index].path
    guard let address = HTTPAddress(path) else {
      return try SeekableSound(path, interruption: interruption)
    }
    let options = HTTPTransferOptions(configuration)
    if tally.fetched?.item != index {
      tally.fetched = nil
      if let sound = try piped(address, item: index, options, interruption: interruption) {
        return sound
      }
      let file = try fetched(address, item: index, options, interruption: interruption)
      tally.fetched = (item: index, file: file)
    }
    let file = tally.fetched?.file
    let sound = try SeekableSound(file?.path ?? path, name: path, interruption: interruption)
    sound.companion = file
    return sound
  }

  /// Downloads the resource at an address completely.
  private func fetched(
    _ address: HTTPAddress, item index: Int, _ options: HTTPTransferOptions,
    interruption: Interruption
  ) throws(AACFileError) -> FetchedFile {
    var nextTime: Int64 = 0
    return try FetchedFile(address, options, interruption: interruption) {
      fetchedCount, byteCount in
      let now = System.nanoseconds
      guard now >= nextTime || fetchedCount == byteCount else { return }
      nextTime = now + Self.interval
      report(.fetching(index, fetchedCount: fetchedCount, byteCount: byteCount))
    }
  }

  /// Opens the audio at an address as a stream.
  ///
  /// Returns nil if the audio cannot be read from a pipe and must be downloaded completely.
  private func piped(
    _ address: HTTPAddress, item index: Int, _ options: HTTPTransferOptions,
    interruption: Interruption
  ) throws(AACFileError) -> SeekableSound? {
    let source = try HTTPSource(
      address, options, opening: interruption, titles: { [self] in report(.title(index, $0)) },
      lost: { [self] duration in
        state.withLock { $0.lost += duration }
        report(.lost(index, duration))
      })
    let path = items[index].path
    do throws(AACFileError) {
      let sound = try SeekableSound(
        source.path, name: path, endless: source.byteCount == nil, interruption: interruption)
      sound.companion = source
      sound.isBroadcast = source.isLive
      source.markOpened()
      return sound
    } catch {
      if error.kind == .interrupted { throw error }
      // A network error explains more than the error of an incomplete header.
      if let failure = source.failure { throw failure }
      if case .passAsFile = error.recoverySuggestion, source.byteCount != nil { return nil }
      guard source.byteCount == nil, let coding = source.foreignCoding else {
        throw Self.error(error, at: path)
      }
      #if os(Linux)
      // The library that decodes MP3 is missing, or the audio is not MP3.
      if source.isMP3 { throw Self.error(error, at: path) }
      let codings = "AAC and MP3"
      #else
      let codings = "AAC"
      #endif
      throw AACFileError(
        .unsupported,
        "“\(displayed(path))” is a stream of unknown length in \(displayed(coding)). Such streams are "
          + "played only in \(codings).",
        suggestion: .text("Choose its AAC stream, if there is one."))
    }
  }

  /// Returns the error for audio at an address, without mentioning the pipe that transfers it.
  static func error(_ error: AACFileError, at address: String) -> AACFileError {
    guard case .passAsFile(because: let fact) = error.recoverySuggestion else { return error }
    return AACFileError(
      error.kind, "“\(displayed(address))” \(fact), and can be played only from a file.",
      suggestion: .text("Download it and play the file."))
  }

  private static func isLive(_ sound: SeekableSound?) -> Bool {
    (sound?.companion as? HTTPSource)?.isLive == true
  }

  /// Returns whether the requested position has already passed, so that the audio must be requested
  /// again.
  private static func hasPassed(_ sound: SeekableSound, for wanted: Wanted) -> Bool {
    sound.companion is HTTPSource && frame(wanted.time, in: sound) < sound.position
  }

  /// Reports once per item that seeking is impossible.
  private func reportUnseekable(_ item: Int, _ tally: inout Tally) {
    if tally.unseekable.insert(item).inserted { report(.unseekable(item)) }
  }

  /// Records and reports an item that cannot be read.
  func recordUnreadable(_ error: AACFileError, item: Int, _ tally: inout Tally) {
    tally.emptyCount += 1
    tally.lastError = error
    tally.summary.unreadable[item] = error
    report(.unreadable(item, error))
  }

  /// Returns the index of the item after `item`, or nil at the end.
  private func item(after item: Int, _ tally: Tally) -> Int? {
    let loop = controls.withLock(\.settings.loop)
    let limit = loop == .item ? 1 : items.count
    // All consecutive items were empty or unreadable.
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

  /// Throws if the audio ends before its requested start, if its length is known.
  private static func check(_ start: Duration, in sound: SeekableSound) throws(AACFileError) {
    guard let frameCount = sound.frameCount, start.sampleCount(at: sound.sampleRate) >= frameCount
    else { return }
    throw startAfterEnd(of: sound, endingAt: frameCount, from: start)
  }

  /// Returns the error for audio that ends before its requested start.
  ///
  /// `frameCount` is its length, if known.
  static func startAfterEnd(
    of sound: SeekableSound, endingAt frameCount: Int? = nil, from start: Duration
  ) -> AACFileError {
    let startText = QuantityText.duration(start / .seconds(1))
    var positionText = "before \(startText)"
    if let frameCount {
      let end = Duration(samples: frameCount, at: sound.sampleRate)
      let endText = QuantityText.duration(end / .seconds(1))
      positionText = "at \(endText)" + (endText == startText ? "" : ", " + positionText)
    }
    return AACFileError(
      .badInput, "“\(displayed(sound.name))” ends \(positionText), where playback should start.",
      suggestion: .text("Choose an earlier start."))
  }

  /// Opens the requested item, or seeks in the open one.
  func openOrSeek(_ wanted: Wanted, _ loop: inout Loop) {
    if wanted.isJump, !wanted.startsItem, loop.item == wanted.item, Self.isLive(loop.open?.sound) {
      return continueReading(&loop)
    }
    // Silence before the item is open is not an underrun.
    if wanted.isJump || items[wanted.item].isAddress { loop.feed.pauseWriting() }
    if let sound = loop.open?.sound, loop.item == wanted.item, wanted.isJump,
      sound.isSeekable || !wanted.startsItem, !Self.hasPassed(sound, for: wanted)
    {
      do throws(AACFileError) {
        if try sound.seek(toFrame: Self.frame(wanted.time, in: sound)) {
          begin(sound, for: wanted, &loop)
        } else {
          continueReading(&loop)
        }
      } catch {
        loop.open = nil
        if error.kind != .interrupted {
          recordUnreadable(error, item: wanted.item, &loop.tally)
          selectNext(after: wanted.item, isJump: true, &loop)
        }
      }
      return
    }
    leave(&loop)
    var wanted = wanted
    switch open(&wanted, &loop.tally) {
    case .sound(let sound): begin(sound, for: wanted, &loop)
    case .nothing:
      if wanted.isJump { discard(&loop) }
      end(&loop)
    case .interrupted: loop.phase = .opening(wanted)
    }
  }

  /// Continues to read the open item at its current position, because seeking in it is impossible.
  private func continueReading(_ loop: inout Loop) {
    loop.phase = .reading
    clearPending()
    reportUnseekable(loop.item, &loop.tally)
  }

  /// Continues the playback with `sound`: after the previous item, or immediately after a jump.
  func begin(_ sound: SeekableSound, for wanted: Wanted, _ loop: inout Loop) {
    if wanted.isJump { discard(&loop) }
    let before = loop.chain.programPosition
    let programPosition: Double
    do throws(AACFileError) {
      programPosition = try loop.chain.continueWith(sound, into: &loop.ready)
    } catch {
      loop.open = nil
      recordUnreadable(error, item: wanted.item, &loop.tally)
      return selectNext(after: wanted.item, isJump: wanted.isJump, &loop)
    }
    loop.phase = .reading
    loop.item = wanted.item
    loop.open = OpenItem(
      sound: sound, isFromStart: sound.position == 0,
      chosenStart: wanted.isChosenStart ? wanted.time : nil)
    loop.partCount += 1
    let part = PlaybackLedger.Part(
      programPosition: programPosition, number: loop.partCount, startsItem: wanted.startsItem,
      item: played(sound, wanted.item),
      seconds: Double(sound.position) / Double(sound.sampleRate))
    state.withLock { state in
      state.ledger?.append(part)
    }
    account(from: before, &loop)
    if wanted.isJump { clearPending() }
  }

  /// Clears the published target of a seek, unless another seek was requested.
  func clearPending() {
    let isLast = controls.withLock(\.commands.isEmpty)
    if isLast { state.withLock { $0.pending = nil } }
  }

  private func played(_ sound: SeekableSound, _ index: Int) -> PlayedItem {
    let tags = sound.tags
    return PlayedItem(
      index: index, item: items[index], sampleRate: sound.sampleRate,
      channelCount: sound.channelCount, layout: sound.layout,
      duration: sound.frameCount.map { Duration(samples: $0, at: sound.sampleRate) },
      isAAC: sound.isAAC, title: tags.title, artist: tags.artist, album: tags.album)
  }

  /// Sets the item to open after `item`, or records the end of the list.
  func selectNext(after item: Int, isJump: Bool, _ loop: inout Loop) {
    if let next = self.item(after: item, loop.tally) {
      loop.phase = .opening(Wanted(item: next, time: .zero, isJump: isJump))
    } else {
      end(&loop)
    }
  }

  /// Appends the remaining samples at the end of the playback, which the device then plays.
  func end(_ loop: inout Loop) {
    loop.phase = .draining(since: nil)
    let before = loop.chain.programPosition
    loop.chain.finish(into: &loop.ready)
    account(from: before, &loop)
    clearPending()
  }

  /// Leaves the current item, and reports its damage.
  func leave(_ loop: inout Loop) {
    guard let open = loop.open else { return }
    loop.open = nil
    let source = open.sound.companion as? HTTPSource
    guard open.readCount > 0, let message = open.sound.damageMessage ?? source?.damageMessage
    else { return }
    if loop.tally.summary.damaged.insert(loop.item).inserted {
      report(.damaged(loop.item, message))
    }
  }
}
