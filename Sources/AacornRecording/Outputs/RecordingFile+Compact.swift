import AacornContainers
import AacornSignal
import AacornSoundFiles
import AacornSystem

extension FileOutput {
  /// Replaces a complete file with a compact copy if that is requested and possible.
  ///
  /// Returns the reason if the copy was requested but is missing.
  mutating func makeCompact(
    _ complete: inout RecordingFile, _ copy: @autoclosure () -> MP4RecordingWriter.CompactCopy?,
    isLast: Bool
  ) -> OutputError? {
    guard options.finish != .inPlace, format == .m4a else { return nil }
    guard complete.isSeekable else {
      return options.finish == .compact ? missingCopy(of: complete, .unsupported) : nil
    }
    let room = System.freeBytes(at: complete.path) ?? .max
    // Other recordings on the disk also need space.
    if room - Self.reserve <= complete.byteCount { return missingCopy(of: complete, .diskFull) }
    guard let copy = copy() else { return missingCopy(of: complete, .cannotWrite) }
    let deadline = System.nanoseconds + compactTimeout(complete.byteCount, isLast: isLast)
    return options.interruption.performOptional { isCanceled -> OutputError? in
      do throws(OutputError) {
        let isCopied = try complete.replace(with: copy) {
          isCanceled() || System.nanoseconds > deadline
        }
        if !isCopied { return missingCopy(of: complete, isCanceled() ? .busy : .tooSlow) }
      } catch {
        return missingCopy(of: complete, error.kind)
      }
      file = complete
      if let identity = complete.identity { ownFiles.insert(identity) }
      return nil
    }
  }

  /// The number of bytes that a compact copy leaves free on the disk.
  private static let reserve = 64 << 20

  /// Returns the time limit for a compact copy of a file, in nanoseconds.
  ///
  /// During an automatic copy between two parts of a recording, the queue of the output stays far
  /// below its limit, even with eight channels at the maximum bitrate. At the end of a recording, an
  /// automatic copy ends before the studio gives up the recording.
  private func compactTimeout(_ byteCount: Int, isLast: Bool) -> Int64 {
    let longest = options.finish == .compact ? Int.max : isLast ? 480 : 60
    let seconds = min(longest, 60 + byteCount >> 20)
    return Int64(seconds) * 1_000_000_000
  }

  /// Returns the error of a complete file without a compact copy, for a kind of failure.
  private func missingCopy(of file: RecordingFile, _ kind: OutputError.Kind) -> OutputError {
    let reason =
      switch kind {
      case .diskFull: "its disk has too little room for a copy"
      case .tooSlow: "its disk was too slow for a copy"
      case .busy: "the copy was canceled"
      case .unsupported: "what was written there cannot be replaced by a copy"
      default: "the copy could not be written"
      }
    let name = file.path == "standard output" ? "Standard output" : "“\(file.path)”"
    return OutputError(
      kind == .diskFull || kind == .tooSlow ? kind : .cannotWrite,
      "\(name) is complete, but not compact: \(reason). Simple players may not play all of it.",
      recoveryAction: .copyCompactly)
  }
}

extension RecordingFile {
  /// The number of copied bytes after which the copy is flushed to disk.
  ///
  /// So the system does not collect a long copy in memory, and a time limit includes the disk.
  private static let flushedByteCount = 8 << 20

  /// Replaces a complete recording with a compact copy; returns false if `isCanceled` returned
  /// true.
  ///
  /// The copy is written under a hidden name and flushed to disk before it is renamed. So a
  /// complete file exists under the recording's name at any time. If the copy fails, for example on
  /// a full disk, the recording stays unchanged.
  mutating func replace(
    with copy: MP4RecordingWriter.CompactCopy, unless isCanceled: () -> Bool
  ) throws(OutputError) -> Bool {
    guard let compact = try compacted(copy, unless: isCanceled) else { return false }
    try? close()
    self = compact
    return true
  }

  private func compacted(
    _ copy: MP4RecordingWriter.CompactCopy, unless isCanceled: () -> Bool
  ) throws(OutputError) -> RecordingFile? {
    var compact = try RecordingFile(besides: self)
    var isComplete = false
    defer { if !isComplete { compact.remove() } }
    try compact.append(copy.start)
    var pending: [UInt8] = []
    var flushedCount = 0
    for range in copy.frames {
      let bytes = read(at: Int(range.lowerBound), count: range.count)
      if bytes.count < range.count { throw OutputError(.device, writing: path) }
      pending += bytes
      if pending.count < 1 << 18 { continue }
      if isCanceled() { return nil }
      try compact.append(pending)
      pending.removeAll(keepingCapacity: true)
      if compact.byteCount - flushedCount < Self.flushedByteCount { continue }
      try compact.synchronize()
      flushedCount = compact.byteCount
    }
    try compact.append(pending)
    for write in copy.finish { try compact.write(write.bytes, at: Int(write.offset)) }
    if isCanceled() { return nil }
    try compact.synchronize()
    try compact.adoptName(of: self)
    isComplete = true
    return compact
  }
}
