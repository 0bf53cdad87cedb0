@testable import AacornCodec

extension ParsedBlock {
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

  /// Returns the block, which was read with its spectra, as written again.
  ///
  /// Sections and filters are written in the shortest form, which another encoder may not have
  /// used. The bytes of data and fill elements are copied from `source`, the bytes of the block.
  func bytes(_ configuration: AudioSpecificConfig, from source: [UInt8] = []) -> [UInt8] {
    let blockWriter = BlockWriter(
      bands: ScaleFactorBands(configuration), source: BitReader(source))
    return blockWriter.bytes(self)
  }
}

/// Writes raw_data_blocks with every tool (ISO/IEC 14496-3, 4.4.2.1).
private struct BlockWriter {
  let bands: ScaleFactorBands
  /// A reader at the start of the block that was read.
  let source: BitReader
  private let codewords = Codewords()

  init(bands: ScaleFactorBands, source: BitReader) {
    self.bands = bands
    self.source = source
  }

  func bytes(_ block: ParsedBlock) -> [UInt8] {
    var writer = FrameWriter(BitWriter())
    var (couplings, programs) = (block.couplings[...], block.programConfigs[...])
    for element in block.elements {
      let channels = block.channels[element.firstChannel...].prefix(element.channelCount)
      writer.putStart(of: element.kind, tag: element.tag)
      switch element.kind {
      case .single, .lowFrequency: writeStreams(channels, to: &writer.writer)
      case .pair:
        putPairHeader(element, channels, to: &writer.writer)
        writeStreams(channels, sharesWindow: element.hasCommonWindow, to: &writer.writer)
      case .coupling:
        if let coupling = couplings.popFirst() {
          writeCoupling(coupling, channels, to: &writer.writer)
        }
      case .programConfig: programs.popFirst()?.write(to: &writer.writer.bits, origin: 0)
      case .data: putData(element, to: &writer.writer.bits)
      case .fill:
        writer.putFillCount(element.byteCount)
        copyBytes(of: element, to: &writer.writer.bits)
      case .end: break
      }
    }
    writer.putStart(of: .end)
    var bytes: [UInt8] = []
    writer.append(to: &bytes)
    return bytes
  }

  /// Writes the streams of channels; with `sharesWindow`, without their windows.
  private func writeStreams(
    _ channels: ArraySlice<ParsedChannel>, sharesWindow: Bool = false,
    to writer: inout ChannelWriter<BitWriter>
  ) {
    for channel in channels {
      var layout = BandLayout()
      layout.setWindow(
        channel.window, windowOffsets: bands.offsets(isShort: channel.window.isShort))
      var lines = [Int16](repeating: 0, count: layout.lineCount)
      layout.interleave(channel.spectrum, into: &lines)
      writer.putStreamHeader(globalGain: channel.globalGain, window: nil)
      if !sharesWindow { writer.putPredictedWindowInfo(channel.window) }
      writer.putSections(channel.codebooks, channel.window)
      writer.putScaleFactors(
        channel.scaleFactors.map(Int32.init), channel.codebooks, bandCount: layout.bandCount,
        globalGain: channel.globalGain)
      writer.putPulses(channel.pulses, bandOffsets: layout.windowOffsets)
      writer.putFiltersAndGain(
        StreamTools(
          filters: channel.hasNoiseShaping ? channel.noiseShapingFilters : nil,
          coefficients: channel.noiseShapingCoefficients),
        isShort: channel.window.isShort)
      writer.writeSpectrum(
        lines.map(Int32.init), offsets: layout.offsets, codebooks: channel.codebooks,
        bandCount: layout.bandCount, codewords: codewords)
    }
  }

  /// Writes the fields before a pair's streams.
  private func putPairHeader(
    _ element: ParsedElement, _ channels: ArraySlice<ParsedChannel>,
    to writer: inout ChannelWriter<BitWriter>
  ) {
    guard element.hasCommonWindow, let first = channels.first, let second = channels.last else {
      return writer.bits.put(0, count: 1)
    }
    writer.bits.put(1, count: 1)
    writer.putPredictedWindowInfo(first.window, second: second.window)
    writer.bits.put(UInt32(element.midSideMask.rawValue), count: 2)
    guard element.midSideMask == .perBand else { return }
    for band in 0..<first.window.bandCount {
      writer.bits.put(first.midSideFlags[band] ? 1 : 0, count: 1)
    }
  }

  /// Writes coupling_channel_element (table 4.8).
  private func writeCoupling(
    _ coupling: ParsedCoupling, _ channels: ArraySlice<ParsedChannel>,
    to writer: inout ChannelWriter<BitWriter>
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
    writeStreams(channels, to: &writer)
    for channel in channels { putGains(coupling, channel.codebooks, to: &writer.bits) }
  }

  /// Writes the lists of gains except the first, which is not sent.
  private func putGains(
    _ coupling: ParsedCoupling, _ codebooks: [UInt8], to bits: inout BitWriter
  ) {
    for list in 0..<coupling.isCommon.count where list > 0 {
      let gains = coupling.gains[list * codebooks.count..<(list + 1) * codebooks.count]
      let isCommon = coupling.isCommon[list]
      if !coupling.isIndependent { bits.put(isCommon ? 1 : 0, count: 1) }
      // Without bands, the common gain is not known and has no effect.
      if isCommon { ScaleFactorBook.code.put(Int(gains.first ?? 0), to: &bits) }
      var last = 0
      for (gain, codebook) in zip(gains, codebooks) where !isCommon && codebook != Codebook.zero {
        ScaleFactorBook.code.put(Int(gain) - last, to: &bits)
        last = Int(gain)
      }
    }
  }

  /// Writes data_stream_element (table 4.10).
  private func putData(_ element: ParsedElement, to bits: inout BitWriter) {
    var reader = source
    reader.skip(element.bits.lowerBound + 7)
    let isAligned = reader.readFlag()
    bits.put(isAligned ? 1 : 0, count: 1)
    bits.put(UInt32(min(element.byteCount, 255)), count: 8)
    if element.byteCount >= 255 { bits.put(UInt32(element.byteCount - 255), count: 8) }
    if isAligned { bits.alignToByte() }
    copyBytes(of: element, to: &bits)
  }

  /// Copies the bytes at the end of a data or fill element.
  private func copyBytes(of element: ParsedElement, to bits: inout BitWriter) {
    var reader = source
    reader.skip(element.bits.upperBound - 8 * element.byteCount)
    for _ in 0..<element.byteCount { bits.put(reader.read(8), count: 8) }
  }
}

extension ChannelWriter where Bits == BitWriter {
  /// Writes ics_info (table 4.6) with prediction.
  ///
  /// `second` is the window of a pair's second channel, which may have its own long-term prediction.
  fileprivate mutating func putPredictedWindowInfo(
    _ window: WindowInfo, second: WindowInfo? = nil
  ) {
    bits.put(window.hasReservedBit ? 1 : 0, count: 1)
    bits.put(UInt32(window.sequence.rawValue), count: 2)
    bits.put(UInt32(window.shape.rawValue), count: 1)
    if window.isShort {
      bits.put(UInt32(window.bandsPerGroup), count: 4)
      putGrouping(window)
    } else {
      bits.put(UInt32(window.bandsPerGroup), count: 6)
      putPrediction(window, second: second)
    }
  }

  /// Writes the prediction of ics_info with object types Main and LTP (tables 4.6 and 4.55).
  private mutating func putPrediction(_ window: WindowInfo, second: WindowInfo?) {
    if let prediction = window.backwardPrediction {
      bits.put(1, count: 1)
      bits.put(prediction.resetGroup > 0 ? 1 : 0, count: 1)
      if prediction.resetGroup > 0 { bits.put(UInt32(prediction.resetGroup), count: 5) }
      putBands(prediction.bands, count: prediction.bandCount)
    } else if window.longTermPrediction != nil || second?.longTermPrediction != nil {
      bits.put(1, count: 1)
      putLongTermPrediction(window)
      if let second { putLongTermPrediction(second) }
    } else {
      bits.put(0, count: 1)
    }
  }

  /// Writes ltp_data (table 4.55), if there is a prediction.
  private mutating func putLongTermPrediction(_ window: WindowInfo) {
    bits.put(window.longTermPrediction == nil ? 0 : 1, count: 1)
    guard let prediction = window.longTermPrediction else { return }
    bits.put(UInt32(prediction.lag), count: 11)
    bits.put(UInt32(prediction.gainIndex), count: 3)
    putBands(
      prediction.bands, count: min(window.bandsPerGroup, LongTermPrediction.maxBandCount))
  }

  /// Writes a flag for each of at most 64 bands.
  private mutating func putBands(_ set: UInt64, count: Int) {
    for band in 0..<count { bits.put(UInt32(set >> UInt64(band) & 1), count: 1) }
  }

  /// Writes pulse_data (table 4.7) after its flag.
  fileprivate mutating func putPulses(_ pulses: [ParsedChannel.Pulse], bandOffsets: [Int]) {
    bits.put(pulses.isEmpty ? 0 : 1, count: 1)
    if pulses.isEmpty { return }
    // The last band that begins at or before the first pulse has the shortest distance.
    let band = ScaleFactorBands.count(below: pulses[0].line + 1, in: bandOffsets) - 1
    bits.put(UInt32(pulses.count - 1), count: 2)
    bits.put(UInt32(band), count: 6)
    var line = bandOffsets[band]
    for pulse in pulses {
      bits.put(UInt32(pulse.line - line), count: 5)
      bits.put(UInt32(pulse.amplitude), count: 4)
      line = pulse.line
    }
  }
}
