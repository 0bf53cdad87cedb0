import AacornSystem

/// A simulated silent output, optionally with faults.
///
/// In real time the output follows the monotonic clock, like loudspeakers. An unpaced output has
/// its own clock that starts at 0. It reads blocks as fast as they are written, and waits for
/// samples instead of playing silence. So the same samples and faults produce the same record. A
/// pause stops that clock.
///
/// In ``SyntheticFaults``, a loss means that the device's thread is late, so that the device gets
/// no samples for a moment. A silent loss is not even counted. Jitter and unreliable times affect
/// the times reported to the feed. A change of the format changes only the device; played audio is
/// converted, and keeps its format.
public final class SyntheticTarget: PlaybackTarget {
  private let offered: Device
  private let latency: Duration
  private let blockDuration: Duration
  private let pacing: SyntheticSource.Pacing
  private let faults: SyntheticFaults
  private let recorder: SyntheticRecorder?
  private let flow: SyntheticFlow

  /// Creates an output that identifies as `device`.
  ///
  /// A frame plays `latency` after the output has read it, and is recorded at that time.
  public init(
    _ device: Device = SyntheticSystem.silentOutput,
    latency: Duration = .milliseconds(40), blockDuration: Duration = .milliseconds(10),
    pacing: SyntheticSource.Pacing = .realTime, faults: SyntheticFaults = SyntheticFaults(),
    recorder: SyntheticRecorder? = nil
  ) {
    offered = device
    self.latency = max(.zero, latency)
    self.blockDuration = max(.milliseconds(1), blockDuration)
    self.pacing = pacing
    self.faults = faults
    self.recorder = recorder
    flow = SyntheticFlow(device)
  }

  deinit {
    stop()
  }

  /// The simulated device.
  public var device: Device? { flow.state.withLock(\.device) }

  /// The failure from the script.
  public var failure: DeviceError? { flow.state.withLock(\.failure) }

  /// A diagnostic that the output is silent.
  public var diagnostics: [String] { ["This output discards the audio."] }

  /// Returns the device's rate and channels, or by default 48 kHz in stereo.
  public func preferredFormat() throws(DeviceError) -> PlaybackFormat {
    PlaybackFormat(
      sampleRate: offered.sampleRate > 0 ? offered.sampleRate : 48_000,
      channelCount: offered.channelCount > 0 ? offered.channelCount : 2)
  }

  /// Starts to read frames, the first of them now.
  public func start(_ feed: PlaybackFeed) throws(DeviceError) {
    let player = Player(
      flow: flow, feed: feed, pacing: pacing, latency: latency.nanoseconds, recorder: recorder)
    try flow.start(offered) { [offered, blockDuration, faults, pacing] now in
      player.run(
        SyntheticOutput(
          offered, sampleRate: feed.format.sampleRate, blockDuration: blockDuration,
          faults: faults, startTime: pacing == .realTime ? now : 0))
    }
  }

  /// Ends the playback immediately.
  public func stop() { flow.stop() }

  /// The work of the thread.
  private struct Player: Sendable {
    let flow: SyntheticFlow
    let feed: PlaybackFeed
    let pacing: SyntheticSource.Pacing
    let latency: Int64
    let recorder: SyntheticRecorder?

    /// Runs for the thread's entire life.
    func run(_ output: SyntheticOutput) {
      var output = output
      while true {
        let step = output.next()
        if pacing == .realTime { flow.sleep(until: step.time) }
        if flow.isStopping { return }
        switch step {
        case .block(let frameCount, let time, let reportedTime):
          if pacing == .unpaced && !awaitSamples(frameCount) { return }
          play(frameCount, at: time, reportedTime)
        case .silence(let frameCount, let time, let isCounted):
          if isCounted { feed.countUnderrun(missingFrameCount: frameCount) }
          if recorder != nil { record(silence(frameCount), feedFrameCount: 0, at: time) }
        case .event(let notice, _):
          if notice == .deviceChanged || notice == .deviceReturned {
            flow.state.withLock { $0.device = output.device }
          }
          notify(notice)
        case .failure(let error, _):
          flow.state.withLock { $0.failure = error }
          notify(.failed)
          return
        }
        // If the program was stopped for a while, playback does not run faster afterward to catch
        // up.
        let delay = System.nanoseconds - step.time
        if pacing == .realTime && delay > 1_000_000_000 { output.postpone(by: delay) }
      }
    }

    /// Waits until the feed has a full block, or its last block; false if the target is stopped
    /// first.
    private func awaitSamples(_ frameCount: Int) -> Bool {
      while !flow.isStopping {
        let count = feed.waitingFrameCount
        if !feed.isPaused && (count >= frameCount || count > 0 && feed.isWritingPaused) {
          return true
        }
        System.sleep(milliseconds: 1)
      }
      return false
    }

    private func play(_ frameCount: Int, at time: Int64, _ reportedTime: Int64?) {
      var samples = silence(frameCount)
      let count = unsafe samples.withUnsafeMutableBufferPointer { unsafe feed.read(into: $0) }
      if count > 0, let reportedTime {
        feed.recordPresentation(
          frame: feed.consumedFrameCount - count, soundsAt: reportedTime &+ latency)
      }
      record(samples, feedFrameCount: count, at: time)
    }

    private func silence(_ frameCount: Int) -> [Float] {
      [Float](repeating: 0, count: frameCount * feed.format.channelCount)
    }

    private func record(_ samples: [Float], feedFrameCount: Int, at time: Int64) {
      guard let recorder else { return }
      recorder.record(
        SyntheticRecorder.Piece(
          time: time &+ latency, firstFrame: feed.consumedFrameCount - feedFrameCount,
          feedFrameCount: feedFrameCount, samples: samples))
    }

    /// Notifies the feed; if unpaced, waits until there is room.
    private func notify(_ event: DeviceEvent) {
      while !feed.notify(event) && pacing == .unpaced && !flow.isStopping {
        System.sleep(milliseconds: 1)
      }
    }
  }
}

/// The frames that a simulated output has played, with their times; for tests.
public final class SyntheticRecorder: Sendable {
  /// Frames that were played without interruption.
  public struct Piece: Sendable, Equatable {
    /// The time at which the first frame was played, in nanoseconds.
    public var time: Int64
    /// The index in the feed of the piece's first frame.
    ///
    /// In a piece of silence, the index of the next frame that the feed will supply.
    public var firstFrame: Int
    /// The number of frames from the feed; silence follows them.
    public var feedFrameCount: Int
    /// All frames, interleaved.
    public var samples: [Float]

    /// Creates a piece.
    public init(time: Int64, firstFrame: Int, feedFrameCount: Int, samples: [Float]) {
      self.time = time
      self.firstFrame = firstFrame
      self.feedFrameCount = feedFrameCount
      self.samples = samples
    }
  }

  private let recorded = Lock<[Piece]>([])
  private let channelCount: Int

  /// Creates a recorder for audio with this many channels.
  public init(channelCount: Int) {
    self.channelCount = max(1, channelCount)
  }

  /// The pieces played up to now.
  public var pieces: [Piece] { recorded.withLock { $0 } }

  /// All samples played up to now, with the silence in between.
  public var samples: [Float] { pieces.flatMap(\.samples) }

  /// The samples of the feed played up to now, without the silence in between.
  public var feedSamples: [Float] {
    pieces.flatMap { $0.samples.prefix($0.feedFrameCount * channelCount) }
  }

  /// The number of frames of the feed played up to now.
  public var feedFrameCount: Int {
    recorded.withLock { pieces in pieces.reduce(0) { $0 + $1.feedFrameCount } }
  }

  /// Adds a piece.
  func record(_ piece: Piece) {
    recorded.withLock { $0.append(piece) }
  }
}
