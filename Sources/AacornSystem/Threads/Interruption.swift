#if canImport(Glibc)
// The import in the first source file of the module determines the module to which the C library's
// types belong.
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The error thrown when a signal interrupts the work.
package struct Interrupted: Error, Equatable {
  /// The number of the signal.
  package let signal: Int32

  /// Creates the error for a signal.
  package init(signal: Int32) { self.signal = signal }
}

/// A request to stop the work: Ctrl-C, SIGTERM, or a closed pipe.
///
/// A signal handler may do very little, so it only sets this flag and writes a byte to a pipe. Work
/// checks the flag between blocks. A wait for a slow pipe also waits for the byte.
package final class Interruption: Sendable {
  private let number = Atomic<Int32>(0)
  private let pipe = WakePipe()
  /// The time of the first request, if a second request ends the process immediately; otherwise 0.
  private let firstTime = Atomic<Int64>(0)
  private let hangUpCount = Atomic<Int>(0)
  /// The number of tasks in progress that a second request cancels.
  private let optionalTaskCount = Atomic<Int>(0)
  /// The time of the request that canceled optional tasks; 0 before that.
  private let cancelTime = Atomic<Int64>(0)

  /// The instance that the process's signals set.
  package static let process = Interruption()

  /// An instance that nothing raises.
  package static let never = Interruption()

  /// Creates a separate instance, for work that is not stopped by signals.
  package init() {}

  /// The signal that requested the end; nil if none has.
  package var signal: Int32? {
    let signal = number.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }

  /// Requests the end.
  ///
  /// Only the first signal is stored. A signal handler may call this method.
  package func raise(_ signal: Int32) {
    number.replace(0, with: signal)
    wake()
  }

  /// Throws if the end was requested.
  package func check() throws(Interrupted) {
    if let signal { throw Interrupted(signal: signal) }
  }

  /// Waits until a pipe or terminal can be read or written, or the end is requested.
  package func wait(for descriptor: Int32, writing: Bool = false) throws(Interrupted) {
    try check()
    if let pipe {
      _ = System.wait(
        for: descriptor, writing: writing, orFor: pipe.reading, milliseconds: -1)
    }
    try check()
  }

  /// Makes the signals that end a process request the end of `process` instead.
  package static func watchSignals() {
    _ = process.signal
    // With these signals ignored, writing to a closed pipe or to a file at its size limit returns
    // an error.
    System.ignore(System.pipeSignal)
    System.ignore(System.fileSizeSignal)
    let signals = [System.interruptSignal, System.terminateSignal, System.hangUpSignal]
    for signal in signals where !System.isIgnored(signal) {
      System.handle(signal) { Interruption.process.raise($0) }
    }
  }
}

// MARK: - Graceful end of long work

extension Interruption {
  /// Two requests within this number of nanoseconds count as one: `timeout` and terminals may send
  /// a signal both to a program and to its group.
  private static let duplicateSignalInterval: Int64 = 250_000_000

  /// Makes a second request restore the terminal and end the process immediately.
  ///
  /// During optional work, the second request only cancels this work, and a third one ends the
  /// process.
  ///
  /// If `countsHangUps` is true, a hang-up is counted instead of requesting the end.
  package static func watchSignalsOfLongWork(countsHangUps: Bool) {
    _ = process.signal
    for signal in [System.interruptSignal, System.terminateSignal]
    where !System.isIgnored(signal) {
      System.keepHandling(signal) { Interruption.process.raiseOrEnd($0) }
    }
    if System.isIgnored(System.hangUpSignal) { return }
    if countsHangUps {
      System.keepHandling(System.hangUpSignal) { _ in Interruption.process.recordHangUp() }
      // A hang-up that arrived before this call does not request the end either.
      if process.number.replace(System.hangUpSignal, with: 0) { process.recordHangUp() }
    } else {
      System.keepHandling(System.hangUpSignal) { Interruption.process.raiseOrEnd($0) }
    }
  }

  private func raiseOrEnd(_ signal: Int32) {
    if !request(signal) {
      System.releaseKeys()
      System.endAtOnce(128 + signal)
    }
  }

  /// Requests the end; returns false if the process should end immediately.
  ///
  /// A signal handler may call this method.
  package func request(_ signal: Int32) -> Bool {
    let now = System.nanoseconds
    let isFirst = firstTime.replace(0, with: now)
    if !isFirst && now - firstTime.load(ordering: .relaxed) > Self.duplicateSignalInterval {
      let isCanceling =
        optionalTaskCount.load(ordering: .relaxed) > 0 && cancelTime.replace(0, with: now)
      let time = cancelTime.load(ordering: .relaxed)
      if !isCanceling && now - time > Self.duplicateSignalInterval { return false }
    }
    raise(signal)
    return true
  }

  /// Performs work that a second request cancels.
  ///
  /// `body` polls its argument, and ends early when that returns true.
  package func performOptional<Result, Failure: Error>(
    _ body: (_ isCanceled: () -> Bool) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    optionalTaskCount.add(1)
    defer { optionalTaskCount.add(-1) }
    return try body { cancelTime.load(ordering: .relaxed) != 0 }
  }

  /// Records a hang-up that does not request the end.
  package func recordHangUp() {
    hangUpCount.add(1)
    wake()
  }

  /// Returns the number of hang-ups since the last call, and resets it.
  package func takeHangUps() -> Int { hangUpCount.exchange(0) }

  /// Withdraws the request for the end, because the work has ended as requested.
  package func acknowledge() { number.store(0, ordering: .relaxed) }

  /// Wakes the waiting thread.
  ///
  /// A signal handler may call this method.
  package func wake() { pipe?.wake() }

  /// Waits for a signal, a call of `wake`, readable input, or at most `milliseconds`.
  ///
  /// If `output` is a pipe and loses its reader, that requests the end with `pipeSignal`.
  package func wait(milliseconds: Int, orFor input: Int32? = nil, orForEndOf output: Int32? = nil) {
    guard let pipe else { return System.sleep(milliseconds: min(milliseconds, 50)) }
    let descriptors = [pipe.reading] + (input.map { [$0] } ?? [])
    if System.wait(forAny: descriptors, orForEndOf: output, milliseconds: milliseconds) {
      raise(System.pipeSignal)
    }
    pipe.drain()
  }
}
