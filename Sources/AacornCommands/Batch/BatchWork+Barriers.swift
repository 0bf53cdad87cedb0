import AacornRecording
import AacornSystem

extension BatchWork {
  /// System errors that only the user can resolve.
  private static let permanentErrors: [SystemError] = [
    .accessDenied, .notPermitted, .notFolder, .isFolder, .readOnly, .nameTooLong, .tooManyLinks,
  ]

  /// Returns whether permissions or the path itself cause the failure, so that a retry is useless.
  func isBarred(_ failure: CommandFailure) -> Bool {
    do throws(SystemError) {
      if failure.kind == .cannotWrite {
        try Self.tryToWrite(beside: line.output)
      } else {
        try System.close(System.open(line.input, for: .reading, waits: false))
      }
      return false
    } catch {
      return Self.permanentErrors.contains(error)
    }
  }

  /// Throws if the input has changed since its digest was computed: otherwise the ledger would
  /// attribute the output to other audio.
  func requireSameInput(as entry: LedgerEntry) throws(CommandFailure) {
    let status = try? System.status(of: line.input)
    if let status, status.size == entry.inputSize, status.modified == entry.inputTime { return }
    throw CommandFailure(
      .cannotRead, "“\(displayed(line.input))” was changed by another program while it was read.",
      .text("Encode it when it is complete."))
  }

  /// Records the result of a failed attempt for the next one.
  mutating func record(_ entry: LedgerEntry) {
    if entry.error?.keyword == CommandFailure.Kind.busy.keyword { outputWasBusy = true }
    // Record an output that this attempt has made, so that the next attempt may replace it.
    if entry.outputDigest != nil { known = entry }
  }

  private static func tryToWrite(beside path: String) throws(SystemError) {
    var folder = FileName.folder(path)
    while true {
      do throws(SystemError) {
        _ = try System.status(of: folder)
        break
      } catch {
        // The folder does not exist yet and would be created in its parent, so check the parent.
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
  /// Whether the input or the settings cause the failure, so that a retry would fail again.
  var isPermanent: Bool {
    switch kind {
    case .badInput, .unsupported, .effects(.invalidDescription): true
    case .cannotRead, .cannotWrite, .busy, .noThread, .exists, .interrupted,
      .effects(.missing):
      false
    }
  }

  /// Whether the failure may be temporary.
  var mayBeTemporary: Bool {
    switch kind {
    case .cannotRead, .cannotWrite, .busy, .noThread: true
    case .badInput, .unsupported, .effects, .exists, .interrupted: false
    }
  }
}
