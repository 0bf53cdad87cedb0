#if os(Linux)
import AacornSystem
import CAacornALSA

/// The work of an ``ALSASource``'s thread: it opens the device, reads it, recovers from its faults,
/// and reopens it after it has gone away.
///
///     open ─► flow ⇄ recover          a fault: the device is prepared and restarted
///       ▲       │       │
///       └─ away ◄───────┘             no device, or endless faults: an attempt every 250 ms
final class ALSACapture {
  private let session: ALSASession
  private let library: ALSALibrary
  private let sink: CaptureSink
  private let request: CaptureRequest
  private let id: String
  /// A device that delivers nothing for this long is considered dead.
  private let longestSilence: Int64

  private var stream: ALSAStream?
  private var timeline = ALSATimeline()
  private var pace = ALSAPace(start: 0, sampleRate: 1)
  /// A notice to send before the next samples.
  private var pendingNotice: CaptureNotice?
  /// Faults since the last samples.
  private var faultCount = 0
  private var lastSampleTime: Int64 = 0
  private var cards: ALSACards
  private var hasPriority = false

  /// Consecutive faults after which the device is reopened.
  private static let mostFaults = 6

  init(
    _ session: ALSASession, _ sink: CaptureSink, _ request: CaptureRequest, _ id: String,
    _ library: ALSALibrary, longestSilence: Int64
  ) {
    self.session = session
    self.sink = sink
    self.request = request
    self.id = id
    self.library = library
    self.longestSilence = longestSilence
    cards = ALSACards(library)
  }

  /// Captures until the session ends.
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
    if let stream, let end = session.endTime { drain(stream, until: end) }
    stream = nil
  }

  // MARK: Coming and going

  private func open() throws(CaptureError) {
    let stream = try ALSAStream(id, for: ALSAWish(request), library)
    let setup = stream.setup
    let device = ALSADevice(
      id: id, name: stream.name, channelCount: setup.channelCount,
      sampleRate: setup.sampleRate, isDefault: request.device == .followingDefault)
    session.report.withLock { $0.device = device }
    if setup.significantBitCount > 24 {
      session.remark(
        "“\(id)” delivers \(setup.significantBitCount) bits per sample, of which 24 are kept.")
    }
    if setup.countsOverruns == false {
      session.remark("“\(id)” does not count overruns; losses are estimated by the clock.")
    }
    // A plug-in may run long inside the library, and a real-time thread can be killed for that.
    if stream.isHardware && !hasPriority {
      hasPriority = true
      if let remark = System.raiseThreadPriority() { session.remark(remark) }
    }
    self.stream = stream
    let now = System.nanoseconds
    pace = ALSAPace(start: now, sampleRate: setup.sampleRate)
    lastSampleTime = now
  }

  private func close() {
    stream = nil
    timeline.interrupt(.deviceLost)
    guard pendingNotice != .deviceReturned else { return }
    pendingNotice = .deviceReturned
    session.pass { sink.notify(.deviceLost, time: System.nanoseconds) }
  }

  private func lookForDevice() {
    session.rest(library, milliseconds: 250)
    guard session.endTime == nil else { return }
    cards.look(library)
    try? open()
  }

  // MARK: Samples

  /// Waits for samples or trouble and handles them.
  private func flow(_ stream: ALSAStream) {
    let hold = pace.hold(at: System.nanoseconds)
    if hold > 0 { return session.rest(library, milliseconds: hold) }
    let answer = stream.wait(orFor: session.wakeDescriptor, milliseconds: 500)
    if answer < 0 { return recover(stream, from: answer) }
    if answer & AACORN_ALSA_WOKEN != 0 { return }
    if answer & AACORN_ALSA_GONE != 0 { return close() }
    var count = stream.available()
    // Some plug-ins report every frame, or nothing again and again; pausing limits the polling.
    let missing = stream.setup.blockFrameCount - count
    if count >= 0 && missing > 0 {
      session.rest(library, milliseconds: 1 + missing * 1000 / stream.setup.sampleRate)
      if session.endTime != nil { return }
      count = stream.available()
    }
    if count < 0 { return recover(stream, from: count) }
    if count > 0 { return take(count, from: stream) }
    if System.nanoseconds - lastSampleTime > longestSilence { close() }
  }

  /// Reads what is available and passes it on.
  private func take(_ available: Int, from stream: ALSAStream) {
    let setup = stream.setup
    var left = available
    if setup.countsOverruns && left > setup.bufferFrameCount {
      // The oldest block in the buffer is about to be overwritten, too.
      let count = stream.skip(left - setup.bufferFrameCount + setup.blockFrameCount)
      if count <= 0 { return recover(stream, from: count) }
      lose(count, setup)
      left -= count
    }
    if pace.look(left, at: System.nanoseconds) {
      session.remark(
        "“\(id)” has no clock: its nominal rate is used, and times are counted in samples.")
    }
    var (time, isReliable) = stream.nextFrameTime(ofAtLeast: left)
    while left > 0 && pace.hold(at: System.nanoseconds) == 0 {
      let count = stream.read(left)
      if count < 0 { return recover(stream, from: count) }
      if count == 0 { return session.rest(library, milliseconds: 10) }
      // During the read the device may have wrapped around and overwritten the samples.
      if setup.countsOverruns && stream.available() + count > setup.bufferFrameCount {
        return lose(count, setup)
      }
      if pace.isUntimed { (time, isReliable) = (pace.nextFrameTime, false) }
      deliver(count, stream, time, isReliable)
      time += ALSATimeline.nanoseconds(count, setup.sampleRate)
      left -= count
    }
  }

  private func lose(_ count: Int, _ setup: ALSASetup) {
    timeline.lose(count, sampleRate: setup.sampleRate)
    pace.pass(count)
  }

  private func deliver(_ count: Int, _ stream: ALSAStream, _ time: Int64, _ isReliable: Bool) {
    let setup = stream.setup
    var block = timeline.block(
      frameCount: count, channelCount: setup.channelCount, sampleRate: setup.sampleRate,
      time: time, isTimeReliable: isReliable)
    block.layout = setup.layout
    session.pass {
      if let pendingNotice { sink.notify(pendingNotice, time: time) }
      unsafe sink.write(block, stream.samples, setup.format)
    }
    pace.pass(count)
    pendingNotice = nil
    faultCount = 0
    lastSampleTime = System.nanoseconds
  }

  /// Passes on what the device has captured up to `end`, which may arrive a little later.
  private func drain(_ stream: ALSAStream, until end: Int64) {
    if pace.isUntimed { return }
    // A position that moves in periods lags by up to one period.
    let period = ALSATimeline.nanoseconds(stream.setup.blockFrameCount, stream.setup.sampleRate)
    while self.stream != nil {
      let count = stream.available()
      if count < 0 { return }
      if count > 0 { take(count, from: stream) }
      let now = System.nanoseconds
      let isThrough = stream.nextFrameTime(ofAtLeast: 0).time >= end && now >= end + period
      if isThrough || now > end + 400_000_000 || faultCount > 0 { return }
      System.sleep(milliseconds: 2)
    }
  }

  // MARK: Faults

  private func recover(_ stream: ALSAStream, from error: Int) {
    switch aacorn_alsa_trouble_of(error) {
    case AACORN_ALSA_AGAIN:
      session.rest(library, milliseconds: 10)
    case AACORN_ALSA_XRUN:
      timeline.interrupt(.overrun)
      restart(stream)
    case AACORN_ALSA_ASLEEP:
      wake(stream)
    case AACORN_ALSA_ABSENT:
      close()
    default:
      timeline.interrupt(.deviceLost)
      restart(stream)
    }
  }

  /// Restarts the device, with growing pauses if that does not help.
  private func restart(_ stream: ALSAStream) {
    faultCount += 1
    if faultCount > Self.mostFaults { return close() }
    if faultCount > 1 { session.rest(library, milliseconds: 5 << faultCount) }
    // The device's state, which is checked next, shows whether that worked.
    _ = stream.restart()
  }

  private func wake(_ stream: ALSAStream) {
    timeline.interrupt(.suspended)
    if pendingNotice == nil {
      pendingNotice = .resumed
      session.pass { sink.notify(.suspended, time: System.nanoseconds) }
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
