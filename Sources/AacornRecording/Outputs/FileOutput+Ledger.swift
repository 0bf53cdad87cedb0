import AacornSystem

// The ledger beside a file. A recording does not end because of a failure here: the audio is worth
// more than the list of its gaps, which are reported anyway.
extension FileOutput {
  /// Whether the format has no place for a ledger, which then goes into a separate file.
  var hasSidecars: Bool { format != .m4a && path != "-" }

  /// Adds an entry to the ledger.
  mutating func list(_ gap: RecordingGap) {
    do throws(OutputError) {
      try sidecar?.append(gap)
    } catch {
      giveUpLedger(error)
    }
  }

  /// Rewrites all entries, beside the file under its current name.
  mutating func listAnew() {
    sidecar?.remove()
    sidecar = GapSidecar(of: name, permissions: file?.permissions)
    for gap in gaps { list(gap) }
  }

  private mutating func giveUpLedger(_ error: OutputError) {
    sidecar?.close()
    sidecar = nil
    let list = GapSidecar.path(of: name)
    let reason =
      switch error.kind {
      case .exists, .busy: "a file of that name already exists and was left alone"
      case .diskFull: "its disk is full"
      default: "the system does not allow it"
      }
    mishaps.append(
      .lost(
        name: list,
        OutputError(
          .lost,
          "The list of gaps “\(list)” cannot be written: \(reason). The recording continues "
            + "without it."
        )))
  }

  /// Throws if there is a list that would be mistaken for that of a new file with this name.
  func checkForLedger(beside name: String, replacing: Bool) throws(OutputError) {
    if replacing || !hasSidecars { return }
    let list = GapSidecar.path(of: name)
    if (try? System.statusOfLink(list)) == nil { return }
    throw OutputError(
      .exists,
      "“\(list)” already exists and would be mistaken for the list of gaps of “\(name)”.",
      remedy: .replaceOrRename)
  }

  /// Removes the list of a replaced file.
  func removeLedger(beside name: String) {
    if hasSidecars { try? System.remove(GapSidecar.path(of: name)) }
  }
}
