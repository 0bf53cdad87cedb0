#if os(Linux)
import AacornSystem
import CAacornALSA

/// The state shared by the thread that keeps a device open and the threads that start and stop it.
final class ALSASession: DeviceRun {
  static let openTimeout: Int64 = 10_000_000_000

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
    self.library = if let library { library } else { try ALSALibrary() }
    guard let pipe = WakePipe() else { throw Self.error(id, "too many files are open") }
    self.id = id
    self.pipe = pipe
  }

  private static func error(_ id: String, _ reason: String) -> DeviceError {
    .system(operation: "open", id: id, reason: reason)
  }

  /// 900 ms, or half a second more than a long period, whose last samples arrive at its end.
  var endTimeout: Int { max(900, 500 + Int(period.load(ordering: .acquiring) / 1_000_000)) }

  var noThreadError: DeviceError { Self.error(id, "the system has no threads left") }

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
