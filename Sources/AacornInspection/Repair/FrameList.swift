/// The frames of a file in playback order: their sizes and places.
struct FrameList: Sendable {
  /// Consecutive frames.
  enum Part: Equatable, Sendable {
    /// Frames in these bytes of the file.
    case file(Range<UInt64>)
    /// This many frames of silence.
    case silence(Int)
  }

  /// The frame that replaces unreadable ones.
  let silence: [UInt8]
  private(set) var sizes: [UInt16] = []
  private(set) var parts: [Part] = []
  /// The total size of all frames.
  private(set) var byteCount: UInt64 = 0
  /// The number of silent frames.
  private(set) var silentCount = 0

  /// An empty list; `silence` is needed only if a frame is unreadable.
  init(silence: [UInt8] = []) {
    self.silence = silence
  }

  /// The number of frames that are in the file.
  var foundCount: Int { sizes.count - silentCount }

  /// The longest frame that any container allows.
  static let longest = Int(UInt16.max)

  /// Adds a frame of 1…`longest` bytes.
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

  /// Makes the last frame from the file end at `end`, if that lies within it.
  mutating func endLast(at end: UInt64) {
    guard let size = sizes.last, case .file(let range) = parts.last, end < range.upperBound,
      range.upperBound - end < UInt64(size)
    else { return }
    let excess = range.upperBound - end
    sizes[sizes.count - 1] = size - UInt16(excess)
    byteCount -= excess
    parts[parts.count - 1] = .file(range.lowerBound..<end)
  }

  /// Adds silent frames.
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

  /// Calls `body` with the place and size of every frame; silence has no place.
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
