public import AacornSignal
import AacornSystem

/// A source for apps that already have samples: what they push is recorded like a microphone.
///
///     let source = PushSource(sampleRate: 48_000, channelCount: 2)
///     let recorder = Recorder(from: source, to: [FileOutput("game.m4a", .m4a)])
///     try await recorder.start()
///     await source.send(samples)          // interleaved, as many as you like
///     source.finish()
///     let summary = await recorder.end()
///
/// Time is counted in the samples that were pushed, unless the source is live: then a push means
/// "captured just now", and what is missing between two pushes becomes a gap.
public final class PushSource: CaptureSource {
  /// The description of this source in events and lists.
  public let device: CaptureDevice?
  /// Nothing can go wrong here.
  public let failure: CaptureError? = nil
  /// Whether pushes are timed by the clock.
  public let followsClock: Bool
  /// Nothing to explain.
  public let remarks: [String] = []

  private let sampleRate: Int
  package let channelCount: Int
  private let layout: ChannelLayout?
  private let state = Lock(State())

  private struct State {
    var sink: CaptureSink?
    /// Whether nobody takes samples any more, or none come.
    var isOver = false
    /// Whether none come, which a recording that has yet to begin must learn.
    var isFinished = false
    /// Frames pushed so far.
    var position = 0
  }

  /// Creates a source that takes interleaved samples from −1 to 1.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second.
  ///   - channelCount: Samples per frame.
  ///   - layout: What each channel is; nil means the usual one.
  ///   - isLive: Whether samples are pushed as they are captured.
  ///   - name: A name for people.
  public init(
    sampleRate: Int, channelCount: Int, layout: ChannelLayout? = nil, isLive: Bool = false,
    name: String = "App"
  ) {
    precondition(sampleRate > 0 && channelCount > 0 && channelCount <= Self.mostChannels)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.layout = layout
    followsClock = isLive
    device = CaptureDevice(
      backend: .synthetic, id: "app", name: name, channelCount: channelCount,
      sampleRate: sampleRate)
  }

  private static let mostChannels = 64
  /// Samples in a block: 10 ms of 64 channels at 48 kHz fit, and a ring of four seconds holds many.
  private static let blockSize = 32_768

  /// Begins to accept samples.
  public func start(_ sink: CaptureSink) throws(CaptureError) {
    state.withLock { state in
      state.sink = sink
      state.isOver = state.isFinished
      if state.isFinished { sink.notify(.ended, time: 0) }
    }
  }

  /// Accepts no more samples.
  public func stop() {
    state.withLock { state in
      state.sink = nil
      state.isOver = true
    }
  }

  /// Ends the audio: the recording completes with what was pushed.
  public func finish() {
    let isTold = state.withLock { state in
      if state.isOver && !state.isFinished || state.sink == nil {
        (state.isOver, state.isFinished) = (true, true)
        return true
      }
      (state.isOver, state.isFinished) = (true, true)
      return state.sink?.notify(.ended, time: 0) ?? true
    }
    if isTold { return }
    // Without room for the notice the recorder has seconds of audio to take first, or is gone.
    _ = System.startThread { [state] in
      while let sink = state.withLock({ $0.sink }), !sink.notify(.ended, time: 0) {
        System.sleep(milliseconds: 5)
      }
    }
  }

  /// Takes whole interleaved frames; false if nobody records, or if there is no room for them.
  ///
  /// It never waits. A live source accounts for what had no room as a gap; otherwise nothing was
  /// taken, and the same samples can be pushed again.
  @discardableResult
  public func push(_ samples: Span<Float>) -> Bool {
    precondition(samples.count % channelCount == 0, "Only whole frames can be pushed")
    return state.withLock { state in
      guard let sink = state.sink, !state.isOver else { return false }
      let frames = samples.count / channelCount
      let length = longestBlock / channelCount
      let pieces = (frames + length - 1) / length
      if !followsClock, !sink.hasRoom(blocks: pieces, samples: samples.count) { return false }
      var time = System.nanoseconds - nanoseconds(frames)
      var isTaken = true
      var start = 0
      while start < frames {
        let count = min(length, frames - start)
        if !followsClock { time = nanoseconds(state.position) }
        let piece = samples.extracting(start * channelCount..<(start + count) * channelCount)
        isTaken = put(block(count, at: time), piece, into: sink) && isTaken
        state.position += count
        time += nanoseconds(count)
        start += count
      }
      return isTaken
    }
  }

  /// Takes whole interleaved frames; false if nobody records, or if there is no room for them.
  @discardableResult
  public func push(_ samples: [Float]) -> Bool { push(samples.span) }

  /// Whether nobody takes samples any more, or none come.
  package var isOver: Bool { state.withLock(\.isOver) }

  /// How many samples a block may have.
  package var longestBlock: Int { max(1, Self.blockSize / channelCount) * channelCount }

  private func block(_ frameCount: Int, at time: Int64) -> CaptureBlock {
    CaptureBlock(
      frameCount: frameCount, channelCount: channelCount, sampleRate: sampleRate, time: time,
      layout: layout)
  }

  private func put(
    _ block: CaptureBlock, _ samples: Span<Float>, into sink: CaptureSink
  ) -> Bool {
    unsafe samples.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return true }
      return unsafe sink.write(block, start, .float32)
    }
  }

  private func nanoseconds(_ frames: Int) -> Int64 {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: sampleRate)
    return Int64(seconds) * 1_000_000_000 + Int64(rest) * 1_000_000_000 / Int64(sampleRate)
  }
}
