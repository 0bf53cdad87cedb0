import AacornSystem

/// The signal handling of commands that run until the user stops them.
extension Console {
  /// Makes the first signal request an orderly end; without a terminal, SIGHUP is only counted.
  func beginLongWork() {
    guard interruption === Interruption.process else { return }
    let hasTerminal = isLive || System.isTerminal(System.standardInput)
    Interruption.watchSignalsOfLongWork(countsHangUps: !hasTerminal)
  }

  /// Returns the pipe to which results are printed, to detect that its reader has closed it.
  func resultPipe(printsJSON: Bool) -> Int32? {
    printsJSON && interruption === Interruption.process ? System.standardOutput : nil
  }

  /// Reports the result and returns the status of the work: an orderly end at a signal is a
  /// success.
  func finishLongWork(_ status: ExitStatus, report: () -> Void) -> ExitStatus {
    let signal = interruption.signal
    if signal != System.pipeSignal { interruption.acknowledge() }
    report()
    return signal == System.pipeSignal ? .interrupted(by: System.pipeSignal) : status
  }
}
