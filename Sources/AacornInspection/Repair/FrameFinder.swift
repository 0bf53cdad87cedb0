import AacornCodec

/// Finds the ends of frames stored without lengths, by parsing them.
struct FrameFinder<Failure: Error> {
  /// The result of parsing at an offset.
  enum Result: Equatable {
    /// A frame of this many bytes.
    case frame(Int)
    /// A frame that continues beyond the end of the file.
    case torn
    /// Anything other than a frame.
    case other
  }

  let configuration: AudioSpecificConfig
  private var reader: FrameReader
  /// The channel elements of every frame.
  private let elements: [ElementKind]
  /// Whether any frame has begun with a data element.
  private var hasDataFirst = false

  /// A length in bytes that usually suffices to reject data that is not a frame.
  private static var shortLength: Int { 96 }
  /// A length in bytes that exceeds nearly all frames: a stereo frame has at most 1536 bytes.
  private static var typicalMaxLength: Int { 1600 }
  /// The number of consecutive frames that cannot be a coincidence.
  private static var requiredFrameCount: Int { 4 }
  /// The maximum number of bytes to search for the next frame.
  private static var searchLimit: UInt64 { 1 << 24 }

  /// Creates a finder for a configuration, which must not use channel configuration 0.
  init(_ configuration: AudioSpecificConfig) {
    self.configuration = configuration
    reader = FrameReader(configuration)
    elements = NumberedLayout(configuration.channelConfiguration)?.elements ?? []
  }

  /// Parses at `offset`, in a file examined up to `limit`.
  mutating func result(
    at offset: UInt64, limit: UInt64, _ window: inout FileWindow<Failure>
  ) throws(Failure) -> Result {
    for length in [
      Self.shortLength, Self.typicalMaxLength, FrameLimits.maxByteCountWithoutLength,
    ] {
      let count = Int(min(UInt64(length), limit - min(offset, limit)))
      let range = try window.range(at: offset, count: count)
      if range.isEmpty { return .other }
      do throws(ParseError) {
        try reader.read(window.bytes, range: range)
        guard hasExpectedElements else { return .other }
        if reader.block.elements.first?.kind == .data { hasDataFirst = true }
        return .frame(reader.block.byteCount)
      } catch {
        if error.reason != .truncated { return .other }
        if range.count < length { return hasBegunAsExpected ? .torn : .other }
      }
    }
    return .other
  }

  private var hasExpectedElements: Bool {
    var index = 0
    for element in reader.block.elements {
      switch element.kind {
      case .single, .pair, .lowFrequency:
        guard index < elements.count, elements[index] == element.kind else { return false }
        index += 1
      // A channel configuration other than 0 excludes these elements.
      case .coupling, .programConfig: return false
      case .data, .fill, .end: break
      }
    }
    return index == elements.count
  }

  /// Whether the elements before the end of the file match the first expected ones.
  private var hasBegunAsExpected: Bool {
    var index = 0
    for element in reader.block.elements where element.channelCount > 0 {
      guard index < elements.count, elements[index] == element.kind else { return false }
      index += 1
    }
    return true
  }

  /// Counts the consecutive frames from `offset` on, up to `maxCount`.
  ///
  /// `reachesEnd` is whether the file ends after them, possibly with a torn frame.
  mutating func run(
    at offset: UInt64, limit: UInt64, maxCount: Int, _ window: inout FileWindow<Failure>
  ) throws(Failure) -> (count: Int, reachesEnd: Bool) {
    var offset = offset
    var count = 0
    while count < maxCount {
      if offset >= limit { return (count, count > 0) }
      switch try result(at: offset, limit: limit, &window) {
      case .frame(let length): offset += UInt64(length)
      case .torn: return (count, count > 0)
      case .other: return (count, false)
      }
      count += 1
    }
    return (count, offset >= limit)
  }

  /// Returns the next offset after `offset` at which consecutive frames begin, or nil.
  mutating func nextOffset(
    after offset: UInt64, limit: UInt64, searching length: UInt64? = nil,
    _ window: inout FileWindow<Failure>
  ) throws(Failure) -> UInt64? {
    var position = offset + 1
    let last = min(limit, offset + (length ?? Self.searchLimit))
    while position < last {
      if try begins(at: position, &window) {
        let run = try run(at: position, limit: limit, maxCount: Self.requiredFrameCount, &window)
        if run.count >= Self.requiredFrameCount || run.count >= 2 && run.reachesEnd {
          return position
        }
      }
      position += 1
    }
    return nil
  }

  /// Returns whether the first three bits are the id of an element that can come first.
  ///
  /// Garbage that looks like a data element may lead to an actual frame and be mistaken for its
  /// start. A data element is therefore accepted only if one has come first before.
  private func begins(
    at offset: UInt64, _ window: inout FileWindow<Failure>
  ) throws(Failure) -> Bool {
    let range = try window.range(at: offset, count: 1)
    guard let index = range.first, let kind = ElementKind(rawValue: window.bytes[index] >> 5)
    else { return false }
    return kind == elements.first || kind == .fill || kind == .data && hasDataFirst
  }
}

/// A section of a file in memory that moves on demand.
struct FileWindow<Failure: Error> {
  private let read: (UInt64, Int) throws(Failure) -> [UInt8]
  /// The end of the file; earlier than specified if a read returned fewer bytes.
  private(set) var end: UInt64
  private(set) var bytes: [UInt8] = []
  private var offset: UInt64 = 0

  /// The read sizes for sequential access and for random access, in bytes.
  private static var length: Int { 1 << 18 }
  private static var shortLength: Int { 1 << 13 }

  init(byteCount: UInt64, read: @escaping (UInt64, Int) throws(Failure) -> [UInt8]) {
    end = byteCount
    self.read = read
  }

  /// Returns the range in `bytes` of the `count` bytes at `start`, or of the available ones.
  mutating func range(at start: UInt64, count: Int) throws(Failure) -> Range<Int> {
    let wanted = start >= end ? 0 : Int(min(UInt64(count), end - start))
    if wanted == 0 { return 0..<0 }
    if start < offset || start + UInt64(wanted) > offset + UInt64(bytes.count) {
      let isNear =
        start >= offset && start - offset <= UInt64(bytes.count) + UInt64(Self.shortLength)
      let length = max(isNear ? Self.length : Self.shortLength, wanted)
      offset = start
      let ask = Int(min(UInt64(length), end - offset))
      bytes = try read(offset, ask)
      if bytes.count < ask { end = min(end, offset + UInt64(bytes.count)) }
    }
    let first = min(Int(start - offset), bytes.count)
    return first..<min(bytes.count, first + wanted)
  }
}
