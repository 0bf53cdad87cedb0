/// Writes sbr_extension_data of an element (ISO/IEC 14496-3, tables 4.62 to 4.75).
///
/// The element is a single channel or a pair. The destination may only count the bits. The
/// counterpart, function by function, is `SBRReader`.
///
/// In every frame call `limit`, so that all values can be written, then `choose`, then `put`, and
/// `advance` at the end. All except `advance` may be called repeatedly, to compare alternatives.
struct SBRWriter: SegmentStage {
  static let lookBack = 0
  /// The maximum bytes of a payload, from the maximum of a fill element.
  static let maxByteCount = 269

  /// The reference of differences in time.
  struct Memory: Sendable {
    var channels: [SBRPreviousData]
    var isCoupled = false
    var isEmpty = true

    init(channelCount: Int) {
      channels = [SBRPreviousData](repeating: SBRPreviousData(), count: channelCount)
    }
  }

  /// The reference from the previous frame, and the reference for the next one.
  private(set) var last: Memory
  var present: Memory
  /// The envelopes and the noise floors with differences in time: bit e is number e; by channel.
  var envelopesInTime: [UInt8]
  var noiseInTime: [UInt8]

  init(channelCount: Int) {
    precondition(channelCount == 1 || channelCount == 2)
    last = Memory(channelCount: channelCount)
    present = last
    envelopesInTime = [UInt8](repeating: 0, count: channelCount)
    noiseInTime = envelopesInTime
  }

  mutating func begin(atFrame index: Int) { last.isEmpty = true }

  /// Whether the second channel of the frame is the balance of the two channels.
  var isCoupled: Bool { present.isCoupled }

  /// Chooses between differences in time and in frequency, whichever need fewer bits.
  ///
  /// - Parameters:
  ///   - channels: The element's channels, within the limits of `limit`.
  ///   - isCoupled: Whether the second channel is the balance of the two channels.
  ///   - tables: The header's tables.
  ///   - isFresh: Whether the frame must not refer to the last one, for example because it has a
  ///     header.
  mutating func choose(
    _ channels: [SBRChannelData], isCoupled: Bool, tables: SBRTables, isFresh: Bool
  ) {
    precondition(channels.count == last.channels.count && (channels.count == 2 || !isCoupled))
    let isFresh = isFresh || last.isEmpty || isCoupled != last.isCoupled
    present.isCoupled = isCoupled
    present.isEmpty = false
    for channel in channels.indices {
      let isCoarse = channels[channel].isCoarse
      let isBalance = isCoupled && channel == 1
      present.channels[channel].record(channels[channel], tables)
      // If frames are lost, a decoder adds differences to the values of another frame. Values in
      // steps of 1.5 dB, mistaken for steps of 3 dB, would be up to 80 dB too loud. A balance only
      // changes the direction.
      let isStart = isFresh || isCoarse != last.channels[channel].isCoarse || isCoarse && !isBalance
      chooseEnvelopes(channels[channel], tables: tables, channel: channel, isFresh: isStart)
      chooseNoise(channels[channel], tables: tables, channel: channel, isFresh: isFresh)
    }
  }

  /// Ends the frame: later differences in time refer to the last choice.
  mutating func advance() { swap(&last, &present) }

  /// Writes the payload of a fill element, as a whole number of bytes.
  ///
  /// - Parameters:
  ///   - bits: The destination.
  ///   - channels: The channels passed to `choose`.
  ///   - tables: The tables passed to `choose`.
  ///   - header: The header to begin with, if any.
  ///   - stereo: The ps_data of a single element, if it has any.
  func put(
    to bits: inout some BitSink, _ channels: [SBRChannelData], tables: SBRTables,
    header: SBRHeader? = nil, stereo: BitWriter? = nil
  ) {
    let start = bits.bitCount
    bits.put(UInt32(ExtensionPayload.Kind.spectralBandReplication.rawValue), count: 4)
    bits.put(header == nil ? 0 : 1, count: 1)
    if let header { header.put(to: &bits) }
    if channels.count == 1 {
      putSingle(&bits, channels, tables: tables)
    } else {
      putPair(&bits, channels, tables: tables)
    }
    for data in channels { putHarmonics(&bits, of: data, tables: tables) }
    putExtension(&bits, stereo)
    bits.put(0, count: (8 - (bits.bitCount - start) & 7) & 7)
  }

  /// Writes sbr_single_channel_element.
  private func putSingle(
    _ bits: inout some BitSink, _ channels: [SBRChannelData], tables: SBRTables
  ) {
    bits.put(0, count: 1)
    channels[0].grid.put(to: &bits, slotCount: GridActivity.frameSlots)
    putDirections(&bits, of: channels[0], channel: 0)
    putInverseFiltering(&bits, of: channels[0], tables: tables)
    putEnvelopes(&bits, of: channels[0], tables: tables, channel: 0)
    putNoise(&bits, of: channels[0], tables: tables, channel: 0)
  }

  /// Writes sbr_channel_pair_element.
  private func putPair(
    _ bits: inout some BitSink, _ channels: [SBRChannelData], tables: SBRTables
  ) {
    let (first, second) = (channels[0], channels[1])
    bits.put(0, count: 1)
    bits.put(isCoupled ? 1 : 0, count: 1)
    first.grid.put(to: &bits, slotCount: GridActivity.frameSlots)
    if !isCoupled { second.grid.put(to: &bits, slotCount: GridActivity.frameSlots) }
    putDirections(&bits, of: first, channel: 0)
    putDirections(&bits, of: second, channel: 1)
    putInverseFiltering(&bits, of: first, tables: tables)
    if isCoupled {
      putEnvelopes(&bits, of: first, tables: tables, channel: 0)
      putNoise(&bits, of: first, tables: tables, channel: 0)
      putEnvelopes(&bits, of: second, tables: tables, channel: 1)
      putNoise(&bits, of: second, tables: tables, channel: 1)
    } else {
      putInverseFiltering(&bits, of: second, tables: tables)
      putEnvelopes(&bits, of: first, tables: tables, channel: 0)
      putEnvelopes(&bits, of: second, tables: tables, channel: 1)
      putNoise(&bits, of: first, tables: tables, channel: 0)
      putNoise(&bits, of: second, tables: tables, channel: 1)
    }
  }

  /// Writes sbr_dtdf.
  private func putDirections(
    _ bits: inout some BitSink, of data: SBRChannelData, channel: Int
  ) {
    for envelope in 0..<data.grid.envelopeCount {
      bits.put(UInt32(envelopesInTime[channel] >> UInt8(envelope) & 1), count: 1)
    }
    for floor in 0..<data.grid.noiseCount {
      bits.put(UInt32(noiseInTime[channel] >> UInt8(floor) & 1), count: 1)
    }
  }

  /// Writes sbr_invf.
  private func putInverseFiltering(
    _ bits: inout some BitSink, of data: SBRChannelData, tables: SBRTables
  ) {
    for band in 0..<tables.noiseCount {
      bits.put(UInt32(data.inverseFiltering[band]), count: 2)
    }
  }

  /// Writes sbr_sinusoidal_coding, if there are any sines.
  private func putHarmonics(
    _ bits: inout some BitSink, of data: SBRChannelData, tables: SBRTables
  ) {
    bits.put(data.harmonics == 0 ? 0 : 1, count: 1)
    guard data.harmonics != 0 else { return }
    for band in 0..<tables.bandCount(isHigh: true) {
      bits.put(UInt32(truncatingIfNeeded: data.harmonics >> UInt64(band)) & 1, count: 1)
    }
  }

  /// Writes sbr_extension, if there is parametric stereo, in whole bytes.
  private func putExtension(_ bits: inout some BitSink, _ stereo: BitWriter?) {
    bits.put(stereo == nil ? 0 : 1, count: 1)
    guard let stereo else { return }
    let contentBits = SBRPayloadReader.stereoIDWidth + stereo.bitCount
    let size = (contentBits + 7) / 8
    bits.put(UInt32(min(size, 15)), count: 4)
    if size >= 15 { bits.put(UInt32(size - 15), count: 8) }
    bits.put(UInt32(SBRPayloadReader.stereoID), count: SBRPayloadReader.stereoIDWidth)
    stereo.put(to: &bits)
    bits.put(0, count: 8 * size - contentBits)
  }
}

/// The limits of scalefactors that can be written.
extension SBRWriter {
  /// Changes values that cannot be written, as little as possible.
  ///
  /// Scalefactors are clamped to their range. Neighboring bands may differ by the maximum in the
  /// book; the softer one is raised, which is inaudible next to the other. Differences in time need
  /// no limit, since differences in frequency can replace them. Data that a coupled pair shares is
  /// copied from the first channel to the second.
  static func limit(
    _ channels: inout [SBRChannelData], isCoupled: Bool, tables: SBRTables
  ) {
    if isCoupled {
      channels[1].grid = channels[0].grid
      channels[1].isCoarse = channels[0].isCoarse
      channels[1].inverseFiltering = channels[0].inverseFiltering
    }
    for channel in channels.indices {
      limit(&channels[channel], isBalance: isCoupled && channel == 1, tables)
    }
  }

  private static func limit(
    _ data: inout SBRChannelData, isBalance: Bool, _ tables: SBRTables
  ) {
    // A balance is limited by its books.
    let step = SBRValueCoding.maxStep(isBalance: isBalance, isCoarse: data.isCoarse)
    let maximum = isBalance ? step : SBRValueCoding.maxLevel(isCoarse: data.isCoarse)
    for envelope in 0..<data.grid.envelopeCount {
      let offset = envelope * SBRTables.maxBandCount
      let count = tables.bandCount(isHigh: data.grid.isHigh(envelope))
      limit(
        &data.envelopes, offset..<offset + count, maximum: maximum, step: step,
        isBalance: isBalance)
    }
    // The balance of noise uses the book of envelopes in steps of 3 dB.
    let maxNoise = UInt8(
      isBalance
        ? SBRValueCoding.maxStep(isBalance: true, isCoarse: true) : SBRValueCoding.maxNoiseLevel)
    for index in data.noise.indices {
      data.noise[index] = min(data.noise[index], maxNoise) & (isBalance ? 0xFE : 0xFF)
    }
    data.harmonics &= (1 << UInt64(tables.bandCount(isHigh: true))) - 1
  }

  /// Limits one envelope, whose range among all is `bands`.
  private static func limit(
    _ values: inout [UInt8], _ bands: Range<Int>, maximum: Int, step: Int, isBalance: Bool
  ) {
    for band in bands {
      values[band] = min(values[band], UInt8(maximum)) & (isBalance ? 0xFE : 0xFF)
    }
    for band in bands.dropFirst() {
      values[band] = UInt8(max(Int(values[band]), Int(values[band - 1]) - step))
    }
    for band in bands.dropLast().reversed() {
      values[band] = UInt8(max(Int(values[band]), Int(values[band + 1]) - step))
    }
  }
}
