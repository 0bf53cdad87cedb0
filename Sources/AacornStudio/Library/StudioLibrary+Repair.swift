import AacornContainers
import AacornInspection
import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornStreaming
import AacornSystem

extension StudioLibrary {
  /// Creates a complete file from a damaged one, in the same folder.
  func repair(_ text: String, _ answer: @escaping Answer) {
    let isTaken = repairWorker.run { [self] in
      do throws(StudioError) {
        let name = try name(text)
        // The claim ends before the answer, so that the client can change the file at once.
        let newName = try claiming(name) { () throws(StudioError) in try repair(name) }
        diskWorker.run { [self] in
          if let item = disk.item(newName) { state.withLock { $0.catalog.setComplete(item) } }
          try? readFolder()
          answer(StudioResponse.json(Self.named(newName).encoded))
        }
      } catch {
        answer(error.response)
      }
    }
    if !isTaken { answer(StudioError.shuttingDown.response) }
  }

  /// Prevents renaming or deleting a recording during `body`.
  private func claiming(
    _ name: RecordingName, _ body: () throws(StudioError) -> RecordingName
  ) throws(StudioError) -> RecordingName {
    let now = System.nanoseconds
    var mayGrow = false
    var reason: String? = state.withLock { state in
      if state.catalog.recording.contains(name) {
        return "is being recorded. Repair it when that is done."
      }
      mayGrow = state.catalog.mayGrow(name, now: now, wallTime: System.wallNanoseconds)
      if mayGrow { return nil }
      let isFirst = state.repairing.insert(name).inserted
      return isFirst ? nil : "is already being repaired. Wait until that is done."
    }
    if mayGrow {
      reason = Self.beingWritten(disk.path(of: name)) + "Repair it when that is done."
    }
    if let reason { throw StudioError(409, "“\(displayed(name.text))” \(reason)") }
    defer { state.withLock { _ = $0.repairing.remove(name) } }
    return try body()
  }

  private func repair(_ name: RecordingName) throws(StudioError) -> RecordingName {
    let file: FileBytes
    var held: Int32?
    defer { if let held { try? System.close(held) } }
    do throws(SystemError) {
      // Lock the file, so that no other program starts to write it. A paused recording does not
      // grow, but is still in use.
      held = try System.takeFile(disk.path(of: name))
      file = try FileBytes(disk.path(of: name)) { [analyst] in analyst.isStopping }
    } catch {
      switch error {
      case .notFound: throw .noRecording(name.text)
      case .wouldBlock:
        let reason = Self.beingWritten(disk.path(of: name)) + "Repair it when that is done."
        throw StudioError(409, "“\(displayed(name.text))” \(reason)")
      default: throw StudioError(cannot: "repair", name.text, error)
      }
    }
    let version = WorkMarks.Version(size: file.size, modified: file.modified)
    if marks.withLock({ $0.isQuarantined(name.text, version) }) { throw .quarantined(name) }
    return try marking(name.text, version) { () throws(StudioError) in
      try RecordingRepair(disk: disk, name: name, file: file).run { preferredName in
        disk.freeName(preferredName) { isReserved($0) }
      }
    }
  }

  /// Completes an interrupted file if possible; returns false if the file contains no audio.
  func repairInPlace(_ path: String) throws(SystemError) -> Bool {
    let planned = try? System.status(of: path)
    let file = try open(path)
    let work = RepairWork(byteCount: file.size) { (offset, count) throws(SystemError) in
      try file.read(offset, count)
    }
    let inPlace: InPlaceRepair?
    if try work.holdsSamples() {
      switch try work.sampleOutcome() {
      case .intact: return true
      case .irreparable:
        guard let info = try work.sampleInfo() else { return false }
        return UInt64(file.size) >= info.dataOffset + UInt64(info.format.bytesPerFrame)
      case .repairable(let repair): inPlace = repair.inPlace
      }
    } else {
      switch try work.outcome() {
      case .intact, .needsConfiguration: return true
      case .irreparable(let obstacle): return obstacle != .noFrames
      case .repairable(let plan): inPlace = plan.inPlace
      }
    }
    // A file that cannot be completed in place can be repaired from the page, as a new file.
    guard let inPlace, let planned else { return true }
    do throws(InPlaceRepair.ApplyError) {
      try inPlace.apply(to: path, planned: planned)
    } catch {
      // Another program may be using the file, so the studio tries again later.
      if case .system(let error) = error { throw error }
      throw .wouldBlock
    }
    return true
  }
}
