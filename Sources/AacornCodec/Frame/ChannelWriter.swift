/// Writes the parts of an individual_channel_stream (ISO/IEC 14496-3, 4.4.2.7) to a sink of bits.
///
/// Its counterpart is `ChannelReader`, which also reads prediction and pulses.
struct ChannelWriter<Bits: BitSink & Sendable>: Sendable {
  var bits: Bits

  init(_ bits: Bits) {
    self.bits = bits
  }

  /// Writes ics_info (table 4.6), without prediction.
  mutating func putWindowInfo(_ window: WindowInfo) {
    bits.put(0, count: 1)
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
  mutating func putGrouping(_ window: WindowInfo) {
    for group in 0..<window.groupCount {
      if group > 0 { bits.put(0, count: 1) }
      for _ in 1..<max(1, window.groupLengths[group]) { bits.put(1, count: 1) }
    }
  }

  /// Writes individual_channel_stream (table 4.50).
  ///
  /// `window` is nil if the pair shares it; `lines` are in the order of `layout`.
  mutating func writeStream(
    globalGain: Int, window: WindowInfo?, _ layout: BandLayout, codebooks: [UInt8],
    scaleFactors: [Int32], tools: StreamTools, lines: [Int32], _ codewords: Codewords
  ) where Bits == BitWriter {
    putStreamHeader(globalGain: globalGain, window: window)
    putSections(codebooks, layout.window)
    putScaleFactors(scaleFactors, codebooks, bandCount: layout.bandCount, globalGain: globalGain)
    putTools(tools, isShort: layout.window.isShort)
    writeSpectrum(
      lines, offsets: layout.offsets, codebooks: codebooks, bandCount: layout.bandCount,
      codewords: codewords)
  }

  /// Writes the fields before the sections of a stream; `window` is nil if the pair shares one.
  mutating func putStreamHeader(globalGain: Int, window: WindowInfo?) {
    bits.put(UInt32(globalGain), count: 8)
    if let window { putWindowInfo(window) }
  }

  /// Writes the fields between scalefactors and spectrum, without pulses.
  mutating func putTools(_ tools: StreamTools, isShort: Bool) {
    bits.put(0, count: 1)
    putFiltersAndGain(tools, isShort: isShort)
  }

  /// Writes the fields between pulses and spectrum, without gain control.
  mutating func putFiltersAndGain(_ tools: StreamTools, isShort: Bool) {
    bits.put(tools.filters == nil ? 0 : 1, count: 1)
    if let filters = tools.filters {
      putNoiseShaping(filters, tools.coefficients, isShort: isShort)
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
    _ scaleFactors: [Int32], _ codebooks: [UInt8], bandCount: Int, globalGain: Int
  ) {
    let code = ScaleFactorBook.code
    var chain = ScaleFactorChain(globalGain: globalGain)
    for band in 0..<bandCount {
      let value = Int(scaleFactors[band])
      switch codebooks[band] {
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

  /// Writes tns_data (table 4.54).
  private mutating func putNoiseShaping(
    _ filters: [NoiseShapingFilter], _ coefficients: [Int8], isShort: Bool
  ) {
    let widths = NoiseShapingFilter.FieldWidths(isShort: isShort)
    var first = 0
    for window in 0..<(isShort ? 8 : 1) {
      var end = first
      while end < filters.count && filters[end].window == window { end += 1 }
      bits.put(UInt32(end - first), count: widths.count)
      if first < end { bits.put(UInt32(filters[first].resolution - 3), count: 1) }
      while first < end {
        putFilter(filters[first], coefficients: coefficients, widths: widths)
        first += 1
      }
    }
  }

  private mutating func putFilter(
    _ filter: NoiseShapingFilter, coefficients: [Int8], widths: NoiseShapingFilter.FieldWidths
  ) {
    bits.put(UInt32(filter.length), count: widths.length)
    bits.put(UInt32(filter.order), count: widths.order)
    if filter.order == 0 { return }
    bits.put(filter.isDownward ? 1 : 0, count: 1)
    let range = filter.firstCoefficient..<filter.firstCoefficient + filter.order
    // If all coefficients fit, each is sent with one bit less.
    let bound = Int8(1) << (filter.resolution - 2)
    var isCompressible = true
    for index in range where coefficients[index] < -bound || coefficients[index] >= bound {
      isCompressible = false
    }
    bits.put(isCompressible ? 1 : 0, count: 1)
    let width = isCompressible ? filter.resolution - 1 : filter.resolution
    for index in range {
      let value = UInt32(truncatingIfNeeded: coefficients[index])
      bits.put(value & ((1 << UInt32(width)) - 1), count: width)
    }
  }
}

/// The fields of a channel between scalefactors and spectrum.
struct StreamTools: Sendable {
  /// The filters of temporal noise shaping in bitstream order; nil if its flag is not set.
  var filters: [NoiseShapingFilter]?
  /// The coefficient indices of all filters.
  var coefficients: [Int8] = []
}
