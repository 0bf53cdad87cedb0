import AacornContainers

/// A search for the first AAC frames of a stream that begins in the middle of a frame, such as a
/// live stream of Icecast.
///
/// A single sync word may be a coincidence. Several consecutive frames prove that the stream is
/// AAC.
struct FrameSearch {
  static let searchByteCount = 1 << 16
  /// The number of consecutive frames that prove AAC; at the end of a file, two are enough.
  private static let requiredFrameCount = 3

  private var probe = FramingProbe()
  private var frameCount = 0

  /// Whether the bytes contain AAC frames.
  private(set) var isSuccessful = false

  /// Appends the next bytes; an empty array marks the end.
  mutating func push(_ bytes: [UInt8]) {
    let isEnd = bytes.isEmpty
    if isEnd { probe.finish() } else { probe.append(bytes) }
    let wantedCount = isEnd ? Self.requiredFrameCount - 1 : Self.requiredFrameCount
    while !isSuccessful, let event = probe.next() {
      switch event {
      case .adts, .latm: frameCount += 1
      case .tag: break
      case .damage: frameCount = 0
      }
      isSuccessful = frameCount >= wantedCount
    }
  }

  /// Returns whether a file of this length that begins with these bytes contains AAC frames.
  static func succeeds(in head: [UInt8], byteCount: Int) -> Bool {
    var search = FrameSearch()
    search.push(head)
    if head.count == byteCount { search.push([]) }
    return search.isSuccessful
  }
}
