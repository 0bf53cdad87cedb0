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
      writer.putTools(
        channels[channel].noiseShaping.tools,
        isShort: element.layout(channel).window.isShort)
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
    _ elements: [Element], channels: inout [ChannelFrame], with tables: CodeTables,
    replication: [BitWriter], fillingTo end: Int
  ) {
    writer.bits.removeAll()
    protectedRegions.removeAll(keepingCapacity: true)
    for index in elements.indices {
      writeElement(elements[index], channels: &channels, with: tables)
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
    _ element: Element, channels: inout [ChannelFrame], with tables: CodeTables
  ) {
    let start = bitCount
    putStart(of: element.kind, tag: element.tag)
    if element.kind == .pair { putPairHeader(element) }
    var secondStream: Int?
    for channel in element.channels {
      if channel > element.channels.lowerBound { secondStream = bitCount }
      writeStream(
        &channels[channel], element.layout(channel), window: element.streamWindow(channel),
        with: tables)
    }
    protectedRegions.appendRegions(
      of: element.kind, start..<bitCount, secondStream: secondStream)
  }

  private mutating func writeStream(
    _ channel: inout ChannelFrame, _ layout: BandLayout, window: WindowInfo?,
    with tables: CodeTables
  ) {
    writer.writeStream(
      globalGain: Int(ScaleFactors.globalGain(&channel, layout)), window: window, layout,
      codebooks: channel.codebooks, scaleFactors: channel.scaleFactors,
      tools: channel.noiseShaping.tools, lines: channel.quantized, tables.codewords)
  }

  /// Appends the block, padded with zeros to whole bytes, to `bytes`.
  func append(to bytes: inout [UInt8]) { writer.bits.append(to: &bytes) }
}

extension FrameWriter {
  mutating func putPairHeader(_ element: Element) {
    guard element.sharesWindows else { return writer.bits.put(0, count: 1) }
    putPairHeader(
      element.windows[0].layout.window, mask: element.midSideMask, flags: element.midSide.flags)
  }

  /// Writes the fields before the streams of a pair with common windows: these and the M/S mask.
  mutating func putPairHeader(_ window: WindowInfo, mask: MidSideMask, flags: [Bool] = []) {
    writer.bits.put(1, count: 1)
    writer.putWindowInfo(window)
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
  mutating func putFillCount(_ count: Int) {
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
