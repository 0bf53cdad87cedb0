/// The content of a raw_data_block (ISO/IEC 14496-3, 4.4.2.1).
public struct ParsedBlock: Equatable, Sendable {
  /// The elements in order, without the end element.
  public internal(set) var elements: [ParsedElement] = []
  /// The coupling channels and their targets, in order.
  public internal(set) var couplings: [ParsedCoupling] = []
  /// The dynamic range control for loud and soft passages, if the block contains it.
  public var dynamicRange: DynamicRange? { hasDynamicRange ? lastDynamicRange : nil }
  /// The extensions inside fill elements, in order.
  public internal(set) var extensions: [ExtensionPayload] = []
  /// The bit ranges that an ADTS checksum covers, in order (14496-3, 1.A.3.2).
  public internal(set) var protectedRegions: [ProtectedRegion] = []
  /// The last program config element of the block; nil without one.
  public var programConfig: ProgramConfig? { programConfigs.last }
  /// The number of valid channels in `channelPool`.
  public internal(set) var channelCount = 0
  /// The number of bits up to and including the end element.
  public internal(set) var bitCount = 0
  /// Bytes of fill elements without data.
  public internal(set) var fillByteCount = 0
  /// The storage for channels, reused from block to block.
  var channelPool: [ParsedChannel] = []
  /// The storage for couplings, reused from block to block.
  var couplingPool: [ParsedCoupling] = []
  /// The program config elements, in order.
  var programConfigs: [ProgramConfig] = []
  /// Whether the block contains `lastDynamicRange`, whose storage is reused as well.
  var hasDynamicRange = false
  var lastDynamicRange = DynamicRange()

  /// Creates an empty block.
  public init() {}

  /// The size of the block in bytes.
  public var byteCount: Int { (bitCount + 7) / 8 }

  /// The channels of single, pair, LFE and coupling elements, in order.
  public var channels: ArraySlice<ParsedChannel> { channelPool[..<channelCount] }

  /// The number of audible channels; coupling channels only contribute to other channels.
  package var outputChannelCount: Int {
    var count = 0
    for element in elements where element.kind != .coupling { count += element.channelCount }
    return count
  }

  /// Returns whether the block lacks audio although channels are expected.
  ///
  /// A block whose program config element describes the channels of later blocks need not have
  /// channels.
  package func isSilent(where expectedChannelCount: Int) -> Bool {
    expectedChannelCount > 0 && outputChannelCount == 0 && programConfig == nil
  }

  /// The number of channels that count toward the decoder's buffer (14496-3, 4.5.3.1).
  ///
  /// The LFE does not count, but independently switched coupling channels do.
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
    programConfigs.removeAll(keepingCapacity: true)
    hasDynamicRange = false
    channelCount = 0
    bitCount = 0
    fillByteCount = 0
  }

  /// Returns a coupling without content, reusing storage.
  mutating func takeCoupling() -> ParsedCoupling {
    var coupling = couplingPool.popLast() ?? ParsedCoupling()
    coupling.removeContent()
    return coupling
  }

  /// Adds an element with these channels; the channels of a pair share windows if it has a mask.
  mutating func add(
    _ kind: ElementKind, tag: Int = 0, _ channels: [ParsedChannel] = [],
    mask: MidSideMask? = nil
  ) {
    var element = ParsedElement(kind, start: 0)
    element.tag = tag
    element.channelCount = channels.count
    element.firstChannel = channelCount
    element.hasCommonWindow = mask != nil
    element.midSideMask = mask ?? .none
    for channel in channels { channelPool[addChannel()] = channel }
    elements.append(element)
  }

  /// Adds a valid channel and returns its index.
  mutating func addChannel() -> Int {
    if channelCount == channelPool.count { channelPool.append(ParsedChannel()) }
    // The content of an earlier block must not remain if this block ends before the channel's
    // stream.
    channelPool[channelCount].removeContent()
    channelPool[channelCount].window = WindowInfo()
    channelPool[channelCount].midSideFlags.removeAll(keepingCapacity: true)
    channelCount += 1
    return channelCount - 1
  }
}
