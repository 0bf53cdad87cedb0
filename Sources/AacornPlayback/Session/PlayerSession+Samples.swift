import AacornDevices
import AacornRecording
import AacornSignal
import AacornSystem

/// The processing of samples on their way to the feed.
extension PlayerSession {
  /// The maximum wait for the device to report the last frame as played, in nanoseconds.
  private static let drainTimeoutNanoseconds: Int64 = 1_000_000_000

  /// Writes or renders samples.
  ///
  /// Returns false if this thread must wait.
  func work(_ loop: inout Loop) -> Bool {
    if loop.first < loop.ready.count { return write(&loop) }
    switch loop.phase {
    case .opening:
      // The requested item is opened without a wait.
      return true
    case .reading: return read(&loop)
    case .draining:
      // Silence is not an underrun, because no samples follow.
      loop.feed.pauseWriting()
      return false
    }
  }

  /// Reads and renders the next samples of the open item.
  ///
  /// Returns false if this thread must wait.
  private func read(_ loop: inout Loop) -> Bool {
    guard let sound = loop.open?.sound, loop.feed.freeFrameCount > 0 else { return false }
    loop.ready.removeAll(keepingCapacity: true)
    loop.first = 0
    do throws(AACFileError) {
      if try sound.next(into: &loop.frames) {
        loop.open?.readCount += loop.frames.count / sound.channelCount
        loop.tally.emptyCount = 0
        render(&loop)
        return true
      }
      // If the connection broke permanently, the end of the pipe is not the end of the audio.
      if let failure = (sound.companion as? HTTPSource)?.failure { throw failure }
      if let open = loop.open, open.readCount == 0 {
        if let start = open.chosenStart {
          // No sample of the part was played.
          let number = loop.partCount
          state.withLock { $0.ledger?.remove(number) }
          throw Self.startAfterEnd(of: sound, from: start)
        }
        if open.isFromStart { loop.tally.emptyCount += 1 }
      }
    } catch {
      if error.kind == .interrupted {
        let time = Duration(samples: sound.position, at: sound.sampleRate)
        loop.open = nil
        loop.phase = .opening(
          Wanted(item: loop.item, time: time, isJump: false, startsItem: false))
        return true
      }
      // A network error explains more than the error of the last bytes.
      recordUnreadable(
        (sound.companion as? HTTPSource)?.failure ?? error, item: loop.item, &loop.tally)
      // A part of the item was played, so it does not count as empty.
      if let open = loop.open, open.readCount > 0 { loop.tally.emptyCount = 0 }
    }
    leave(&loop)
    selectNext(after: loop.item, isJump: false, &loop)
    return true
  }

  private func render(_ loop: inout Loop) {
    let settings = controls.withLock(\.settings)
    loop.chain.speed = settings.speed
    loop.chain.effects = settings.effects
    loop.chain.loudness = settings.volume
    let before = loop.chain.programPosition
    loop.chain.process(loop.frames, into: &loop.ready)
    account(from: before, &loop)
  }

  /// Records the position in the program and the peaks of rendered frames that have not been
  /// written.
  func account(from programPosition: Double, _ loop: inout Loop) {
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
      state.ledger?.record(frame: frame, programPosition: programPosition, speed: speed)
      state.levels.append((frame + count, peaks))
      // The caller does not read the peaks, so drop the oldest ones.
      if state.levels.count > 256 { state.levels.removeFirst(128) }
    }
  }

  private func write(_ loop: inout Loop) -> Bool {
    if loop.feed.isWritingPaused { loop.feed.resumeWriting() }
    let samples = loop.ready
    let count = loop.feed.write(samples.span.extracting(loop.first..<samples.count))
    loop.first += count * loop.feed.format.channelCount
    loop.writtenCount += count
    return count > 0
  }

  /// Discards all audio that has not been played.
  func discard(_ loop: inout Loop) {
    // Items may have begun while the next one was opened.
    reportStartedItems(&loop)
    loop.ready.removeAll(keepingCapacity: true)
    loop.first = 0
    loop.chain.restart()
    let (frame, programPosition, speed) = (
      loop.writtenCount, loop.chain.programPosition, loop.chain.speed
    )
    let feed = loop.feed
    let droppedCount = state.withLock { state in
      // From the discard on, the device may skip the frames at any moment, as if it had played them.
      let playedFrame = state.updatePlayedFrame(at: System.nanoseconds)
      feed.discard()
      state.playedFrame = max(playedFrame, frame)
      state.levels = []
      state.ledger?.discardParts()
      state.ledger?.record(frame: frame, programPosition: programPosition, speed: speed)
      return max(0, frame - playedFrame)
    }
    loop.droppedCount += droppedCount
  }

  /// Returns whether the device has played all samples, or does not report it in time.
  func isFinished(_ loop: inout Loop) -> Bool {
    guard case .draining(let start) = loop.phase, loop.first >= loop.ready.count,
      loop.feed.isDrained, controls.withLock(\.commands.isEmpty)
    else { return false }
    let now = System.nanoseconds
    let drainStart = start ?? now
    loop.phase = .draining(since: drainStart)
    let playedFrame = state.withLock { $0.updatePlayedFrame(at: now) }
    if playedFrame >= loop.writtenCount { return true }
    // The device does not report the last frames as played. In a pause, it cannot play them.
    return !loop.isPaused && now - drainStart >= Self.drainTimeoutNanoseconds
  }
}
