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
    var position = 0
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
    var (window, isWanted, channelCount) = state.withLock { state in
      defer { state.window = [] }
      return (state.window, state.continuation != nil, state.meter.channelCount)
    }
    let wanted = windowLength * channelCount
    for index in 0..<samples.count {
      if isWanted { window.append(samples[index]) }
      if isWanted && window.count == wanted {
        isWanted = measure(window)
        window.removeAll(keepingCapacity: true)
      }
    }
    state.withLock { state in
      if !isWanted { state.position += samples.count / channelCount }
      state.window = window
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

  private func measure(_ window: [Float]) -> Bool {
    state.withLock { state in
      state.meter.process(window.span)
      state.continuation?.yield(
        RecordingLevels(position: state.position, channels: state.meter.levels))
      state.position += windowLength
      return state.continuation != nil
    }
  }
}
