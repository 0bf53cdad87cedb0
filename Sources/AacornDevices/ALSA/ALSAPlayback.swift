#if os(Linux)
import AacornSignal
import AacornSystem
import CAacornALSA

/// The work of an ``ALSATarget``'s thread: it opens the device, fills it, recovers from its faults,
/// and reopens it after it has gone away.
///
///     open ─► flow ⇄ recover          a fault: the device is prepared and filled anew
///       ▲       │       │
///       └─ away ◄───────┘             no device, or endless faults: an attempt every 250 ms
final class ALSAPlayback {
  private let session: ALSASession
  private let library: ALSALibrary
  private let feed: PlaybackFeed
  private let request: PlaybackRequest
  private let id: String
  /// A device that takes nothing for this long is considered dead.
  private let longestStandstill: Int64

  private var stream: ALSAStream?
  private var pace = ALSAPace(start: 0, sampleRate: 1)
  /// Frames from the feed, in the order of the device's channels.
  private var block: [Float] = []
  /// Which of them the device has not taken yet; they wait while it is away.
  private var waiting = 0..<0
  /// For each channel of the device, which of the feed's it is; nil if they are the same.
  private var order: [Int]?
  /// A notice to send as soon as the device plays.
  private var pendingNotice: PlaybackNotice?
  /// Faults since the device last played.
  private var faultCount = 0
  private var lastWriteTime: Int64 = 0
  private var cards: ALSACards
  private var hasPriority = false

  /// Consecutive faults after which the device is reopened.
  private static let mostFaults = 6

  init(
    _ session: ALSASession, _ feed: PlaybackFeed, _ request: PlaybackRequest, _ id: String,
    _ library: ALSALibrary, longestStandstill: Int64
  ) {
    self.session = session
    self.feed = feed
    self.request = request
    self.id = id
    self.library = library
    self.longestStandstill = longestStandstill
    cards = ALSACards(library)
  }

  /// Plays until the session ends.
  func run() {
    do {
      try open()
    } catch {
      session.report.withLock { $0.refusal = error }
    }
    session.opened.signal()
    guard stream != nil else { return }
    while session.endTime == nil {
      if let stream { flow(stream) } else { lookForDevice() }
    }
    stream = nil
  }

  // MARK: Coming and going

  private func open() throws(CaptureError) {
    let stream = try openStream()
    let setup = stream.setup
    let device = ALSADevice(
      id: id, name: stream.name, channelCount: setup.channelCount,
      sampleRate: setup.sampleRate, isDefault: request.device == .followingDefault)
    session.report.withLock { $0.device = device }
    // A plug-in may run long inside the library, and a real-time thread can be killed for that.
    if stream.isHardware && !hasPriority {
      hasPriority = true
      if let remark = System.raiseThreadPriority() { session.remark(remark) }
    }
    let order = ALSAChannels.order(of: feed.format, on: setup.layout)
    if order != self.order { waiting = 0..<0 }
    self.order = order
    self.stream = stream
    let now = System.nanoseconds
    pace = ALSAPace(start: now, sampleRate: setup.sampleRate)
    lastWriteTime = now
  }

  /// A card that cannot play the format itself gets the library's converter.
  private func openStream() throws(CaptureError) -> ALSAStream {
    let wish = ALSAWish(request, feed.format)
    do throws(CaptureError) {
      return try ALSAStream(id, for: wish, library)
    } catch {
      switch error {
      case .unsupportedFormat where id.hasPrefix("hw:"), .system where id.hasPrefix("hw:"):
        return try ALSAStream("plug" + id, for: wish, library)
      default: throw error
      }
    }
  }

  private func close() {
    stream = nil
    guard pendingNotice != .deviceReturned else { return }
    pendingNotice = .deviceReturned
    session.pass { feed.notify(.deviceLost) }
  }

  private func lookForDevice() {
    session.rest(library, milliseconds: 250)
    guard session.endTime == nil else { return }
    cards.look(library)
    try? open()
  }

  // MARK: Samples

  /// Fills the device, or waits for room or trouble.
  private func flow(_ stream: ALSAStream) {
    let hold = pace.hold(at: System.nanoseconds)
    if hold > 0 { return session.rest(library, milliseconds: hold) }
    let room = stream.available()
    if room < 0 { return recover(stream, from: room) }
    if room >= stream.setup.blockFrameCount { return give(room, to: stream) }
    if stream.isPrepared {
      let code = stream.start()
      if code < 0 { return recover(stream, from: Int(code)) }
      arrive()
    }
    let answer = stream.wait(orFor: session.wakeDescriptor, milliseconds: 500)
    if answer < 0 { return recover(stream, from: answer) }
    if answer & AACORN_ALSA_WOKEN != 0 { return }
    if answer & AACORN_ALSA_GONE != 0 { return close() }
    if System.nanoseconds - lastWriteTime > longestStandstill { return close() }
    // Some plug-ins report every frame, or nothing again and again; pausing limits the polling.
    let missing = stream.setup.blockFrameCount - stream.available()
    if missing > 0 && missing <= stream.setup.blockFrameCount {
      session.rest(library, milliseconds: 1 + missing * 1000 / stream.setup.sampleRate)
    }
  }

  /// Writes as much as there is room for.
  private func give(_ room: Int, to stream: ALSAStream) {
    let setup = stream.setup
    let queued = max(0, setup.bufferFrameCount - room)
    if pace.look(-queued, at: System.nanoseconds) {
      session.remark("“\(id)” has no clock: it gets its samples at their nominal rate.")
    }
    var time = pace.isUntimed ? pace.nextFrameTime : stream.nextFrameSoundTime(after: queued)
    var left = room
    while left > 0 && session.endTime == nil && pace.hold(at: System.nanoseconds) == 0 {
      if waiting.isEmpty { take(min(left, setup.blockFrameCount), for: time) }
      if waiting.isEmpty { return }
      let count = stream.write(block, from: waiting.lowerBound, count: waiting.count)
      if count < 0 { return recover(stream, from: count) }
      if count == 0 { return session.rest(library, milliseconds: 10) }
      waiting = min(waiting.lowerBound + count, waiting.upperBound)..<waiting.upperBound
      pace.pass(count)
      left -= count
      time += ALSATimeline.nanoseconds(count, setup.sampleRate)
      lastWriteTime = System.nanoseconds
      if stream.isRunning { arrive() }
    }
  }

  /// Takes frames from the feed, the first of which sounds at this time; none after the end.
  private func take(_ frameCount: Int, for time: Int64) {
    let sampleCount = frameCount * feed.format.channelCount
    if block.count != sampleCount { block = [Float](repeating: 0, count: sampleCount) }
    session.pass {
      let count = unsafe feed.read(frameCount: frameCount, into: &block)
      // Silence has no numbers.
      if count > 0 { feed.note(frame: feed.takenFrameCount - count, soundsAt: time) }
      waiting = 0..<frameCount
    }
    if let order, !waiting.isEmpty { ChannelLayout.reorder(&block, by: order) }
  }

  /// Notes that the device plays.
  private func arrive() {
    faultCount = 0
    guard let notice = pendingNotice else { return }
    pendingNotice = nil
    session.pass { feed.notify(notice) }
  }

  // MARK: Faults

  private func recover(_ stream: ALSAStream, from error: Int) {
    switch aacorn_alsa_trouble_of(error) {
    case AACORN_ALSA_AGAIN:
      session.rest(library, milliseconds: 10)
    case AACORN_ALSA_XRUN:
      session.report.withLock { $0.xrunCount += 1 }
      feed.countUnderrun()
      restart(stream)
    case AACORN_ALSA_ASLEEP:
      wake(stream)
    case AACORN_ALSA_ABSENT:
      close()
    default:
      restart(stream)
    }
  }

  /// Prepares the device, with growing pauses if that does not help.
  private func restart(_ stream: ALSAStream) {
    faultCount += 1
    if faultCount > Self.mostFaults { return close() }
    if faultCount > 1 { session.rest(library, milliseconds: 5 << faultCount) }
    // The device's state, which is checked next, shows whether that worked.
    _ = stream.restart()
  }

  private func wake(_ stream: ALSAStream) {
    if pendingNotice == nil {
      pendingNotice = .resumed
      session.pass { feed.notify(.suspended) }
    }
    while session.endTime == nil {
      switch stream.resume() {
      case true: return
      case false: return restart(stream)
      case nil: session.rest(library, milliseconds: 100)
      }
    }
  }
}
#endif
