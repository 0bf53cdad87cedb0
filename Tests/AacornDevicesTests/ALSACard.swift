#if os(Linux)
import AacornSystem
import CAacornALSA
import Foundation

/// A simulated sound card with the functions of alsa-lib, on the clock of `System`.
///
/// It captures numbered frames: frame 0 at its first start, and every later frame at its time, whether or not anyone
/// reads it. Of frames that are played, it checks and records the numbers. Faults begin at a number of frames.
final class ALSACard: @unchecked Sendable {
  // Unchecked because the settings are constant after the first open, and `lock` guards everything else.

  enum Fault {
    /// A call takes some time, during which the card continues.
    case hang(milliseconds: Int)
    /// The card stops with an overrun or underrun; after a restart, a capture begins `lost` frames later.
    case xrun(lost: Int = 0)
    /// The card is disconnected for a time, also for other programs.
    case disconnection(milliseconds: Int)
    /// The card is suspended for a time. Then it can resume, or must be prepared again.
    case suspension(milliseconds: Int, canResume: Bool)
    /// Reading and writing fail with a system error for a time, or transfer nothing if the error is 0.
    case error(Int32, milliseconds: Int)
    /// The card stalls until it is opened again.
    case stall
  }

  // MARK: Settings

  let name: String
  var rate: Int
  var channelCount = 2
  /// The rates and channel counts that the card claims to support; nil for its own.
  var (claimedRates, claimedChannels): (ClosedRange<Int>?, ClosedRange<Int>?)
  var (format, significantBitCount) = (AACORN_ALSA_FORMAT_S32, 24)
  /// The formats that the program may choose instead of `format`, and the settings that the card rejects.
  var (otherFormats, rejectedSettings): (Set<Int>, Set<String>) = ([], [])
  var type = AACORN_ALSA_TYPE_IOPLUG
  /// The frames between a sample's capture and the time at which it can be read, or between the buffer and the ear.
  var latency = 0
  var maxBuffer = 48000
  /// The number of frames by which the position advances at a time.
  var step = 1
  /// The rate error of the clock in parts per million; positive for a fast clock.
  var drift = 0.0
  var hasTimestamps = true
  /// Whether time limits the speed, unlike in a file.
  var hasClock = true
  /// The number of frames that a write accepts at most.
  var maxWrite = Int.max
  /// Whether each wait ends at once, and whether playback starts when the buffer is full.
  var (wakesEagerly, startsWhenFull) = (false, true)
  var openingMilliseconds = 0
  var positions: [UInt32] = []
  /// In the order of their frames.
  var faults: [(frame: Int, fault: Fault)] = []

  // MARK: State

  private let lock = Lock(())
  private var now: Int64 = 0
  private var startTime: Int64?
  private var isCapturing = true
  private var state = AACORN_ALSA_STATE_OPEN
  private var bufferCount = 0
  private(set) var minAvailable = 1
  private(set) var startThreshold = 1
  private(set) var stopThreshold = 0
  /// The frame of the card's clock at position 0 of the stream.
  private var base = 0
  /// The positions of the card and of the program, in frames since `prepare`.
  private var position = 0
  private var programPosition = 0
  /// The numbers of the frames in the buffer.
  private var buffer: [Int] = []
  private var lostAtRestart = 0
  private var hang = 0
  private var isStalled = false
  private var canResume = true
  private var faultEnd: Int64 = 0
  private var errorCode: Int32 = 0

  private(set) var isOpen = false
  private(set) var callCount = 0
  private(set) var xrunCount = 0
  /// The number of objects of alsa-lib for this card that the program has not freed.
  private(set) var objectCount = 0
  /// The frames that were played.
  private(set) var played: [Run] = []
  /// The number of the last frame that was written; 0 for none.
  private(set) var lastWritten = 0
  /// The number of silent frames that were written after the first numbered one.
  private(set) var silentCount = 0
  /// The number of written frames whose number did not follow the previous one, or whose channels disagree.
  private(set) var wrongCount = 0

  private static let registryLock = NSLock()
  private nonisolated(unsafe) static var registry: [String: () -> ALSACard?] = [:]
  private static let cardCount = Atomic(0)

  init(name: String? = nil, rate: Int = 48000) {
    self.rate = rate
    self.name = name ?? "card\(Self.cardCount.add(1))"
    Self.registryLock.withLock { Self.registry[self.name] = { [weak self] in self } }
  }

  deinit { Self.registryLock.withLock { Self.registry[name] = nil } }

  static func named(_ name: String) -> ALSACard? { registryLock.withLock { registry[name]?() } }

  // MARK: Time

  private var framesPerSecond: Double { Double(rate) * (1 + drift * 1e-6) }

  /// The number of frames until a time.
  func frameCount(at time: Int64) -> Int {
    guard let startTime else { return 0 }
    return Int((Double(time - startTime) * framesPerSecond * 1e-9 + 1e-6).rounded(.down))
  }

  /// The time at which a frame is captured or leaves the buffer.
  func time(ofFrame frame: Int) -> Int64 {
    (startTime ?? 0) + Int64((Double(frame) * 1e9 / framesPerSecond).rounded(.up))
  }

  /// Reads what other threads may change.
  func read<Result>(_ path: KeyPath<ALSACard, Result>) -> Result {
    lock.withLock { _ in self[keyPath: path] }
  }

  /// Whether the card runs, without a fault.
  var isHealthy: Bool {
    lock.withLock { _ in
      now = System.nanoseconds
      advance()
      return state == AACORN_ALSA_STATE_RUNNING && !isStalled && now >= faultEnd
    }
  }

  /// The number of the frame that plays at a time, as far as it is known without the frames before an underrun.
  func number(playedAt time: Int64) -> Int? {
    lock.withLock { _ in
      let frame = frameCount(at: time) - latency
      guard let run = played.last, run.number > 0, run.frame..<run.frame + run.count ~= frame - 1
      else { return nil }
      return run.number + frame - run.frame
    }
  }

  func countObject(_ change: Int) { lock.withLock { _ in objectCount += change } }

  // MARK: Progress

  /// Runs the body of a function at the current time, after the faults that are due.
  func call<Result>(_ body: () -> Result) -> Result {
    while true {
      var pause = 0
      let result: Result? = lock.withLock { _ in
        now = System.nanoseconds
        advance()
        (pause, hang) = (hang, 0)
        if pause > 0 { return nil }
        callCount += 1
        return body()
      }
      if let result { return result }
      System.sleep(milliseconds: pause)
    }
  }

  private func advance() {
    guard state == AACORN_ALSA_STATE_RUNNING else { return }
    if !isStalled { move() }
    while state == AACORN_ALSA_STATE_RUNNING, let next = faults.first,
      frameCount(at: now) >= next.frame
    {
      faults.removeFirst()
      begin(next.fault)
    }
  }

  private func move() {
    var end = frameCount(at: now) - (isCapturing ? latency : 0) - base
    if !hasClock { end = programPosition + (isCapturing ? bufferCount : 0) - 1 }
    // At the threshold, the card stops.
    let limit = programPosition + (isCapturing ? stopThreshold : 0)
    end = min(end / step * step, max(limit, position))
    for index in max(position, end - bufferCount)..<max(position, end) {
      if isCapturing {
        buffer[index % bufferCount] = base + index
      } else {
        play(buffer[index % bufferCount], at: base + index)
      }
    }
    position = max(position, end)
    if position >= limit { stop() }
  }

  private func stop() {
    state = AACORN_ALSA_STATE_XRUN
    xrunCount += 1
  }

  private func play(_ number: Int, at frame: Int) {
    if let last = played.last, last.frame + last.count == frame,
      number == (last.number == 0 ? 0 : last.number + last.count)
    {
      played[played.count - 1].count += 1
    } else {
      played.append(Run(number: number, count: 1, frame: frame))
    }
  }

  private func begin(_ fault: Fault) {
    func end(after milliseconds: Int) { faultEnd = now + Int64(milliseconds) * 1_000_000 }
    switch fault {
    case .hang(let time): hang = time
    case .xrun(let lost):
      lostAtRestart = lost
      stop()
    case .disconnection(let time):
      state = AACORN_ALSA_STATE_DISCONNECTED
      end(after: time)
    case .suspension(let time, let canResume):
      state = AACORN_ALSA_STATE_SUSPENDED
      self.canResume = canResume
      end(after: time)
    case .error(let code, let time):
      errorCode = -code
      end(after: time)
    case .stall: isStalled = true
    }
  }

  private var stateError: Int { Int(aacorn_alsa_state_error(UInt32(state))) }

  /// The error of reading and writing; 0 if they succeed.
  private var transferError: Int {
    stateError != 0 ? stateError : now < faultEnd ? Int(errorCode) : 0
  }

  private var transfersNothing: Bool { stateError == 0 && now < faultEnd && errorCode == 0 }

  /// The number of frames that can be read or written.
  private var available: Int { position - programPosition + (isCapturing ? 0 : bufferCount) }
}

// MARK: - The library's functions

extension ALSACard {
  func open(capturing: Bool) -> Int32 {
    if openingMilliseconds > 0 { System.sleep(milliseconds: openingMilliseconds) }
    return lock.withLock { _ in
      now = System.nanoseconds
      callCount += 1
      if state == AACORN_ALSA_STATE_DISCONNECTED && now < faultEnd { return -ENODEV }
      if isOpen { return -EBUSY }
      isOpen = true
      isCapturing = capturing
      isStalled = false
      state = AACORN_ALSA_STATE_OPEN
      return 0
    }
  }

  func close() {
    call {
      isOpen = false
      if state != AACORN_ALSA_STATE_DISCONNECTED { state = AACORN_ALSA_STATE_OPEN }
    }
  }

  func configure(bufferCount: Int) {
    self.bufferCount = bufferCount
    buffer = [Int](repeating: 0, count: bufferCount)
    stopThreshold = bufferCount
    state = AACORN_ALSA_STATE_PREPARED
    (position, programPosition) = (0, 0)
  }

  func configure(minAvailable: Int, startThreshold: Int, stopThreshold: Int?) {
    (self.minAvailable, self.startThreshold) = (minAvailable, startThreshold)
    if let stopThreshold { self.stopThreshold = stopThreshold }
  }

  var currentState: UInt32 { UInt32(state) }

  func prepare() -> Int32 {
    if state == AACORN_ALSA_STATE_DISCONNECTED { return -ENODEV }
    if state == AACORN_ALSA_STATE_SUSPENDED && now < faultEnd { return -ESTRPIPE }
    state = AACORN_ALSA_STATE_PREPARED
    (position, programPosition) = (0, 0)
    return 0
  }

  func start() -> Int32 {
    if state != AACORN_ALSA_STATE_PREPARED { return stateError == 0 ? -EBADFD : Int32(stateError) }
    if !isCapturing && programPosition == 0 { return -EPIPE }
    startTime = startTime ?? now
    base = frameCount(at: now) + (isCapturing ? lostAtRestart : 0)
    lostAtRestart = 0
    state = AACORN_ALSA_STATE_RUNNING
    return 0
  }

  func resume() -> Int32 {
    if state != AACORN_ALSA_STATE_SUSPENDED { return -EBADFD }
    if now < faultEnd { return -EAGAIN }
    if !canResume { return -ENOSYS }
    // The stream continues at its position.
    base = frameCount(at: now) - (isCapturing ? latency : 0) - position
    state = AACORN_ALSA_STATE_RUNNING
    return 0
  }

  func countAvailable() -> Int { stateError != 0 ? stateError : available }

  func forward(_ count: Int) -> Int {
    if stateError != 0 { return stateError }
    let count = min(count, max(0, available))
    programPosition += count
    return count
  }

  func read(_ count: Int, into bytes: UnsafeMutableRawPointer) -> Int {
    let count = min(count, available)
    if transferError != 0 { return transferError }
    if transfersNothing { return 0 }
    if count <= 0 { return Int(-EAGAIN) }
    for index in 0..<count * channelCount {
      let number = buffer[(programPosition + index / channelCount) % bufferCount]
      store(value(ofFrame: number, index % channelCount), in: bytes, index)
    }
    programPosition += count
    return count
  }

  func write(_ count: Int, from bytes: UnsafeRawPointer) -> Int {
    let count = min(count, available, maxWrite)
    if transferError != 0 { return transferError }
    if transfersNothing { return 0 }
    if count <= 0 { return Int(-EAGAIN) }
    for frame in 0..<count {
      let first = frame * channelCount
      let number = number(
        of: load(bytes, first), channelCount > 1 ? load(bytes, first + 1) : 0)
      buffer[(programPosition + frame) % bufferCount] = number
      if number == 0 {
        if lastWritten > 0 { silentCount += 1 }
        continue
      }
      var isNext = number == lastWritten + 1
      for channel in 0..<channelCount
      where load(bytes, first + channel) != value(ofFrame: number, channel) {
        isNext = false
      }
      if !isNext { wrongCount += 1 }
      lastWritten = number
    }
    programPosition += count
    if state == AACORN_ALSA_STATE_PREPARED && startsWhenFull && programPosition >= startThreshold {
      _ = start()
    }
    return count
  }

  /// The time of the card's position, and the frames between it and the program's, with the latency.
  var status: (time: Int64, delay: Int) {
    let delay = isCapturing ? position - programPosition : programPosition - position
    let isTimed = hasTimestamps && hasClock && state == AACORN_ALSA_STATE_RUNNING
    let frame = base + position + (isCapturing ? latency : 0)
    return (isTimed ? time(ofFrame: frame) : 0, delay + latency)
  }

  /// Waits for the card or `wake`.
  func wait(orFor wake: Int32, milliseconds: Int) -> Int32 {
    let deadline = System.nanoseconds + Int64(milliseconds) * 1_000_000
    while true {
      let (isReady, next) = call { (self.isReady, self.nextEvent) }
      let rest =
        isReady ? 0 : max(0, (min(next, deadline) - System.nanoseconds + 999_999) / 1_000_000)
      let isWoken = System.wait(for: wake, writing: false, orFor: nil, milliseconds: Int(rest))
      if isWoken || isReady {
        return Int32((isWoken ? AACORN_ALSA_WOKEN : 0) | (isReady ? AACORN_ALSA_READY : 0))
      }
      if System.nanoseconds >= deadline { return 0 }
    }
  }

  private var isReady: Bool { wakesEagerly || available >= minAvailable || transferError != 0 }

  /// The time at which the card may become ready.
  private var nextEvent: Int64 {
    guard state == AACORN_ALSA_STATE_RUNNING, !isStalled else { return .max }
    let end = programPosition + minAvailable - (isCapturing ? 0 : bufferCount)
    let frame = base + (end + step - 1) / step * step + (isCapturing ? latency : 0)
    return time(ofFrame: min(frame, faults.first?.frame ?? .max))
  }
}
#endif
