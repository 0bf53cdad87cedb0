/// Reads sbr_data (ISO/IEC 14496-3, tables 4.65 to 4.75) of a single or pair element.
struct SBRReader: Sendable {
  /// The data of each channel in the last frame.
  private(set) var channels: [SBRChannelData]
  /// Whether the second channel is the balance of the two.
  private(set) var isCoupled = false
  /// Slots of two samples of the filter bank in a frame: 16, or 15 for 960 samples.
  private let slotCount: Int
  private var previous: [SBRPreviousData]
  /// Whether the second channel of `previous` is a balance.
  private var wasCoupled = false
  /// The validity of `previous`.
  var splices: SpliceGuard
  /// The envelopes and the noise floors with differences in time: bit e is number e; by channel.
  private(set) var envelopesInTime: [UInt8]
  private(set) var noiseInTime: [UInt8]

  init(channelCount: Int, slotCount: Int) {
    self.slotCount = slotCount
    channels = [SBRChannelData](repeating: SBRChannelData(), count: channelCount)
    previous = [SBRPreviousData](repeating: SBRPreviousData(), count: channelCount)
    splices = SpliceGuard(channelCount: channelCount)
    envelopesInTime = [UInt8](repeating: 0, count: channelCount)
    noiseInTime = envelopesInTime
  }

  /// Handles a missing or unreadable frame: the next one does not follow, and held levels fade.
  mutating func handleMissingFrame() {
    splices.handleMissingFrame()
    for channel in previous.indices {
      if !(wasCoupled && channel == 1) { previous[channel].fade() }
    }
  }

  /// Reads the data of a frame up to its extensions; returns false if it is illegal or truncated.
  ///
  /// Afterwards call `advance` if the whole payload is valid, or else `handleMissingFrame`.
  mutating func read(
    _ bits: inout BitReader, _ tables: SBRTables, isCoarse: Bool
  ) -> Bool {
    splices.beginData()
    let isValid =
      channels.count == 1
      ? readSingle(&bits, tables, isCoarse: isCoarse)
      : readPair(&bits, tables, isCoarse: isCoarse)
    for channel in channels.indices where isValid {
      channels[channel].harmonics = 0
      if bits.readFlag() { readHarmonics(from: &bits, tables: tables, channel: channel) }
      let grid = channels[channel].grid
      splices.end(
        channel, excess: grid.end - slotCount,
        envelopesInTime: envelopesInTime[isCoupled ? 0 : channel],
        envelopeCount: grid.envelopeCount)
    }
    return isValid && !bits.isOverrun
  }

  /// Ends the frame: later differences in time refer to the last values read.
  mutating func advance(_ tables: SBRTables) {
    wasCoupled = isCoupled
    for channel in channels.indices { previous[channel].record(channels[channel], tables) }
    splices.advance()
  }

  /// Reads sbr_single_channel_element.
  private mutating func readSingle(
    _ bits: inout BitReader, _ tables: SBRTables, isCoarse: Bool
  ) -> Bool {
    if bits.readFlag() { bits.skip(4) }
    isCoupled = false
    guard readGrid(&bits, 0, isCoarse: isCoarse) else { return false }
    readDirections(&bits, 0)
    readInverseFiltering(from: &bits, tables: tables, channel: 0)
    return readEnvelopes(from: &bits, tables: tables, channel: 0)
      && readNoise(from: &bits, tables: tables, channel: 0)
  }

  /// Reads sbr_channel_pair_element.
  private mutating func readPair(
    _ bits: inout BitReader, _ tables: SBRTables, isCoarse: Bool
  ) -> Bool {
    if bits.readFlag() { bits.skip(8) }
    isCoupled = bits.readFlag()
    guard readGrid(&bits, 0, isCoarse: isCoarse) else { return false }
    if isCoupled {
      splices.begin(1, at: channels[0].grid.start)
      channels[1].grid = channels[0].grid
      channels[1].isCoarse = channels[0].isCoarse
    } else {
      guard readGrid(&bits, 1, isCoarse: isCoarse) else { return false }
    }
    readDirections(&bits, 0)
    readDirections(&bits, 1)
    readInverseFiltering(from: &bits, tables: tables, channel: 0)
    if isCoupled {
      channels[1].inverseFiltering = channels[0].inverseFiltering
      return readEnvelopes(from: &bits, tables: tables, channel: 0)
        && readNoise(from: &bits, tables: tables, channel: 0)
        && readEnvelopes(from: &bits, tables: tables, channel: 1)
        && readNoise(from: &bits, tables: tables, channel: 1)
    }
    readInverseFiltering(from: &bits, tables: tables, channel: 1)
    return readEnvelopes(from: &bits, tables: tables, channel: 0)
      && readEnvelopes(from: &bits, tables: tables, channel: 1)
      && readNoise(from: &bits, tables: tables, channel: 0)
      && readNoise(from: &bits, tables: tables, channel: 1)
  }

  private mutating func readGrid(
    _ bits: inout BitReader, _ channel: Int, isCoarse: Bool
  ) -> Bool {
    guard let grid = SBRGrid(&bits, slotCount: slotCount) else { return false }
    splices.begin(channel, at: grid.start)
    channels[channel].grid = grid
    channels[channel].isCoarse = isCoarse && !grid.hasFineSteps
    return true
  }

  /// Reads sbr_dtdf.
  private mutating func readDirections(_ bits: inout BitReader, _ channel: Int) {
    envelopesInTime[channel] = 0
    noiseInTime[channel] = 0
    let grid = channels[channel].grid
    for envelope in 0..<grid.envelopeCount where bits.readFlag() {
      envelopesInTime[channel] |= 1 << UInt8(envelope)
    }
    for floor in 0..<grid.noiseCount where bits.readFlag() {
      noiseInTime[channel] |= 1 << UInt8(floor)
    }
  }

  /// Reads sbr_invf.
  private mutating func readInverseFiltering(
    from bits: inout BitReader, tables: SBRTables, channel: Int
  ) {
    for band in 0..<tables.noiseCount {
      channels[channel].inverseFiltering[band] = UInt8(bits.readInt(2))
    }
  }

  /// Reads sbr_sinusoidal_coding.
  private mutating func readHarmonics(
    from bits: inout BitReader, tables: SBRTables, channel: Int
  ) {
    for band in 0..<tables.bandCount(isHigh: true) where bits.readFlag() {
      channels[channel].harmonics |= 1 << UInt64(band)
    }
  }
}

/// The scalefactors of envelopes and noise floors.
extension SBRReader {
  /// Reads sbr_envelope (table 4.73).
  private mutating func readEnvelopes(
    from bits: inout BitReader, tables: SBRTables, channel: Int
  ) -> Bool {
    let isBalance = isCoupled && channel == 1
    let isCoarse = channels[channel].isCoarse
    let grid = channels[channel].grid
    let coding = SBRValueCoding.ofEnvelopes(isBalance: isBalance, isCoarse: isCoarse)
    let fade = isBalance ? 0 : SpliceGuard.fade(isCoarse: isCoarse)
    let odd = tables.bandCount(isHigh: true) & 1
    if isCoarse != previous[channel].isCoarse, envelopesInTime[channel] & 1 != 0 {
      splices.changeSteps(channel)
    }
    for envelope in 0..<grid.envelopeCount {
      let isHigh = grid.isHigh(envelope)
      let wasHigh = envelope == 0 ? previous[channel].isHigh : grid.isHigh(envelope - 1)
      let count = tables.bandCount(isHigh: isHigh)
      let offset = envelope * SBRTables.maxBandCount
      let isInTime = envelopesInTime[channel] >> UInt8(envelope) & 1 != 0
      let isTrusted = splices.current[channel].envelope
      let start = bits.position
      let isValid = coding.read(
        &bits, isInTime: isInTime, count: count, fade: isTrusted ? nil : fade
      ) { band in
        let source = SBRPreviousData.band(band, isHigh: isHigh, wasHigh: wasHigh, odd: odd)
        return envelope == 0
          ? previous[channel].level(source, isCoarse: isCoarse)
          : channels[channel].envelopes[offset - SBRTables.maxBandCount + source]
      } store: { band, value in
        channels[channel].envelopes[offset + band] = value
      }
      guard isValid else { return false }
      if !isInTime {
        splices.current[channel].envelope = true
      } else if isTrusted {
        let values = channels[channel].envelopes
        let other = coding.bitCountInFrequency(count: count) { values[offset + $0] }
        splices.compare(bits.position - start, inFrequency: other)
      }
    }
    return true
  }

  /// Reads sbr_noise (table 4.74).
  private mutating func readNoise(
    from bits: inout BitReader, tables: SBRTables, channel: Int
  ) -> Bool {
    let coding = SBRValueCoding.ofNoise(isBalance: isCoupled && channel == 1)
    for floor in 0..<channels[channel].grid.noiseCount {
      let isInTime = noiseInTime[channel] >> UInt8(floor) & 1 != 0
      let isValid = coding.read(
        &bits, isInTime: isInTime, count: tables.noiseCount,
        fade: splices.current[channel].noise ? nil : 0
      ) { band in
        floor == 0 ? previous[channel].noise[band] : channels[channel].noise[band]
      } store: { band, value in
        channels[channel].noise[8 * floor + band] = value
      }
      guard isValid else { return false }
      if !isInTime { splices.current[channel].noise = true }
    }
    return true
  }
}
