import AacornRecording
import AacornSystem

extension BatchWork {
  /// Errors of the system that nobody but a person can help.
  private static let lastingErrors: [SystemError] = [
    .accessDenied, .notPermitted, .notFolder, .isFolder, .readOnly, .nameTooLong, .tooManyLinks,
  ]

  /// Whether permissions or the path itself are in the way, which do not change in a moment.
  func isBarred(_ failure: CommandFailure) -> Bool {
    do throws(SystemError) {
      if failure.kind == .cannotWrite {
        try Self.tryToWrite(beside: line.output)
      } else {
        try System.close(System.open(line.input, for: .reading, waits: false))
      }
      return false
    } catch {
      return Self.lastingErrors.contains(error)
    }
  }

  /// Throws if the input is not what its digest was made of: the output would pass for that of another
  /// sound.
  func requireSameInput(as entry: LedgerEntry) throws(CommandFailure) {
    let status = try? System.status(of: line.input)
    if let status, status.size == entry.inputSize, status.modified == entry.inputTime { return }
    throw CommandFailure(
      .cannotRead, "“\(displayed(line.input))” was changed by another program while it was read.",
      .words("Encode it when it is complete."))
  }

  /// Takes note of an attempt that failed, before the next one.
  mutating func note(_ entry: LedgerEntry) {
    if entry.error?.word == CommandFailure.Kind.busy.word { outputWasTaken = true }
    // What that made of another input is ours to replace.
    if entry.outputDigest != nil { known = entry }
  }

  private static func tryToWrite(beside path: String) throws(SystemError) {
    var folder = FileName.folder(path)
    while true {
      do throws(SystemError) {
        _ = try System.status(of: folder)
        break
      } catch {
        // It would be made in the one above.
        let parent = FileName.folder(folder)
        if error != .notFound || parent == folder { throw error }
        folder = parent
      }
    }
    let (probe, descriptor) = try System.makeTemporaryFile(
      beside: FileName.joined(folder, "probe"), like: nil)
    try? System.close(descriptor)
    try System.remove(probe)
  }
}

extension CommandFailure {
  /// Whether it is a matter of the input and the settings alone, so that the same would fail again.
  var isLasting: Bool {
    switch kind {
    case .badInput, .unsupported, .effects(.mistake): true
    case .cannotRead, .cannotWrite, .busy, .noThread, .exists, .interrupted,
      .effects(.missing):
      false
    }
  }

  /// Whether it may be over in a moment.
  var mayPass: Bool {
    switch kind {
    case .cannotRead, .cannotWrite, .busy, .noThread: true
    case .badInput, .unsupported, .effects, .exists, .interrupted: false
    }
  }
}
