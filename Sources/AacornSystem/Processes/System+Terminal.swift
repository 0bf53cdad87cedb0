#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// Makes the terminal of standard input deliver every key immediately and without echo; returns
  /// false if that is impossible now, for example because the program runs in the background.
  ///
  /// Ctrl-C, Ctrl-Z and Ctrl-\ remain signals. The terminal is restored however the program ends or
  /// is stopped; after a stop, call this function again.
  package static func takeKeys() -> Bool {
    guard isTerminal(standardInput), isInForeground(standardInput),
      !keys.isFinished.load(ordering: .relaxed)
    else { return false }
    let mask = tcflag_t(ICANON | ECHO)
    var mode = termios()
    guard unsafe tcgetattr(standardInput, &mode) == 0 else { return false }
    let isTaken = keys.isTaken.load(ordering: .acquiring)
    if isTaken && mode.c_lflag & mask == 0 { return true }
    // A shell may have changed the mode while the program was stopped.
    keys.isTaken.store(false, ordering: .releasing)
    unsafe keys.original.initialize(to: mode)
    mode.c_lflag &= ~mask
    // Set the flag before the mode changes, so that a signal handler can always restore the
    // terminal.
    keys.isTaken.store(true, ordering: .releasing)
    if !isTaken { restoreTerminalAtSignals() }
    guard unsafe tcsetattr(standardInput, TCSANOW, &mode) == 0 else {
      keys.isTaken.store(false, ordering: .releasing)
      return false
    }
    return true
  }

  /// Restores the terminal.
  ///
  /// A signal handler may call this method, at any time.
  package static func releaseKeys() {
    let saved = errno
    defer { errno = saved }
    // In the background the terminal belongs to another program, and changing its mode would stop
    // this program.
    guard keys.isTaken.exchange(false),
      isInForeground(standardInput)
    else { return }
    _ = unsafe tcsetattr(standardInput, TCSANOW, keys.original)
  }

  /// Returns whether the program may use the terminal without being stopped by the system.
  package static func isInForeground(_ descriptor: Int32) -> Bool {
    tcgetpgrp(descriptor) == getpgrp()
  }

  /// Ends the process without any cleanup.
  ///
  /// A signal handler may call this method.
  package static func endAtOnce(_ code: Int32) -> Never { _exit(code) }

  /// Waits until one of the descriptors can be read, for at most `milliseconds`.
  ///
  /// Returns true if `pipe`, which is open for writing, has lost its reader.
  package static func wait(
    forAny descriptors: [Int32], orForEndOf pipe: Int32? = nil, milliseconds: Int
  ) -> Bool {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    if let pipe { entries.append(pollfd(fd: pipe, events: 0, revents: 0)) }
    _ = poll(&entries, milliseconds: milliseconds)
    guard pipe != nil, let last = entries.last else { return false }
    return last.revents & Int16(POLLERR) != 0
  }

  /// Returns whether a descriptor can be read without waiting; also true at the end of the data.
  package static func isReadable(_ descriptor: Int32) -> Bool {
    var entries = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    return poll(&entries, milliseconds: 0) > 0
  }

  /// Returns whether a write to a descriptor returns without waiting, either with bytes written or
  /// with an error.
  package static func isWritable(_ descriptor: Int32) -> Bool {
    var entries = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
    return poll(&entries, milliseconds: 0) > 0
  }

  /// Empties a nonblocking pipe.
  package static func drain(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 64)
    while let count = try? read(descriptor, into: &bytes), count == bytes.count {}
  }

  /// A calendar date and the time of day.
  package struct CalendarDate {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
  }

  /// Returns the date at a time in nanoseconds since the start of 1970, in local time or UTC.
  package static func date(at nanoseconds: Int64, isUniversal: Bool) -> CalendarDate {
    let second: Int64 = 1_000_000_000
    var seconds = time_t(nanoseconds / second - (nanoseconds % second < 0 ? 1 : 0))
    var parts = unsafe tm()
    if isUniversal {
      unsafe _ = gmtime_r(&seconds, &parts)
    } else {
      unsafe _ = localtime_r(&seconds, &parts)
    }
    return unsafe CalendarDate(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }

  // MARK: - Restoring the terminal

  /// The earlier state of the terminal, accessible to signal handlers.
  ///
  /// Unchecked because the memory is written only while `isTaken` is false, and read only while it
  /// is true.
  @safe
  private final class Keys: @unchecked Sendable {
    let isTaken = Atomic<Bool>(false)
    let isWatching = Atomic<Bool>(false)
    let isFinished = Atomic<Bool>(false)
    let original = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    /// The earlier actions of the signals, by signal number.
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)
  }

  private static let keys = Keys()

  /// Restores the terminal at signals that stop the program or end it immediately.
  private static func restoreTerminalAtSignals() {
    guard !keys.isWatching.exchange(true) else { return }
    if isDefault(SIGTSTP) { keepHandling(SIGTSTP) { System.halt($0) } }
    for signal in [SIGQUIT, SIGABRT, SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV] {
      unsafe sigaction(signal, nil, keys.actions + Int(signal))
      keepHandling(signal) { System.crash($0) }
    }
  }

  /// Restores the terminal, and then runs the previous handler of the signal.
  private static func crash(_ signal: Int32) {
    keys.isFinished.store(true, ordering: .relaxed)
    releaseKeys()
    unsafe sigaction(signal, keys.actions + Int(signal), nil)
    // The other signals occur again when the faulting instruction is repeated.
    if signal == SIGQUIT || signal == SIGABRT { raiseSignal(signal) }
  }

  /// Restores the terminal and stops the program with the signal's default action; returns when the
  /// program continues.
  private static func halt(_ signal: Int32) {
    let saved = errno
    releaseKeys()
    handleByDefault(signal)
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    unsafe sigaddset(&mask, signal)
    raiseSignal(signal)
    // A signal is blocked while its handler runs.
    unsafe pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    keepHandling(signal) { System.halt($0) }
    errno = saved
  }

  private static func isDefault(_ signal: Int32) -> Bool {
    unsafe handler(of: signal) == unsafeBitCast(SIG_DFL, to: Int.self)
  }
}

// These functions are outside `System`, in which the names of C functions would refer to members.

private func handleByDefault(_ number: Int32) {
  _ = signal(number, SIG_DFL)
}

private func raiseSignal(_ number: Int32) {
  _ = raise(number)
}
