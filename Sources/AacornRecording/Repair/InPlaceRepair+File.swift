import AacornContainers
package import AacornInspection
import AacornSignal
package import AacornSystem

extension InPlaceRepair {
  /// Repairs a file; throws `wouldBlock` if it is still being recorded.
  package func apply(to path: String) throws(SystemError) {
    let descriptor = try System.open(path, for: .changing)
    defer { try? System.close(descriptor) }
    try System.lock(descriptor)
    if let end = truncation { try System.truncate(descriptor, to: Int(clamping: end)) }
    var writes = writes
    while let write = writes?.next() {
      if write.needsSync { try System.synchronize(descriptor) }
      try System.write(descriptor, write.bytes, at: Int(clamping: write.offset))
    }
    try System.synchronize(descriptor)
  }
}
