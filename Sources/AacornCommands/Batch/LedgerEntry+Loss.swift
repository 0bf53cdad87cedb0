import AacornRecording
import AacornSystem

extension LedgerEntry {
  /// The error word for an output that was removed or changed.
  static let lostKeyword = "lost"

  /// Returns the damage that other programs have done to the output, or nil if it is unchanged.
  ///
  /// An output that cannot be checked counts as lost: its presence on disk is not certain.
  ///
  /// The file is read only if its size is unchanged and its mark (identity and status-change time)
  /// differs. A new mark alone is harmless: a user may change the file's times or restore it from a
  /// copy. Some file systems also round times later, or renumber a file that was not used for a
  /// while.
  func outputLoss(
    _ digests: FileDigests, _ interruption: Interruption
  ) throws(CommandFailure) -> OutputLoss? {
    guard isMade, let outputSize, let outputMark else { return nil }
    do throws(SystemError) {
      let status = try System.status(of: output)
      if status.kind != .file || status.size != outputSize { return .changed }
      if status.mark == outputMark { return nil }
    } catch {
      return error.isAbsence ? .removed : .uncheckable(error)
    }
    do throws(CommandFailure) {
      return try digests.makeDigest(of: output, interruption) == outputDigest ? nil : .changed
    } catch {
      if case .interrupted = error.kind { throw error }
      return .unreadable(error.commandMessage)
    }
  }

  /// Returns the entry that marks the output as lost, so that the next run makes it again.
  ///
  /// Only the output's digest remains: it permits the next run to replace the file at that path.
  func markedAsLost(_ loss: OutputLoss) -> LedgerEntry {
    var entry = LedgerEntry()
    entry.line = line
    entry.id = id
    entry.input = input
    entry.output = output
    entry.outcome = .postponed
    entry.settings = settings
    entry.inputDigest = inputDigest
    entry.inputSize = inputSize
    entry.inputTime = inputTime
    entry.outputDigest = outputDigest
    entry.error = (Self.lostKeyword, loss.message(of: output))
    return entry
  }
}
