import AacornDevices
import AacornSystem

/// Plays the recording's audio during the recording.
///
///     source's ring for listeners ─► this thread ─► feed ─► device's thread
///
/// A device that stalls or is disconnected does not affect the recording: no thread waits for the
/// monitor, and samples without room in its rings are dropped.
final class Monitor: Sendable {
  private struct State {
    var listened: CaptureSink
    var capture: Device?
    var volume: Float
    /// Whether the device is open and needs samples.
    var isOpen = false
    var isStopping = false
    /// Whether the target should reconnect to its device.
    var isResuming = false
    var status = MonitorStatus()
  }

  private let makeTarget: @Sendable () throws(DeviceError) -> any PlaybackTarget
  private let events: @Sendable (Monitor, MonitorEvent) -> Void
  private let state: Lock<State>
  /// The previous monitor, which may still be reading the ring of this one.
  private let previous: Lock<Monitor?>
  private let isFinished = Semaphore()
  /// Whether the audio may contain microphones in addition to the first source.
  private let hasSeveralSources: Bool

  /// The feed's capacity is the sample rate divided by this number, in frames: far more frames than
  /// should ever wait.
  private static let capacityDivisor = 4
  /// The maximum wait for a block in one poll, in milliseconds.
  private static let pollMilliseconds = 50

  /// Creates a monitor of the blocks in `sink`, which come from the device `capture`.
  init(
    of sink: CaptureSink, from capture: Device?, hasSeveralSources: Bool = false,
    volume: Float,
    after previous: Monitor?,
    on makeTarget: @escaping @Sendable () throws(DeviceError) -> any PlaybackTarget,
    events: @escaping @Sendable (Monitor, MonitorEvent) -> Void
  ) {
    self.makeTarget = makeTarget
    self.events = events
    self.hasSeveralSources = hasSeveralSources
    self.previous = Lock(previous)
    state = Lock(
      State(listened: sink, capture: capture, volume: volume.isFinite ? volume : 1))
  }

  /// Starts a thread, because a device may take seconds to open; returns false if there is no
  /// thread.
  func start() -> Bool {
    System.startThread("monitor") { [self] in
      let previous = previous.withLock { previous in
        defer { previous = nil }
        return previous
      }
      // Only one thread at a time may read a ring.
      previous?.waitForEnd()
      _ = System.raiseThreadPriority()
      run()
      isFinished.signal()
    }
  }

  /// Continues with the blocks of another sink.
  func listen(to sink: CaptureSink, from capture: Device?) {
    let old = state.withLock { state in
      let old = state.listened
      (state.listened, state.capture) = (sink, capture)
      sink.isMonitored = state.isOpen && !state.isStopping
      old.isMonitored = false
      return old
    }
    old.wake()
  }

  func setVolume(_ volume: Float) { state.withLock { $0.volume = volume } }

  /// Reconnects the target to its device.
  func resume() { state.withLock { $0.isResuming = true } }

  var status: MonitorStatus { state.withLock(\.status) }

  /// Requests the end; the monitor ends soon, on its own thread.
  func stop() {
    let sink = state.withLock { state in
      state.isStopping = true
      state.listened.isMonitored = false
      return state.listened
    }
    sink.wake()
  }

  private func waitForEnd() { while !isFinished.wait(milliseconds: 60_000) {} }

  private func run() {
    if state.withLock(\.isStopping) { return }
    let target: any PlaybackTarget
    let feed: PlaybackFeed
    do throws(DeviceError) {
      target = try makeTarget()
      let format = try target.preferredFormat()
      feed = PlaybackFeed(format, frameCapacity: format.sampleRate / Self.capacityDivisor)
      try target.start(feed)
    } catch {
      events(self, .refused(error))
      return
    }
    begin()
    events(self, .started(target.device))
    let failure = play(feed, target)
    target.stop()
    events(self, failure.map { .refused($0) } ?? .stopped)
  }

  /// Discards old blocks of the sink, and requests new ones.
  private func begin() {
    let sink = state.withLock(\.listened)
    var samples: [Float] = []
    while sink.read(into: &samples, milliseconds: 0) != nil {
      samples.removeAll(keepingCapacity: true)
    }
    // Other threads may have called `stop` or `listen` in the meantime, so check the state again
    // under the lock.
    state.withLock { state in
      if state.isStopping { return }
      state.isOpen = true
      state.listened.isMonitored = true
    }
  }

  /// Plays until the end is requested, and returns nil; otherwise returns the error that ended the
  /// playback.
  private func play(_ feed: PlaybackFeed, _ target: any PlaybackTarget) -> DeviceError? {
    var stage = MonitorStage(feed)
    var samples: [Float] = []
    var playedSink: CaptureSink?
    var isAsleep = false
    while true {
      let (sink, capture, volume, isStopping, isResuming) = state.withLock { state in
        defer { state.isResuming = false }
        return (state.listened, state.capture, state.volume, state.isStopping, state.isResuming)
      }
      if isStopping { return nil }
      if isResuming { target.resume() }
      if playedSink !== sink {
        playedSink = sink
        stage.isGuarded =
          hasSeveralSources || Self.isMicrophone(capture) || Self.mayPickUp(capture, target.device)
        warn(target)
      }
      while let event = feed.nextEvent() {
        switch event {
        case .deviceLost: events(self, .deviceLost)
        case .deviceReturned:
          events(self, .deviceReturned(target.device))
          warn(target)
        case .failed: return target.failure ?? .nothingUsable(for: .playback, [])
        case .deviceChanged:
          events(self, .deviceChanged(target.device))
          warn(target)
        case .suspended:
          isAsleep = true
          events(self, .suspended)
        // Opening a suspended device wakes it, so `resumed` may arrive without a preceding
        // `suspended`.
        case .resumed where !isAsleep: break
        case .resumed:
          isAsleep = false
          events(self, .resumed)
        // Targets have no end.
        case .ended: break
        }
      }
      samples.removeAll(keepingCapacity: true)
      guard let block = sink.read(into: &samples, milliseconds: Self.pollMilliseconds) else {
        stage.rest()
        continue
      }
      guard block.event == nil else {
        stage.interrupt()
        continue
      }
      if stage.play(block, samples, volume: volume) { events(self, .feedback) }
      report(stage, block)
    }
  }

  /// Reports if the microphone is likely to pick up the monitor.
  private func warn(_ target: any PlaybackTarget) {
    if Self.mayPickUp(state.withLock(\.capture), target.device) { events(self, .mayFeedBack) }
  }

  /// Returns whether a device may be a microphone.
  private static func isMicrophone(_ device: Device?) -> Bool {
    guard let device else { return true }
    return !device.isMonitor && device.backend != .synthetic
  }

  private func report(_ stage: borrowing MonitorStage, _ block: CaptureBlock) {
    var status = MonitorStatus()
    status.underrunCount = stage.feed.underrunCount
    status.skipCount = stage.skipCount
    status.waitingFrameCount = stage.meanWaiting
    status.feedbackGain = stage.feedbackGain
    let now = System.nanoseconds
    if let playedFrame = stage.feed.playedFrame(at: now), block.isTimeReliable {
      // The last written frame is the end of the block.
      let ahead = stage.feed.writtenFrameCount - playedFrame
      let sounds =
        now + System.nanoseconds(ofFrames: Int64(ahead), at: stage.feed.format.sampleRate)
      let captured =
        block.time + System.nanoseconds(ofFrames: Int64(block.frameCount), at: block.sampleRate)
      status.latency = .nanoseconds(sounds - captured)
    }
    state.withLock { $0.status = status }
  }

  /// Returns whether the captured audio is likely to contain the played audio.
  ///
  /// This is so if microphone and loudspeakers are parts of one card, and neither is worn on the
  /// head, or if the captured device is the monitor of the output.
  static func mayPickUp(_ capture: Device?, _ playback: Device?) -> Bool {
    guard let capture, let playback, capture.backend == playback.backend else { return false }
    if capture.isMonitor { return [playback.id, playback.id + ".monitor"].contains(capture.id) }
    let names = [capture.name, capture.details, playback.name, playback.details].map {
      $0.lowercased()
    }
    let wearable = ["headphone", "headset", "earphone", "earbud"]
    if names.contains(where: { name in wearable.contains { name.contains($0) } }) { return false }
    return card(capture.id) == card(playback.id)
  }

  /// Returns the part of an id that names the card: “pci-0000_00_1f.3” in
  /// “alsa_input.pci-0000_00_1f.3.analog-stereo”, or “CARD=PCH” in “hw:CARD=PCH,DEV=0”.
  private static func card(_ id: String) -> Substring {
    var text = id[...]
    for prefix in ["alsa_input.", "alsa_output."] where text.hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
      if let end = text.lastIndex(of: ".") { text = text[..<end] }
      return text
    }
    if let colon = text.firstIndex(of: ":") { text = text[text.index(after: colon)...] }
    if let comma = text.firstIndex(of: ",") { text = text[..<comma] }
    return text
  }
}
