/// The frames of a file in playback order, with their sizes and offsets.
struct FrameList: Sendable {
  /// Consecutive frames.
  enum Part: Equatable, Sendable {
    /// Frames in this range of the file.
    case file(Range<UInt64>)
    /// Silent frames.
    case silence(Int)
  }

  /// The frame that replaces unreadable ones.
  let silence: [UInt8]
  private(set) var sizes: [UInt16] = []
  private(set) var parts: [Part] = []
  /// The total size of all frames.
  private(set) var byteCount: UInt64 = 0
  private(set) var silentCount = 0

  /// Creates an empty list; `silence` is needed only for unreadable frames.
  init(silence: [UInt8] = []) {
    self.silence = silence
  }

  /// The number of frames that are in the file.
  var foundCount: Int { sizes.count - silentCount }

  /// Appends a frame of 1…`FrameLimits.maxTableByteCount` bytes.
  mutating func append(_ offset: UInt64, byteCount count: Int) {
    sizes.append(UInt16(clamping: count))
    byteCount += UInt64(count)
    let end = offset &+ UInt64(count)
    if case .file(let range) = parts.last, range.upperBound == offset {
      parts[parts.count - 1] = .file(range.lowerBound..<end)
    } else {
      parts.append(.file(offset..<end))
    }
  }

  /// Shortens the last frame from the file to end at `end`, if `end` is inside it.
  mutating func endLast(at end: UInt64) {
    guard let size = sizes.last, case .file(let range) = parts.last, end < range.upperBound,
      range.upperBound - end < UInt64(size)
    else { return }
    let excess = range.upperBound - end
    sizes[sizes.count - 1] = size - UInt16(excess)
    byteCount -= excess
    parts[parts.count - 1] = .file(range.lowerBound..<end)
  }

  mutating func appendSilence(_ count: Int) {
    if count <= 0 { return }
    sizes.append(contentsOf: repeatElement(UInt16(clamping: silence.count), count: count))
    byteCount += UInt64(count) * UInt64(silence.count)
    silentCount += count
    if case .silence(let before) = parts.last {
      parts[parts.count - 1] = .silence(before + count)
    } else {
      parts.append(.silence(count))
    }
  }

  /// Calls `body` with the offset and size of every frame; the offset of a silent frame is nil.
  func forEach<Failure: Error>(
    _ body: (UInt64?, Int) throws(Failure) -> Void
  ) throws(Failure) {
    var index = 0
    for part in parts {
      switch part {
      case .silence(let count):
        for _ in 0..<count { try body(nil, silence.count) }
        index += count
      case .file(let range):
        var offset = range.lowerBound
        while offset < range.upperBound {
          let size = Int(sizes[index])
          try body(offset, size)
          offset += UInt64(size)
          index += 1
        }
      }
    }
  }
}
