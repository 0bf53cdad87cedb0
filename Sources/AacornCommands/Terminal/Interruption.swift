import Platform
import Synchronization

/// Thrown where work stops because a signal asked for it.
struct Interrupted: Error, Equatable {
  let signal: Int32
}

/// Whether somebody wants the work to stop: Ctrl-C, SIGTERM, or a reader that went away.
///
/// A signal handler may do next to nothing, so it sets this flag and puts a byte into a pipe.
/// Work looks at the flag between blocks; whoever waits for a slow pipe waits for both.
final class Interruption: Sendable {
  private let number = Atomic<Int32>(0)
  private let pipe: (reading: Int32, writing: Int32)?

  /// The one of this process, which its signals set.
  static let process = Interruption()

  init() {
    pipe = System.makePipe()
  }

  deinit {
    if let pipe {
      try? System.close(pipe.reading)
      try? System.close(pipe.writing)
    }
  }

  /// The signal that asks for the end, if any.
  var signal: Int32? {
    let signal = number.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }

  /// Asks for the end; the first signal counts, and a signal handler may call it.
  func raise(_ signal: Int32) {
    _ = number.compareExchange(expected: 0, desired: signal, ordering: .relaxed)
    if let pipe { System.poke(pipe.writing) }
  }

  /// Throws if the end is asked for.
  func check() throws(Interrupted) {
    if let signal { throw Interrupted(signal: signal) }
  }

  /// Waits until a pipe or terminal has something to read, or room to write.
  func wait(for descriptor: Int32, writing: Bool = false) throws(Interrupted) {
    try check()
    if let pipe { System.wait(for: descriptor, writing: writing, orFor: pipe.reading) }
    try check()
  }

  /// Has the signals that end a process set `process` instead.
  static func watchSignals() {
    _ = process.signal
    // A closed pipe shows as an error where it is written to.
    System.ignore(System.pipeSignal)
    let signals = [System.interruptSignal, System.terminateSignal, System.hangUpSignal]
    for signal in signals where !System.isIgnored(signal) {
      System.handle(signal) { Interruption.process.raise($0) }
    }
  }
}
