/// Reads the payloads of band replication in a stream without decoding audio.
///
/// The probe reads payloads like a decoder, and with the same guard against splices: a decoder
/// applies the payloads that the probe reports as applied.
package struct SBRProbe: Sendable {
  /// The properties of the last block's payloads, in order.
  package private(set) var payloads: [SBRFacts] = []
  /// The configuration of all blocks.
  package let configuration: AudioSpecificConfig
  private let slotCount: Int
  /// The state of each sounding element, in the order of the blocks.
  private(set) var elements: [Element] = []

  /// Creates a probe of blocks with this configuration.
  package init(_ configuration: AudioSpecificConfig) {
    self.configuration = configuration
    slotCount = configuration.frameLength == 960 ? 15 : 16
  }

  /// Reads the payloads of a block, which was read from `range` of `bytes`.
  ///
  /// Never traps, whatever the payloads contain.
  package mutating func read(_ block: ParsedBlock, in bytes: [UInt8], range: Range<Int>) {
    payloads.removeAll(keepingCapacity: true)
    defer {
      for index in elements.indices {
        if let rejected = elements[index].endBlock() { payloads[rejected].isApplied = false }
      }
    }
    let origin = range.lowerBound * 8
    for payload in block.extensions where payload.kind.isSpectralBandReplication {
      guard var bits = payload.content(in: bytes, from: origin),
        let elementIndex = elementIndex(before: payload.element, in: block)
      else { continue }
      let isChecked = payload.kind == .checkedSpectralBandReplication
      var facts = elements[elementIndex].read(
        &bits, number: payloads.count, hasChecksum: isChecked)
      facts.bitCount = payload.bits.count - (facts.stereo?.bitCount ?? 0)
      payloads.append(facts)
    }
  }

  /// Handles a missing or unreadable block.
  package mutating func recordMissingBlock() {
    payloads.removeAll(keepingCapacity: true)
    for index in elements.indices { elements[index].recordMissingBlock() }
  }

  /// Returns whether a decoder in any state can begin with the band replication of a block.
  ///
  /// The result is nil if the block has no band replication.
  package static func canBegin(
    _ block: ParsedBlock, in bytes: [UInt8], range: Range<Int>, _ configuration: AudioSpecificConfig
  ) -> Bool? {
    var probe = SBRProbe(configuration)
    probe.read(block, in: bytes, range: range)
    return probe.payloads.isEmpty ? nil : probe.payloads.allSatisfy { $0.canBegin }
  }

  /// Returns the index in `elements` of the last output element before the block's element `index`.
  ///
  /// The result is nil if there is none.
  ///
  /// Tags do not distinguish elements: some encoders use the same tag for all.
  private mutating func elementIndex(before index: Int, in block: ParsedBlock) -> Int? {
    var elementIndex = -1
    var channelCount = 0
    for element in block.elements.prefix(index) where element.hasOutputChannels {
      elementIndex += 1
      channelCount = element.kind == .pair ? 2 : 1
      if elementIndex == elements.count { elements.append(makeElement(channelCount)) }
    }
    guard elementIndex >= 0 else { return nil }
    if elements[elementIndex].channelCount != channelCount {
      elements[elementIndex] = makeElement(channelCount)
    }
    return elementIndex
  }

  private func makeElement(_ channelCount: Int) -> Element {
    Element(
      coreRate: configuration.sampleRate, slotCount: slotCount, channelCount: channelCount)
  }
}

extension SBRProbe {
  /// The state of an element between frames.
  struct Element: Sendable {
    private(set) var payload: SBRPayloadReader
    private var levels = SBRLevels()
    /// Parametric stereo, after ps_data was received.
    private var stereo: [StereoParameterReader] = []
    /// The number of the element's last payload in the block.
    private var lastPayload = 0

    /// Creates an element of 1 or 2 channels, in frames of `slotCount` slots.
    init(coreRate: Int, slotCount: Int, channelCount: Int) {
      payload = SBRPayloadReader(
        coreRate: coreRate, channelCount: channelCount, slotCount: slotCount)
    }

    var channelCount: Int { payload.reader.channels.count }

    /// Reads sbr_extension_data, which ends at the end of `bits`; it is payload number `number` of
    /// the block.
    mutating func read(_ bits: inout BitReader, number: Int, hasChecksum: Bool) -> SBRFacts {
      var facts = SBRFacts()
      facts.state = payload.read(&bits, hasChecksum: hasChecksum)
      facts.hasHeader = payload.hasHeader
      facts.frequencies = payload.frequencies
      facts.isApplied = payload.isApplied
      lastPayload = number
      if payload.isRead { describe(&facts) }
      if let range = payload.stereoBits { facts.stereo = readStereo(bits, range) }
      return facts
    }

    /// Ends a block like the decoder; returns the number of the payload that is not applied because
    /// its levels are too high.
    mutating func endBlock() -> Int? {
      defer { payload.endFrame() }
      if !payload.isRead { recordMissingBlock() }
      guard payload.isApplied, let tables = payload.tables else { return nil }
      var rejected: Int?
      for channel in 0..<channelCount {
        if payload.setLevels(&levels, channel: channel, tables) { continue }
        recordMissingBlock()
        rejected = lastPayload
      }
      return rejected
    }

    /// Handles a block without a readable payload for the element.
    mutating func recordMissingBlock() {
      payload.handleMissingFrame()
      if !stereo.isEmpty { stereo[0].handleMissingFrame() }
    }

    private func describe(_ facts: inout SBRFacts) {
      let reader = payload.reader
      facts.channelCount = reader.channels.count
      facts.isCoupled = reader.isCoupled
      for channel in reader.channels.indices {
        let grid = reader.channels[channel].grid
        if (reader.envelopesInTime[channel] | reader.noiseInTime[channel]) & 1 != 0 {
          facts.refersBack = true
          if !reader.splices.current[channel].isContinuous { facts.isDiscontinuous = true }
        }
        facts.gridClasses[Int(grid.frameClass.rawValue)] += 1
        facts.envelopeCount += grid.envelopeCount
        if reader.channels[channel].harmonics != 0 { facts.hasHarmonics = true }
      }
    }

    /// Reads ps_data; if it is damaged, the last values stay.
    private mutating func readStereo(_ bits: BitReader, _ range: Range<Int>) -> StereoFacts {
      if stereo.isEmpty { stereo.append(StereoParameterReader()) }
      var bits = bits
      bits.seek(to: range.lowerBound)
      let state = stereo[0].read(&bits, bitCount: range.count)
      var facts = StereoFacts(state, stereo[0].parameters)
      facts.bitCount = range.count + SBRPayloadReader.stereoIDWidth
      stereo[0].finish()
      return facts
    }
  }
}

/// The properties of a band replication payload, for the inspection of a stream.
package struct SBRFacts: Sendable {
  /// The result of reading a payload.
  package enum State: Equatable, Sendable {
    /// The whole payload was read.
    case read
    /// No header was received yet, which is required for reading.
    case withoutHeader
    /// The checksum does not match the content.
    case wrongChecksum
    /// The header is truncated, or requires invalid tables.
    case illegalHeader
    /// The data after the header is truncated or invalid.
    case illegalData
  }

  /// The result of reading; unless it is `read`, only `hasHeader`, `frequencies` and `bitCount` are
  /// valid.
  package internal(set) var state = State.withoutHeader
  /// Whether the payload has a valid header.
  package internal(set) var hasHeader = false
  /// The replicated frequencies in hertz, if the payload has a valid header: the first frequency
  /// above the core's, and the end of the last band.
  package internal(set) var frequencies: Range<Int>?
  /// The bits of the payload, without parametric stereo.
  package internal(set) var bitCount = 0
  /// The number of channels of its element, 1 or 2.
  package internal(set) var channelCount = 0
  /// Whether the second channel is the balance of the two.
  package internal(set) var isCoupled = false
  /// The number of channels with each grid class.
  ///
  /// They are in the order of bs_frame_class: FIXFIX, FIXVAR, VARFIX, VARVAR.
  package internal(set) var gridClasses = SIMD4<Int64>()
  /// The number of envelopes of all channels.
  package internal(set) var envelopeCount = 0
  /// Whether a channel's first envelope or noise floor is coded as differences to the last frame.
  package internal(set) var refersBack = false
  /// Whether the payload refers to the last frame, although it does not follow that frame.
  ///
  /// The payload of the last frame is missing, unreadable, or not applied, does not end where this
  /// one begins, or has other steps.
  package internal(set) var isDiscontinuous = false
  /// Whether a decoder applies the payload.
  ///
  /// It is readable, its levels do not exceed full scale, and it does not follow damage that may
  /// hide another header.
  package internal(set) var isApplied = false
  /// Whether sines are added to a channel.
  package internal(set) var hasHarmonics = false
  /// The properties of its parametric stereo data, if it has any.
  package internal(set) var stereo: StereoFacts?

  init() {}

  /// Whether a decoder in any state can begin with this payload.
  package var canBegin: Bool { state == .read && hasHeader && !refersBack }
}
