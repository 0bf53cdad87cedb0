import AacornRecording
import AacornSystem

/// What is read: the items, one after the other or as somebody wants.
extension PlayerSession {
  /// What has become of an attempt to open an item.
  enum Opening {
    /// It can be read.
    case sound(SeekableSound)
    /// No item can be read.
    case nothing
    /// Somebody wants something else.
    case interrupted
  }

  /// Opens what is wanted, or the next item that can be read.
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
          } else if wanted.isJump || wanted.isNewRun {
            noteUnseekable(wanted.item, &tally)
          }
        }
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
    of index: Int, _ interruption: Interruption, _ tally: inout Tally
  ) throws(AACFileError) -> SeekableSound {
    let path = items[index].path
    guard let address = HTTPAddress(path) else {
      return try SeekableSound(path, interruption: interruption)
    }
    let manner = HTTPManner(configuration)
    if tally.fetched?.item != index {
      tally.fetched = nil
      if let sound = try piped(address, index, manner, interruption) { return sound }
      let file = try fetched(address, index, manner, interruption)
      tally.fetched = (item: index, file: file)
    }
    let file = tally.fetched?.file
    let sound = try SeekableSound(file?.path ?? path, name: path, interruption: interruption)
    sound.companion = file
    return sound
  }

  /// The sound at an address, fetched whole.
  private func fetched(
    _ address: HTTPAddress, _ index: Int, _ manner: HTTPManner, _ interruption: Interruption
  ) throws(AACFileError) -> FetchedFile {
    var nextTime: Int64 = 0
    return try FetchedFile(address, manner, interruption) { fetchedCount, byteCount in
      let now = System.nanoseconds
      guard now >= nextTime || fetchedCount == byteCount else { return }
      nextTime = now + Self.interval
      tell(.fetching(index, fetchedCount: fetchedCount, byteCount: byteCount))
    }
  }

  /// The sound at an address as it comes; nil if it must be fetched whole and can be.
  private func piped(
    _ address: HTTPAddress, _ index: Int, _ manner: HTTPManner, _ interruption: Interruption
  ) throws(AACFileError) -> SeekableSound? {
    let source = try HTTPSource(
      address, manner, opening: interruption, titles: { [self] in tell(.title(index, $0)) },
      lost: { [self] duration in
        state.withLock { $0.lost += duration }
        tell(.lost(index, duration))
      })
    let path = items[index].path
    do throws(AACFileError) {
      let sound = try SeekableSound(
        source.path, name: path, endless: source.byteCount == nil, interruption: interruption)
      sound.companion = source
      sound.isBroadcast = source.isLive
      source.noteOpened()
      return sound
    } catch {
      if error.kind == .interrupted { throw error }
      // What is wrong with half a header is of no interest.
      if let failure = source.failure { throw failure }
      if case .passAsFile = error.advice, source.byteCount != nil { return nil }
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
        "What is at “\(displayed(path))” is a stream in \(displayed(coding)) whose end is not known; "
          + "such streams are played in \(codings) only.",
        .words("Choose its stream in AAC, if it has one."))
    }
  }

  /// Why what is at an address cannot be read, without a word of the pipe that it comes through.
  static func error(_ error: AACFileError, at address: String) -> AACFileError {
    guard case .passAsFile(because: let fact) = error.advice else { return error }
    return AACFileError(
      error.kind, "What is at “\(displayed(address))” \(fact), and is played from a file only.",
      .words("Download it and play the file."))
  }

  /// Whether it is a broadcast.
  private static func isLive(_ sound: SeekableSound?) -> Bool {
    (sound?.companion as? HTTPSource)?.isLive == true
  }

  /// Whether what is wanted of a sound of the web has come, and is had by asking for it again.
  private static func mustComeAgain(_ sound: SeekableSound, for wanted: Wanted) -> Bool {
    sound.companion is HTTPSource && frame(wanted.time, in: sound) < sound.position
  }

  /// Tells once that a broadcast, or a pipe, has no other place.
  private func noteUnseekable(_ item: Int, _ tally: inout Tally) {
    if tally.unseekable.insert(item).inserted { tell(.unseekable(item)) }
  }

  /// Counts an item that cannot be read, and tells it.
  func note(_ error: AACFileError, _ item: Int, _ tally: inout Tally) {
    tally.emptyCount += 1
    tally.lastError = error
    tally.summary.unreadable[item] = error
    tell(.unreadable(item, error))
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

  /// Throws if a sound has ended where it was to begin, as far as its length is known.
  private static func check(_ start: Duration, in sound: SeekableSound) throws(AACFileError) {
    guard let frameCount = sound.frameCount, start.sampleCount(at: sound.sampleRate) >= frameCount
    else { return }
    throw nothingLeft(of: sound, endingAt: frameCount, from: start)
  }

  /// The error for a sound that has ended where it was to begin, after so many frames if that is known.
  static func nothingLeft(
    of sound: SeekableSound, endingAt frameCount: Int? = nil, from start: Duration
  ) -> AACFileError {
    let startText = QuantityText.duration(start / .seconds(1))
    var place = "before \(startText)"
    if let frameCount {
      let end = Duration(samples: frameCount, at: sound.sampleRate)
      let endText = QuantityText.duration(end / .seconds(1))
      place = "at \(endText)" + (endText == startText ? "" : ", " + place)
    }
    return AACFileError(
      .badInput, "“\(displayed(sound.name))” ends \(place), where it was to begin.",
      .words("Choose an earlier start."))
  }

  /// Opens what is wanted, or goes there in what is open.
  func openWanted(_ loop: inout Loop) {
    guard var wanted = loop.wanted else { return }
    if wanted.isJump, !wanted.isNewRun, loop.item == wanted.item, Self.isLive(loop.sound) {
      loop.wanted = nil
      clearPending()
      return noteUnseekable(wanted.item, &loop.tally)
    }
    // What is missing meanwhile is nobody's fault.
    if wanted.isJump || items[wanted.item].isAddress { endFeed(&loop) }
    if let sound = loop.sound, loop.item == wanted.item, wanted.isJump,
      sound.isSeekable || !wanted.isNewRun, !Self.mustComeAgain(sound, for: wanted)
    {
      do throws(AACFileError) {
        if try sound.seek(toFrame: Self.frame(wanted.time, in: sound)) {
          begin(sound, wanted, &loop)
        } else {
          // A pipe goes on as it was.
          loop.wanted = nil
          clearPending()
          noteUnseekable(wanted.item, &loop.tally)
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
  func begin(_ sound: SeekableSound, _ wanted: Wanted, _ loop: inout Loop) {
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
    loop.chosenStart = wanted.isChosenStart ? wanted.time : nil
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

  /// Says that the last jump that was asked for has been made.
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
      isCoded: sound.isCoded, title: tags.title, artist: tags.artist, album: tags.album)
  }

  /// Plans what comes after an item, or the end.
  func follow(_ item: Int, isJump: Bool, _ loop: inout Loop) {
    if let next = self.item(after: item, loop.tally) {
      loop.wanted = Wanted(item: next, time: .zero, isJump: isJump)
    } else {
      loop.wanted = nil
      end(&loop)
    }
  }

  /// Lets out what is left; nothing follows.
  func end(_ loop: inout Loop) {
    loop.wanted = nil
    loop.isAtEnd = true
    let before = loop.chain.program
    loop.chain.finish(into: &loop.ready)
    account(from: before, &loop)
    clearPending()
  }

  /// Says of the sound, which is left, whether it is damaged.
  func leave(_ loop: inout Loop) {
    guard let sound = loop.sound else { return }
    loop.sound = nil
    let source = sound.companion as? HTTPSource
    guard loop.readCount > 0, let sentence = sound.damageSentence ?? source?.damageSentence
    else { return }
    if loop.tally.summary.damaged.insert(loop.item).inserted {
      tell(.damaged(loop.item, sentence))
    }
  }
}
