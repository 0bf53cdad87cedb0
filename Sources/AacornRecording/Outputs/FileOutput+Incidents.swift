import AacornSystem

// Other programs may remove, replace, move or truncate a file while it is recorded: no lock
// prevents that. So the file is checked repeatedly and saved if possible:
//
//     moved     all bytes are in the file, and we use its new name
//     removed   the bytes exist until the file is closed: they are copied into a new file
//     spoiled   bytes are lost: a new file begins with the next packet
extension FileOutput {
  /// Flushes the last audio before a pause, and returns the changes by other programs since the last
  /// check.
  public mutating func poll() throws(OutputError) -> [OutputIncident] {
    try checkFile()
    try synchronizeWhenDue()
    defer { incidents = [] }
    return incidents
  }

  /// Checks the file, and continues in another one if necessary.
  mutating func checkFile() throws(OutputError) {
    if let incident = file?.check() { try recover(from: incident) }
    if sidecar?.exists == false { rebuildList() }
  }

  /// Checks a file after its completion: a removed file can be copied, but a spoiled file cannot be
  /// replaced by a new recording.
  mutating func checkFinishedFile() throws(OutputError) {
    switch file?.check() {
    case nil: break
    case .modified: loseAll("was replaced or cut short")
    case let incident?: try recover(from: incident)
    }
  }

  /// Returns whether the file is still intact, before it is abandoned.
  mutating func isIntact() -> Bool {
    switch file?.check() {
    case nil: break
    case .moved(let old):
      incidents.append(.moved(from: old, to: name))
      followFile()
    case .removed: loseAll("was removed or replaced")
    case .modified: loseAll("was replaced or cut short")
    }
    return file != nil
  }

  /// Handles a change by another program; throws if the recording cannot continue.
  mutating func recover(from incident: RecordingFile.FileIncident) throws(OutputError) {
    switch incident {
    case .moved(let old):
      incidents.append(.moved(from: old, to: name))
      followFile()
    case .removed: try rescue()
    case .modified:
      reportLoss(
        of: name,
        "“\(name)” was replaced or cut short by another program while it was being written. "
          + "Its audio is lost or damaged. The recording continues in a new file.")
      leaveFile()
    }
  }

  /// Copies a removed file, which is still open, to a new file, and continues the recording in the
  /// new file.
  private mutating func rescue() throws(OutputError) {
    guard let old = file else { return }
    do throws(OutputError) {
      var new = try openReplacement(segment?.index ?? 0)
      do throws(OutputError) {
        try new.append(contentsOf: old)
        try new.synchronize()
      } catch {
        new.remove()
        throw error
      }
      resume(in: new)
      reportLoss(
        of: old.path,
        "“\(old.path)” was removed or replaced by another program while it was being written. "
          + "All its audio was saved to “\(new.path)”. The recording continues there.")
    } catch {
      let words =
        "“\(old.path)” was removed or replaced by another program while it was being written, and "
        + "its audio is lost"
      leaveFile()
      // After a full disk, the recording can continue: closing the lost file has freed its disk
      // space.
      if error.kind != .diskFull {
        throw OutputError(.lost, "\(words). \(error.problem)", recoveryAction: error.recoveryAction)
      }
      reportLoss(
        of: old.path,
        "\(words): its disk has no room for a copy. The recording continues in a new file.")
    }
  }

  private mutating func loseAll(_ what: String) {
    guard let file else { return }
    reportLoss(
      of: file.path,
      "“\(file.path)” \(what) by another program while it was being written, and its audio is lost."
    )
    leaveFile()
  }

  mutating func reportLoss(of name: String, _ problem: String) {
    incidents.append(.lost(name: name, OutputError(.lost, problem)))
  }
}
