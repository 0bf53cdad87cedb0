import AacornSignal

/// The spectral band replication of a single or pair element (ISO/IEC 14496-3, 4.6.18).
///
/// High bands are copied from low ones and shaped by the payload. The output is delayed by 962
/// samples relative to the core's output at the same rate. In every frame call `read`, unless there
/// is no payload, then `process`.
struct SBRElementDecoder: Sendable {
  private let slotCount: Int
  private let isDownsampled: Bool
  private var channels: [SBRChannelDecoder]
  private let coreRate: Int
  private(set) var payload: SBRPayloadReader
  /// Whether the tables are new in this frame.
  private var isFirst = false
  private var scratch = SBRChannelDecoder.Scratch()
  /// Parametric stereo, after ps_data was received; an array, as most elements have none.
  private var stereo: [SBRStereoDecoder] = []

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
    self.coreRate = coreRate
    slotCount = frameLength / 32
    self.isDownsampled = isDownsampled
    channels = (0..<channelCount).map { [slotCount] _ in
      SBRChannelDecoder(slotCount: slotCount, isDownsampled: isDownsampled)
    }
    payload = SBRPayloadReader(
      coreRate: coreRate, channelCount: channelCount, slotCount: slotCount / 2)
  }

  /// Whether ps_data was received, so that a single element has two channels.
  var hasParametricStereo: Bool { !stereo.isEmpty && stereo[0].parametric.isActive }

  /// Resets everything but the configuration, as after a seek.
  mutating func reset() {
    for channel in channels.indices { channels[channel].reset() }
    payload = SBRPayloadReader(
      coreRate: coreRate, channelCount: channels.count, slotCount: slotCount / 2)
    isFirst = false
    if !stereo.isEmpty { stereo[0].reset() }
  }

  /// Reads sbr_extension_data, which ends at the end of `bits`; returns false if it is damaged.
  ///
  /// A frame without data, or with damaged data, is only upsampled.
  mutating func read(_ bits: inout BitReader, hasChecksum: Bool) -> Bool {
    let state = payload.read(&bits, hasChecksum: hasChecksum)
    if payload.hasNewTables { isFirst = true }
    if let stereoBits = payload.stereoBits { readStereo(bits, stereoBits) }
    return state == .read || state == .withoutHeader
  }

  /// Reads ps_data; if it is damaged, the last values stay.
  private mutating func readStereo(_ bits: BitReader, _ range: Range<Int>) {
    if stereo.isEmpty {
      stereo.append(SBRStereoDecoder(slotCount: slotCount, synthesis: channels[0].synthesis))
    }
    var bits = bits
    bits.seek(to: range.lowerBound)
    _ = stereo[0].parametric.read(&bits, bitCount: range.count)
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
      right.replace(at: 0, by: left, count: count)
    } else {
      stereo[0].process(&channels[0], into: &left, &right)
    }
  }

  private mutating func makeFrame(_ channel: Int, _ core: [Float]) {
    defer {
      if channel == channels.count - 1 { payload.endFrame() }
    }
    guard payload.isApplied, let tables = payload.tables else {
      if !payload.isRead && channel == 0 { handleMissingFrame() }
      channels[channel].makeFrame(core, work: nil, isFirst: false, scratch: &scratch)
      return
    }
    guard payload.setLevels(&scratch.levels, channel: channel, tables) else {
      handleMissingFrame()
      channels[channel].makeFrame(core, work: nil, isFirst: false, scratch: &scratch)
      return
    }
    let data = payload.reader.channels[channel]
    let work = SBRChannelDecoder.Work(
      tables: tables, header: payload.header, data: data,
      splicedEnvelopeCount: payload.reader.splices.splicedEnvelopeCount(channel, of: data.grid))
    channels[channel].makeFrame(core, work: work, isFirst: isFirst, scratch: &scratch)
    if channel == channels.count - 1 { isFirst = false }
  }

  /// Handles a missing frame: the next frame does not follow the last one.
  private mutating func handleMissingFrame() {
    payload.handleMissingFrame()
    if !stereo.isEmpty { stereo[0].parametric.handleMissingFrame() }
  }
}

/// The parametric stereo of a single element.
///
/// It has the state, two frames, and the right channel's filter bank.
struct SBRStereoDecoder: Sendable {
  var parametric = ParametricStereo()
  private let slotCount: Int
  private var left = QMFFrame()
  private var right = QMFFrame()
  private var synthesis: QMFSynthesis

  /// Creates a decoder whose right channel continues with the history of the mono `synthesis`.
  init(slotCount: Int, synthesis: QMFSynthesis) {
    self.slotCount = slotCount
    self.synthesis = synthesis
  }

  /// Resets everything but the configuration.
  mutating func reset() {
    parametric.reset()
    synthesis.reset()
  }

  /// Computes the samples of two channels; the left one uses the filter bank of the mono channel.
  mutating func process(
    _ channel: inout SBRChannelDecoder, into leftOutput: inout [Float],
    _ rightOutput: inout [Float]
  ) {
    parametric.apply(channel.frame, slotCount: slotCount, left: &left, right: &right)
    channel.synthesize(left, into: &leftOutput)
    synthesis.synthesize(right, slotCount: slotCount, into: &rightOutput)
  }
}
