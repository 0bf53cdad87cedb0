import AacornSystem

// The ledger in a separate file. A failure here does not end the recording: the audio is more
// important than the list of its gaps, which are also reported as events.
extension FileOutput {
  /// Whether the ledger needs a separate file, because the format cannot contain it.
  var hasSidecars: Bool { format != .m4a && path != "-" }

  mutating func list(_ gap: RecordingGap) {
    do throws(SystemError) {
      try sidecar?.append(gap)
    } catch {
      giveUpLedger(error)
    }
  }

  /// Writes a new ledger with all entries, next to the file under its current name.
  mutating func rebuildList() {
    sidecar?.remove()
    sidecar = GapSidecar(of: name, permissions: file?.permissions)
    for gap in gaps { list(gap) }
  }

  mutating func completeLedger() {
    do throws(SystemError) {
      try sidecar?.close()
    } catch {
      giveUpLedger(error)
    }
  }

  private mutating func giveUpLedger(_ error: SystemError) {
    try? sidecar?.close()
    sidecar = nil
    let list = GapSidecar.path(of: name)
    let reason =
      switch error {
      case .exists, .wouldBlock: "a file of that name already exists and was left alone"
      default: AACFileError.explanation(of: error, isWriting: true).reason
      }
    incidents.append(
      .lost(
        name: list,
        OutputError(
          .lost,
          "The list of gaps “\(list)” cannot be written: \(reason). The recording continues "
            + "without it."
        )))
  }

  /// Throws if there is a ledger that would be mistaken for the ledger of a new file with this
  /// name.
  func checkForLedger(beside name: String, replacing: Bool) throws(OutputError) {
    if replacing || !hasSidecars { return }
    let list = GapSidecar.path(of: name)
    if (try? System.statusOfLink(list)) == nil { return }
    throw OutputError(
      .exists,
      "“\(list)” already exists and would be mistaken for the list of gaps of “\(name)”.",
      recoveryAction: .replaceOrRename)
  }

  func removeLedger(beside name: String) {
    if hasSidecars { try? System.remove(GapSidecar.path(of: name)) }
  }
}
