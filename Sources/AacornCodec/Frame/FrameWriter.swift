/// Writes raw_data_blocks (ISO/IEC 14496-3, 4.4.2.1), or counts their bits.
///
/// Its counterpart is `FrameReader`: `read…` there is `put…` or `write…` here.
/// `put…` writes to any sink of bits, including a `BitCounter`. `write…` requires a `BitWriter`,
/// since it ends in a spectrum, whose bits are counted when sections are chosen.
struct FrameWriter<Bits: BitSink & Sendable>: Sendable {
  /// The writer of channel parts, after all previous bits of the block.
  var writer: ChannelWriter<Bits>
  /// The bit ranges that an ADTS checksum covers, in order (1.A.3.2).
  private(set) var protectedRegions: [ProtectedRegion] = []
  /// The bits of the block's channels, without fill elements.
  private(set) var channelBitCount = 0

  init(_ bits: Bits) {
    writer = ChannelWriter(bits)
  }

  var bitCount: Int { writer.bits.bitCount }

  /// Writes an element's id and tag.
  ///
  /// Fill elements and the end have no tag; that of a program config element is its first field.
  mutating func putStart(of kind: ElementKind, tag: Int = 0) {
    writer.bits.put(UInt32(kind.rawValue), count: 3)
    switch kind {
    case .single, .pair, .coupling, .lowFrequency, .data: writer.bits.put(UInt32(tag), count: 4)
    case .programConfig, .fill, .end: break
    }
  }

  /// Writes all fields of an element except sections, scalefactors and spectra.
  mutating func putOverhead(of element: Element, _ channels: [ChannelFrame]) {
    putStart(of: element.kind, tag: element.tag)
    if element.kind == .pair { putPairHeader(element) }
    for channel in element.channels {
      writer.putStreamHeader(globalGain: 0, window: element.streamWindow(channel))
      writer.putTools(channels[channel].noiseShaping.tools, element.layout(channel))
    }
  }
}

extension FrameWriter where Bits == BitWriter {
  init(byteCapacity: Int) {
    self.init(BitWriter(byteCapacity: byteCapacity))
    protectedRegions.reserveCapacity(16)
  }

  /// Writes raw_data_block (table 4.3), filled up to `end` bits if it is shorter.
  ///
  /// `replication` contains the band replication payload after each element; it is empty in AAC-LC.
  mutating func write(
    _ elements: [Element], _ channels: inout [ChannelFrame], _ tables: CodeTables,
    replication: [BitWriter], fillingTo end: Int
  ) {
    writer.bits.removeAll()
    protectedRegions.removeAll(keepingCapacity: true)
    for index in elements.indices {
      writeElement(elements[index], &channels, tables)
      if index < replication.count && replication[index].bitCount > 0 {
        putReplication(replication[index])
      }
    }
    channelBitCount = bitCount
    putFill(until: end)
    putStart(of: .end)
    writer.bits.alignToByte()
  }

  private mutating func writeElement(
    _ element: Element, _ channels: inout [ChannelFrame], _ tables: CodeTables
  ) {
    let start = bitCount
    putStart(of: element.kind, tag: element.tag)
    if element.kind == .pair { putPairHeader(element) }
    var secondStream: Int?
    for channel in element.channels {
      if channel > element.channels.lowerBound { secondStream = bitCount }
      writeStream(
        &channels[channel], element.layout(channel), window: element.streamWindow(channel), tables)
    }
    protectedRegions.appendRegions(
      of: element.kind, start..<bitCount, secondStream: secondStream)
  }

  private mutating func writeStream(
    _ channel: inout ChannelFrame, _ layout: BandLayout, window: WindowInfo?, _ tables: CodeTables
  ) {
    writer.writeStream(
      globalGain: Int(ScaleFactors.globalGain(&channel, layout)), window: window, layout,
      codebooks: channel.codebooks, scaleFactors: channel.scaleFactors,
      tools: channel.noiseShaping.tools, lines: channel.quantized, tables.codewords)
  }

  /// Writes a block that was read with its spectra, for a stream with the bands `bands`.
  ///
  /// Sections and filters are written in the shortest form, which another encoder may not have
  /// used. The bytes of data and fill elements are copied from `source`, a reader at the start of
  /// the block that was read.
  mutating func write(_ block: ParsedBlock, _ bands: ScaleFactorBands, from source: BitReader) {
    let codewords = Codewords()
    writer.bits.removeAll()
    protectedRegions.removeAll(keepingCapacity: true)
    var (couplings, programs) = (block.couplings[...], block.programConfigs[...])
    for element in block.elements {
      let start = bitCount
      let channels = block.channels[element.firstChannel...].prefix(element.channelCount)
      putStart(of: element.kind, tag: element.tag)
      var secondStream: Int?
      switch element.kind {
      case .single, .lowFrequency: _ = writeStreams(channels, bands, codewords)
      case .pair:
        putPairHeader(element, channels)
        secondStream = writeStreams(
          channels, bands, codewords, sharesWindow: element.hasCommonWindow)
      case .coupling:
        if let coupling = couplings.popFirst() {
          writeCoupling(coupling, channels, bands, codewords)
        }
      case .programConfig: programs.popFirst()?.write(to: &writer.bits, origin: 0)
      case .data: putData(element, from: source)
      case .fill:
        putFillCount(element.byteCount)
        copyBytes(of: element, from: source)
      case .end: break
      }
      protectedRegions.appendRegions(
        of: element.kind, start..<bitCount, secondStream: secondStream)
    }
    putStart(of: .end)
    writer.bits.alignToByte()
  }

  /// Appends the block, padded with zeros to whole bytes, to `bytes`.
  func append(to bytes: inout [UInt8]) { writer.bits.append(to: &bytes) }
}

/// The elements with channels of a block that was read.
extension FrameWriter where Bits == BitWriter {
  /// Writes the streams of channels; with `sharesWindow`, without their windows.
  ///
  /// - Returns: The start of a pair's second stream.
  private mutating func writeStreams(
    _ channels: ArraySlice<ParsedChannel>, _ bands: ScaleFactorBands, _ codewords: Codewords,
    sharesWindow: Bool = false
  ) -> Int? {
    var secondStream: Int?
    for (index, channel) in channels.enumerated() {
      if index > 0 { secondStream = bitCount }
      var layout = BandLayout()
      layout.setWindow(
        channel.window, windowOffsets: bands.offsets(isShort: channel.window.isShort))
      var lines = [Int16](repeating: 0, count: layout.lineCount)
      layout.interleave(channel.spectrum, into: &lines)
      writer.writeStream(
        globalGain: channel.globalGain, window: sharesWindow ? nil : channel.window, layout,
        codebooks: channel.codebooks, scaleFactors: channel.scaleFactors, tools: channel.tools,
        lines: lines.map(Int32.init), codewords)
    }
    return secondStream
  }

  /// Writes the fields before a pair's streams.
  private mutating func putPairHeader(
    _ element: ParsedElement, _ channels: ArraySlice<ParsedChannel>
  ) {
    guard element.hasCommonWindow, let first = channels.first, let second = channels.last else {
      writer.bits.put(0, count: 1)
      return
    }
    putPairHeader(first.window, second.window, element.midSideMask, first.midSideFlags)
  }

  /// Writes coupling_channel_element (table 4.8).
  private mutating func writeCoupling(
    _ coupling: ParsedCoupling, _ channels: ArraySlice<ParsedChannel>, _ bands: ScaleFactorBands,
    _ codewords: Codewords
  ) {
    writer.bits.put(coupling.isIndependent ? 1 : 0, count: 1)
    writer.bits.put(UInt32(coupling.targets.count - 1), count: 3)
    for target in coupling.targets {
      writer.bits.put(target.isPair ? 1 : 0, count: 1)
      writer.bits.put(UInt32(target.tag), count: 4)
      if target.isPair {
        writer.bits.put(target.usesLeft ? 1 : 0, count: 1)
        writer.bits.put(target.usesRight ? 1 : 0, count: 1)
      }
    }
    writer.bits.put(coupling.isAfterNoiseShaping ? 1 : 0, count: 1)
    writer.bits.put(coupling.hasSigns ? 1 : 0, count: 1)
    writer.bits.put(UInt32(coupling.scale), count: 2)
    _ = writeStreams(channels, bands, codewords)
    for channel in channels { putGains(coupling, channel.codebooks) }
  }

  /// Writes the lists of gains except the first, which is not sent.
  private mutating func putGains(_ coupling: ParsedCoupling, _ codebooks: [UInt8]) {
    for list in 0..<coupling.isCommon.count where list > 0 {
      let gains = coupling.gains[list * codebooks.count..<(list + 1) * codebooks.count]
      let isCommon = coupling.isCommon[list]
      if !coupling.isIndependent { writer.bits.put(isCommon ? 1 : 0, count: 1) }
      // Without bands, the common gain is not known and has no effect.
      if isCommon { ScaleFactorBook.code.put(Int(gains.first ?? 0), to: &writer.bits) }
      var last = 0
      for (gain, codebook) in zip(gains, codebooks) where !isCommon && codebook != Codebook.zero {
        ScaleFactorBook.code.put(Int(gain) - last, to: &writer.bits)
        last = Int(gain)
      }
    }
  }
}

/// The elements without channels of a block that was read.
extension FrameWriter where Bits == BitWriter {
  /// Writes data_stream_element (table 4.10).
  private mutating func putData(_ element: ParsedElement, from source: BitReader) {
    var reader = source
    reader.skip(element.bits.lowerBound + 7)
    let isAligned = reader.readFlag()
    writer.bits.put(isAligned ? 1 : 0, count: 1)
    writer.bits.put(UInt32(min(element.byteCount, 255)), count: 8)
    if element.byteCount >= 255 { writer.bits.put(UInt32(element.byteCount - 255), count: 8) }
    if isAligned { writer.bits.alignToByte() }
    copyBytes(of: element, from: source)
  }

  /// Copies the bytes at the end of a data or fill element.
  private mutating func copyBytes(of element: ParsedElement, from source: BitReader) {
    var reader = source
    reader.skip(element.bits.upperBound - 8 * element.byteCount)
    for _ in 0..<element.byteCount { writer.bits.put(reader.read(8), count: 8) }
  }
}

extension FrameWriter {
  mutating func putPairHeader(_ element: Element) {
    guard element.sharesWindows else { return writer.bits.put(0, count: 1) }
    let window = element.windows[0].layout.window
    putPairHeader(window, window, element.midSideMask, element.midSide.flags)
  }

  /// Writes the fields before the streams of a pair with common windows: these and the M/S mask.
  private mutating func putPairHeader(
    _ window: WindowInfo, _ second: WindowInfo, _ mask: MidSideMask, _ flags: [Bool]
  ) {
    writer.bits.put(1, count: 1)
    writer.putWindowInfo(window, second: second)
    writer.bits.put(UInt32(mask.rawValue), count: 2)
    guard mask == .perBand else { return }
    for band in 0..<window.bandCount { writer.bits.put(flags[band] ? 1 : 0, count: 1) }
  }
}

/// Fill elements, for a constant rate or for band replication (ISO/IEC 14496-3, 4.5.2.9).
extension FrameWriter {
  /// Writes fill_elements (table 4.11) until the block has exactly `end` bits.
  ///
  /// The bits include the end element.
  ///
  /// `end` is a multiple of eight, counted from the start of the block.
  mutating func putFill(until end: Int) {
    while true {
      let room = end - 3 - bitCount
      if room < 8 { return }
      putStart(of: .fill)
      // Three bits of id and four of count precede the bytes; a count of 15 adds eight bits.
      let count = room >= 15 + 8 * 15 ? min(269, (room - 15) / 8) : min(14, (room - 7) / 8)
      putFillCount(count)
      if count > 0 { putExtension(byteCount: count) }
    }
  }

  /// Writes fill_element (table 4.11) with an `SBRWriter`'s payload for the preceding element.
  ///
  /// The payload has at most `SBRWriter.maxByteCount` whole bytes.
  mutating func putReplication(_ payload: BitWriter) {
    let count = payload.bitCount / 8
    precondition(
      payload.bitCount == 8 * count && count <= SBRWriter.maxByteCount,
      "The payload does not fit in a fill element")
    putStart(of: .fill)
    putFillCount(count)
    payload.put(to: &writer.bits)
  }

  /// Writes the count of a fill element's bytes, 0…269.
  private mutating func putFillCount(_ count: Int) {
    writer.bits.put(UInt32(min(count, 15)), count: 4)
    if count >= 15 { writer.bits.put(UInt32(count - 14), count: 8) }
  }

  /// Writes extension_payload (table 4.57) of the kind `fillData`: a nibble of zeros, then 0xA5.
  private mutating func putExtension(byteCount: Int) {
    writer.bits.put(UInt32(ExtensionPayload.Kind.fillData.rawValue), count: 4)
    writer.bits.put(0, count: 4)
    for _ in 1..<byteCount { writer.bits.put(0xA5, count: 8) }
  }
}
