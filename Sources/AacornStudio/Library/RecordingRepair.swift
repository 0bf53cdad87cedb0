import AacornContainers
import AacornInspection
import AacornRecording
import AacornSignal
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
    guard status.size == file.size, status.modified == file.modified,
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
