#if os(Linux)
import AacornSystem
import CAacornALSA

/// The thread that keeps a device open.
///
/// It opens the device, moves samples, recovers from faults, and reopens a device that was
/// disconnected.
///
///     open ─► flow ⇄ recover          a fault: the device is prepared and restarted
///       ▲       │       │
///       └─ away ◄───────┘             no device, or endless faults: an attempt every 250 ms
///
/// Subclasses define the direction of the samples and the receiver of events.
class ALSADeviceMonitor {
  /// A reason why no samples flow.
  enum StreamProblem {
    /// The device has stopped because this thread was late.
    case late
    /// The device is suspended.
    case asleep
    /// The device was disconnected, or has an unexplained fault.
    case lost
  }

  final let session: ALSASession
  final var library: ALSALibrary { session.library }
  final var id: String { session.id }
  private let requested: ALSAParameters
  private let isDefault: Bool
  /// The time without samples after which a device is considered dead, in nanoseconds.
  private let maxSilenceNanoseconds: Int64

  /// The device, as long as it is open.
  final private(set) var stream: ALSAStream?
  final var pace = ALSAPace(start: 0, sampleRate: 1)
  /// The time at which samples last flowed, or at which the wait for them began.
  final var lastFlow: Int64 = 0
  /// The number of faults since samples last flowed.
  final private(set) var faultCount = 0
  /// The reported reason why no samples flow; nil while they flow.
  private var absence: StreamProblem?
  private var cards: ALSACards
  private var hasPriority = false

  /// The number of consecutive faults after which the device is reopened.
  private static let maxFaultCount = 6

  init(
    _ session: ALSASession, for requested: ALSAParameters, isDefault: Bool,
    maxSilenceNanoseconds: Int64
  ) {
    self.session = session
    self.requested = requested
    self.isDefault = isDefault
    self.maxSilenceNanoseconds = maxSilenceNanoseconds
    cards = ALSACards(session.library)
  }

  // MARK: Overridden by subclasses

  /// Examines a device that was just opened, before samples flow.
  func inspectDevice(at stream: ALSAStream) {}

  /// Moves samples, or waits for samples or an error and handles the error.
  func flow(_ stream: ALSAStream) {}

  /// Finishes the transfer after the end was requested.
  func finish(_ stream: ALSAStream) {}

  /// Records that the flow was interrupted.
  func interrupted(by problem: StreamProblem) {}

  /// Reports that no samples will flow for some time; called within the gate's `perform`.
  func reportAbsence(_ absence: StreamProblem) {}
}

extension ALSADeviceMonitor {
  /// Keeps the device running until the session ends.
  func run() {
    do {
      try open()
    } catch {
      if isDefault, case .unknownDevice = error {
        return session.status.finishOpening(.noDevice(for: requested.direction, backend: .alsa))
      }
      return session.status.finishOpening(error)
    }
    session.status.finishOpening(nil)
    while session.endTime == nil {
      if let stream { turn(stream) } else { retryOpening() }
    }
    if let stream { finish(stream) }
    stream = nil
  }

  private func turn(_ stream: ALSAStream) {
    let delay = pace.delayMilliseconds(at: System.nanoseconds)
    if delay > 0 { return session.wait(milliseconds: delay) }
    flow(stream)
  }

  /// Waits for samples or room; handles any other event and returns false.
  func wait(for stream: ALSAStream) -> Bool {
    let answer = stream.wait(orFor: session.wakeDescriptor, milliseconds: 500)
    if answer < 0 {
      recover(stream, from: answer)
      return false
    }
    if answer & AACORN_ALSA_WOKEN != 0 { return false }
    if answer & AACORN_ALSA_GONE == 0 { return true }
    close()
    return false
  }

  /// Whether no samples have flowed for so long that the device is considered dead.
  var isDead: Bool { System.nanoseconds - lastFlow > maxSilenceNanoseconds }

  /// Records that samples flow; returns the reported reason for the previous absence, or nil.
  func recordFlow() -> StreamProblem? {
    faultCount = 0
    defer { absence = nil }
    return absence
  }
}

// MARK: Opening and closing

extension ALSADeviceMonitor {
  private func open() throws(DeviceError) {
    let stream = try openStream()
    let setup = stream.setup
    let device = Device(
      backend: .alsa, id: id, name: stream.name, channelCount: setup.channelCount,
      sampleRate: setup.sampleRate, isDefault: isDefault)
    session.status.device = device
    inspectDevice(at: stream)
    // A plug-in may compute for a long time inside the library, and the system can kill a real-time
    // thread for that.
    if stream.isHardware && !hasPriority {
      hasPriority = true
      session.status.addDiagnostic(System.raiseThreadPriority())
    }
    self.stream = stream
    let now = System.nanoseconds
    pace = ALSAPace(start: now, sampleRate: setup.sampleRate)
    lastFlow = now
  }

  /// Opens the device.
  ///
  /// If a card cannot provide exactly the requested settings, the library's converter is used.
  private func openStream() throws(DeviceError) -> ALSAStream {
    do throws(DeviceError) {
      return try ALSAStream(id, for: requested, library)
    } catch {
      guard requested.isExact, id.hasPrefix("hw:") else { throw error }
      switch error {
      case .unsupportedFormat, .system: return try ALSAStream("plug" + id, for: requested, library)
      default: throw error
      }
    }
  }

  /// Closes a device that is disconnected or dead.
  func close() {
    stream = nil
    session.period.store(0, ordering: .releasing)
    interrupted(by: .lost)
    guard absence != .lost else { return }
    absence = .lost
    session.gate.perform { reportAbsence(.lost) }
  }

  private func retryOpening() {
    session.wait(milliseconds: 250)
    guard session.endTime == nil else { return }
    cards.refresh(library)
    try? open()
  }
}

// MARK: Faults

extension ALSADeviceMonitor {
  /// Handles an error of the library.
  func recover(_ stream: ALSAStream, from error: Int) {
    switch aacorn_alsa_cause_of(error) {
    case AACORN_ALSA_AGAIN:
      session.wait(milliseconds: 10)
    case AACORN_ALSA_XRUN:
      interrupted(by: .late)
      restart(stream)
    case AACORN_ALSA_ASLEEP:
      wake(stream)
    case AACORN_ALSA_ABSENT:
      close()
    default:
      interrupted(by: .lost)
      restart(stream)
    }
  }

  /// Restarts the device, with growing pauses if that fails.
  private func restart(_ stream: ALSAStream) {
    faultCount += 1
    if faultCount > Self.maxFaultCount { return close() }
    if faultCount > 1 { session.wait(milliseconds: 5 << faultCount) }
    // The device's state, which is checked next, shows whether the restart succeeded.
    _ = stream.restart()
    // The frames that the restart dropped would look as if the device had played them at once.
    pace.restart(at: System.nanoseconds)
  }

  private func wake(_ stream: ALSAStream) {
    interrupted(by: .asleep)
    if absence == nil {
      absence = .asleep
      session.gate.perform { reportAbsence(.asleep) }
    }
    while session.endTime == nil {
      switch stream.resume() {
      case true: return
      case false: return restart(stream)
      case nil: session.wait(milliseconds: 100)
      }
    }
  }
}

/// The state shared by the thread that keeps a device open and the threads that start and stop it.
final class ALSASession: DeviceRun {
  static let openTimeout: Int64? = 10_000_000_000

  /// The device's name.
  let id: String
  let library: ALSALibrary
  let status = DeviceStatus()
  let gate = DeviceGate()
  /// The maximum time between two positions of an open capture device, in nanoseconds; otherwise 0.
  let period = Atomic<Int64>(0)

  private let pipe: WakePipe
  /// The time at which the end was requested; 0 before that.
  private let end = Atomic<Int64>(0)

  /// Creates a session that uses `library`, or alsa-lib if it is nil.
  init(_ id: String, _ library: ALSALibrary?) throws(DeviceError) {
    self.library = try ALSALibrary(library)
    guard let pipe = WakePipe() else { throw Self.error(id, "too many files are open") }
    self.id = id
    self.pipe = pipe
  }

  private static func error(_ id: String, _ reason: String) -> DeviceError {
    .system(operation: "open", id: id, reason: reason)
  }

  /// 900 ms, or half a second more than a long period, whose last samples arrive at its end.
  var endTimeout: Int { max(900, 500 + Int(period.load(ordering: .acquiring) / 1_000_000)) }

  var timeoutError: DeviceError { Self.error(id, "it does not answer") }

  /// A descriptor that becomes readable when the end is requested.
  var wakeDescriptor: Int32 { pipe.reading }

  /// The time at which the end was requested; nil before that.
  var endTime: Int64? {
    let time = end.load(ordering: .acquiring)
    return time == 0 ? nil : time
  }

  /// Requests the thread to end.
  func requestEnd() {
    end.replace(0, with: System.nanoseconds)
    pipe.wake()
  }

  /// Waits, on the device's thread, for at most this many milliseconds or until the end is
  /// requested.
  func wait(milliseconds: Int) {
    guard milliseconds > 0 else { return }
    _ = unsafe library.functions.pointee.wait(
      library.functions, nil, wakeDescriptor, Int32(clamping: milliseconds))
  }
}
#endif
