import AacornContainers
import AacornInspection
import AacornRecording
import AacornSignal
import AacornSystem

/// Creates a whole recording from a damaged one, under a new name.
struct RecordingRepair {
  let disk: LibraryFolder
  let name: RecordingName
  let file: FileBytes

  /// Bytes written at a time.
  private static let blockSize = 1 << 18
  /// The largest list of gaps that is copied.
  private static let sidecarLimit = 64_000_000

  /// Does the work, and returns the name of the new file.
  func run(
    _ freeName: (RecordingName) -> RecordingName
  ) throws(RepairTrouble) -> RecordingName {
    let file = file
    let work = RepairWork(byteCount: file.size) { (offset, count) throws(RepairTrouble) in
      do throws(FileBytes.Failure) {
        return try file.read(offset, count)
      } catch {
        throw .reading(error)
      }
    }
    if try work.holdsSamples() { throw .nothingToDo }
    let plan: RepairPlan
    switch try work.outcome() {
    case .intact: throw .nothingToDo
    case .irreparable(let obstacle): throw .impossible(obstacle.words)
    case .needsConfiguration:
      throw .impossible(
        "its sampling rate is lost. A repair with the right rate restores it, but the studio cannot"
          + " know that rate")
    case .repairable(let found): plan = found
    }
    guard let wish = RecordingName(RepairedName.of(name.text)) ?? name.adding("-repaired") else {
      throw .impossible("no name could be found for a new file")
    }
    let temporary = try makeTemporaryFile(plan, work)
    do throws(SystemError) {
      let newName = freeName(wish)
      try System.move(temporary, to: disk.path(of: newName))
      copySidecar(to: newName)
      try System.synchronizeFolder(of: disk.path(of: newName))
      return newName
    } catch {
      try? System.remove(temporary)
      throw .writing(error)
    }
  }

  /// Creates the new file under a hidden name, so that a partial file is never mistaken for a whole
  /// one.
  private func makeTemporaryFile(
    _ plan: RepairPlan, _ work: RepairWork<RepairTrouble>
  ) throws(RepairTrouble) -> String {
    let folder = disk.path(of: UploadShelf.folderName)
    let path = folder + "/" + UploadShelf.repairPrefix + RandomIdentifier.make(byteCount: 8)
    do throws(LibraryFailure) {
      try disk.makeHiddenFolder(UploadShelf.folderName, toBe: "repair", name)
    } catch {
      throw .other(error)
    }
    let descriptor: Int32
    do throws(SystemError) {
      // With the same permissions as the damaged one.
      descriptor = try System.open(
        path, for: .creating,
        permissions: (try? System.status(of: disk.path(of: name)))?.permissions ?? 0o600)
    } catch {
      throw .writing(error)
    }
    defer { try? System.close(descriptor) }
    do throws(RepairTrouble) {
      var writer = BlockWriter(descriptor)
      let isWhole = try work.make(
        plan.newFile,
        append: { (bytes) throws(RepairTrouble) in try writer.append(bytes) },
        patch: { (write) throws(RepairTrouble) in
          try writer.write(write.bytes, at: Int(clamping: write.offset))
        })
      if !isWhole { throw .impossible("it has become shorter in the meantime. Try again") }
      try writer.finish()
    } catch {
      try? System.remove(path)
      throw error
    }
    return path
  }

  /// Copies the list of gaps; the audio is usable without it.
  private func copySidecar(to newName: RecordingName) {
    guard let sidecar = try? FileBytes(disk.sidecarPath(of: name)), sidecar.size > 0,
      sidecar.size <= Self.sidecarLimit, let bytes = try? sidecar.read(0, sidecar.size),
      let descriptor = try? System.open(disk.sidecarPath(of: newName), for: .creating)
    else { return }
    defer { try? System.close(descriptor) }
    do throws(SystemError) {
      try System.write(descriptor, bytes, at: 0)
    } catch {
      // A partial list would imply that the rest is without gaps.
      try? System.remove(disk.sidecarPath(of: newName))
    }
  }

  /// Combines small writes into large ones.
  private struct BlockWriter {
    private let descriptor: Int32
    private var waiting: [UInt8] = []
    private var written = 0

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    mutating func append(_ bytes: [UInt8]) throws(RepairTrouble) {
      waiting += bytes
      if waiting.count >= blockSize { try flush() }
    }

    mutating func write(_ bytes: [UInt8], at offset: Int) throws(RepairTrouble) {
      if offset == written + waiting.count { return try append(bytes) }
      try flush()
      try put(bytes, at: offset)
      written = max(written, offset + bytes.count)
    }

    mutating func flush() throws(RepairTrouble) {
      try put(waiting, at: written)
      written += waiting.count
      waiting.removeAll(keepingCapacity: true)
    }

    mutating func finish() throws(RepairTrouble) {
      try flush()
      do throws(SystemError) {
        try System.synchronize(descriptor)
      } catch {
        throw .writing(error)
      }
    }

    private func put(_ bytes: [UInt8], at offset: Int) throws(RepairTrouble) {
      do throws(SystemError) {
        try System.write(descriptor, bytes, at: offset)
      } catch {
        throw .writing(error)
      }
    }
  }
}

/// Why a recording cannot be repaired.
enum RepairTrouble: Error, Equatable {
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
    case .reading(.stopped): .ending
    case .reading(.system(let error)): LibraryFailure(cannot: "read", name.text, error)
    case .writing(let error): LibraryFailure(cannot: "repair", name.text, error)
    case .other(let failure): failure
    }
  }
}
