import AacornCodec

/// Finds the ends of frames that are stored without their lengths, by reading them.
struct FrameReader<Failure: Error> {
  /// What was found at a place.
  enum Result: Equatable {
    /// A frame of so many bytes.
    case frame(Int)
    /// A frame that goes on where the file ends.
    case torn
    /// Something else.
    case other
  }

  let configuration: AudioSpecificConfig
  private var parser: AccessUnitParser
  /// The elements with channels that every frame has.
  private let elements: [ElementKind]
  /// Whether there was a frame that begins with data.
  private var hasDataFirst = false

  /// Where something else is read, that shows soon.
  private static var shortLength: Int { 96 }
  /// Longer than nearly every frame: a stereo frame has 1536 bytes at most.
  private static var usualLength: Int { 1600 }
  /// Longer than every frame: 6144 bits for each of 8 channels, and data besides.
  private static var longestLength: Int { 16_384 }
  /// Frames in a row that cannot be chance.
  private static var convincingCount: Int { 4 }
  /// Bytes that are searched for the next frame before the rest is given up.
  private static var searchLimit: UInt64 { 1 << 24 }

  /// A reader of frames with this configuration, which has channels by number.
  init(_ configuration: AudioSpecificConfig) {
    self.configuration = configuration
    parser = AccessUnitParser(configuration)
    elements =
      ChannelConfiguration(rawValue: configuration.channelConfiguration)?.elements ?? []
  }

  /// What is at `offset`, in a file that is looked at up to `limit`.
  mutating func result(
    at offset: UInt64, limit: UInt64, _ window: inout FileWindow<Failure>
  ) throws(Failure) -> Result {
    for length in [Self.shortLength, Self.usualLength, Self.longestLength] {
      let count = Int(min(UInt64(length), limit - min(offset, limit)))
      let range = try window.range(at: offset, count: count)
      if range.isEmpty { return .other }
      do throws(ParseError) {
        try parser.parse(window.bytes, range: range)
        guard hasExpectedElements else { return .other }
        if parser.block.elements.first?.kind == .data { hasDataFirst = true }
        return .frame(parser.block.byteCount)
      } catch {
        if error.reason != .truncated { return .other }
        if range.count < length { return hasBegunAsExpected ? .torn : .other }
      }
    }
    return .other
  }

  private var hasExpectedElements: Bool {
    var index = 0
    for element in parser.block.elements {
      switch element.kind {
      case .single, .pair, .lowFrequency:
        guard index < elements.count, elements[index] == element.kind else { return false }
        index += 1
      // Channels by number leave no room for these.
      case .coupling, .programConfig: return false
      case .data, .fill, .end: break
      }
    }
    return index == elements.count
  }

  /// Whether the elements before the end of the file are the first of those expected.
  private var hasBegunAsExpected: Bool {
    var index = 0
    for element in parser.block.elements where element.channelCount > 0 {
      guard index < elements.count, elements[index] == element.kind else { return false }
      index += 1
    }
    return true
  }

  /// How many frames follow each other from `offset` on, up to `most`, and whether the file ends
  /// after them, perhaps with a torn one.
  mutating func run(
    at offset: UInt64, limit: UInt64, most: Int, _ window: inout FileWindow<Failure>
  ) throws(Failure) -> (count: Int, reachesEnd: Bool) {
    var offset = offset
    var count = 0
    while count < most {
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

  /// The next place after `offset` where frames follow each other, or nil if there is none.
  mutating func nextPlace(
    after offset: UInt64, limit: UInt64, searching length: UInt64? = nil,
    _ window: inout FileWindow<Failure>
  ) throws(Failure) -> UInt64? {
    var place = offset + 1
    let last = min(limit, offset + (length ?? Self.searchLimit))
    while place < last {
      if try begins(at: place, &window) {
        let run = try run(at: place, limit: limit, most: Self.convincingCount, &window)
        if run.count >= Self.convincingCount || run.count >= 2 && run.reachesEnd { return place }
      }
      place += 1
    }
    return nil
  }

  /// Whether the first three bits are those of an element that may come first.
  ///
  /// Garbage that looks like data of some length may lead to a frame after it, and would be taken
  /// for its beginning; so data may come first only if it has done so before.
  private func begins(
    at offset: UInt64, _ window: inout FileWindow<Failure>
  ) throws(Failure) -> Bool {
    let range = try window.range(at: offset, count: 1)
    guard let index = range.first, let kind = ElementKind(rawValue: window.bytes[index] >> 5)
    else { return false }
    return kind == elements.first || kind == .fill || kind == .data && hasDataFirst
  }
}
