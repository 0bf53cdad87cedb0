import AacornContainers
import AacornInspection
import AacornSignal

extension RecordingFile {
  /// Gives an interrupted recording its tables, if they fit on the disk; it plays without them.
  mutating func completeMovie() {
    let file = self
    let wholeByteCount = byteCount
    let outcome = FileRepair.survey(byteCount: UInt64(wholeByteCount)) { offset, count in
      file.read(at: Int(offset), count: count)
    }
    guard case .repairable(let plan) = outcome, var writes = plan.inPlace?.writes else { return }
    do throws(OutputError) {
      while let next = writes.next() {
        if next.needsSync { try synchronize() }
        try write(next.bytes, at: Int(next.offset))
      }
    } catch {
      // No room for tables behind the audio. Nothing in front of them has changed yet.
      cut(to: wholeByteCount)
    }
  }
}
