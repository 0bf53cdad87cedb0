import AacornContainers
package import AacornInspection
import AacornSoundFiles
package import AacornSystem

extension InPlaceRepair {
  /// The reason why a file could not be repaired in place.
  package enum ApplyError: Error, Equatable {
    /// The system's reason; `wouldBlock` if the file is still being recorded.
    case system(SystemError)
    /// The file has changed since the repair was planned, and was not modified.
    case changed
    /// The file was removed, replaced or changed during the repair.
    case disturbed
  }

  /// Repairs a file that has not changed since the repair was planned.
  ///
  /// `planned` is its status from before the file was read for the plan. `timeout` and `pause` are
  /// passed to `System.lock`.
  package func apply(
    to path: String, planned: System.FileStatus, timeout: Int64 = System.lockTimeout,
    pause: () -> Void = { System.sleep(milliseconds: 1) }
  ) throws(ApplyError) {
    let isAsPlanned: Bool
    var isUndisturbed = false
    do throws(SystemError) {
      let descriptor = try System.open(path, for: .changing)
      defer { try? System.close(descriptor) }
      try System.lock(descriptor, timeout: timeout, pause: pause)
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

  /// Writes the changes, and returns the expected size of the file.
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
