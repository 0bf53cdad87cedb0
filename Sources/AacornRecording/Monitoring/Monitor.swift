import AacornDevices
import AacornSystem

/// Plays what is being recorded, while it is recorded.
///
///     source's ring for listeners ─► this thread ─► feed ─► device's thread
///
/// A device that stalls or goes away costs the recording nothing: nobody waits for this thread, and
/// what its rings have no room for is left out.
final class Monitor: Sendable {
  private struct State {
    var listened: CaptureSink
    var capture: CaptureDevice?
    var volume: Float
    /// Whether the device is open, so that sound is wanted.
    var isOpen = false
    var isStopping = false
    /// Whether the target is to take its device back.
    var isResuming = false
    var status = MonitorStatus()
  }

  private let makeTarget: @Sendable () throws(PlaybackError) -> any PlaybackTarget
  private let events: @Sendable (Monitor, MonitorEvent) -> Void
  private let state: Lock<State>
  /// The monitor before, which may still be reading what this one is to read.
  private let previous: Lock<Monitor?>
  private let isFinished = Semaphore()
  /// Whether microphones may be among what is heard, wherever the first of it comes from.
  private let hearsSeveral: Bool

  /// Frames of the feed, as a part of a second: far more than should ever wait.
  private static let capacityDivisor = 4
  /// How long to wait for a block at a time, in milliseconds.
  private static let look = 50

  /// A monitor that hears what comes into `sink`; `capture` is where that comes from.
  init(
    of sink: CaptureSink, from capture: CaptureDevice?, hearsSeveral: Bool = false, volume: Float,
    after previous: Monitor?,
    on makeTarget: @escaping @Sendable () throws(PlaybackError) -> any PlaybackTarget,
    events: @escaping @Sendable (Monitor, MonitorEvent) -> Void
  ) {
    self.makeTarget = makeTarget
    self.events = events
    self.hearsSeveral = hearsSeveral
    self.previous = Lock(previous)
    state = Lock(
      State(listened: sink, capture: capture, volume: volume.isFinite ? volume : 1))
  }

  /// Begins on a thread of its own, as a device may take seconds to open; false if there is none.
  func start() -> Bool {
    System.startThread { [self] in
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

  /// Hears what comes into another sink from here on.
  func listen(to sink: CaptureSink, from capture: CaptureDevice?) {
    let old = state.withLock { state in
      let old = state.listened
      (state.listened, state.capture) = (sink, capture)
      sink.isHeard = state.isOpen && !state.isStopping
      old.isHeard = false
      return old
    }
    old.poke()
  }

  /// Sets the factor for what is heard.
  func setVolume(_ volume: Float) { state.withLock { $0.volume = volume } }

  /// Has the target take its device back.
  func resume() { state.withLock { $0.isResuming = true } }

  /// How it comes through.
  var status: MonitorStatus { state.withLock(\.status) }

  /// Asks it to end; it does so soon, on its own thread.
  func stop() {
    let sink = state.withLock { state in
      state.isStopping = true
      state.listened.isHeard = false
      return state.listened
    }
    sink.poke()
  }

  private func waitForEnd() { while !isFinished.wait(milliseconds: 60_000) {} }

  private func run() {
    if state.withLock(\.isStopping) { return }
    let target: any PlaybackTarget
    let feed: PlaybackFeed
    do throws(PlaybackError) {
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
    let failure = hear(feed, target)
    target.stop()
    events(self, failure.map { .refused($0) } ?? .stopped)
  }

  /// Has sound come, without what a sink may still have from the last time.
  private func begin() {
    let sink = state.withLock(\.listened)
    var samples: [Float] = []
    while sink.read(into: &samples, milliseconds: 0) != nil {
      samples.removeAll(keepingCapacity: true)
    }
    // Whoever stops it or changes the sink meanwhile is before this or behind it.
    state.withLock { state in
      if state.isStopping { return }
      state.isOpen = true
      state.listened.isHeard = true
    }
  }

  /// Plays until it is asked to end; returns why it cannot go on otherwise.
  private func hear(_ feed: PlaybackFeed, _ target: any PlaybackTarget) -> PlaybackError? {
    var stage = MonitorStage(feed)
    var samples: [Float] = []
    var heard: CaptureSink?
    var isAsleep = false
    while true {
      let (sink, capture, volume, isStopping, isResuming) = state.withLock { state in
        defer { state.isResuming = false }
        return (state.listened, state.capture, state.volume, state.isStopping, state.isResuming)
      }
      if isStopping { return nil }
      if isResuming { target.resume() }
      if heard !== sink {
        heard = sink
        stage.isGuarded =
          hearsSeveral || Self.isMicrophone(capture) || Self.mayHear(capture, target.device)
        warn(target)
      }
      while let notice = feed.takeNotice() {
        switch notice {
        case .deviceLost: events(self, .deviceLost)
        case .deviceReturned:
          events(self, .deviceReturned(target.device))
          warn(target)
        case .failed: return target.failure ?? .nothingUsable([])
        case .deviceChanged:
          events(self, .deviceChanged(target.device))
          warn(target)
        case .suspended:
          isAsleep = true
          events(self, .suspended)
        // A device that slept before it was opened has only now been woken.
        case .resumed where !isAsleep: break
        case .resumed:
          isAsleep = false
          events(self, .resumed)
        }
      }
      samples.removeAll(keepingCapacity: true)
      guard let block = sink.read(into: &samples, milliseconds: Self.look) else {
        stage.rest()
        continue
      }
      guard block.notice == .samples else {
        stage.interrupt()
        continue
      }
      if stage.play(block, samples, volume: volume) { events(self, .feedback) }
      report(stage, block)
    }
  }

  /// Tells if the microphone is likely to hear what is played.
  private func warn(_ target: any PlaybackTarget) {
    if Self.mayHear(state.withLock(\.capture), target.device) { events(self, .mayFeedBack) }
  }

  /// Whether a device may hear at all.
  private static func isMicrophone(_ device: CaptureDevice?) -> Bool {
    guard let device else { return true }
    return !device.isMonitor && device.backend != .synthetic
  }

  private func report(_ stage: borrowing MonitorStage, _ block: CaptureBlock) {
    var status = MonitorStatus()
    status.underrunCount = stage.feed.underrunCount
    status.skipCount = stage.skipCount
    status.waitingFrameCount = stage.meanWaiting
    status.damping = stage.damping
    let now = System.nanoseconds
    if let heard = stage.feed.heardFrame(at: now), block.isTimeReliable {
      // The end of the block is what was written last.
      let ahead = stage.feed.writtenFrameCount - heard
      let sounds = now + Int64(ahead) * 1_000_000_000 / Int64(stage.feed.format.sampleRate)
      let captured =
        block.time + Int64(block.frameCount) * 1_000_000_000 / Int64(block.sampleRate)
      status.latency = .nanoseconds(sounds - captured)
    }
    state.withLock { $0.status = status }
  }

  /// Whether what is captured is likely to have what is played in it: microphone and loudspeakers are
  /// parts of one card, and neither is worn on the head; or what the output plays is what is captured.
  static func mayHear(_ capture: CaptureDevice?, _ playback: PlaybackDevice?) -> Bool {
    guard let capture, let playback, capture.backend == playback.backend else { return false }
    if capture.isMonitor { return [playback.id, playback.id + ".monitor"].contains(capture.id) }
    let names = [capture.name, capture.details, playback.name, playback.details].map {
      $0.lowercased()
    }
    let worn = ["headphone", "headset", "earphone", "earbud"]
    if names.contains(where: { name in worn.contains { name.contains($0) } }) { return false }
    return card(capture.id) == card(playback.id)
  }

  /// The part of an id that names the card: “pci-0000_00_1f.3” of
  /// “alsa_input.pci-0000_00_1f.3.analog-stereo”, or “CARD=PCH” of “hw:CARD=PCH,DEV=0”.
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
