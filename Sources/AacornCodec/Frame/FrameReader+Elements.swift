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
    try readPairHeader(&element, first, second)
    try reader.readStream(
      &block.channelPool[first], sharesWindow: element.hasCommonWindow)
    let secondStream = reader.position
    try reader.readStream(
      &block.channelPool[second], sharesWindow: element.hasCommonWindow)
    return secondStream
  }

  /// Reads the fields before a pair's streams: the shared windows, if any, and the M/S mask.
  private mutating func readPairHeader(
    _ element: inout ParsedElement, _ first: Int, _ second: Int
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
