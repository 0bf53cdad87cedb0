import AacornContainers
import AacornSignal
import AacornSystem

extension RecordingFile {
  /// Replaces a complete recording with a compact copy.
  ///
  /// The copy is written under a hidden name and flushed to disk before it is renamed. So a
  /// complete file exists under the recording's name at any time. If the copy fails, for example on
  /// a full disk, the recording stays unchanged.
  mutating func replace(with copy: MP4RecordingWriter.CompactCopy) {
    guard let compact = try? compacted(copy) else { return }
    try? close()
    self = compact
  }

  private func compacted(
    _ copy: MP4RecordingWriter.CompactCopy
  ) throws(OutputError) -> RecordingFile {
    var compact = try RecordingFile(besides: self)
    do throws(OutputError) {
      try compact.append(copy.start)
      var pending: [UInt8] = []
      for range in copy.frames {
        let bytes = read(at: Int(range.lowerBound), count: range.count)
        if bytes.count < range.count { throw OutputError(.device, writing: path) }
        pending += bytes
        if pending.count < 1 << 18 { continue }
        try compact.append(pending)
        pending.removeAll(keepingCapacity: true)
      }
      try compact.append(pending)
      for write in copy.finish { try compact.write(write.bytes, at: Int(write.offset)) }
      try compact.synchronize()
      try compact.take(nameOf: self)
      return compact
    } catch {
      compact.remove()
      throw error
    }
  }
}
