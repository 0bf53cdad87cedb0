public import AacornSignal
import AacornSystem

/// The level of a recording in a twentieth of a second.
public struct RecordingLevels: Sendable, Equatable {
  /// The position of its first sample in the recording.
  public var position: Int
  /// Peak and RMS of each channel, also in decibels.
  public var channels: [LevelMeter.Level]
}

/// Measures a recording in steps of a twentieth of a second, if a client needs the levels.
final class LevelFeed: SampleListener {
  private struct State {
    var continuation: AsyncStream<RecordingLevels>.Continuation?
    /// The number of the current stream, so that the end of an earlier stream does not end it.
    var streamNumber = 0
    var isFinished = false
    var meter: LevelMeter
    var window: [Float] = []
    /// Frames of the recording up to now.
    var end = 0
  }

  private let state: Lock<State>
  private let windowLength: Int

  init(_ configuration: RecordingConfiguration) {
    // An invalid configuration is rejected when the recording starts.
    let channelCount = max(1, configuration.channelCount)
    let sampleRate = max(1, configuration.sampleRate)
    windowLength = max(1, sampleRate / 20)
    state = Lock(State(meter: LevelMeter(channelCount: channelCount, sampleRate: sampleRate)))
  }

  /// Returns a stream of the levels from now on; a later call ends an earlier stream.
  func stream() -> AsyncStream<RecordingLevels> {
    let (stream, continuation) = AsyncStream<RecordingLevels>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let (old, streamNumber, isFinished) = state.withLock { state in
      defer { if !state.isFinished { state.continuation = continuation } }
      state.streamNumber += 1
      return (state.continuation, state.streamNumber, state.isFinished)
    }
    old?.finish()
    if isFinished { continuation.finish() }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { if $0.streamNumber == streamNumber { $0.continuation = nil } }
    }
    return stream
  }

  func receive(_ samples: borrowing Span<Float>) {
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

  /// Ends the stream at the end of the recording.
  func finish() {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      state.isFinished = true
      return state.continuation
    }
    continuation?.finish()
  }

  /// Measures a window; returns false if no client needs the levels.
  private func measure(_ window: [Float], from position: Int) -> Bool {
    state.withLock { state in
      state.meter.process(window.span)
      // A separate array: the meter reuses its own while a client reads this one.
      let channels = state.meter.levels.map { $0 }
      state.continuation?.yield(RecordingLevels(position: position, channels: channels))
      return state.continuation != nil
    }
  }
}

/// The loudness and the true peak of a recording (EBU R 128).
public struct RecordingLoudness: Sendable, Equatable {
  /// The loudness of the last 400 ms in LUFS; nil for silence, and for less than 400 ms of audio.
  public var momentary: Float?
  /// The loudness of the last 3 s in LUFS; nil for silence, and for less than 3 s of audio.
  public var shortTerm: Float?
  /// The loudness of the complete recording in LUFS; nil as for `momentary`.
  public var integrated: Float?
  /// The loudness range of the complete recording in LU; nil as for `shortTerm`.
  public var range: Float?
  /// The maximum true peak in dBTP, including values between samples; −∞ for silence.
  public var truePeak = -Float.infinity

  /// Creates the loudness of an empty recording.
  public init() {}

  /// The loudness to display: of the last 3 s or, for less audio, of the last 400 ms.
  package var current: Float? { shortTerm ?? momentary }
}

/// Measures the loudness of the recorded audio.
struct LoudnessStage {
  private var meter: LoudnessMeter
  private var truePeakMeter: TruePeakMeter
  /// The number of frames between readings, and the remaining frames until the next one.
  private let interval: Int
  private var remainingFrameCount: Int
  /// The last reading, at most a tenth of a second old.
  private(set) var reading = RecordingLoudness()

  /// Creates a stage for interleaved samples in the default speaker layout.
  init(channelCount: Int, sampleRate: Int) {
    meter = LoudnessMeter(
      channelCount: channelCount, sampleRate: sampleRate,
      layout: ChannelLayout.standard(channelCount: channelCount))
    truePeakMeter = TruePeakMeter(channelCount: channelCount)
    interval = max(1, sampleRate / 10)
    remainingFrameCount = interval
  }

  /// Measures complete frames.
  mutating func process(_ samples: Span<Float>) {
    meter.process(samples)
    truePeakMeter.process(samples)
    remainingFrameCount -= samples.count / meter.channelCount
    if remainingFrameCount > 0 { return }
    remainingFrameCount = interval
    reading = total
  }

  /// The readings up to the last sample.
  var total: RecordingLoudness {
    var loudness = RecordingLoudness()
    loudness.momentary = meter.momentary
    loudness.shortTerm = meter.shortTerm
    loudness.integrated = meter.integrated
    loudness.range = meter.range
    loudness.truePeak = Decibels.of(amplitude: truePeakMeter.peak)
    return loudness
  }
}
