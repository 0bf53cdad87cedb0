/// The content of a raw_data_block (ISO/IEC 14496-3, 4.4.2.1).
public struct ParsedBlock: Equatable, Sendable {
  /// The elements in order, without the end element.
  public internal(set) var elements: [ParsedElement] = []
  /// How coupling channels are added to others, in order.
  public internal(set) var couplings: [ParsedCoupling] = []
  /// How loud and soft passages are to be evened out, if the block says so.
  public var dynamicRange: DynamicRange? { hasDynamicRange ? lastDynamicRange : nil }
  /// The extensions inside fill elements, in order.
  public internal(set) var extensions: [ExtensionPayload] = []
  /// The bit ranges that an ADTS checksum covers, in order (14496-3, 1.A.3.2).
  public internal(set) var protectedRegions: [ProtectedRegion] = []
  /// The last program config element.
  public internal(set) var programConfig: ProgramConfig?
  /// The number of valid channels in `channelPool`.
  public internal(set) var channelCount = 0
  /// The number of bits up to and including the end element.
  public internal(set) var bitCount = 0
  /// Bytes of fill elements that carry no data.
  public internal(set) var fillByteCount = 0
  /// Storage for channels, reused from block to block.
  var channelPool: [ParsedChannel] = []
  /// Storage for couplings, reused in the same way.
  var couplingPool: [ParsedCoupling] = []
  /// Whether the block has what is in `lastDynamicRange`, which is reused as well.
  var hasDynamicRange = false
  var lastDynamicRange = DynamicRange()

  /// An empty block.
  public init() {}

  /// The size of the block in bytes.
  public var byteCount: Int { (bitCount + 7) / 8 }

  /// The channels of single, pair, LFE and coupling elements, in order.
  public var channels: ArraySlice<ParsedChannel> { channelPool[..<channelCount] }

  /// The number of audible channels; coupling channels only add to others.
  package var soundingChannelCount: Int {
    var count = 0
    for element in elements where element.kind != .coupling { count += element.channelCount }
    return count
  }

  /// Whether it has no audio although channels are expected; a block that describes the channels of
  /// later ones need not have any.
  package func isSilent(where expectedChannelCount: Int) -> Bool {
    expectedChannelCount > 0 && soundingChannelCount == 0 && programConfig == nil
  }

  /// The number of channels that count toward the decoder's buffer: not the LFE, but including
  /// independently switched coupling channels (14496-3, 4.5.3.1).
  package var bufferedChannelCount: Int {
    var count = 0
    for element in elements where element.kind == .single || element.kind == .pair {
      count += element.channelCount
    }
    for coupling in couplings where coupling.isIndependent { count += 1 }
    return count
  }

  /// Removes everything but keeps the storage.
  mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
    while let coupling = couplings.popLast() { couplingPool.append(coupling) }
    extensions.removeAll(keepingCapacity: true)
    protectedRegions.removeAll(keepingCapacity: true)
    programConfig = nil
    hasDynamicRange = false
    channelCount = 0
    bitCount = 0
    fillByteCount = 0
  }

  /// A coupling without content.
  mutating func takeCoupling() -> ParsedCoupling {
    var coupling = couplingPool.popLast() ?? ParsedCoupling()
    coupling.removeContent()
    return coupling
  }

  /// Makes one more channel valid and returns its index.
  mutating func addChannel() -> Int {
    if channelCount == channelPool.count { channelPool.append(ParsedChannel()) }
    // Contents left by an earlier block must not show if this one ends before its stream.
    channelPool[channelCount].removeContent()
    channelPool[channelCount].window = WindowInfo()
    channelPool[channelCount].midSideFlags.removeAll(keepingCapacity: true)
    channelCount += 1
    return channelCount - 1
  }
}
