import AacornContainers
import AacornInspection
import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornStreaming
import AacornSystem

/// Creates a complete recording from a damaged one, under a new name.
struct RecordingRepair {
  let disk: LibraryFolder
  let name: RecordingName
  let file: FileBytes

  /// Repairs the recording, and returns the name of the new file.
  func run(
    _ freeName: (RecordingName) -> RecordingName
  ) throws(StudioError) -> RecordingName {
    let work = RepairWork(byteCount: file.size) { (offset, count) throws(StudioError) in
      do throws(SystemError) {
        return try file.read(offset, count)
      } catch {
        throw error == .interrupted
          ? .shuttingDown : StudioError(cannot: "read", name.text, error)
      }
    }
    let steps = try steps(work)
    guard let preferredName = RecordingName(RepairedName.of(name.text)) else {
      throw irreparable("no name could be derived for the repaired file")
    }
    let model = try unchanged(nil)
    let temporary = try makeTemporaryFile(steps, work, like: model)
    do throws(StudioError) {
      _ = try unchanged(model)
      return try moveToLibrary(temporary, freeName(preferredName))
    } catch {
      try? System.remove(temporary)
      throw error
    }
  }

  private func irreparable(_ reason: String) -> StudioError {
    StudioError(422, "“\(displayed(name.text))” cannot be recovered: \(reason).")
  }

  /// Plans the steps that create a complete file.
  private func steps(_ work: RepairWork<StudioError>) throws(StudioError) -> RepairedFile {
    let nothingToDo = StudioError(
      409, "There is nothing to repair in “\(displayed(name.text))”.")
    if try work.holdsSamples() {
      switch try work.sampleOutcome() {
      case .intact: throw nothingToDo
      case .irreparable(let reason): throw irreparable(reason)
      case .repairable(let repair): return repair.newFile
      }
    }
    switch try work.outcome() {
    case .intact: throw nothingToDo
    case .irreparable(let obstacle): throw irreparable(obstacle.description)
    case .needsConfiguration:
      throw irreparable(
        "its sampling rate is lost, and the studio cannot determine it. Repair it with “aacorn repair”"
          + " and the option --rate")
    case .repairable(let plan): return plan.newFile
    }
  }

  /// Returns the status of the damaged file; throws if the file differs from the opened one or from
  /// `earlier`.
  private func unchanged(
    _ earlier: System.FileStatus?
  ) throws(StudioError) -> System.FileStatus {
    let status: System.FileStatus
    do throws(SystemError) {
      status = try System.status(of: disk.path(of: name))
    } catch {
      throw StudioError(cannot: "read", name.text, error)
    }
    guard RecordingVersion(size: status.size, modified: status.modified) == file.version,
      earlier == nil || earlier?.identity == status.identity
    else { throw irreparable("the file was changed during the repair. Try again") }
    return status
  }

  /// Creates the new file in the hidden folder, from which it is deleted if the studio crashes.
  private func makeTemporaryFile(
    _ steps: RepairedFile, _ work: RepairWork<StudioError>, like model: System.FileStatus
  ) throws(StudioError) -> String {
    try disk.makeHiddenFolder(UploadStore.folderName, toBe: "repair", name)
    let path =
      disk.path(of: UploadStore.folderName) + "/" + UploadStore.repairPrefix
      + RandomIdentifier.make(byteCount: 8)
    let output: OutputFile
    do throws(AACFileError) {
      output = try OutputFile(path, replacing: false, like: model, interruption: Interruption())
    } catch {
      throw writeFailure(error)
    }
    if try !work.write(steps, to: output, failure: writeFailure) {
      throw irreparable("the file became shorter during the repair. Try again")
    }
    do throws(AACFileError) {
      try output.commit()
    } catch {
      // The hidden folder need not be flushed to the disk.
      if !output.isInPlace { throw writeFailure(error) }
    }
    file.version.mark(path)
    return path
  }

  private func writeFailure(_ error: AACFileError) -> StudioError {
    if let error = error.systemError {
      return StudioError(cannot: "repair", name.text, error)
    }
    return irreparable("another program removed or changed the repaired file. Try again")
  }

  /// Moves the new file to the library, and returns its name.
  private func moveToLibrary(
    _ temporary: String, _ newName: RecordingName
  ) throws(StudioError) -> RecordingName {
    do throws(SystemError) {
      try System.move(temporary, to: disk.path(of: newName))
    } catch {
      throw StudioError(cannot: "repair", name.text, error)
    }
    copySidecar(to: newName)
    // Ignore an error: the new file exists even if its folder cannot be flushed to the disk.
    try? System.synchronizeFolder(of: disk.path(of: newName))
    return newName
  }

  /// Copies the list of gaps; the audio is usable without it.
  private func copySidecar(to newName: RecordingName) {
    let path = disk.sidecarPath(of: name)
    guard let sidecar = try? FileBytes(path), sidecar.size > 0,
      sidecar.size <= GapSidecar.copyLimit, let bytes = try? sidecar.read(0, sidecar.size),
      let model = try? System.status(of: path)
    else { return }
    try? OutputFile.write(
      bytes, to: disk.sidecarPath(of: newName), replacing: false, like: model,
      interruption: Interruption())
  }
}

extension StudioLibrary {
  /// Creates a complete file from a damaged one, in the same folder.
  func repair(_ text: String, _ answer: @escaping Answer) {
    let isTaken = repairWorker.run { [self] in
      do throws(StudioError) {
        let name = try name(text)
        // The claim ends before the answer, so that the client can change the file at once.
        let newName = try claimAndRepair(name)
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

  /// Repairs a recording, which cannot be renamed or deleted during that time.
  private func claimAndRepair(_ name: RecordingName) throws(StudioError) -> RecordingName {
    let now = System.nanoseconds
    var mayGrow = false
    var reason: String? = state.withLock { state in
      if state.catalog.recording.contains(name) {
        return "is being recorded. Repair it when that is done."
      }
      if let newName = state.catalog.repairedName(of: name) {
        return
          "was already repaired as “\(displayed(newName.text))”. Delete or rename that file to "
          + "repair it again."
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
    let (newName, original) = try repair(name)
    if let item = disk.item(newName) {
      let now = System.nanoseconds
      state.withLock {
        $0.catalog.recordRepair(item, of: original, now: now, wallTime: System.wallNanoseconds)
      }
    }
    return newName
  }

  /// Repairs a recording; returns the name of the new file, and the version of the damaged one.
  private func repair(
    _ name: RecordingName
  ) throws(StudioError) -> (newName: RecordingName, original: RecordingVersion) {
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
    if marks.withLock({ $0.isQuarantined(name.text, file.version) }) { throw .quarantined(name) }
    let newName = try marking(name.text, file.version) { () throws(StudioError) in
      try RecordingRepair(disk: disk, name: name, file: file).run { preferredName in
        disk.freeName(preferredName) { isReserved($0) }
      }
    }
    return (newName, file.version)
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
