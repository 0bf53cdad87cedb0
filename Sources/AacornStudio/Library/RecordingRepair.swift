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

  /// The number of bytes written at a time.
  private static let blockSize = 1 << 18
  /// The maximum size in bytes of a list of gaps to copy.
  private static let sidecarLimit = 64_000_000

  /// Repairs the recording, and returns the name of the new file.
  func run(
    _ freeName: (RecordingName) -> RecordingName
  ) throws(RecordingRepairError) -> RecordingName {
    let file = file
    let work = RepairWork(byteCount: file.size) { (offset, count) throws(RecordingRepairError) in
      do throws(FileBytes.Failure) {
        return try file.read(offset, count)
      } catch {
        throw .reading(error)
      }
    }
    let steps = try Self.steps(work)
    guard let preferredName = RecordingName(RepairedName.of(name.text)) else {
      throw .impossible("no name could be derived for the repaired file")
    }
    let model = try unchanged(nil)
    let temporary = try makeTemporaryFile(steps, work, like: model)
    do throws(RecordingRepairError) {
      _ = try unchanged(model)
    } catch {
      try? System.remove(temporary)
      throw error
    }
    do throws(SystemError) {
      let newName = freeName(preferredName)
      try System.move(temporary, to: disk.path(of: newName))
      copySidecar(to: newName)
      // Ignore an error: the new file exists even if its folder cannot be flushed to the disk.
      try? System.synchronizeFolder(of: disk.path(of: newName))
      return newName
    } catch {
      try? System.remove(temporary)
      throw .writing(error)
    }
  }

  /// Plans the steps that create a complete file.
  private static func steps(
    _ work: RepairWork<RecordingRepairError>
  ) throws(RecordingRepairError) -> RepairedFile {
    if try work.holdsSamples() {
      switch try work.sampleOutcome() {
      case .intact: throw .nothingToDo
      case .irreparable(let reason): throw .impossible(reason)
      case .repairable(let repair): return repair.newFile
      }
    }
    switch try work.outcome() {
    case .intact: throw .nothingToDo
    case .irreparable(let obstacle): throw .impossible(obstacle.description)
    case .needsConfiguration:
      throw .impossible(
        "its sampling rate is lost, and the studio cannot determine it. Repair it with “aacorn repair”"
          + " and the option --rate")
    case .repairable(let plan): return plan.newFile
    }
  }

  /// Returns the status of the damaged file; throws if the file differs from the opened one or from
  /// `earlier`.
  private func unchanged(
    _ earlier: System.FileStatus?
  ) throws(RecordingRepairError) -> System.FileStatus {
    let status: System.FileStatus
    do throws(SystemError) {
      status = try System.status(of: disk.path(of: name))
    } catch {
      throw .reading(.system(error))
    }
    guard status.size == file.size, status.modified == file.modified,
      earlier == nil || earlier?.identity == status.identity
    else { throw .impossible("the file was changed during the repair. Try again") }
    return status
  }

  /// Creates the new file under a hidden name, so that a partial file is never mistaken for a
  /// complete one.
  private func makeTemporaryFile(
    _ steps: RepairedFile, _ work: RepairWork<RecordingRepairError>, like model: System.FileStatus
  ) throws(RecordingRepairError) -> String {
    let folder = disk.path(of: UploadStore.folderName)
    let path = folder + "/" + UploadStore.repairPrefix + RandomIdentifier.make(byteCount: 8)
    do throws(LibraryFailure) {
      try disk.makeHiddenFolder(UploadStore.folderName, toBe: "repair", name)
    } catch {
      throw .other(error)
    }
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try System.open(path, for: .creating, permissions: 0o600)
    } catch {
      throw .writing(error)
    }
    defer { try? System.close(descriptor) }
    do throws(RecordingRepairError) {
      try prepare(descriptor, like: model)
      var writer = BlockWriter(descriptor)
      let isComplete = try work.make(
        steps,
        append: { (bytes) throws(RecordingRepairError) in try writer.append(bytes) },
        patch: { (write) throws(RecordingRepairError) in
          try writer.write(write.bytes, at: Int(clamping: write.offset))
        })
      if !isComplete { throw .impossible("the file became shorter during the repair. Try again") }
      try writer.finish()
      guard let own = try? System.status(of: descriptor), own.size == writer.byteCount,
        (try? System.status(of: path))?.identity == own.identity
      else {
        throw .impossible("another program removed or changed the repaired file. Try again")
      }
    } catch {
      try? System.remove(path)
      throw error
    }
    return path
  }

  /// Copies the permissions, the owner and the group of the damaged file to the new one, and locks
  /// the new file.
  private func prepare(
    _ descriptor: Int32, like model: System.FileStatus
  ) throws(RecordingRepairError) {
    do throws(SystemError) {
      try System.setAccess(of: descriptor, like: model)
      try System.lock(descriptor)
    } catch {
      throw .writing(error)
    }
  }

  /// Copies the list of gaps; the audio is usable without it.
  private func copySidecar(to newName: RecordingName) {
    let path = disk.sidecarPath(of: newName)
    guard let sidecar = try? FileBytes(disk.sidecarPath(of: name)), sidecar.size > 0,
      sidecar.size <= Self.sidecarLimit, let bytes = try? sidecar.read(0, sidecar.size),
      let model = try? System.status(of: disk.sidecarPath(of: name)),
      let (temporary, descriptor) = try? System.makeTemporaryFile(beside: path, like: model)
    else { return }
    defer { try? System.close(descriptor) }
    do throws(SystemError) {
      try System.write(descriptor, bytes, at: 0)
      try System.synchronize(descriptor)
      try System.move(temporary, to: path)
    } catch {
      // A partial list would imply that the remaining audio has no gaps.
      try? System.remove(temporary)
    }
  }

  /// Combines small writes into large ones.
  private struct BlockWriter {
    private let descriptor: Int32
    private var waiting: [UInt8] = []
    private var written = 0

    /// The expected length of the file.
    var byteCount: Int { written + waiting.count }

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    mutating func append(_ bytes: [UInt8]) throws(RecordingRepairError) {
      waiting += bytes
      if waiting.count >= blockSize { try flush() }
    }

    mutating func write(_ bytes: [UInt8], at offset: Int) throws(RecordingRepairError) {
      if offset == written + waiting.count { return try append(bytes) }
      try flush()
      try put(bytes, at: offset)
      written = max(written, offset + bytes.count)
    }

    mutating func flush() throws(RecordingRepairError) {
      try put(waiting, at: written)
      written += waiting.count
      waiting.removeAll(keepingCapacity: true)
    }

    mutating func finish() throws(RecordingRepairError) {
      try flush()
      do throws(SystemError) {
        try System.synchronize(descriptor)
      } catch {
        throw .writing(error)
      }
    }

    private func put(_ bytes: [UInt8], at offset: Int) throws(RecordingRepairError) {
      do throws(SystemError) {
        try System.write(descriptor, bytes, at: offset)
      } catch {
        throw .writing(error)
      }
    }
  }
}

/// The reason why a recording cannot be repaired.
enum RecordingRepairError: Error, Equatable {
  case nothingToDo
  /// The reason, as the end of a sentence.
  case impossible(String)
  case reading(FileBytes.Failure)
  case writing(SystemError)
  case other(LibraryFailure)

  func failure(of name: RecordingName) -> LibraryFailure {
    switch self {
    case .nothingToDo:
      LibraryFailure(409, "There is nothing to repair in “\(displayed(name.text))”.")
    case .impossible(let reason):
      LibraryFailure(422, "“\(displayed(name.text))” cannot be recovered: \(reason).")
    case .reading(.stopped): .shuttingDown
    case .reading(.system(let error)): LibraryFailure(cannot: "read", name.text, error)
    case .writing(let error): LibraryFailure(cannot: "repair", name.text, error)
    case .other(let failure): failure
    }
  }
}
