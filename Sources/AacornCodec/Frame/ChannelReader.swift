/// Reads the parts of an individual_channel_stream (ISO/IEC 14496-3, 4.4.2.7) from a block's bits.
///
/// Its counterpart, function by function, is `ChannelWriter`. The result is the coded values;
/// nothing is reconstructed.
struct ChannelReader: Sendable {
  let objectType: AudioObjectType
  let bands: ScaleFactorBands
  let keepsSpectrum: Bool
  private let spectralTables = SpectralTables.shared
  /// Zeros for all lines of a frame, if spectra are kept.
  let zeros: [Int16]
  var bits = BitReader([])
  /// The bit position of the block's start.
  private var start = 0
  /// The long-term prediction of a pair's second channel, if the pair shares its windows.
  private(set) var secondLongTermPrediction: LongTermPrediction?

  init(_ configuration: AudioSpecificConfig, keepsSpectrum: Bool) {
    objectType = configuration.objectType
    bands = ScaleFactorBands(configuration)
    self.keepsSpectrum = keepsSpectrum
    zeros = [Int16](repeating: 0, count: keepsSpectrum ? bands.long[bands.long.count - 1] : 0)
  }

  mutating func begin(_ bytes: [UInt8], range: Range<Int>) {
    bits = BitReader(bytes, range: range)
    start = bits.position
  }

  /// Releases the bytes, so that their owner has the only reference.
  mutating func end() { bits = BitReader([]) }

  /// The position of the next bit, counted from the start of the block.
  var position: Int { bits.position - start }

  /// Moves to a bit position counted from the start of the block.
  mutating func seek(to position: Int) { bits.seek(to: start + position) }

  func failure(_ reason: ParseError.Reason) -> ParseError {
    ParseError(reason, bitPosition: position)
  }

  func checkEnd() throws(ParseError) {
    if bits.isOverrun { throw failure(.truncated) }
  }

  /// Reads ics_info (table 4.6).
  mutating func readWindowInfo(isPair: Bool) throws(ParseError) -> WindowInfo {
    var window = WindowInfo()
    secondLongTermPrediction = nil
    window.hasReservedBit = bits.readFlag()
    window.sequence = WindowSequence(rawValue: UInt8(bits.readInt(2))) ?? .onlyLong
    window.shape = bits.readFlag() ? .kaiserBesselDerived : .sine
    if window.isShort {
      window.bandsPerGroup = bits.readInt(4)
      readGrouping(&window)
    } else {
      window.bandsPerGroup = bits.readInt(6)
    }
    let limit = bands.offsets(isShort: window.isShort).count - 1
    if window.bandsPerGroup > limit {
      throw failure(.tooManyBands(count: window.bandsPerGroup, limit: limit))
    }
    if !window.isShort && bits.readFlag() {
      try readPrediction(&window, isPair: isPair)
    }
    try checkEnd()
    return window
  }

  /// Reads the grouping: a set bit joins the window to the group of the previous window.
  private mutating func readGrouping(_ window: inout WindowInfo) {
    let joins = bits.readInt(7)
    var group = 0
    for bit in (0..<7).reversed() {
      if joins >> bit & 1 == 0 { group += 1 }
      window.groupLengths[group] += 1
    }
    window.groupCount = group + 1
  }

  /// Reads the prediction of ics_info with object types Main and LTP (tables 4.6 and 4.55).
  private mutating func readPrediction(
    _ window: inout WindowInfo, isPair: Bool
  ) throws(ParseError) {
    switch objectType {
    case .main:
      var prediction = BackwardPrediction()
      if bits.readFlag() { prediction.resetGroup = bits.readInt(5) }
      prediction.bandCount = min(window.bandsPerGroup, bands.predictionLimit)
      prediction.bands = readBands(prediction.bandCount)
      window.backwardPrediction = prediction
    case .longTermPrediction:
      window.longTermPrediction = readLongTermPrediction(window)
      secondLongTermPrediction = isPair ? readLongTermPrediction(window) : nil
    default:
      throw failure(.prediction)
    }
  }

  /// Reads ltp_data, if it is present (table 4.55).
  private mutating func readLongTermPrediction(_ window: WindowInfo) -> LongTermPrediction? {
    guard bits.readFlag() else { return nil }
    var prediction = LongTermPrediction()
    prediction.lag = bits.readInt(11)
    prediction.gainIndex = bits.readInt(3)
    prediction.bands = readBands(min(window.bandsPerGroup, LongTermPrediction.maxBandCount))
    return prediction
  }

  /// Reads a flag for each of at most 64 bands.
  private mutating func readBands(_ count: Int) -> UInt64 {
    var set: UInt64 = 0
    for band in 0..<count where bits.readFlag() { set |= 1 << UInt64(band) }
    return set
  }

  /// Reads pulse_data (table 4.7).
  private mutating func readPulses(_ channel: inout ParsedChannel) throws(ParseError) {
    if channel.window.isShort { throw failure(.pulsesInShortWindows) }
    let count = bits.readInt(2) + 1
    let band = bits.readInt(6)
    if band >= bands.long.count - 1 {
      throw failure(.tooManyBands(count: band, limit: bands.long.count - 2))
    }
    var line = bands.long[band]
    for _ in 0..<count {
      line += bits.readInt(5)
      let amplitude = bits.readInt(4)
      if line >= bands.long[bands.long.count - 1] { throw failure(.pulseOutOfRange(line: line)) }
      channel.pulses.append(ParsedChannel.Pulse(line: line, amplitude: amplitude))
    }
  }

  /// Reads individual_channel_stream (table 4.50).
  ///
  /// If `sharesWindow` is true, `channel.window` is already set.
  mutating func readStream(
    _ channel: inout ParsedChannel, sharesWindow: Bool
  ) throws(ParseError) {
    let start = bits.position
    channel.removeContent()
    try readStreamHeader(&channel, sharesWindow: sharesWindow)

    let sectionStart = bits.position
    try readSections(&channel)
    let scaleFactorStart = bits.position
    try readScaleFactors(&channel)
    channel.sectionBits = scaleFactorStart - sectionStart
    channel.scaleFactorBits = bits.position - scaleFactorStart

    try readTools(&channel)
    try checkEnd()

    let spectrumStart = bits.position
    try readSpectrum(&channel)
    try checkEnd()
    channel.sideInformationBits = spectrumStart - start
    channel.spectralBits = bits.position - spectrumStart
  }

  /// Reads the fields before the sections of a stream.
  private mutating func readStreamHeader(
    _ channel: inout ParsedChannel, sharesWindow: Bool
  ) throws(ParseError) {
    channel.globalGain = bits.readInt(8)
    if !sharesWindow { channel.window = try readWindowInfo(isPair: false) }
  }

  /// Reads the fields between scalefactors and spectrum.
  ///
  /// These are pulses, temporal noise shaping, and gain control, which only SSR has.
  private mutating func readTools(_ channel: inout ParsedChannel) throws(ParseError) {
    if bits.readFlag() { try readPulses(&channel) }
    if bits.readFlag() { try readNoiseShaping(&channel) }
    if bits.readFlag() { throw failure(.gainControl) }
  }

  /// Reads section_data (table 4.52).
  private mutating func readSections(_ channel: inout ParsedChannel) throws(ParseError) {
    let coding = SectionLength(isShort: channel.window.isShort)
    let limit = channel.window.bandsPerGroup
    for _ in 0..<channel.window.groupCount {
      var band = 0
      while band < limit {
        let codebook = UInt8(bits.readInt(4))
        if codebook == Codebook.reserved { throw failure(.reservedCodebook) }
        var length = 0
        var increment = bits.readInt(coding.fieldWidth)
        while increment == coding.escape && band + length <= limit {
          length += coding.escape
          increment = bits.readInt(coding.fieldWidth)
        }
        length += increment
        if band + length > limit {
          throw failure(.sectionTooLong(end: band + length, limit: limit))
        }
        // An empty section is unusual but legal; at the end of the data it would repeat forever.
        try checkEnd()
        for _ in 0..<length { channel.codebooks.append(codebook) }
        channel.sectionCount += 1
        band += length
      }
    }
  }

  /// Reads scale_factor_data (table 4.53): three running values in one pass.
  private mutating func readScaleFactors(_ channel: inout ParsedChannel) throws(ParseError) {
    let code = ScaleFactorBook.code
    var chain = ScaleFactorChain(globalGain: channel.globalGain)
    for codebook in channel.codebooks {
      switch codebook {
      case Codebook.zero:
        channel.scaleFactors.append(0)
      case Codebook.noise:
        if chain.hasNoise {
          chain.noiseEnergy += code.read(&bits)
        } else {
          chain.noiseEnergy += readFirstNoiseDifference()
          chain.hasNoise = true
        }
        channel.noiseBandCount += 1
        channel.scaleFactors.append(Int16(truncatingIfNeeded: chain.noiseEnergy))
      case Codebook.intensityInPhase, Codebook.intensityOutOfPhase:
        chain.intensityPosition += code.read(&bits)
        channel.intensityBandCount += 1
        channel.scaleFactors.append(Int16(truncatingIfNeeded: chain.intensityPosition))
      default:
        chain.scaleFactor += code.read(&bits)
        if chain.scaleFactor < 0 || chain.scaleFactor > 255 {
          throw failure(.scaleFactorOutOfRange(chain.scaleFactor))
        }
        channel.scaleFactors.append(Int16(truncatingIfNeeded: chain.scaleFactor))
      }
    }
    try checkEnd()
  }

  /// Reads the first noise energy of a channel, which has no codeword.
  private mutating func readFirstNoiseDifference() -> Int {
    bits.readInt(ScaleFactorChain.firstNoiseWidth) - ScaleFactorChain.firstNoiseOffset
  }

  /// Reads tns_data (table 4.54).
  private mutating func readNoiseShaping(_ channel: inout ParsedChannel) throws(ParseError) {
    channel.hasNoiseShaping = true
    let isShort = channel.window.isShort
    let widths = NoiseShapingFilter.FieldWidths(isShort: isShort)
    let limit = isShort ? 7 : objectType == .main ? 20 : 12
    for window in 0..<(isShort ? 8 : 1) {
      let count = bits.readInt(widths.count)
      if count == 0 { continue }
      let resolution = 3 + bits.readInt(1)
      for _ in 0..<count {
        let length = bits.readInt(widths.length)
        let order = bits.readInt(widths.order)
        if order > limit { throw failure(.noiseShapingOrder(order, limit: limit)) }
        var filter = NoiseShapingFilter(
          window: window, length: length, order: order, isDownward: false,
          resolution: resolution, firstCoefficient: channel.noiseShapingCoefficients.count)
        if order > 0 {
          filter.isDownward = bits.readFlag()
          let width = resolution - bits.readInt(1)
          for _ in 0..<order {
            // Shifting the sign bit to the top and back extends it.
            let value = Int8(truncatingIfNeeded: bits.readInt(width) << (8 - width))
            channel.noiseShapingCoefficients.append(value >> Int8(8 - width))
          }
        }
        channel.noiseShapingFilters.append(filter)
      }
    }
  }
}

extension ChannelReader {
  /// Reads spectral_data (ISO/IEC 14496-3, table 4.56), and reorders it by window.
  ///
  /// In the stream, the windows of a group alternate band by band:
  ///
  ///     stream     group 0: band 0 of window 0, band 0 of window 1, band 1 of window 0, …
  ///     spectrum   window 0: band 0, band 1, …   window 1: band 0, band 1, …
  mutating func readSpectrum(_ channel: inout ParsedChannel) throws(ParseError) {
    let offsets = bands.offsets(isShort: channel.window.isShort)
    let keepsSpectrum = keepsSpectrum
    // Appending a copy is the fastest way to fill an array.
    if keepsSpectrum { channel.spectrum.append(contentsOf: zeros) }
    let windowInfo = channel.window
    var cursor = SpectrumCursor(bits)
    let isComplete = unsafe spectralTables.withUnsafePointers { tables in
      unsafe channel.spectrum.withUnsafeMutableBufferPointer { lines in
        unsafe channel.codebooks.withUnsafeBufferPointer { codebooks in
          unsafe bits.withBytes { bytes in
            // If the spectrum is not kept, nothing is written, so the band may end anywhere.
            let lineCount = keepsSpectrum ? lines.count : .max
            var isValid = true
            windowInfo.forEachBand(offsets) { band, range, _ in
              let codebook = unsafe Int(codebooks[band])
              guard Codebook.all.contains(codebook), isValid else { return }
              precondition(range.upperBound <= lineCount)
              let target =
                unsafe keepsSpectrum ? lines.baseAddress.map { unsafe $0 + range.lowerBound } : nil
              isValid = unsafe cursor.read(
                codebook, count: range.count, tables: tables, from: bytes, into: target)
            }
            return isValid
          }
        }
      }
    }
    bits.skip(cursor.next - bits.position)
    if !isComplete { throw failure(.escapeTooLong) }
  }
}
