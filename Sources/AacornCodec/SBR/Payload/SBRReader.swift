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
  /// The parts of `previous` that belong to the last frame, by channel.
  private var references: [ReferenceState]
  /// The references of the current payload, which replace `references` if it is valid.
  private var current: [ReferenceState]
  /// Whether the current frame does not begin at the end of the last one.
  private(set) var isDiscontinuous = false
  /// The envelopes and the noise floors with differences in time: bit e is number e; by channel.
  private(set) var envelopesInTime: [UInt8]
  private(set) var noiseInTime: [UInt8]
  /// Whether the current frame has differences in time that an encoder would not choose.
  private var looksSpliced = false
  /// The number of leading envelopes that depend on a probable splice, by channel.
  private(set) var splicedEnvelopeCounts: [Int]

  /// The validity of the data to which differences in time refer.
  ///
  /// After a gap or a splice, the last envelope belongs to another position, and sums with it can
  /// be as loud as the format allows. Until an envelope is coded in frequency, the last levels are
  /// held and fade.
  private struct ReferenceState: Sendable {
    var envelope = false
    var noise = false
    /// Whether the last envelope depends on a probable splice.
    var isDoubtful = false
    /// The number of slots by which the last frame extends past its end, which is the expected
    /// start of this frame; nil after a gap.
    var start: Int?
  }

  init(channelCount: Int, slotCount: Int) {
    self.slotCount = slotCount
    channels = [SBRChannelData](repeating: SBRChannelData(), count: channelCount)
    previous = [SBRPreviousData](repeating: SBRPreviousData(), count: channelCount)
    references = [ReferenceState](repeating: ReferenceState(), count: channelCount)
    current = references
    envelopesInTime = [UInt8](repeating: 0, count: channelCount)
    noiseInTime = envelopesInTime
    splicedEnvelopeCounts = [Int](repeating: 0, count: channelCount)
  }

  /// Handles a missing or unreadable frame: the next one does not follow, and held levels fade.
  mutating func handleMissingFrame() {
    for channel in references.indices {
      references[channel] = ReferenceState()
      if !(wasCoupled && channel == 1) { previous[channel].fade() }
    }
  }

  /// Reads the data of a frame up to its extensions; returns false if it is illegal or truncated.
  ///
  /// Afterwards call `advance` if the whole payload is valid, or else `handleMissingFrame`.
  mutating func read(
    _ bits: inout BitReader, _ tables: SBRTables, isCoarse: Bool
  ) -> Bool {
    isDiscontinuous = false
    looksSpliced = false
    for channel in channels.indices { current[channel] = references[channel] }
    let isValid =
      channels.count == 1
      ? readSingle(&bits, tables, isCoarse: isCoarse)
      : readPair(&bits, tables, isCoarse: isCoarse)
    for channel in channels.indices where isValid {
      channels[channel].harmonics = 0
      if bits.readFlag() { readHarmonics(&bits, tables, channel) }
      current[channel].start = channels[channel].grid.end - slotCount
      countSplicedEnvelopes(channel)
    }
    return isValid && !bits.isOverrun
  }

  /// Ends the frame: later differences in time refer to the last values read.
  mutating func advance(_ tables: SBRTables) {
    wasCoupled = isCoupled
    for channel in channels.indices {
      previous[channel].record(channels[channel], tables)
      references[channel] = current[channel]
    }
  }

  /// Counts the leading envelopes that depend on a probable splice: those before the first envelope
  /// that is coded in frequency.
  ///
  /// In a coupled pair, the first channel decides: no balance makes a channel louder than their
  /// sum.
  private mutating func countSplicedEnvelopes(_ channel: Int) {
    let isDoubtful = looksSpliced || current[channel].isDoubtful
    let count = (~envelopesInTime[isCoupled ? 0 : channel]).trailingZeroBitCount
    splicedEnvelopeCounts[channel] = isDoubtful ? count : 0
    current[channel].isDoubtful = isDoubtful && count == channels[channel].grid.envelopeCount
  }

  /// Reads sbr_single_channel_element.
  private mutating func readSingle(
    _ bits: inout BitReader, _ tables: SBRTables, isCoarse: Bool
  ) -> Bool {
    if bits.readFlag() { bits.skip(4) }
    isCoupled = false
    guard readGrid(&bits, 0, isCoarse: isCoarse) else { return false }
    readDirections(&bits, 0)
    readInverseFiltering(&bits, tables, 0)
    return readEnvelopes(&bits, tables, 0) && readNoise(&bits, tables, 0)
  }

  /// Reads sbr_channel_pair_element.
  private mutating func readPair(
    _ bits: inout BitReader, _ tables: SBRTables, isCoarse: Bool
  ) -> Bool {
    if bits.readFlag() { bits.skip(8) }
    isCoupled = bits.readFlag()
    guard readGrid(&bits, 0, isCoarse: isCoarse) else { return false }
    if isCoupled {
      begin(1, at: channels[0].grid.start)
      channels[1].grid = channels[0].grid
      channels[1].isCoarse = channels[0].isCoarse
    } else {
      guard readGrid(&bits, 1, isCoarse: isCoarse) else { return false }
    }
    readDirections(&bits, 0)
    readDirections(&bits, 1)
    readInverseFiltering(&bits, tables, 0)
    if isCoupled {
      channels[1].inverseFiltering = channels[0].inverseFiltering
      return readEnvelopes(&bits, tables, 0) && readNoise(&bits, tables, 0)
        && readEnvelopes(&bits, tables, 1) && readNoise(&bits, tables, 1)
    }
    readInverseFiltering(&bits, tables, 1)
    return readEnvelopes(&bits, tables, 0) && readEnvelopes(&bits, tables, 1)
      && readNoise(&bits, tables, 0) && readNoise(&bits, tables, 1)
  }

  private mutating func readGrid(
    _ bits: inout BitReader, _ channel: Int, isCoarse: Bool
  ) -> Bool {
    guard let grid = SBRGrid(&bits, slotCount: slotCount) else { return false }
    begin(channel, at: grid.start)
    channels[channel].grid = grid
    channels[channel].isCoarse = isCoarse && !grid.hasFineSteps
    return true
  }

  /// Records the start of a frame.
  ///
  /// If it differs from the end of the last frame, the frame does not follow that one.
  private mutating func begin(_ channel: Int, at start: Int) {
    guard let expected = current[channel].start, expected != start else { return }
    current[channel] = ReferenceState()
    isDiscontinuous = true
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
    _ bits: inout BitReader, _ tables: SBRTables, _ channel: Int
  ) {
    for band in 0..<tables.noiseCount {
      channels[channel].inverseFiltering[band] = UInt8(bits.readInt(2))
    }
  }

  /// Reads sbr_sinusoidal_coding.
  private mutating func readHarmonics(
    _ bits: inout BitReader, _ tables: SBRTables, _ channel: Int
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
    _ bits: inout BitReader, _ tables: SBRTables, _ channel: Int
  ) -> Bool {
    let isBalance = isCoupled && channel == 1
    let isCoarse = channels[channel].isCoarse
    let grid = channels[channel].grid
    let coding = SBRValueCoding.ofEnvelopes(isBalance: isBalance, isCoarse: isCoarse)
    let fade = isBalance ? 0 : SBRPreviousData.fade(isCoarse: isCoarse)
    let odd = tables.bandCount(isHigh: true) & 1
    if isCoarse != previous[channel].isCoarse { checkSteps(channel) }
    for envelope in 0..<grid.envelopeCount {
      let isHigh = grid.isHigh(envelope)
      let wasHigh = envelope == 0 ? previous[channel].isHigh : grid.isHigh(envelope - 1)
      let count = tables.bandCount(isHigh: isHigh)
      let offset = envelope * SBRTables.maxBandCount
      let isInTime = envelopesInTime[channel] >> UInt8(envelope) & 1 != 0
      let isTrusted = current[channel].envelope
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
        current[channel].envelope = true
      } else if isTrusted {
        let values = channels[channel].envelopes
        let other = coding.bitCountInFrequency(count: count) { values[offset + $0] }
        detectSplice(bits.position - start, other)
      }
    }
    return true
  }

  /// Detects a change of the step size without an envelope in frequency.
  ///
  /// After a change of the step size, encoders code the first envelope in frequency. If it is coded
  /// in time, the frame does not follow the last one.
  private mutating func checkSteps(_ channel: Int) {
    guard current[channel].envelope, envelopesInTime[channel] & 1 != 0 else { return }
    current[channel] = ReferenceState()
    isDiscontinuous = true
  }

  /// Detects a splice from the `bitCount` of differences in time.
  ///
  /// Coded in frequency, the values would need `other` bits, and encoders choose the direction with
  /// fewer bits. After a splice, for example, the large differences of an onset are added to audio
  /// that is already loud. Coded in frequency, the resulting values would need far fewer bits.
  private mutating func detectSplice(_ bitCount: Int, _ other: Int) {
    // Neighboring bands never differ by more than the maximum in the book of differences in
    // frequency.
    if 4 * bitCount > 5 * other || other >= SBRValueCoding.impossibleBitCount {
      looksSpliced = true
    }
  }

  /// Reads sbr_noise (table 4.74).
  private mutating func readNoise(
    _ bits: inout BitReader, _ tables: SBRTables, _ channel: Int
  ) -> Bool {
    let coding = SBRValueCoding.ofNoise(isBalance: isCoupled && channel == 1)
    for floor in 0..<channels[channel].grid.noiseCount {
      let isInTime = noiseInTime[channel] >> UInt8(floor) & 1 != 0
      let isValid = coding.read(
        &bits, isInTime: isInTime, count: tables.noiseCount,
        fade: current[channel].noise ? nil : 0
      ) { band in
        floor == 0 ? previous[channel].noise[band] : channels[channel].noise[band]
      } store: { band, value in
        channels[channel].noise[8 * floor + band] = value
      }
      guard isValid else { return false }
      if !isInTime { current[channel].noise = true }
    }
    return true
  }
}
