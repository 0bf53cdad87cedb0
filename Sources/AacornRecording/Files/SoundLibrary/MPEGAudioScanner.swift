import AacornSignal
import AacornSoundFiles

/// Finds the frames of MPEG-1 or MPEG-2 audio in a file (ISO/IEC 11172-3, 2.4.1).
///
/// A single header proves nothing, since any bytes may look like one. Where the chain of frames begins
/// or is broken, several headers must follow one another at the distances that they specify.
package struct MPEGAudioScanner<Failure: Error> {
  private let byteCount: Int
  private let read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  /// A range of the file, and its offset.
  private var window: [UInt8] = []
  private var windowStart = 0
  /// The offset of the next byte to examine.
  private var position = 0

  private static var windowLength: Int { 1 << 16 }
  /// The maximum distance of the first frame from the start of the file, not counting tags.
  private static var maxFirstFrameDistance: Int { 1 << 16 }

  /// Creates a scanner of a file of this length; `read` returns its bytes, fewer only at its end.
  package init(
    byteCount: Int, read: @escaping (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) {
    self.byteCount = byteCount
    self.read = read
  }

  /// Returns whether the file has frames, preceded only by tags and padding.
  package mutating func hasFrames() throws(Failure) -> Bool {
    position = 0
    return try search(to: Self.maxFirstFrameDistance, after: nil) != nil
  }

  /// Returns all frames; nil if there are none near the beginning.
  package mutating func frames() throws(Failure) -> MPEGAudioFrames? {
    position = 0
    guard var header = try search(to: Self.maxFirstFrameDistance, after: nil) else { return nil }
    var frames = MPEGAudioFrames()
    // A truncated frame is not included.
    while let count = header.byteCount, count <= byteCount - position {
      frames.append(position..<position + count, header)
      position += count
      if let word = try word(at: position), header.isSameStream(as: word),
        let next = MPEGAudioHeader(word)
      {
        header = next
      } else if let next = try search(to: byteCount, after: header) {
        header = next
      } else {
        break
      }
    }
    return frames
  }

  /// Moves to the next frame before `end`, past any tags; nil if there is none.
  private mutating func search(
    to end: Int, after last: MPEGAudioHeader?
  ) throws(Failure) -> MPEGAudioHeader? {
    var end = min(end, byteCount)
    while position < end {
      guard let word = try word(at: position) else { return nil }
      if let header = MPEGAudioHeader(word) {
        // A frame of the same stream is more likely than a new stream, so it needs less proof.
        let isExpected = last?.isSameStream(as: word) ?? false
        if try isFollowed(header, by: isExpected ? 1 : 2) { return header }
      } else if let length = tagLength() {
        position += length
        end = min(byteCount, end + length)
        continue
      }
      position += 1
      // All headers and tags begin with one of these bytes.
      var index = position - windowStart
      while index < window.count, window[index] != 0xFF, !StreamTag.mayBegin(with: window[index]) {
        index += 1
      }
      position = windowStart + index
    }
    return nil
  }

  /// Returns whether `wantedCount` headers of the same stream, or the end of the file, follow the
  /// header at `position`.
  private mutating func isFollowed(
    _ header: MPEGAudioHeader, by wantedCount: Int
  ) throws(Failure) -> Bool {
    var (header, offset) = (header, position)
    for _ in 0..<wantedCount {
      guard let count = header.byteCount else { return false }
      offset += count
      if offset == byteCount { return true }
      guard let word = try wordOutsideWindow(at: offset) else { return false }
      // "TAG", the beginning of an ID3v1 tag in the last 128 bytes.
      if word >> 8 == 0x54_41_47, offset == byteCount - 128 { return true }
      guard header.isSameStream(as: word), let next = MPEGAudioHeader(word) else { return false }
      header = next
    }
    return true
  }

  /// Returns the length of the tag at `position`, which the window contains.
  ///
  /// Returns nil if there is no tag or if it exceeds the file.
  private func tagLength() -> Int? {
    let start = position - windowStart
    guard start < window.count,
      let length = StreamTag.byteCount(window.span.extracting(start..<window.count)),
      length <= byteCount - position
    else { return nil }
    return length
  }

  /// Returns four bytes, big-endian; nil if the file ends earlier.
  private mutating func word(at offset: Int) throws(Failure) -> UInt32? {
    if offset < windowStart || offset + StreamTag.lookAhead > windowStart + window.count {
      // Near the end the window has fewer bytes, and reading it again returns no more.
      let isAtEnd = windowStart + window.count >= byteCount && offset >= windowStart
      if window.isEmpty || !isAtEnd {
        let count = min(Self.windowLength, byteCount - offset)
        if count < 4 { return nil }
        window = try read(offset, count)
        windowStart = offset
      }
    }
    return window.span.word(at: offset - windowStart)
  }

  /// Returns four bytes, big-endian, without moving the window; nil if the file ends earlier.
  private func wordOutsideWindow(at offset: Int) throws(Failure) -> UInt32? {
    if let word = window.span.word(at: offset - windowStart) { return word }
    let bytes = try read(offset, 4)
    return bytes.span.word(at: 0)
  }
}
