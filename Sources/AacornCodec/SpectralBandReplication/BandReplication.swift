import AacornSignal

/// Spectral band replication of one single or pair element (ISO/IEC 14496-3, 4.6.18): high bands
/// are copied from low ones and shaped by what the stream says of them.
///
/// The output is 962 samples later than the core's would be at its rate. Call `read` or
/// `readNothing`, then `process`, once a frame.
struct BandReplication: Sendable {
  /// The rate that tables refer to, in hertz.
  private let rate: Int
  private let slotCount: Int
  private let isDownsampled: Bool
  private var channels: [ReplicationChannel]
  private var reader: SBRReader
  private var header = SBRHeader()
  /// Those of the last header, if there was a right one.
  private var tables: SBRTables?
  /// Whether the frame has data, and whether tables are new in it.
  private var hasData = false
  private var isFirst = false
  private var workshop = ReplicationChannel.Workshop()
  /// Parametric stereo, once ps_data has come: apart from all else, as most elements have none.
  private var stereo: [ReplicationStereo] = []

  /// Band replication of an element.
  ///
  /// - Parameters:
  ///   - coreRate: The rate of the samples in, in hertz; tables are for twice that.
  ///   - frameLength: Samples in a frame of the core, 1024 or 960.
  ///   - channelCount: Channels of the element, 1 or 2.
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

  /// Whether ps_data has been seen, so that there are two channels of a single element.
  var hasParametricStereo: Bool { !stereo.isEmpty && stereo[0].parametric.isActive }

  /// Forgets everything but the set-up, as after a seek.
  mutating func reset() {
    for channel in channels.indices { channels[channel].reset() }
    reader = SBRReader(channelCount: channels.count, slotCount: slotCount / 2)
    header = SBRHeader()
    tables = nil
    hasData = false
    isFirst = false
    if !stereo.isEmpty { stereo[0].reset() }
  }

  /// The frame has no payload, so that it is only upsampled.
  mutating func readNothing() { hasData = false }

  /// Reads sbr_extension_data, which ends where `bits` ends; false if it is damaged.
  ///
  /// A frame with damaged data is only upsampled.
  mutating func read(_ bits: inout BitReader, hasChecksum: Bool) -> Bool {
    hasData = false
    if hasChecksum {
      let checksum = bits.readInt(10)
      guard SBRChecksum.ofRest(bits) == checksum else { return false }
    }
    if bits.readFlag() {
      let header = SBRHeader(&bits)
      guard !bits.isOverrun, take(header) else { return false }
    }
    // Before the first header, nothing can be read.
    guard let tables else { return !bits.isOverrun }
    guard reader.read(&bits, tables, isCoarse: header.isCoarse), readExtensions(&bits) else {
      return false
    }
    hasData = true
    return true
  }

  /// Builds tables if they change; false if they are impossible.
  private mutating func take(_ header: SBRHeader) -> Bool {
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

  /// Reads what follows the channels: parametric stereo, or what is unknown.
  private mutating func readExtensions(_ bits: inout BitReader) -> Bool {
    guard bits.readFlag() else { return !bits.isOverrun }
    var size = bits.readInt(4)
    if size == 15 { size += bits.readInt(8) }
    let end = bits.position + 8 * size
    guard !bits.isOverrun, end <= bits.endBit else { return false }
    if size > 0 && bits.readInt(2) == 2 && channels.count == 1 {
      readStereo(&bits, bitCount: end - bits.position)
    }
    bits.seek(to: end)
    return true
  }

  /// Reads ps_data; if it is damaged, its last values stay.
  private mutating func readStereo(_ bits: inout BitReader, bitCount: Int) {
    if stereo.isEmpty {
      stereo.append(ReplicationStereo(slotCount: slotCount, synthesis: channels[0].synthesis))
    }
    _ = stereo[0].parametric.read(&bits, bitCount: bitCount)
  }

  /// Makes the output of channel 0, then of channel 1: twice as many samples as go in, or as many
  /// when downsampled.
  mutating func process(channel: Int, _ core: [Float], into output: inout [Float]) {
    makeFrame(channel, core)
    channels[channel].synthesize(into: &output)
  }

  /// Makes two channels of a single element's one.
  mutating func process(
    _ core: [Float], intoLeft left: inout [Float], right: inout [Float]
  ) {
    makeFrame(0, core)
    if stereo.isEmpty {
      channels[0].synthesize(into: &left)
      let count = slotCount * (isDownsampled ? 32 : 64)
      for place in 0..<count { right[place] = left[place] }
    } else {
      stereo[0].process(&channels[0], into: &left, &right)
    }
  }

  private mutating func makeFrame(_ channel: Int, _ core: [Float]) {
    guard hasData, let tables else {
      channels[channel].makeFrame(core, nil, isFirst: false, &workshop)
      return
    }
    let data = reader.channels[channel]
    if reader.isCoupled {
      workshop.levels.set(
        reader.channels[0], balance: reader.channels[1], tables, isRight: channel == 1)
    } else {
      workshop.levels.set(data, tables)
    }
    let work = ReplicationChannel.Work(tables: tables, header: header, data: data)
    channels[channel].makeFrame(core, work, isFirst: isFirst, &workshop)
    if channel == channels.count - 1 {
      isFirst = false
      hasData = false
    }
  }
}
