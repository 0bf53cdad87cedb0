/// The bitstream of a frame (ISO/IEC 14496-3, 4.4.2).
extension AACEncoder {
  /// Writes the frame's raw_data_block and records its bits.
  mutating func write() {
    writer.removeAll()
    regions.removeAll(keepingCapacity: true)
    for index in elements.indices { writeElement(index) }
    channelBits = writer.bitCount
    // If the least and the most are less than a byte apart, the most counts.
    FillElement.write(until: min((rate.least + 7) & ~7, rate.most), to: &writer)
    writer.put(UInt32(ElementKind.end.rawValue), count: 3)
    writer.alignToByte()
    rate.endFrame(
      bits: writer.bitCount, spectral: spectralBits, predicted: predictedBits,
      isShort: elements[0].layout.isShort)
  }

  private mutating func writeElement(_ index: Int) {
    let start = writer.bitCount + 3
    elements[index].putHeader(into: &writer)
    var secondStart: Int?
    for channel in elements[index].channels {
      if channel > elements[index].channels.lowerBound { secondStart = writer.bitCount }
      channels[channel].writeStream(&elements[index], tables, to: &writer)
    }
    let end = writer.bitCount
    regions.append(.channels(start..<end))
    if let secondStart { regions.append(.secondChannel(secondStart..<end)) }
  }
}

extension Element {
  /// Puts what precedes the element's channels (4.4.2.1).
  func putHeader(into sink: inout some BitSink) {
    sink.put(UInt32(kind.rawValue), count: 3)
    sink.put(UInt32(tag), count: 4)
    guard kind == .pair else { return }
    sink.put(1, count: 1)
    putInfo(into: &sink)
    switch midSide.count {
    case 0: sink.put(0, count: 2)
    case layout.bandCount: sink.put(2, count: 2)
    default:
      sink.put(1, count: 2)
      for band in 0..<layout.bandCount { sink.put(midSide.isUsed[band] ? 1 : 0, count: 1) }
    }
  }

  /// Puts what precedes a channel's sections.
  func putChannelHeader(globalGain: Int32, into sink: inout some BitSink) {
    sink.put(UInt32(globalGain), count: 8)
    if kind != .pair { putInfo(into: &sink) }
  }

  /// Puts ics_info (4.4.2.7).
  func putInfo(into sink: inout some BitSink) {
    sink.put(0, count: 1)
    sink.put(UInt32(sequence.rawValue), count: 2)
    sink.put(UInt32(shape.rawValue), count: 1)
    if sequence == .eightShort {
      sink.put(UInt32(layout.bandsPerGroup), count: 4)
      // One bit for each window except the first: whether it is in the group of the previous one.
      for group in layout.groupLengths.indices {
        if group > 0 { sink.put(0, count: 1) }
        for _ in 1..<max(1, layout.groupLengths[group]) { sink.put(1, count: 1) }
      }
    } else {
      sink.put(UInt32(layout.bandsPerGroup), count: 6)
      sink.put(0, count: 1)
    }
  }
}

extension ChannelFrame {
  /// Writes individual_channel_stream (4.4.2.7).
  mutating func writeStream(
    _ element: inout Element, _ tables: CodeTables, to sink: inout BitWriter
  ) {
    let bandsPerGroup = element.layout.bandsPerGroup
    let gain = ScaleFactors.globalGain(&self, element.layout)
    element.putChannelHeader(globalGain: gain, into: &sink)
    for group in 0..<element.layout.groupLengths.count {
      let first = group * bandsPerGroup
      Sectioning.write(
        book, range: first..<first + bandsPerGroup, isShort: element.layout.isShort, to: &sink)
    }
    ScaleFactors.put(&self, element.layout, globalGain: gain, into: &sink)
    putTools(into: &sink)
    // spectral_data: the lines of each section in its book.
    SpectrumCoder.write(
      quantized, element.layout.offsets, book, bandCount: element.layout.bandCount, tables,
      to: &sink)
  }

  /// Puts what comes between scalefactors and lines: no pulses, TNS, no gain control.
  func putTools(into sink: inout some BitSink) {
    sink.put(0, count: 1)
    sink.put(noiseShaping.isActive ? 1 : 0, count: 1)
    if noiseShaping.isActive { noiseShaping.write(to: &sink) }
    sink.put(0, count: 1)
  }
}
