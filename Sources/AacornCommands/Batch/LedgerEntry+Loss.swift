import AacornRecording
import AacornSystem

extension LedgerEntry {
  /// The word for an output that is not there any more, or not what it was.
  static let lost = "lost"

  /// What others have done to the output; nil if it is what it was when this was noted.
  ///
  /// What cannot be looked at is lost, too: that it is on disk cannot be said.
  ///
  /// It is read only if its mark has changed and its size has not: to be touched or copied back harms nothing,
  /// and some file systems round times later, or number a file anew when it has not been used for a while.
  func outputLoss(
    _ digests: FileDigests, _ interruption: Interruption
  ) throws(CommandFailure) -> OutputLoss? {
    guard isMade, let outputSize, let outputMark else { return nil }
    do throws(SystemError) {
      let status = try System.status(of: output)
      if status.kind != .file || status.size != outputSize { return .changed }
      if status.mark == outputMark { return nil }
    } catch {
      return error.isAbsence ? .removed : .unseen(error)
    }
    do throws(CommandFailure) {
      return try digests.makeDigest(of: output, interruption) == outputDigest ? nil : .changed
    } catch {
      if case .interrupted = error.kind { throw error }
      return .unreadable(error.commandSentence)
    }
  }

  /// What is told in its place: that the output was made and is lost, so that another run makes it again.
  ///
  /// Only the digest is left of it: by that the next run knows that what is there is its own to replace.
  func takenBack(_ loss: OutputLoss) -> LedgerEntry {
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
    entry.error = (Self.lost, loss.sentence(of: output))
    return entry
  }
}
