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

/// One syntactic element of a raw_data_block.
@frozen
public struct ParsedElement: Equatable, Sendable {
  /// The kind of element.
  public var kind: ElementKind
  /// Its instance tag; 0 for fill elements, which have no tag.
  public var tag = 0
  /// Its bit range in the block, including the id.
  public var bits: Range<Int>
  /// The index of its first channel in the block.
  public var firstChannel = 0
  /// The number of channels it carries: 0, 1 or 2.
  public var channelCount = 0
  /// Whether the channels of a pair share their windows.
  public var hasCommonWindow = false
  /// The bands of a pair that are coded as mid and side.
  public var midSideMask: MidSideMask = .none
  /// The number of bands of a pair, over all groups, coded as mid and side.
  public var midSideBandCount = 0
  /// The number of bytes in a fill or data element.
  public var byteCount = 0

  init(_ kind: ElementKind, start: Int) {
    self.kind = kind
    bits = start..<start
  }
}

/// The bands of a pair coded as mid and side: ms_mask_present (ISO/IEC 14496-3, 4.6.8.1).
public enum MidSideMask: UInt8, Equatable, Sendable {
  /// No bands are coded as mid and side.
  case none = 0
  /// A flag for each band determines its coding.
  case perBand = 1
  /// All bands are coded as mid and side.
  case all = 2
}

/// The kinds of syntactic element in a raw_data_block (ISO/IEC 14496-3, table 4.85).
@frozen
public enum ElementKind: UInt8, Equatable, Sendable {
  /// One channel (SCE).
  case single = 0
  /// Two channels coded together (CPE).
  case pair = 1
  /// A coupling channel (CCE).
  case coupling = 2
  /// The low-frequency effects channel (LFE).
  case lowFrequency = 3
  /// Arbitrary bytes (DSE).
  case data = 4
  /// A program config element (PCE).
  case programConfig = 5
  /// Fill bits, or an extension such as SBR (FIL).
  case fill = 6
  /// The end of the block.
  case end = 7
}

/// The parameters of a coupling channel (ISO/IEC 14496-3, 4.6.8.3 and table 4.8).
public struct ParsedCoupling: Equatable, Sendable {
  /// An element that the coupling channel is added to.
  @frozen
  public struct Target: Equatable, Sendable {
    /// Whether the element is a pair.
    public var isPair: Bool
    /// Its instance tag.
    public var tag: Int
    /// Whether the coupling channel is added to the first channel of a pair.
    public var usesLeft: Bool
    /// Whether the coupling channel is added to the second channel of a pair.
    public var usesRight: Bool
  }

  /// The index of the coupling element's channel in the block.
  public var channel = 0
  /// Whether the coupling channel is added to the samples rather than the lines.
  public var isIndependent = false
  /// Whether the coupling channel is added to the lines after temporal noise shaping, not before.
  public var isAfterNoiseShaping = false
  /// Whether the lowest bit of a gain is its sign.
  public var hasSigns = false
  /// The index, 0…3, of the step of a gain: 2^(1/8), 2^(1/4), 2^(1/2) or 2.
  public var scale = 0
  /// The elements to which the coupling channel is added.
  public var targets: [Target] = []
  /// The gain of each band, for each list of gains; a list with one gain repeats it.
  ///
  /// A value is the number of steps. With `hasSigns`, its lowest bit is the sign, unless the list
  /// has one gain for all bands.
  public var gains: [Int16] = []
  /// Whether each list of gains has one gain for all bands, which never has a sign.
  public var isCommon: [Bool] = []

  /// Creates a coupling channel without targets.
  public init() {}

  /// Removes everything but keeps the storage.
  mutating func removeContent() {
    channel = 0
    isIndependent = false
    isAfterNoiseShaping = false
    hasSigns = false
    scale = 0
    targets.removeAll(keepingCapacity: true)
    gains.removeAll(keepingCapacity: true)
    isCommon.removeAll(keepingCapacity: true)
  }
}
