import AacornContainers
import AacornInspection
import AacornSignal

extension RecordingFile {
  /// Adds the tables to an interrupted recording, if they fit on the disk; it plays without them.
  mutating func completeMovie() {
    let file = self
    let wholeByteCount = byteCount
    let outcome = FileRepair.estimate(byteCount: UInt64(wholeByteCount)) { offset, count in
      file.read(at: Int(offset), count: count)
    }
    guard case .repairable(let plan) = outcome, var writes = plan.inPlace?.writes else { return }
    do throws(OutputError) {
      while let next = writes.next() {
        if next.needsSync { try synchronize() }
        try write(next.bytes, at: Int(next.offset))
      }
    } catch {
      // No room for tables after the audio. Nothing before them has changed yet.
      cut(to: wholeByteCount)
    }
  }
}
