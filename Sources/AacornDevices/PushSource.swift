public import AacornSignal
import AacornSystem

/// A source for apps that already have samples: pushed samples are recorded like a microphone.
///
///     let source = PushSource(sampleRate: 48_000, channelCount: 2)
///     let recorder = Recorder(from: source, to: [FileOutput("game.m4a", .m4a)])
///     try await recorder.start()
///     await source.send(samples)          // interleaved, any number
///     source.finish()
///     let summary = await recorder.end()
///
/// Time is counted in the pushed samples, unless the source is live: then a push means "captured
/// just now", and missing samples between two pushes become a gap. A `SoundBuffer` may have its own
/// capture time, rate and channels.
public final class PushSource: CaptureSource {
  /// The description of this source in events and lists.
  public let device: Device?
  /// The reason why the source cannot continue.
  ///
  /// The rate or the channels are not supported, or the app pushed an incomplete frame.
  public var failure: DeviceError? { state.withLock(\.failure) }
  /// Whether pushes are timed by the clock.
  public let followsClock: Bool
  /// Always empty.
  public let diagnostics: [String] = []

  private let format: Format
  private let state: Lock<State>

  /// The format of pushed samples.
  private struct Format {
    let sampleRate: Int
    let channelCount: Int
    let layout: ChannelLayout?

    /// Returns the reason why samples of this format cannot be recorded, or nil.
    func problem(sampleCount: Int) -> String? {
      guard (1...PushSource.maxChannelCount).contains(channelCount) else {
        return "\(channelCount) channels are out of range; use 1 to \(PushSource.maxChannelCount)"
      }
      guard (1...PushSource.maxSampleRate).contains(sampleRate) else {
        return "\(sampleRate) Hz is out of range; use 1 to \(PushSource.maxSampleRate)"
      }
      if sampleCount % channelCount == 0 { return nil }
      return "\(sampleCount) samples are not whole frames of \(channelCount) channels"
    }
  }

  private struct State {
    var sink: CaptureSink?
    var failure: DeviceError?
    /// Whether no more samples are accepted, because no recording reads them or the audio has
    /// ended.
    var isClosed = false
    /// Whether the audio has ended, which must be reported to a recording that starts later.
    var isFinished = false
    /// The number of frames at the current rate, pushed or lost in gaps between pushed frames.
    var position = 0
    /// The rate of the last frames.
    var sampleRate = 1
    /// The duration of the audio at earlier rates, in nanoseconds.
    var origin: Int64 = 0
    /// Computes the gaps between buffers with times.
    var clock = PresentationClock()
    /// The value to add to the times of a live source's buffers for the monotonic clock, in
    /// nanoseconds.
    var offset: Int64?

    /// The time of the next frame: the duration of all audio before it, in nanoseconds.
    var time: Int64 { origin + System.nanoseconds(ofFrames: Int64(position), at: sampleRate) }

    mutating func change(to newRate: Int) {
      if newRate == sampleRate { return }
      (origin, position, sampleRate) = (time, 0, newRate)
    }
  }

  /// Creates a source that accepts interleaved samples from −1 to 1.
  ///
  /// An unsupported rate or channel count sets ``failure``, and the recording fails to start with
  /// this error.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second.
  ///   - channelCount: Samples per frame.
  ///   - layout: The channel layout; nil means the default layout.
  ///   - isLive: Whether samples are pushed as they are captured.
  ///   - name: A human-readable name.
  public init(
    sampleRate: Int, channelCount: Int, layout: ChannelLayout? = nil, isLive: Bool = false,
    name: String = "App"
  ) {
    format = Format(sampleRate: sampleRate, channelCount: channelCount, layout: layout)
    let failure = format.problem(sampleCount: 0).map {
      DeviceError.unsupportedFormat(id: name, reason: $0)
    }
    state = Lock(State(failure: failure, isClosed: failure != nil))
    followsClock = isLive
    device = Device(
      backend: .synthetic, id: "app", name: name, channelCount: channelCount,
      sampleRate: sampleRate)
  }

  private static var maxChannelCount: Int { SampleLimits.maxChannelCount }
  private static let maxSampleRate = 1_000_000
  /// The number of samples in a block: 10 ms of 64 channels at 48 kHz fit, and a ring of four
  /// seconds holds many such blocks.
  private static let blockSize = 32_768

  /// The maximum gap between buffers, in seconds.
  private static let maxGapSeconds = 3600
  /// The largest difference between the first buffer's time and the monotonic clock, in
  /// nanoseconds, at which the buffer's time is treated as a time of that clock.
  private static let sameClock: UInt64 = 1_000_000_000
  /// The maximum delay of buffers before they are pushed, in nanoseconds.
  private static let maxDelayNanoseconds: UInt64 = 10_000_000_000

  /// Begins to accept samples.
  public func start(_ sink: CaptureSink) throws(DeviceError) {
    let failure: DeviceError? = state.withLock { state in
      if let failure = state.failure { return failure }
      if state.sink != nil { return .alreadyRunning(id: device?.name ?? "") }
      state.sink = sink
      state.isClosed = state.isFinished
      if state.isFinished { sink.notify(.ended, time: 0) }
      return nil
    }
    if let failure { throw failure }
  }

  /// Rejects samples because the recording does not begin; has no effect on a running recording.
  package func closeUnlessRunning() {
    state.withLock { state in
      if state.sink == nil { state.isClosed = true }
    }
  }

  /// Stops accepting samples.
  public func stop() {
    state.withLock { state in
      state.sink = nil
      state.isClosed = true
    }
  }

  /// Ends the audio: the recording completes with the pushed samples.
  public func finish() { end() }

  /// Ends the audio; with a failure the recording ends with this error.
  private func end(_ failure: DeviceError? = nil) {
    let event: DeviceEvent = failure == nil ? .ended : .failed
    let isReported = state.withLock { state in
      let hasReader = state.sink != nil && (!state.isClosed || state.isFinished)
      if failure != nil {
        // Invalid samples that no recording would accept do not end the source.
        if state.sink == nil || state.isClosed { return true }
        state.failure = failure
      }
      (state.isClosed, state.isFinished) = (true, true)
      return hasReader ? state.sink?.notify(event, time: 0) ?? true : true
    }
    if isReported { return }
    // If there is no room for the event, the recorder must first read seconds of audio, or has
    // ended.
    _ = System.startThread("push source") { [state] in
      while let sink = state.withLock({ $0.sink }), !sink.notify(event, time: 0) {
        System.sleep(milliseconds: 5)
      }
    }
  }

  /// Appends complete interleaved frames; returns false if no recording is running or there is no
  /// room.
  ///
  /// It never waits. A live source records rejected frames as a gap. Otherwise no frames were
  /// accepted, and the same samples can be pushed again. An incomplete frame ends the recording
  /// with the ``failure``.
  @discardableResult
  public func push(_ samples: Span<Float>) -> Bool { accept(samples, format, at: nil) }

  /// Appends complete interleaved frames; returns false if no recording is running or there is no
  /// room.
  @discardableResult
  public func push(_ samples: [Float]) -> Bool { push(samples.span) }

  /// Appends a buffer with its own rate and channels.
  ///
  /// Samples missing between the times of two buffers become a gap; a jump of more than an hour is
  /// treated as a change of the clock. The times of a live source belong to the monotonic clock, or
  /// to another clock of the same speed. With another clock, the first buffer is treated as captured
  /// just before the push. An unsupported rate or channel count ends the recording with the
  /// ``failure``.
  ///
  /// - Returns: False if no recording is running, or if there is no room for the buffer.
  @discardableResult
  public func push(_ buffer: SoundBuffer) -> Bool {
    let format = Format(
      sampleRate: buffer.sampleRate, channelCount: buffer.channelCount, layout: buffer.layout)
    return accept(buffer.samples.span, format, at: buffer.time)
  }

  /// Whether no more samples are accepted, because no recording reads them or the audio has ended.
  package var isClosed: Bool { state.withLock(\.isClosed) }

  /// The maximum number of samples in a block.
  package var maxBlockSampleCount: Int {
    let channelCount = max(1, format.channelCount)
    return max(1, Self.blockSize / channelCount) * channelCount
  }

  /// Returns whether the samples are complete frames; if not, the source ends with an error.
  package func acceptsFrames(sampleCount: Int) -> Bool { accepts(format, sampleCount) }

  private func accepts(_ format: Format, _ sampleCount: Int) -> Bool {
    guard let reason = format.problem(sampleCount: sampleCount) else { return true }
    end(.unsupportedFormat(id: device?.name ?? "", reason: reason))
    return false
  }

  private func accept(_ samples: Span<Float>, _ format: Format, at time: MediaTime?) -> Bool {
    guard accepts(format, samples.count) else { return false }
    return state.withLock { state in take(samples, in: format, at: time, &state) }
  }

  private func take(
    _ samples: Span<Float>, in format: Format, at mediaTime: MediaTime?, _ state: inout State
  ) -> Bool {
    guard let sink = state.sink, !state.isClosed else { return false }
    let frames = samples.count / format.channelCount
    let length = max(1, Self.blockSize / format.channelCount)
    let pieces = (frames + length - 1) / length
    if !followsClock, !sink.hasRoom(blocks: pieces, samples: samples.count) { return false }
    if frames == 0 { return true }
    state.change(to: format.sampleRate)
    var lost = 0
    var captured =
      System.nanoseconds - System.nanoseconds(ofFrames: Int64(frames), at: format.sampleRate)
    if followsClock {
      if let mediaTime { captured = monotonic(mediaTime, near: captured, &state) }
    } else {
      let step = state.clock.append(
        mediaTime, frameCount: frames, sampleRate: format.sampleRate)
      if case .gap(let missing) = step, missing <= Self.maxGapSeconds * format.sampleRate {
        lost = missing
      }
      state.position += lost
    }
    var isTaken = true
    var start = 0
    while start < frames {
      let count = min(length, frames - start)
      let block = CaptureBlock(
        frameCount: count, channelCount: format.channelCount, sampleRate: format.sampleRate,
        time: followsClock ? captured : state.time, lostFrameCount: lost,
        lossCause: lost > 0 ? .unexplained : .overrun, layout: format.layout)
      let piece = samples.extracting(
        start * format.channelCount..<(start + count) * format.channelCount)
      isTaken = put(block, piece, into: sink) && isTaken
      lost = 0
      state.position += count
      captured += System.nanoseconds(ofFrames: Int64(count), at: format.sampleRate)
      start += count
    }
    return isTaken
  }

  /// Returns the capture time of a buffer on the monotonic clock, computed from the buffer's own
  /// time.
  ///
  /// `captured` is the capture time estimated from the buffer's arrival. If the buffer's time is
  /// far from `captured`, the time belongs to another clock.
  private func monotonic(_ time: MediaTime, near captured: Int64, _ state: inout State) -> Int64 {
    let distance = captured - time.nanoseconds
    let limit = state.offset == nil ? Self.sameClock : Self.maxDelayNanoseconds
    let offset = state.offset ?? 0
    if (distance - offset).magnitude > limit {
      state.offset = distance
      return captured
    }
    state.offset = offset
    return time.nanoseconds + offset
  }

  private func put(
    _ block: CaptureBlock, _ samples: Span<Float>, into sink: CaptureSink
  ) -> Bool {
    unsafe samples.withUnsafeBytes { unsafe sink.write(block, $0, .float32) }
  }
}
