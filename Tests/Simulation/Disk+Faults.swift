package import AacornSystem
package import TestSignals

extension Disk {
  /// Chooses random faults: writes of parts, slow flushes, and calls that fail, or a full disk.
  ///
  /// One call or all calls fail with `error` after at most `callCount` calls, or the disk has at most `room` free bytes.
  package func chooseFaults(
    callCount: Int, room: Int, error: SystemError = .device, using numbers: inout SeededNumbers
  ) {
    writesParts = Bool.random(using: &numbers)
    flushTime = [0, 0, 20, 700].randomElement(using: &numbers) ?? 0
    let call = Int.random(in: 0...callCount, using: &numbers)
    switch Int.random(in: 0..<6, using: &numbers) {
    case 0, 1: failure = (call..<call + 1, error)
    case 2: failure = (call..<Int.max, error)
    case 3: capacity = byteCount + Int.random(in: 0...room, using: &numbers)
    default: break
    }
  }
}
