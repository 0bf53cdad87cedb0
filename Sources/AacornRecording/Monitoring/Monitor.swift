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
    var listened: CaptureSink?
    var volume: Float
    var isStopping = false
    var status = MonitorStatus()
  }

  private let makeTarget: @Sendable () throws(PlaybackError) -> any PlaybackTarget
  private let events: @Sendable (MonitorEvent) -> Void
  private let capture: CaptureDevice?
  private let state: Lock<State>

  /// Frames of the feed, as a part of a second: far more than should ever wait.
  private static let capacityDivisor = 4
  /// How long to wait for a block at a time, in milliseconds.
  private static let look = 50

  /// A monitor that hears what comes into `sink`; `capture` is where that comes from.
  init(
    of sink: CaptureSink, from capture: CaptureDevice?, volume: Float,
    on makeTarget: @escaping @Sendable () throws(PlaybackError) -> any PlaybackTarget,
    events: @escaping @Sendable (MonitorEvent) -> Void
  ) {
    self.makeTarget = makeTarget
    self.events = events
    self.capture = capture
    state = Lock(State(listened: sink, volume: volume))
  }

  /// Begins on a thread of its own, as a device may take seconds to open; false if there is none.
  func start() -> Bool {
    state.withLock { $0.listened }?.isHeard = true
    return System.startThread { [self] in
      _ = System.raiseThreadPriority()
      run()
    }
  }

  /// Hears what comes into another sink from here on.
  func listen(to sink: CaptureSink) {
    let old = state.withLock { state in
      defer { state.listened = sink }
      return state.listened
    }
    sink.isHeard = true
    old?.isHeard = false
    old?.poke()
  }

  /// Sets the factor for what is heard.
  func setVolume(_ volume: Float) { state.withLock { $0.volume = volume } }

  /// How it comes through.
  var status: MonitorStatus { state.withLock(\.status) }

  /// Asks it to end; it does so soon, on its own thread.
  func stop() {
    let sink = state.withLock { state in
      state.isStopping = true
      return state.listened
    }
    sink?.isHeard = false
    sink?.poke()
  }

  private func run() {
    let target: any PlaybackTarget
    let feed: PlaybackFeed
    do throws(PlaybackError) {
      target = try makeTarget()
      let format = try target.preferredFormat()
      feed = PlaybackFeed(format, frameCapacity: format.sampleRate / Self.capacityDivisor)
      try target.start(feed)
    } catch {
      state.withLock { $0.listened }?.isHeard = false
      events(.refused(error))
      return
    }
    events(.started(target.device))
    if Self.mayHear(capture, target.device) { events(.mayFeedBack) }
    hear(MonitorStage(feed), target)
    target.stop()
    events(.stopped)
  }

  private func hear(_ stage: consuming MonitorStage, _ target: any PlaybackTarget) {
    var stage = stage
    var samples: [Float] = []
    while true {
      let (sink, volume, isStopping) = state.withLock { state in
        (state.listened, state.volume, state.isStopping)
      }
      guard let sink, !isStopping else { return }
      while let notice = stage.feed.takeNotice() {
        switch notice {
        case .deviceLost: events(.deviceLost)
        case .deviceReturned: events(.deviceReturned(target.device))
        case .failed: return events(.refused(target.failure ?? .nothingUsable([])))
        case .deviceChanged, .suspended, .resumed: break
        }
      }
      samples.removeAll(keepingCapacity: true)
      guard let block = sink.read(into: &samples, milliseconds: Self.look) else { continue }
      guard block.notice == .samples else {
        stage.interrupt()
        continue
      }
      if stage.play(block, samples, volume: volume) { events(.feedback) }
      report(stage, block)
    }
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

  /// Whether a microphone is likely to hear loudspeakers: they are parts of one card, and neither is
  /// worn on the head.
  static func mayHear(_ capture: CaptureDevice?, _ playback: PlaybackDevice?) -> Bool {
    guard let capture, let playback, capture.backend == playback.backend, !capture.isMonitor else {
      return false
    }
    let names = [capture.name, capture.details, playback.name, playback.details].map {
      $0.lowercased()
    }
    if names.contains(where: { $0.contains("head") || $0.contains("ear") }) { return false }
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
