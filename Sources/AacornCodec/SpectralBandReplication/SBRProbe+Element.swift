extension SBRProbe {
  /// The state of an element between frames.
  struct Element: Sendable {
    private let slotCount: Int
    private var payload: SBRPayloadReader
    /// Parametric stereo, after ps_data was received.
    private var stereo: [StereoParameterReader] = []
    /// The number of slots by which the last frame's envelopes extend past it, by channel.
    ///
    /// The array is empty before the first frame. After a missing frame, its values are −1.
    private var excesses: [Int] = []
    /// Whether the current block has a readable payload for the element.
    private(set) var isRead = false

    /// Creates an element of 1 or 2 channels, in frames of `slotCount` slots.
    init(coreRate: Int, slotCount: Int, channelCount: Int) {
      self.slotCount = slotCount
      payload = SBRPayloadReader(
        coreRate: coreRate, channelCount: channelCount, slotCount: slotCount)
    }

    var channelCount: Int { payload.reader.channels.count }

    /// Reads sbr_extension_data, which ends at the end of `bits`.
    mutating func read(_ bits: inout BitReader, hasChecksum: Bool) -> SBRFacts {
      var facts = SBRFacts()
      facts.state = payload.read(&bits, hasChecksum: hasChecksum)
      facts.hasHeader = payload.hasHeader
      facts.frequencies = payload.frequencies
      isRead = facts.state == .read
      if isRead { describe(&facts) }
      if let range = payload.stereoBits { facts.stereo = readStereo(bits, range) }
      return facts
    }

    mutating func begin() { isRead = false }

    /// Handles a block without a readable payload for the element.
    mutating func recordMissingBlock() {
      for channel in excesses.indices { excesses[channel] = -1 }
      payload.handleMissingFrame()
      if !stereo.isEmpty { stereo[0].handleMissingFrame() }
    }

    private mutating func describe(_ facts: inout SBRFacts) {
      let reader = payload.reader
      facts.channelCount = reader.channels.count
      facts.isCoupled = reader.isCoupled
      let isFirst = excesses.isEmpty
      if isFirst { excesses = [Int](repeating: 0, count: channelCount) }
      for channel in reader.channels.indices {
        let grid = reader.channels[channel].grid
        if (reader.envelopesInTime[channel] | reader.noiseInTime[channel]) & 1 != 0 {
          facts.refersBack = true
          if !isFirst && grid.start != excesses[channel] { facts.isDiscontinuous = true }
        }
        excesses[channel] = grid.end - slotCount
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
