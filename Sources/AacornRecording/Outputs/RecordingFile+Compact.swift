import AacornContainers
import AacornSignal
import AacornSystem

extension FileOutput {
  /// Replaces a complete file with a compact copy if possible.
  ///
  /// If that fails, returns an error only with the option `compact`.
  mutating func makeCompact(
    _ complete: inout RecordingFile, _ copy: @autoclosure () -> MP4RecordingWriter.CompactCopy?
  ) -> OutputError? {
    let hasRoom = isToBeCompact(complete)
    var kind = hasRoom ? OutputError.Kind.cannotWrite : .diskFull
    if hasRoom, let copy = copy() {
      do throws(OutputError) {
        try complete.replace(with: copy)
        file = complete
        if let identity = complete.identity { ownFiles.insert(identity) }
        return nil
      } catch {
        kind = error.kind
      }
    }
    guard options.finish == .compact, format == .m4a, complete.isSeekable else { return nil }
    let reason =
      kind == .diskFull ? "its disk has too little room" : "the copy could not be written"
    return OutputError(
      kind,
      "“\(complete.path)” is complete as it was recorded, but it is not compact: \(reason). Simple "
        + "players may not play all of it.")
  }

  /// The maximum size in bytes of a file for an automatic compact copy.
  private static let compactLimit = 64 << 20

  /// Returns whether a compact copy should replace a complete file.
  private func isToBeCompact(_ file: RecordingFile) -> Bool {
    guard format == .m4a, file.isSeekable else { return false }
    let room = System.freeBytes(at: file.path) ?? 0
    switch options.finish {
    case .inPlace: return false
    // Other recordings on the disk also need space.
    case .compact: return room - Self.compactLimit > file.byteCount
    case .automatic: return file.byteCount <= Self.compactLimit && room / 4 > file.byteCount
    }
  }
}

extension RecordingFile {
  /// Replaces a complete recording with a compact copy.
  ///
  /// The copy is written under a hidden name and flushed to disk before it is renamed. So a
  /// complete file exists under the recording's name at any time. If the copy fails, for example on
  /// a full disk, the recording stays unchanged.
  mutating func replace(with copy: MP4RecordingWriter.CompactCopy) throws(OutputError) {
    let compact = try compacted(copy)
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
      try compact.adoptName(of: self)
      return compact
    } catch {
      compact.remove()
      throw error
    }
  }
}
