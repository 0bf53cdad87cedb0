#if canImport(Glibc)
// The first file of the module that imports the C library: its order decides which module the
// library's types belong to.
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Thrown when work stops at the request of a signal.
package struct Interrupted: Error, Equatable {
  /// The number of the signal.
  package let signal: Int32

  /// Creates the error for a signal.
  package init(signal: Int32) { self.signal = signal }
}

/// Whether the work should stop: Ctrl-C, SIGTERM, or a reader that went away.
///
/// A signal handler may do next to nothing, so it sets this flag and writes a byte into a pipe.
/// Work checks the flag between blocks; a wait for a slow pipe waits for both.
package final class Interruption: Sendable {
  private let number = Atomic<Int32>(0)
  private let pipe: (reading: Int32, writing: Int32)?
  /// When the end was requested, if a second request must end the process at once.
  private let firstTime = Atomic<Int64>(0)
  private let hangUpCount = Atomic<Int>(0)

  /// The process's instance, which its signals set.
  package static let process = Interruption()

  /// An instance of its own, for work that something else than a signal stops.
  package init() {
    pipe = System.makePipe()
  }

  deinit {
    if let pipe {
      try? System.close(pipe.reading)
      try? System.close(pipe.writing)
    }
  }

  /// The signal that requested the end, if any.
  package var signal: Int32? {
    let signal = number.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }

  /// Requests the end; the first signal counts, and a signal handler may call it.
  package func raise(_ signal: Int32) {
    number.replace(0, with: signal)
    wake()
  }

  /// Throws if the end was requested.
  package func check() throws(Interrupted) {
    if let signal { throw Interrupted(signal: signal) }
  }

  /// Waits until a pipe or terminal has something to read, or room to write.
  package func wait(for descriptor: Int32, writing: Bool = false) throws(Interrupted) {
    try check()
    if let pipe { System.wait(for: descriptor, writing: writing, orFor: pipe.reading) }
    try check()
  }

  /// Makes the signals that end a process set `process` instead.
  package static func watchSignals() {
    _ = process.signal
    // A closed pipe and a file at its size limit show up as write errors.
    System.ignore(System.pipeSignal)
    System.ignore(System.fileSizeSignal)
    let signals = [System.interruptSignal, System.terminateSignal, System.hangUpSignal]
    for signal in signals where !System.isIgnored(signal) {
      System.handle(signal) { Interruption.process.raise($0) }
    }
  }
}

// MARK: - Work that ends in order when interrupted

extension Interruption {
  /// Two requests within this many nanoseconds count as one: `timeout` and terminals may send a
  /// signal to a program and to its group.
  private static let echo: Int64 = 250_000_000

  /// From here on a second request ends the process at once, with the terminal restored.
  ///
  /// If `countsHangUps`, a hang-up is counted instead of requesting the end.
  package static func watchSignalsOfLongWork(countsHangUps: Bool) {
    _ = process.signal
    for signal in [System.interruptSignal, System.terminateSignal]
    where !System.isIgnored(signal) {
      System.keepHandling(signal) { Interruption.process.raiseOrEnd($0) }
    }
    if System.isIgnored(System.hangUpSignal) { return }
    if countsHangUps {
      System.keepHandling(System.hangUpSignal) { _ in Interruption.process.noteHangUp() }
      // One that came before this was known to be long work is no request for the end either.
      if process.number.replace(System.hangUpSignal, with: 0) { process.noteHangUp() }
    } else {
      System.keepHandling(System.hangUpSignal) { Interruption.process.raiseOrEnd($0) }
    }
  }

  private func raiseOrEnd(_ signal: Int32) {
    let now = System.nanoseconds
    let isFirst = firstTime.replace(0, with: now)
    if !isFirst && now - firstTime.load(ordering: .relaxed) > Self.echo {
      System.releaseKeys()
      System.endAtOnce(128 + signal)
    }
    raise(signal)
  }

  /// Records a hang-up that does not request the end.
  package func noteHangUp() {
    hangUpCount.add(1)
    wake()
  }

  /// How many hang-ups there were since the last call.
  package func takeHangUps() -> Int { hangUpCount.exchange(0) }

  /// Withdraws the request for the end, because the end has come as requested.
  package func acknowledge() { number.store(0, ordering: .relaxed) }

  /// Wakes the waiting thread; a signal handler may call it.
  package func wake() {
    if let pipe { System.poke(pipe.writing) }
  }

  /// Waits for a signal, a `wake`, input, or at most this many milliseconds.
  ///
  /// If `output` is a pipe and loses its reader, that counts as a signal.
  package func wait(milliseconds: Int, orFor input: Int32? = nil, orForEndOf output: Int32? = nil) {
    guard let pipe else { return System.sleep(milliseconds: min(milliseconds, 50)) }
    let descriptors = [pipe.reading] + (input.map { [$0] } ?? [])
    if System.wait(forAny: descriptors, orForEndOf: output, milliseconds: milliseconds) {
      raise(System.pipeSignal)
    }
    System.drain(pipe.reading)
  }
}
