/// Frames in a file: their sizes, and where they do not follow each other.
struct FrameList: Sendable {
  private(set) var sizes: [UInt16] = []
  /// Bytes of frames that follow each other.
  private(set) var parts: [Range<UInt64>] = []
  /// Bytes of all frames.
  private(set) var byteCount: UInt64 = 0

  /// Adds a frame; false if it is too long for any container.
  mutating func append(_ offset: UInt64, byteCount count: Int) -> Bool {
    guard let size = UInt16(exactly: count) else { return false }
    sizes.append(size)
    byteCount += UInt64(size)
    let end = offset &+ UInt64(size)
    if let last = parts.last, last.upperBound == offset, end >= offset {
      parts[parts.count - 1] = last.lowerBound..<end
    } else if end > offset {
      parts.append(offset..<end)
    }
    return true
  }

  /// Calls `body` with place and size of every frame.
  func forEach<Failure: Error>(
    _ body: (UInt64, Int) throws(Failure) -> Void
  ) throws(Failure) {
    var part = 0
    var offset = parts.first?.lowerBound ?? 0
    for size in sizes {
      if part < parts.count, offset == parts[part].upperBound, size > 0 {
        part += 1
        offset = part < parts.count ? parts[part].lowerBound : offset
      }
      try body(offset, Int(size))
      offset += UInt64(size)
    }
  }
}
