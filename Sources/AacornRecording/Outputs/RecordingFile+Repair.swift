import AacornContainers
import AacornInspection
import AacornSignal

extension RecordingFile {
  /// Adds the tables to an interrupted recording, if they fit on the disk.
  ///
  /// The recording is playable without them, too.
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
      // There was no room for the tables after the audio. The bytes before the tables have not
      // changed yet.
      cut(to: wholeByteCount)
    }
  }
}
