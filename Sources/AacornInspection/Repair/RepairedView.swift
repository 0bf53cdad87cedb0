import AacornSoundFiles

/// The content of a file after a repair, assembled on demand from the damaged file.
package struct RepairedView<Failure: Error> {
  // These types are not private: the optimizer exports them to other modules, and Swift 6.3 crashes
  // on private ones with the thread sanitizer.
  enum Source {
    case file(UInt64)
    case bytes([UInt8])
  }

  struct Segment {
    /// The range in the view.
    var range: Range<UInt64>
    var source: Source
  }

  /// The length of the repaired file.
  package private(set) var byteCount: UInt64 = 0
  private let read: (UInt64, Int) throws(Failure) -> [UInt8]
  private var segments: [Segment] = []
  private var writes: [FileWrite] = []

  /// Creates a view of a new file.
  package init(
    _ file: RepairedFile, read: @escaping (UInt64, Int) throws(Failure) -> [UInt8]
  ) {
    self.read = read
    for step in file {
      switch step {
      case .bytes(let bytes): append(.bytes(bytes), UInt64(bytes.count))
      case .copy(let range):
        append(.file(range.lowerBound), range.upperBound - range.lowerBound)
      case .patch(let write): apply(write)
      }
    }
  }

  /// Creates a view of a file of `byteCount` bytes after `writes`.
  init(
    byteCount: UInt64, writes: some Sequence<FileWrite>,
    read: @escaping (UInt64, Int) throws(Failure) -> [UInt8]
  ) {
    self.read = read
    append(.file(0), byteCount)
    for write in writes { apply(write) }
  }

  /// Returns bytes of the view; fewer only at its end.
  package func bytes(at offset: UInt64, count: Int) throws(Failure) -> [UInt8] {
    let end = min(byteCount, offset &+ UInt64(max(0, count)))
    if offset >= end { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(end - offset))
    var index = firstSegment(endingAfter: offset)
    while index < segments.count, segments[index].range.lowerBound < end {
      let part = segments[index].range.clamped(to: offset..<end)
      let start = part.lowerBound - segments[index].range.lowerBound
      let count = Int(part.upperBound - part.lowerBound)
      switch segments[index].source {
      case .bytes(let all): bytes += all[Int(start)..<Int(start) + count]
      case .file(let fileOffset):
        let found = try read(fileOffset + start, count)
        bytes += found
        // The damaged file has become shorter, so the view ends here.
        if found.count < count { return bytes }
      }
      index += 1
    }
    bytes += [UInt8](repeating: 0, count: Int(end - offset) - bytes.count)
    for write in writes {
      let written = write.offset..<write.offset + UInt64(write.bytes.count)
      let part = written.clamped(to: offset..<end)
      if part.isEmpty { continue }
      let source = Int(part.lowerBound - write.offset)
      let target = Int(part.lowerBound - offset)
      for index in 0..<Int(part.upperBound - part.lowerBound) {
        bytes[target + index] = write.bytes[source + index]
      }
    }
    return bytes
  }

  /// Returns the ranges of the damaged file that provide these bytes of the view.
  func fileRanges(_ range: Range<UInt64>) -> [Range<UInt64>] {
    var ranges: [Range<UInt64>] = []
    var index = firstSegment(endingAfter: range.lowerBound)
    while index < segments.count, segments[index].range.lowerBound < range.upperBound {
      let segment = segments[index]
      let part = segment.range.clamped(to: range)
      if case .file(let fileOffset) = segment.source {
        let start = fileOffset + (part.lowerBound - segment.range.lowerBound)
        ranges.append(start..<start + (part.upperBound - part.lowerBound))
      }
      index += 1
    }
    return ranges
  }

  private mutating func append(_ source: Source, _ count: UInt64) {
    if count == 0 { return }
    segments.append(Segment(range: byteCount..<byteCount + count, source: source))
    byteCount += count
  }

  private mutating func apply(_ write: FileWrite) {
    writes.append(write)
    byteCount = max(byteCount, write.offset + UInt64(write.bytes.count))
  }

  private func firstSegment(endingAfter offset: UInt64) -> Int {
    var low = 0
    var high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
