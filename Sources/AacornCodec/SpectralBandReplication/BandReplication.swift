import AacornSignal

/// The spectral band replication of a single or pair element (ISO/IEC 14496-3, 4.6.18).
///
/// High bands are copied from low ones and shaped by the payload. The output is delayed by 962
/// samples relative to the core's output at the same rate. In every frame call `read`, unless there
/// is no payload, then `process`.
struct BandReplication: Sendable {
  /// The sampling rate of the tables, in hertz.
  private let rate: Int
  private let slotCount: Int
  private let isDownsampled: Bool
  private var channels: [ReplicationChannel]
  private(set) var reader: SBRReader
  private var header = SBRHeader()
  /// The tables of the last valid header.
  private var tables: SBRTables?
  /// Whether the frame has a readable payload, and whether that payload is applied.
  private var isRead = false
  private var hasData = false
  /// Whether the tables are new in this frame.
  private var isFirst = false
  /// The number of readable payloads after which payloads are applied again; 0 after a header.
  ///
  /// After an unreadable payload, the next ones may belong to another stream with another header.
  private var remainingSkipCount = 0
  /// Whether a gap or a splice followed the last header, which may be obsolete.
  private(set) var headerMayBeObsolete = false
  /// Whether payloads with a header have unusual fill bits, so that such bits do not prove damage.
  private var hasUnusualFill = false
  private var scratch = ReplicationChannel.ChannelScratch()
  /// Parametric stereo, after ps_data was received; an array, as most elements have none.
  private var stereo: [ReplicationStereo] = []

  /// Creates the band replication of an element.
  ///
  /// - Parameters:
  ///   - coreRate: The sampling rate of the input, in hertz; tables are for twice that rate.
  ///   - frameLength: Samples in a frame of the core, 1024 or 960.
  ///   - channelCount: The channels of the element, 1 or 2.
  ///   - isDownsampled: Whether the output has the core's rate.
  init(coreRate: Int, frameLength: Int, channelCount: Int, isDownsampled: Bool) {
    precondition(frameLength == 1024 || frameLength == 960)
    precondition(channelCount == 1 || channelCount == 2)
    rate = 2 * coreRate
    slotCount = frameLength / 32
    self.isDownsampled = isDownsampled
    channels = (0..<channelCount).map { [slotCount] _ in
      ReplicationChannel(slotCount: slotCount, isDownsampled: isDownsampled)
    }
    reader = SBRReader(channelCount: channelCount, slotCount: slotCount / 2)
  }

  /// Whether ps_data was received, so that a single element has two channels.
  var hasParametricStereo: Bool { !stereo.isEmpty && stereo[0].parametric.isActive }

  /// Resets everything but the configuration, as after a seek.
  mutating func reset() {
    for channel in channels.indices { channels[channel].reset() }
    reader = SBRReader(channelCount: channels.count, slotCount: slotCount / 2)
    header = SBRHeader()
    tables = nil
    isRead = false
    hasData = false
    isFirst = false
    remainingSkipCount = 0
    headerMayBeObsolete = false
    hasUnusualFill = false
    if !stereo.isEmpty { stereo[0].reset() }
  }

  /// Reads sbr_extension_data, which ends at the end of `bits`; returns false if it is damaged.
  ///
  /// A frame without data, or with damaged data, is only upsampled.
  mutating func read(_ bits: inout BitReader, hasChecksum: Bool) -> Bool {
    isRead = false
    hasData = false
    var hasHeader = false
    guard readPayload(&bits, hasChecksum: hasChecksum, &hasHeader) else {
      remainingSkipCount = Self.maxSkipCount
      return false
    }
    guard tables != nil else { return true }
    isRead = true
    headerMayBeObsolete = !hasHeader && (headerMayBeObsolete || reader.isDiscontinuous)
    remainingSkipCount = hasHeader ? 0 : max(0, remainingSkipCount - 1)
    hasData = remainingSkipCount == 0
    return true
  }

  private mutating func readPayload(
    _ bits: inout BitReader, hasChecksum: Bool, _ hasHeader: inout Bool
  ) -> Bool {
    if hasChecksum {
      let checksum = bits.readInt(10)
      guard SBRChecksum.ofRemainingBits(bits) == checksum else { return false }
    }
    hasHeader = bits.readFlag()
    if hasHeader {
      let header = SBRHeader(&bits)
      guard !bits.isOverrun, setHeader(header) else { return false }
    }
    // Before the first header, nothing can be read.
    guard let tables else { return !bits.isOverrun }
    return reader.read(&bits, tables, isCoarse: header.isCoarse)
      && readExtensions(&bits, hasHeader: hasHeader)
  }

  /// Builds tables if they change; returns false if they are invalid.
  private mutating func setHeader(_ header: SBRHeader) -> Bool {
    if tables != nil && header.spectrum == self.header.spectrum {
      if header.limiterBands != self.header.limiterBands {
        tables?.makeLimiter(header.limiterBands)
      }
    } else {
      tables = SBRTables(header, rate: rate)
      isFirst = true
    }
    self.header = header
    return tables != nil
  }

  /// The value of `remainingSkipCount` after an unreadable payload.
  private static let maxSkipCount = 3

  /// Reads the extensions after the channels: parametric stereo; others are skipped.
  private mutating func readExtensions(_ bits: inout BitReader, hasHeader: Bool) -> Bool {
    var size = 0
    if bits.readFlag() {
      size = bits.readInt(4)
      if size == 15 { size += bits.readInt(8) }
    }
    let end = bits.position + 8 * size
    guard !bits.isOverrun, end <= bits.endBit, checkFill(bits, from: end, hasHeader: hasHeader)
    else { return false }
    if size > 0 && bits.readInt(2) == 2 && channels.count == 1 {
      readStereo(&bits, bitCount: end - bits.position)
    }
    bits.seek(to: end)
    return true
  }

  /// Returns whether the fill bits of a payload are correct.
  ///
  /// They must be at most seven zeros, unless payloads with a header had other fill bits. If a
  /// payload is read with the header of another stream, reading hardly ever stops so close to its
  /// end.
  private mutating func checkFill(_ bits: BitReader, from end: Int, hasHeader: Bool) -> Bool {
    var rest = bits
    rest.seek(to: end)
    let count = rest.remaining
    if count < 8 && rest.peek(count) == 0 { return true }
    if hasHeader { hasUnusualFill = true }
    return hasUnusualFill
  }

  /// Reads ps_data; if it is damaged, the last values stay.
  private mutating func readStereo(_ bits: inout BitReader, bitCount: Int) {
    if stereo.isEmpty {
      stereo.append(ReplicationStereo(slotCount: slotCount, synthesis: channels[0].synthesis))
    }
    _ = stereo[0].parametric.read(&bits, bitCount: bitCount)
  }

  /// Computes the output of a channel; call it for channel 0, then for channel 1.
  ///
  /// The output has twice the number of input samples, or the same number if downsampled.
  mutating func process(channel: Int, _ core: [Float], into output: inout [Float]) {
    makeFrame(channel, core)
    channels[channel].synthesize(into: &output)
  }

  /// Computes two output channels of a single element.
  mutating func process(
    _ core: [Float], intoLeft left: inout [Float], right: inout [Float]
  ) {
    makeFrame(0, core)
    if stereo.isEmpty {
      channels[0].synthesize(into: &left)
      let count = slotCount * (isDownsampled ? 32 : 64)
      for index in 0..<count { right[index] = left[index] }
    } else {
      stereo[0].process(&channels[0], into: &left, &right)
    }
  }

  private mutating func makeFrame(_ channel: Int, _ core: [Float]) {
    defer {
      if channel == channels.count - 1 {
        isRead = false
        hasData = false
      }
    }
    guard hasData, let tables else {
      if !isRead && channel == 0 { handleMissingFrame() }
      channels[channel].makeFrame(core, nil, isFirst: false, &scratch)
      return
    }
    let data = reader.channels[channel]
    if reader.isCoupled {
      scratch.levels.set(
        reader.channels[0], balance: reader.channels[1], tables, isRight: channel == 1)
    } else {
      scratch.levels.set(data, tables)
    }
    if SpliceLimiter.exceedsFullScale(scratch.levels, data.grid, tables) {
      // The frame belongs to another position or another stream.
      remainingSkipCount = Self.maxSkipCount
      handleMissingFrame()
      channels[channel].makeFrame(core, nil, isFirst: false, &scratch)
      return
    }
    let work = ReplicationChannel.Work(
      tables: tables, header: header, data: data,
      splicedEnvelopeCount: headerMayBeObsolete
        ? data.grid.envelopeCount : reader.splicedEnvelopeCounts[channel])
    channels[channel].makeFrame(core, work, isFirst: isFirst, &scratch)
    if channel == channels.count - 1 { isFirst = false }
  }

  /// Handles a missing frame: the next frame does not follow the last one.
  private mutating func handleMissingFrame() {
    headerMayBeObsolete = true
    reader.handleMissingFrame()
    if !stereo.isEmpty { stereo[0].parametric.handleMissingFrame() }
  }
}
