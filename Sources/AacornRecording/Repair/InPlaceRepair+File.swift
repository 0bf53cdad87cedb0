import AacornContainers
package import AacornInspection
import AacornSignal
package import AacornSystem

extension InPlaceRepair {
  /// Why a file could not be repaired in place.
  package enum Trouble: Error, Equatable {
    /// The system's reason; `wouldBlock` if the file is still being recorded.
    case system(SystemError)
    /// It is not what the repair was planned for any more, and was left alone.
    case changed
    /// It was removed, replaced or changed while it was being repaired.
    case disturbed
  }

  /// Repairs a file that is still what it was when this was planned.
  ///
  /// `planned` is its status from before it was read for that. Patience and pause are those of
  /// `System.lock`.
  package func apply(
    to path: String, planned: System.FileStatus, patience: Int64 = System.lockPatience,
    pause: () -> Void = { System.sleep(milliseconds: 1) }
  ) throws(Trouble) {
    let isAsPlanned: Bool
    var isUndisturbed = false
    do throws(SystemError) {
      let descriptor = try System.open(path, for: .changing)
      defer { try? System.close(descriptor) }
      try System.lock(descriptor, patience: patience, pause: pause)
      let status = try System.status(of: descriptor)
      isAsPlanned =
        status.identity == planned.identity && status.size == planned.size
        && status.modified == planned.modified
      if isAsPlanned {
        let size = try write(to: descriptor, of: status.size)
        let there = try? System.status(of: path)
        isUndisturbed = there?.identity == planned.identity && there?.size == size
      }
    } catch {
      throw .system(error)
    }
    if !isAsPlanned { throw .changed }
    if !isUndisturbed { throw .disturbed }
  }

  /// Writes, and returns the size that the file should have then.
  private func write(to descriptor: Int32, of oldSize: Int) throws(SystemError) -> Int {
    var size = oldSize
    if let end = truncation {
      size = Int(clamping: end)
      try System.truncate(descriptor, to: size)
    }
    var writes = writes
    while let write = writes?.next() {
      if write.needsSync { try System.synchronize(descriptor) }
      try System.write(descriptor, write.bytes, at: Int(clamping: write.offset))
      size = max(size, Int(clamping: write.offset) + write.bytes.count)
    }
    try System.synchronize(descriptor)
    return size
  }
}
