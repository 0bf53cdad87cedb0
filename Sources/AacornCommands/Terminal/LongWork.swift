import AacornSystem

/// Shared by commands that work until they are asked to end.
extension Console {
  /// From now on the first signal requests the end; without a terminal a hang-up requests less.
  func beginLongWork() {
    guard interruption === Interruption.process else { return }
    let hasTerminal = isLive || System.isTerminal(System.standardInput)
    Interruption.watchSignalsOfLongWork(countsHangUps: !hasTerminal)
  }

  /// The pipe whose reader reads events, and may go away between two of them.
  func resultPipe(printsJSON: Bool) -> Int32? {
    printsJSON && interruption === Interruption.process ? System.standardOutput : nil
  }

  /// Reports the outcome; the status is that of the work, since work that was asked to end, and
  /// has, is a success.
  func concludeLongWork(_ status: ExitStatus, report: () -> Void) -> ExitStatus {
    let signal = interruption.signal
    if signal != System.pipeSignal { interruption.acknowledge() }
    report()
    return signal == System.pipeSignal ? .interrupted(by: System.pipeSignal) : status
  }
}
