import AacornSignal
import AacornSoundFiles

/// The start of a frame in a format that marks frames with a sync word and a length.
protocol FrameHeader: Sendable {
  /// The number of bytes with the sync word and the length; at least three, at most eight.
  static var fixedByteCount: Int { get }
  /// The first byte of every frame.
  static var firstByte: UInt8 { get }
  /// Returns the reason why these `fixedByteCount` bytes are not a valid header, or nil.
  static func fault(in bits: UInt64) -> StreamDamage.Kind?
  /// Parses the header in these bytes; returns nil if it is invalid.
  init?(bits: UInt64)
  /// The length of the whole frame in bytes, header included.
  var frameLength: Int { get }
  /// Returns whether both headers can belong to the same stream.
  func agrees(with other: Self) -> Bool
  /// Returns whether two headers are too similar for one to be a chance pattern in a payload.
  func isNearDuplicate(of other: Self) -> Bool
}

/// Finds frames in a stream of bytes that may be damaged, spliced or tagged.
///
/// A sync word alone proves little, since it can occur in a payload. A frame is therefore accepted
/// only if another frame, a tag or the end of the stream follows it. If none of them follows, but a
/// frame was due at this position, either the frame's length or the next header is damaged. The
/// length is damaged if a frame with a valid successor begins inside the frame, else the next
/// header is damaged. A damaged length may also point to the header of a later frame, as all frames
/// can be equally long. A nearly equal header inside the frame reveals that.
///
/// Every decision waits for the bytes it depends on, so the result does not depend on the chunks of
/// the stream. This takes at most two frames of memory.
struct FrameScanner<Header: FrameHeader>: Sendable {
  /// An event of the stream; remove a frame, which begins at the head of the buffer, with
  /// `takeFrame`.
  typealias Event = StreamEvent<Header>

  private enum Link { case confirmed, broken, undecided }
  private struct Skip {
    var offset: Int
    var length: Int
    var left: Int
  }

  private(set) var buffer = StreamBuffer()
  /// Whether a frame is due at the head of the buffer.
  private var isInSync = true
  /// Skipped bytes that have not been reported yet.
  private var rejected: StreamDamage?
  /// The tag being skipped.
  ///
  /// Its bytes are counted, not stored, since its size is not trustworthy.
  private var skip: Skip?
  /// The position up to which a doubtful frame has been searched for another one inside it.
  private var searchedPosition = 1

  mutating func append(_ bytes: Span<UInt8>) { buffer.append(bytes) }

  mutating func finish() { buffer.isFinished = true }

  /// Returns the next event in the stream, or nil if more bytes are needed or the stream has ended.
  mutating func next() -> Event? {
    while true {
      if let skip { return skipPending(skip) }
      guard buffer.isSettled(StreamTag.lookAhead) else { return nil }
      if buffer.count == 0 { return takeRejected() }
      if let length = StreamTag.byteCount(buffer) {
        if let event = takeRejected() { return event }
        skip = Skip(offset: buffer.offset, length: length, left: length)
        continue
      }
      guard let bits = buffer.word(at: 0, byteCount: Header.fixedByteCount) else {
        reject(buffer.count, as: buffer[0] == Header.firstByte ? .truncatedFrame : .garbage)
        continue
      }
      guard let header = Header(bits: bits) else {
        reject(1, as: Header.fault(in: bits) ?? .garbage)
        reject(garbageCount, as: .garbage)
        continue
      }
      if isInSync { return frameInSync(header) }
      switch link(after: header, at: 0, mustAgree: true) {
      case .undecided:
        return nil
      case .broken:
        reject(1, as: .garbage)
      case .confirmed:
        isInSync = true
        if let event = takeRejected() { return event }
      }
    }
  }

  /// Removes the frame that `next()` found and returns it from byte `start` on.
  mutating func takeFrame(_ header: Header, from start: Int) -> [UInt8] {
    let bytes = buffer.copy(start..<header.frameLength)
    drop(header.frameLength)
    return bytes
  }

  /// Returns a frame or damage for a header where a frame is due; nil if more bytes are needed.
  private mutating func frameInSync(_ header: Header) -> Event? {
    let link = link(after: header, at: 0, mustAgree: false)
    if link == .undecided { return nil }
    let end = min(header.frameLength, buffer.count)
    while true {
      searchedPosition = buffer.firstIndex(
        of: Header.firstByte, in: min(searchedPosition, end)..<end)
      if searchedPosition == end { break }
      guard buffer.isSettled(searchedPosition + Header.fixedByteCount) else { return nil }
      if let inner = self.header(at: searchedPosition),
        link == .broken
          || inner.isNearDuplicate(of: header) && searchedPosition + inner.frameLength <= end
      {
        switch self.link(after: inner, at: searchedPosition, mustAgree: true) {
        case .undecided: return nil
        case .confirmed: return takeDamage(.truncatedFrame, length: searchedPosition)
        case .broken: break
        }
      }
      searchedPosition += 1
    }
    if buffer.count >= header.frameLength { return .frame(header) }
    return takeDamage(.truncatedFrame, length: end)
  }

  /// Returns whether the bytes after the frame at `start` confirm it.
  private func link(after header: Header, at start: Int, mustAgree: Bool) -> Link {
    let end = start + header.frameLength
    guard buffer.isSettled(end + Header.fixedByteCount) else { return .undecided }
    if buffer.count == end { return .confirmed }
    if buffer.count < end { return .broken }
    if let next = self.header(at: end) {
      return !mustAgree || header.agrees(with: next) ? .confirmed : .broken
    }
    if StreamTag.begins(in: buffer, at: end) { return .confirmed }
    let isCutHeader = buffer.count < end + Header.fixedByteCount
    return isCutHeader && buffer[end] == Header.firstByte ? .confirmed : .broken
  }

  /// The number of bytes at the head of the buffer before one with which a frame or a tag can begin.
  ///
  /// Searches a short part, because a missing letter is searched up to its end.
  private var garbageCount: Int {
    var end = buffer.firstIndex(of: Header.firstByte, in: 0..<min(buffer.count, 256))
    for letter in StreamTag.firstBytes { end = buffer.firstIndex(of: letter, in: 0..<end) }
    return end
  }

  private func header(at index: Int) -> Header? {
    guard buffer[index] == Header.firstByte,
      let bits = buffer.word(at: index, byteCount: Header.fixedByteCount)
    else { return nil }
    return Header(bits: bits)
  }

  private mutating func skipPending(_ skip: Skip) -> Event? {
    let count = min(skip.left, buffer.count)
    drop(count)
    guard count == skip.left || buffer.isFinished else {
      self.skip?.left -= count
      return nil
    }
    self.skip = nil
    isInSync = true
    if count == skip.left { return .tag(offset: skip.offset, length: skip.length) }
    let length = skip.length - skip.left + count
    return .damage(StreamDamage(kind: .truncatedTag, offset: skip.offset, length: length))
  }

  /// Skips bytes; consecutive skipped bytes become one event of the first kind.
  private mutating func reject(_ count: Int, as kind: StreamDamage.Kind) {
    var damage = rejected ?? StreamDamage(kind: kind, offset: buffer.offset, length: 0)
    damage.length &+= count
    rejected = damage
    isInSync = false
    drop(count)
  }

  private mutating func takeRejected() -> Event? { rejected.take().map { .damage($0) } }

  private mutating func takeDamage(_ kind: StreamDamage.Kind, length: Int) -> Event {
    let damage = StreamDamage(kind: kind, offset: buffer.offset, length: length)
    drop(length)
    return .damage(damage)
  }

  private mutating func drop(_ count: Int) {
    buffer.drop(count)
    searchedPosition = 1
  }
}

extension StreamTag {

  /// Returns the length of the tag at the head of `buffer`, or nil if there is no tag.
  fileprivate static func byteCount(_ buffer: StreamBuffer) -> Int? {
    guard begins(in: buffer, at: 0) else { return nil }
    return byteCount(buffer.copy(0..<min(lookAhead, buffer.count)).span)
  }

  /// Returns whether the bytes at `index` look like the beginning of a tag.
  fileprivate static func begins(in buffer: StreamBuffer, at index: Int) -> Bool {
    begins(in: buffer, at: index, with: "ID3") || begins(in: buffer, at: index, with: "TAG")
      || begins(in: buffer, at: index, with: "APE")
  }

  private static func begins(
    in buffer: StreamBuffer, at index: Int, with name: StaticString
  ) -> Bool {
    guard index + name.utf8CodeUnitCount <= buffer.count else { return false }
    for position in 0..<name.utf8CodeUnitCount {
      guard unsafe buffer[index + position] == name.utf8Start[position] else { return false }
    }
    return true
  }
}
