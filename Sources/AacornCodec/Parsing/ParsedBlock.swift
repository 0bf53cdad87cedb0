/// What a raw_data_block holds (ISO/IEC 14496-3, 4.4.2.1).
public struct ParsedBlock: Equatable, Sendable {
  /// The elements in their order, without the end element.
  public internal(set) var elements: [ParsedElement] = []
  /// The extensions inside fill elements, in their order.
  public internal(set) var extensions: [ParsedExtension] = []
  /// The bit ranges that an ADTS checksum covers, in order (14496-3, 1.A.3.2).
  public internal(set) var protectedRegions: [ProtectedRegion] = []
  /// The last program config element.
  public internal(set) var programConfig: ProgramConfig?
  /// Channels that are valid in `channelPool`.
  public internal(set) var channelCount = 0
  /// Bits up to and including the end element.
  public internal(set) var bitCount = 0
  /// Bytes of fill elements that carry nothing.
  public internal(set) var fillByteCount = 0
  /// Storage of channels, which is used again from block to block.
  var channelPool: [ParsedChannel] = []

  /// An empty block.
  public init() {}

  /// Bytes of the block.
  public var byteCount: Int { (bitCount + 7) / 8 }

  /// The channels of single, pair, LFE and coupling elements, in their order.
  public var channels: ArraySlice<ParsedChannel> { channelPool[..<channelCount] }

  /// Channels that are heard; coupling channels only add to others.
  package var soundingChannelCount: Int {
    var count = 0
    for element in elements where element.kind != .coupling { count += element.channelCount }
    return count
  }

  /// Whether it has no sound though so many channels are due; one that tells the channels of those to
  /// come need not.
  package func isSilent(where expectedChannelCount: Int) -> Bool {
    expectedChannelCount > 0 && soundingChannelCount == 0 && programConfig == nil
  }

  /// Channels that have a share in the decoder's buffer: not the LFE (14496-3, 4.5.3.1).
  package var bufferedChannelCount: Int {
    var count = 0
    for element in elements where element.kind == .single || element.kind == .pair {
      count += element.channelCount
    }
    return count
  }

  /// Forgets everything and keeps the storage.
  mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
    extensions.removeAll(keepingCapacity: true)
    protectedRegions.removeAll(keepingCapacity: true)
    programConfig = nil
    channelCount = 0
    bitCount = 0
    fillByteCount = 0
  }

  /// Makes one more channel valid and returns its index.
  mutating func addChannel() -> Int {
    if channelCount == channelPool.count { channelPool.append(ParsedChannel()) }
    // What an earlier block left here must not show if this one breaks off before its stream.
    channelPool[channelCount].removeContent()
    channelPool[channelCount].window = ParsedChannel.Window()
    channelPool[channelCount].midSideFlags.removeAll(keepingCapacity: true)
    channelCount += 1
    return channelCount - 1
  }
}
