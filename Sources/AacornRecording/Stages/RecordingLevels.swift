public import AacornSignal
import AacornSystem

/// How loud a twentieth of a second of a recording is.
public struct RecordingLevels: Sendable, Equatable {
  /// The sample of the recording at which it begins.
  public var position: Int
  /// Peak and RMS of each channel, also in decibels.
  public var channels: [LevelMeter.Level]
}

/// Cuts a recording into twentieths of a second and measures each, if somebody wants to know.
final class LevelFeed: Sendable {
  private struct State {
    var continuation: AsyncStream<RecordingLevels>.Continuation?
    /// Which stream that is, so that the end of an earlier one does not end it.
    var edition = 0
    var isFinished = false
    var meter: LevelMeter
    var window: [Float] = []
    /// Frames of the recording so far.
    var end = 0
  }

  private let state: Lock<State>
  private let windowLength: Int

  init(_ configuration: RecordingConfiguration) {
    // An impossible configuration is refused when the recording starts, not here.
    let channelCount = max(1, configuration.channelCount)
    let sampleRate = max(1, configuration.sampleRate)
    windowLength = max(1, sampleRate / 20)
    state = Lock(State(meter: LevelMeter(channelCount: channelCount, sampleRate: sampleRate)))
  }

  /// The levels from now on; a later call takes over from an earlier one.
  func stream() -> AsyncStream<RecordingLevels> {
    let (stream, continuation) = AsyncStream<RecordingLevels>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let (old, edition, isFinished) = state.withLock { state in
      defer { if !state.isFinished { state.continuation = continuation } }
      state.edition += 1
      return (state.continuation, state.edition, state.isFinished)
    }
    old?.finish()
    if isFinished { continuation.finish() }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { if $0.edition == edition { $0.continuation = nil } }
    }
    return stream
  }

  /// Takes the samples of the recording.
  func take(_ samples: borrowing Span<Float>) {
    // A span cannot be captured by the lock's closure, so the window is filled outside of it.
    var (window, end, isWanted, channelCount) = state.withLock { state in
      defer { state.window = [] }
      return (state.window, state.end, state.continuation != nil, state.meter.channelCount)
    }
    for frame in 0..<samples.count / channelCount {
      end += 1
      guard isWanted else { continue }
      for channel in 0..<channelCount { window.append(samples[frame * channelCount + channel]) }
      if window.count < windowLength * channelCount { continue }
      isWanted = measure(window, from: end - windowLength)
      window.removeAll(keepingCapacity: true)
    }
    state.withLock { state in
      state.end = end
      if isWanted { state.window = window }
    }
  }

  /// The recording has ended.
  func finish() {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      state.isFinished = true
      return state.continuation
    }
    continuation?.finish()
  }

  /// False if nobody wants to know any more.
  private func measure(_ window: [Float], from position: Int) -> Bool {
    state.withLock { state in
      state.meter.process(window.span)
      // An array of their own: the meter writes on in its own while theirs is read elsewhere.
      let channels = state.meter.levels.map { $0 }
      state.continuation?.yield(RecordingLevels(position: position, channels: channels))
      return state.continuation != nil
    }
  }
}
