/// Reads raw_data_blocks (ISO/IEC 14496-3, 4.4.2.1) and reports their content, without decoding.
///
/// One reader is used for a whole stream: it reuses its storage from block to block, so a long
/// stream is scanned without allocations. After `read`, `block` is the content; after an error, it
/// is the content before the error.
///
///     var reader = FrameReader(configuration)
///     try reader.read(unit)
///     for element in reader.block.elements { … }
public struct FrameReader: Sendable {
  /// The content that the last call of `read` found.
  public internal(set) var block = ParsedBlock()
  /// The stream's configuration.
  public let configuration: AudioSpecificConfig
  /// The reader of channel parts, which has the remaining bits of the block.
  var reader: ChannelReader

  /// Creates a reader of streams with this configuration.
  ///
  /// - Parameters:
  ///   - configuration: The object type, sampling rate and frame length.
  ///   - keepsSpectrum: Whether to keep the quantized spectrum.
  public init(_ configuration: AudioSpecificConfig, keepsSpectrum: Bool = false) {
    self.configuration = configuration
    reader = ChannelReader(configuration, keepsSpectrum: keepsSpectrum)
  }

  /// Returns the line offsets of the bands in a long or short window, including the end.
  public func bandOffsets(isShort: Bool) -> [Int] { reader.bands.offsets(isShort: isShort) }

  /// Reads a block and returns its length in bytes, or nil if it is damaged.
  package mutating func length(
    ofBlockIn bytes: [UInt8], range: Range<Int>? = nil
  ) -> Int? {
    do throws(ParseError) {
      try read(bytes, range: range)
    } catch {
      return nil
    }
    return block.byteCount
  }

  /// Reads the raw_data_block (table 4.3) at the start of `bytes`, or of the given range.
  ///
  /// Bytes after the block are ignored; `block.byteCount` is the block's size.
  ///
  /// - Throws: The error in the block, with its bit position.
  public mutating func read(
    _ bytes: [UInt8], range: Range<Int>? = nil
  ) throws(ParseError) {
    block.removeAll()
    var range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
    if range.count > FrameLimits.maxByteCount {
      range = range.lowerBound..<range.lowerBound + FrameLimits.maxByteCount
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
    block.protectedRegions.appendRegions(of: kind, element.bits, secondStream: secondStream)
    return true
  }
}

/// The elements with channels, and the elements that describe them or contain other data.
extension FrameReader {
  /// Reads program_config_element (table 4.2).
  mutating func readProgramConfig() throws(ParseError) {
    // The tag has been read already, but `ProgramConfig` reads it as well.
    reader.seek(to: reader.position - 4)
    guard let program = ProgramConfig(reading: &reader.bits, origin: 0) else {
      throw reader.failure(reader.bits.isOverrun ? .truncated : .programConfig)
    }
    block.programConfigs.append(program)
  }

  /// Reads single_channel_element (table 4.4) and lfe_channel_element (table 4.9).
  mutating func readSingle(_ element: inout ParsedElement) throws(ParseError) {
    try checkCount(element.kind)
    let channel = block.addChannel()
    element.firstChannel = channel
    element.channelCount = 1
    try reader.readStream(&block.channelPool[channel], sharesWindow: false)
  }

  /// Reads channel_pair_element (table 4.5); returns the start of the second channel's stream.
  mutating func readPair(_ element: inout ParsedElement) throws(ParseError) -> Int {
    try checkCount(.pair)
    let first = block.addChannel()
    let second = block.addChannel()
    element.firstChannel = first
    element.channelCount = 2
    try readPairHeader(&element, first: first, second: second)
    try reader.readStream(
      &block.channelPool[first], sharesWindow: element.hasCommonWindow)
    let secondStream = reader.position
    try reader.readStream(
      &block.channelPool[second], sharesWindow: element.hasCommonWindow)
    return secondStream
  }

  /// Reads the fields before a pair's streams: the shared windows, if any, and the M/S mask.
  private mutating func readPairHeader(
    _ element: inout ParsedElement, first: Int, second: Int
  ) throws(ParseError) {
    element.hasCommonWindow = reader.bits.readFlag()
    guard element.hasCommonWindow else { return }
    let window = try reader.readWindowInfo(isPair: true)
    block.channelPool[first].window = window
    block.channelPool[second].window = window
    block.channelPool[second].window.longTermPrediction = reader.secondLongTermPrediction
    try readMidSideMask(&element, bandCount: window.bandCount)
  }

  private mutating func readMidSideMask(
    _ element: inout ParsedElement, bandCount: Int
  ) throws(ParseError) {
    guard let mask = MidSideMask(rawValue: UInt8(reader.bits.readInt(2))) else {
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

  /// Reads coupling_channel_element (table 4.8).
  mutating func readCoupling(_ element: inout ParsedElement) throws(ParseError) {
    var coupling = block.takeCoupling()
    coupling.isIndependent = reader.bits.readFlag()
    var listCount = 0
    for _ in 0...reader.bits.readInt(3) {
      let isPair = reader.bits.readFlag()
      var target = ParsedCoupling.Target(
        isPair: isPair, tag: reader.bits.readInt(4), usesLeft: false, usesRight: false)
      listCount += 1
      if isPair {
        target.usesLeft = reader.bits.readFlag()
        target.usesRight = reader.bits.readFlag()
        if target.usesLeft && target.usesRight { listCount += 1 }
      }
      coupling.targets.append(target)
    }
    coupling.isAfterNoiseShaping = reader.bits.readFlag()
    coupling.hasSigns = reader.bits.readFlag()
    coupling.scale = reader.bits.readInt(2)
    try readSingle(&element)
    coupling.channel = element.firstChannel
    readGains(&coupling, listCount: listCount)
    block.couplings.append(coupling)
  }

  /// Reads the lists of gains; the first is not sent and has a gain of one.
  private mutating func readGains(_ coupling: inout ParsedCoupling, listCount: Int) {
    let codebooks = block.channelPool[coupling.channel].codebooks
    let code = ScaleFactorBook.code
    for list in 0..<listCount {
      let isCommon = list == 0 || coupling.isIndependent || reader.bits.readFlag()
      coupling.isCommon.append(isCommon)
      var gain = isCommon && list > 0 ? code.read(&reader.bits) : 0
      for codebook in codebooks {
        if !isCommon && codebook != Codebook.zero { gain += code.read(&reader.bits) }
        coupling.gains.append(Int16(truncatingIfNeeded: gain))
      }
    }
  }

  /// Reads data_stream_element (table 4.10).
  mutating func readData(_ element: inout ParsedElement) {
    let isAligned = reader.bits.readFlag()
    var count = reader.bits.readInt(8)
    if count == 255 { count += reader.bits.readInt(8) }
    if isAligned { reader.bits.alignToByte() }
    element.byteCount = count
    reader.bits.skip(count * 8)
  }

  /// Checks the number of elements of a kind.
  ///
  /// Sixteen tags allow sixteen elements of each kind, which also limits the number of channels.
  private func checkCount(_ kind: ElementKind) throws(ParseError) {
    var count = 0
    for element in block.elements where element.kind == kind { count += 1 }
    if count >= 16 { throw reader.failure(.tooManyElements(kind)) }
  }
}

/// Fill elements, and the extensions that they may contain (ISO/IEC 14496-3, 4.5.2.9).
extension FrameReader {
  /// Reads fill_element (table 4.11) and the extension payloads in it.
  mutating func readFill(_ element: inout ParsedElement) {
    var count = reader.bits.readInt(4)
    if count == 15 { count += reader.bits.readInt(8) - 1 }
    element.byteCount = count
    while count > 0 && !reader.bits.isOverrun { count -= readExtension(byteCount: count) }
  }

  /// Reads extension_payload (table 4.57) of at most `byteCount` bytes; returns its number of
  /// bytes.
  private mutating func readExtension(byteCount: Int) -> Int {
    let start = reader.position
    let kind = ExtensionPayload.Kind(rawValue: UInt8(reader.bits.readInt(4)))
    let used: Int
    switch kind {
    case .dataElement: used = min(dataElementLength(), byteCount)
    case .dynamicRange: used = min(dynamicRangeLength(), byteCount)
    default: used = byteCount
    }
    if kind == .fill || kind == .fillData { block.fillByteCount += used }
    // Lengths inside an extension can be wrong; the fill element's own count is authoritative.
    reader.seek(to: start + used * 8)
    block.extensions.append(
      ExtensionPayload(
        kind: kind, element: block.elements.count, bits: start..<reader.position))
    return used
  }

  /// Returns the number of bytes of ancillary data, including the 4 bits of the kind.
  ///
  /// The position afterwards is undefined.
  private mutating func dataElementLength() -> Int {
    if reader.bits.readInt(4) != 0 { return .max }
    var length = 0
    var used = 1
    var part = 255
    while part == 255 && !reader.bits.isOverrun {
      part = reader.bits.readInt(8)
      length += part
      used += 1
    }
    return used + length
  }

  /// Returns the number of bytes of dynamic_range_info (table 4.59), including the kind's 4 bits.
  private mutating func dynamicRangeLength() -> Int {
    let start = reader.position - 4
    block.lastDynamicRange.read(&reader.bits)
    block.hasDynamicRange = !reader.bits.isOverrun
    return (reader.position - start + 7) / 8
  }
}
