/// Writes the parts of an individual_channel_stream (ISO/IEC 14496-3, 4.4.2.7) to a sink of bits.
///
/// Its counterpart, function by function, is `ChannelReader`.
struct ChannelWriter<Bits: BitSink & Sendable>: Sendable {
  var bits: Bits

  init(_ bits: Bits) {
    self.bits = bits
  }

  /// Writes ics_info (table 4.6), without prediction.
  mutating func putWindowInfo(_ window: WindowInfo) {
    bits.put(window.hasReservedBit ? 1 : 0, count: 1)
    bits.put(UInt32(window.sequence.rawValue), count: 2)
    bits.put(UInt32(window.shape.rawValue), count: 1)
    if window.isShort {
      bits.put(UInt32(window.bandsPerGroup), count: 4)
      putGrouping(window)
    } else {
      bits.put(UInt32(window.bandsPerGroup), count: 6)
      bits.put(0, count: 1)
    }
  }

  /// Writes one bit for each window except the first: whether the window joins the previous group.
  private mutating func putGrouping(_ window: WindowInfo) {
    for group in 0..<window.groupCount {
      if group > 0 { bits.put(0, count: 1) }
      for _ in 1..<max(1, window.groupLengths[group]) { bits.put(1, count: 1) }
    }
  }

  /// Writes individual_channel_stream (table 4.50).
  mutating func writeStream(
    _ channel: inout ChannelFrame, _ element: inout Element, _ tables: CodeTables
  ) where Bits == BitWriter {
    let gain = ScaleFactors.globalGain(&channel, element.layout)
    putStreamHeader(globalGain: gain, window: element.streamWindow)
    putSections(channel.codebooks, element.layout.window)
    putScaleFactors(&channel, element.layout, globalGain: gain)
    putTools(channel.noiseShaping)
    writeSpectrum(
      channel.quantized, element.layout.offsets, channel.codebooks,
      bandCount: element.layout.bandCount, tables)
  }

  /// Writes the fields before the sections of a stream; `window` is nil if the pair shares one.
  mutating func putStreamHeader(globalGain: Int32, window: WindowInfo?) {
    bits.put(UInt32(globalGain), count: 8)
    if let window { putWindowInfo(window) }
  }

  /// Writes the fields between scalefactors and spectrum.
  ///
  /// There are no pulses, at most one filter of temporal noise shaping, and no gain control.
  mutating func putTools(_ noiseShaping: NoiseShaping) {
    bits.put(0, count: 1)
    bits.put(noiseShaping.isActive ? 1 : 0, count: 1)
    if noiseShaping.isActive {
      putNoiseShaping(noiseShaping.codedFilter, noiseShaping.coefficients)
    }
    bits.put(0, count: 1)
  }

  /// Writes section_data (table 4.52); neighboring bands with the same codebook share a section.
  mutating func putSections(_ codebooks: [UInt8], _ window: WindowInfo) {
    let coding = SectionLength(isShort: window.isShort)
    var first = 0
    for _ in 0..<window.groupCount {
      let groupEnd = first + window.bandsPerGroup
      while first < groupEnd {
        var end = first + 1
        while end < groupEnd && codebooks[end] == codebooks[first] { end += 1 }
        bits.put(UInt32(codebooks[first]), count: 4)
        var length = end - first
        while length >= coding.escape {
          bits.put(UInt32(coding.escape), count: coding.fieldWidth)
          length -= coding.escape
        }
        bits.put(UInt32(length), count: coding.fieldWidth)
        first = end
      }
    }
  }

  /// Writes scale_factor_data (table 4.53): three running values in one pass.
  mutating func putScaleFactors(
    _ channel: inout ChannelFrame, _ layout: BandLayout, globalGain: Int32
  ) {
    let code = ScaleFactorBook.code
    var chain = ScaleFactorChain(globalGain: Int(globalGain))
    for band in 0..<layout.bandCount {
      let value = Int(channel.scaleFactors[band])
      switch channel.codebooks[band] {
      case Codebook.zero: continue
      case Codebook.noise:
        if chain.hasNoise {
          code.put(value - chain.noiseEnergy, to: &bits)
        } else {
          putFirstNoiseDifference(value - chain.noiseEnergy)
          chain.hasNoise = true
        }
        chain.noiseEnergy = value
      case Codebook.intensityInPhase, Codebook.intensityOutOfPhase:
        code.put(value - chain.intensityPosition, to: &bits)
        chain.intensityPosition = value
      default:
        code.put(value - chain.scaleFactor, to: &bits)
        chain.scaleFactor = value
      }
    }
  }

  /// Writes the first noise energy of a channel, which has no codeword.
  private mutating func putFirstNoiseDifference(_ difference: Int) {
    let width = ScaleFactorChain.firstNoiseWidth
    let value = UInt32(truncatingIfNeeded: difference + ScaleFactorChain.firstNoiseOffset)
    bits.put(value & (1 << UInt32(width) - 1), count: width)
  }

  /// Writes tns_data (table 4.54) of a long window with one filter.
  mutating func putNoiseShaping(_ filter: NoiseShapingFilter, _ coefficients: [Int]) {
    let widths = NoiseShapingFilter.FieldWidths(isShort: false)
    bits.put(1, count: widths.count)
    bits.put(UInt32(filter.resolution - 3), count: 1)
    bits.put(UInt32(filter.length), count: widths.length)
    bits.put(UInt32(filter.order), count: widths.order)
    if filter.order == 0 { return }
    bits.put(filter.isDownward ? 1 : 0, count: 1)
    // If all coefficients fit, each is sent with one bit less.
    let bound = 1 << (filter.resolution - 2)
    var isCompressible = true
    for value in coefficients where value < -bound || value >= bound { isCompressible = false }
    bits.put(isCompressible ? 1 : 0, count: 1)
    let width = isCompressible ? filter.resolution - 1 : filter.resolution
    for value in coefficients {
      bits.put(UInt32(truncatingIfNeeded: value) & ((1 << UInt32(width)) - 1), count: width)
    }
  }
}
