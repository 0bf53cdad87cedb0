/// Parses raw_data_blocks (ISO/IEC 14496-3, 4.4.2.1) and reports their content, without decoding
/// them to audio.
///
/// One parser serves a whole stream: it keeps its storage from block to block, so a long stream is
/// scanned without allocations. After `parse`, `block` holds what was read; after an error, what
/// was read before it.
///
///     var parser = AccessUnitParser(configuration)
///     try parser.parse(unit)
///     for element in parser.block.elements { … }
public struct AccessUnitParser: Sendable {
  /// What the last call of `parse` read.
  public internal(set) var block = ParsedBlock()
  /// The stream's configuration.
  public let configuration: AudioSpecificConfig
  var reader: ChannelStreamReader

  /// The most bytes of a block that are examined: more than 64 channels can fill.
  private static let longestBlock = 1 << 17

  /// A parser for streams with this configuration.
  ///
  /// - Parameters:
  ///   - configuration: The object type, sampling rate and frame length.
  ///   - keepsSpectrum: Whether to keep the quantized spectrum.
  public init(_ configuration: AudioSpecificConfig, keepsSpectrum: Bool = false) {
    self.configuration = configuration
    reader = ChannelStreamReader(configuration, keepsSpectrum: keepsSpectrum)
  }

  /// Line offsets of the scalefactor bands in a long or short window, including the end.
  public func bandOffsets(isShort: Bool) -> [Int] {
    isShort ? reader.bands.short : reader.bands.long
  }

  /// The maximum number of bands that temporal noise shaping filters can reach (4.6.9.4).
  package func noiseShapingLimit(isShort: Bool) -> Int {
    isShort ? reader.bands.shortNoiseShapingLimit : reader.bands.longNoiseShapingLimit
  }

  /// Parses the block that starts at the first of `bytes`, or of the given range of them.
  ///
  /// Bytes after the block are ignored; `block.byteCount` says where it ends.
  ///
  /// - Throws: What is wrong with the block, and at which bit.
  public mutating func parse(
    _ bytes: [UInt8], range: Range<Int>? = nil
  ) throws(ParseError) {
    block.removeAll()
    var range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
    if range.count > Self.longestBlock {
      range = range.lowerBound..<range.lowerBound + Self.longestBlock
    }
    reader.begin(bytes, range: range)
    defer { reader.end() }
    switch configuration.objectType {
    case .main, .lowComplexity, .scalableSamplingRate, .longTermPrediction: break
    case let type: throw reader.failure(.unsupportedObjectType(Int(type.rawValue)))
    }
    while try readElement() {}
  }

  /// Reads one element and returns whether another follows.
  private mutating func readElement() throws(ParseError) -> Bool {
    let start = reader.position
    let kind = ElementKind(rawValue: UInt8(reader.bits.readInt(3))) ?? .end
    try reader.checkEnd()
    if kind == .end {
      block.bitCount = reader.position
      return false
    }
    var element = ParsedElement(kind, start: start)
    if kind != .fill { element.tag = reader.bits.readInt(4) }
    var secondStream: Int?
    switch kind {
    case .single, .lowFrequency:
      try readSingle(&element)
    case .pair:
      secondStream = try readPair(&element)
    case .coupling:
      try readCoupling(&element)
    case .data:
      readData(&element)
    case .programConfig:
      try readProgramConfig()
    case .fill:
      readFill(&element)
    case .end:
      break
    }
    try reader.checkEnd()
    element.bits = start..<reader.position
    block.elements.append(element)
    protect(element, secondStream: secondStream)
    return true
  }

  /// Sixteen tags allow sixteen elements of each kind, which also bounds the channels.
  private func checkCount(_ kind: ElementKind) throws(ParseError) {
    var count = 0
    for element in block.elements where element.kind == kind { count += 1 }
    if count >= 16 { throw reader.failure(.tooManyElements(kind)) }
  }

  /// single_channel_element and lfe_channel_element.
  mutating func readSingle(_ element: inout ParsedElement) throws(ParseError) {
    try checkCount(element.kind)
    let channel = block.addChannel()
    element.firstChannel = channel
    element.channelCount = 1
    try reader.readStream(&block.channelPool[channel], sharesWindow: false)
  }

  /// channel_pair_element; returns where the second channel's stream starts.
  private mutating func readPair(_ element: inout ParsedElement) throws(ParseError) -> Int {
    try checkCount(.pair)
    let first = block.addChannel()
    let second = block.addChannel()
    element.firstChannel = first
    element.channelCount = 2
    element.hasCommonWindow = reader.bits.readFlag()
    if element.hasCommonWindow {
      let window = try reader.readWindow(isPair: true)
      block.channelPool[first].window = window
      block.channelPool[second].window = window
      try readMidSideMask(&element, bandCount: window.groupCount * window.bandCount)
    }
    try reader.readStream(
      &block.channelPool[first], sharesWindow: element.hasCommonWindow)
    let secondStream = reader.position
    try reader.readStream(
      &block.channelPool[second], sharesWindow: element.hasCommonWindow)
    return secondStream
  }

  private mutating func readMidSideMask(
    _ element: inout ParsedElement, bandCount: Int
  ) throws(ParseError) {
    guard let mask = ParsedElement.MidSideMask(rawValue: UInt8(reader.bits.readInt(2))) else {
      throw reader.failure(.reservedMidSideMask)
    }
    element.midSideMask = mask
    if mask == .none { return }
    for _ in 0..<bandCount {
      let flag = mask == .all || reader.bits.readFlag()
      if flag { element.midSideBandCount += 1 }
      block.channelPool[element.firstChannel].midSideFlags.append(flag)
    }
  }

  /// Adds the regions of an element that an ADTS checksum covers (1.A.3.2).
  private mutating func protect(_ element: ParsedElement, secondStream: Int?) {
    let start = element.bits.lowerBound + 3
    let end = element.bits.upperBound
    switch element.kind {
    case .single, .pair, .coupling, .lowFrequency:
      block.protectedRegions.append(.channels(start..<end))
    case .data, .programConfig:
      block.protectedRegions.append(.data(start..<end))
    case .fill, .end:
      break
    }
    if let secondStream { block.protectedRegions.append(.secondChannel(secondStream..<end)) }
  }
}
