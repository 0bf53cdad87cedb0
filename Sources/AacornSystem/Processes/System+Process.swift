import CAacornAtomics

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  package static let interruptSignal = SIGINT
  package static let terminateSignal = SIGTERM
  package static let hangUpSignal = SIGHUP
  package static let pipeSignal = SIGPIPE
  /// The signal for a file that has reached the maximum size that the process may write
  /// (`ulimit -f`).
  package static let fileSizeSignal = SIGXFSZ

  /// The time of the monotonic clock in seconds.
  package static var seconds: Double {
    if let thread = SimulatedThread.current { return Double(thread.world.nanoseconds) * 1e-9 }
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// The time of the monotonic clock in nanoseconds, which is the clock of all capture times.
  package static var nanoseconds: Int64 {
    if let thread = SimulatedThread.current { return thread.world.nanoseconds }
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return nanoseconds(of: time)
  }

  /// The time in nanoseconds that the computer has slept since its start.
  ///
  /// On other systems than Linux, the monotonic clock includes this time, and the value is 0.
  package static var sleptNanoseconds: Int64 {
    if let thread = SimulatedThread.current { return thread.world.sleptNanoseconds }
    #if os(Linux)
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return nanoseconds(of: time) - nanoseconds
    #else
    return 0
    #endif
  }

  /// The time of the wall clock, in nanoseconds since the start of 1970.
  package static var wallNanoseconds: Int64 {
    if let thread = SimulatedThread.current { return thread.world.wallNanoseconds }
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(of: time)
  }

  /// Converts a time of the system to nanoseconds, clamped to the years 1897 to 2188.
  ///
  /// A wrong clock or a file can have any time. The difference of two clamped times fits in 64
  /// bits.
  static func nanoseconds(of time: timespec) -> Int64 {
    let (earliest, latest): (Int64, Int64) = (-2_300_000_000, 6_900_000_000)
    let seconds = Int64(time.tv_sec)
    if seconds >= latest { return latest * 1_000_000_000 }
    return max(seconds, earliest) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Sleeps for `milliseconds`, even if signals arrive.
  package static func sleep(milliseconds: Int) {
    if let world = SimulatedThread.current?.world {
      return world.sleep(until: world.nanoseconds + Int64(milliseconds) * 1_000_000)
    }
    var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    var rest = timespec()
    while unsafe nanosleep(&time, &rest) != 0 && errno == EINTR { time = rest }
  }

  /// The number of available processor cores.
  package static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The process number, used in the names of temporary files.
  package static var processNumber: Int { Int(getpid()) }

  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Returns the width of a terminal in columns; 80 if unknown.
  package static func columns(ofTerminal descriptor: Int32) -> Int {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  package static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  package static func endProcess(_ code: Int32) -> Never { exit(code) }

  /// Creates a nonblocking pipe that is closed on exec.
  package static func makePipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [0, 0]
    #if canImport(Darwin)
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { prepareDescriptor(end) }
    #else
    guard unsafe aacorn_pipe(&ends) == 0 else { return nil }
    #endif
    return (noted(ends[0]), noted(ends[1]))
  }

  /// Writes one byte to a pipe.
  ///
  /// A signal handler may call this method.
  package static func wake(_ descriptor: Int32) {
    let saved = errno
    var byte: UInt8 = 1
    _ = unsafe writeByte(descriptor, &byte)
    errno = saved
  }

  /// Calls `handler` for the first signal of a kind; a second one ends the process immediately.
  package static func handle(
    _ signal: Int32, with handler: @escaping @convention(c) (Int32) -> Void
  ) {
    install(handler, for: signal, flags: Int(SA_RESETHAND))
  }

  /// Calls `handler` for every signal of this kind.
  package static func keepHandling(
    _ signal: Int32, with handler: @escaping @convention(c) (Int32) -> Void
  ) {
    install(handler, for: signal, flags: Int(SA_RESTART) | Int(SA_ONSTACK))
  }

  private static func install(
    _ handler: @escaping @convention(c) (Int32) -> Void, for signal: Int32, flags: Int
  ) {
    var action = sigaction()
    #if canImport(Darwin)
    unsafe action.__sigaction_u.__sa_handler = handler
    #elseif canImport(Musl)
    unsafe action.__sa_handler.sa_handler = handler
    #else
    unsafe action.__sigaction_handler.sa_handler = handler
    #endif
    action.sa_flags = Int32(truncatingIfNeeded: flags)
    _ = unsafe sigaction(signal, &action, nil)
  }

  /// Ignores a signal.
  package static func ignore(_ signal: Int32) {
    ignoreSignal(signal)
  }

  /// Returns whether the process was started with the signal ignored, as `nohup` does.
  package static func isIgnored(_ signal: Int32) -> Bool {
    unsafe handler(of: signal) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Returns the handler of a signal, as a number to compare with `SIG_IGN` and `SIG_DFL`; nil if
  /// there is no such signal.
  static func handler(of signal: Int32) -> Int? {
    var action = sigaction()
    guard unsafe sigaction(signal, nil, &action) == 0 else { return nil }
    #if canImport(Darwin)
    let handler = unsafe action.__sigaction_u.__sa_handler
    #elseif canImport(Musl)
    let handler = unsafe action.__sa_handler.sa_handler
    #else
    let handler = unsafe action.__sigaction_handler.sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self)
  }
}

// These functions are outside `System`, in which the names of C functions would refer to members.

private func writeByte(_ descriptor: Int32, _ byte: UnsafePointer<UInt8>) -> Int {
  unsafe write(descriptor, byte, 1)
}

private func ignoreSignal(_ number: Int32) {
  _ = signal(number, SIG_IGN)
}
