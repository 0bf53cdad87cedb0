/// The elements with channels, and those that describe them or carry data beside them.
extension FrameReader {
  /// program_config_element (table 4.2).
  mutating func readProgramConfig() throws(ParseError) {
    // The tag has been read and belongs to the element.
    reader.seek(to: reader.position - 4)
    guard let program = ProgramConfig(reading: &reader.bits, origin: 0) else {
      throw reader.failure(reader.bits.isOverrun ? .truncated : .programConfig)
    }
    block.programConfig = program
  }

  /// single_channel_element (table 4.4) and lfe_channel_element (table 4.9).
  mutating func readSingle(_ element: inout ParsedElement) throws(ParseError) {
    try checkCount(element.kind)
    let channel = block.addChannel()
    element.firstChannel = channel
    element.channelCount = 1
    try reader.readStream(&block.channelPool[channel], sharesWindow: false)
  }

  /// channel_pair_element (table 4.5); returns where the second channel's stream starts.
  mutating func readPair(_ element: inout ParsedElement) throws(ParseError) -> Int {
    try checkCount(.pair)
    let first = block.addChannel()
    let second = block.addChannel()
    element.firstChannel = first
    element.channelCount = 2
    try readPairHeader(&element, first, second)
    try reader.readStream(
      &block.channelPool[first], sharesWindow: element.hasCommonWindow)
    let secondStream = reader.position
    try reader.readStream(
      &block.channelPool[second], sharesWindow: element.hasCommonWindow)
    return secondStream
  }

  /// Reads what precedes a pair's streams: whether they share their windows, and these.
  private mutating func readPairHeader(
    _ element: inout ParsedElement, _ first: Int, _ second: Int
  ) throws(ParseError) {
    element.hasCommonWindow = reader.bits.readFlag()
    guard element.hasCommonWindow else { return }
    let window = try reader.readWindowInfo(isPair: true)
    block.channelPool[first].window = window
    block.channelPool[second].window = window
    try readMidSideMask(&element, bandCount: window.groupCount * window.bandsPerGroup)
  }

  /// Reads which bands are coded as mid and side.
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

  /// coupling_channel_element (table 4.8).
  mutating func readCoupling(_ element: inout ParsedElement) throws(ParseError) {
    let isIndependent = reader.bits.readFlag()
    var listCount = 0
    for _ in 0...reader.bits.readInt(3) {
      let isPair = reader.bits.readFlag()
      reader.bits.skip(4)
      listCount += 1
      if isPair && reader.bits.readInt(2) == 3 { listCount += 1 }
    }
    reader.bits.skip(1 + 1 + 2)
    try readSingle(&element)
    for _ in 1..<max(listCount, 1) {
      if isIndependent || reader.bits.readFlag() {
        _ = reader.readDifference()
      } else {
        for codebook in block.channelPool[element.firstChannel].codebooks
        where codebook != Codebook.zero {
          _ = reader.readDifference()
        }
      }
    }
  }

  /// data_stream_element (table 4.10).
  mutating func readData(_ element: inout ParsedElement) {
    let isAligned = reader.bits.readFlag()
    var count = reader.bits.readInt(8)
    if count == 255 { count += reader.bits.readInt(8) }
    if isAligned { reader.bits.alignToByte() }
    element.byteCount = count
    reader.bits.skip(count * 8)
  }

  /// Sixteen tags allow sixteen elements of each kind, which also bounds the channels.
  private func checkCount(_ kind: ElementKind) throws(ParseError) {
    var count = 0
    for element in block.elements where element.kind == kind { count += 1 }
    if count >= 16 { throw reader.failure(.tooManyElements(kind)) }
  }
}
