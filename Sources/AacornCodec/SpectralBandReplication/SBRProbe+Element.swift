extension SBRProbe {
  /// The state of an element between frames.
  struct Element: Sendable {
    /// The id of an extension with parametric stereo (EXTENSION_ID_PS).
    private static let stereoID = 2

    /// The core's rate in hertz; tables are for twice that rate.
    private let coreRate: Int
    private let slotCount: Int
    private var reader: SBRReader
    private var header = SBRHeader()
    /// The tables of the last valid header.
    private var tables: SBRTables?
    /// Parametric stereo, after ps_data was received.
    private var stereo: [StereoProbe] = []
    /// The number of slots by which the last frame's envelopes extend past it, by channel.
    ///
    /// The array is empty before the first frame. After a missing frame, its values are −1.
    private var excesses: [Int] = []
    /// Whether the current block has a readable payload for the element.
    private(set) var isRead = false

    /// Creates an element of 1 or 2 channels, in frames of `slotCount` slots.
    init(coreRate: Int, slotCount: Int, channelCount: Int) {
      self.coreRate = coreRate
      self.slotCount = slotCount
      reader = SBRReader(channelCount: channelCount, slotCount: slotCount)
    }

    var channelCount: Int { reader.channels.count }

    /// Reads sbr_extension_data (ISO/IEC 14496-3, table 4.62), which ends at the end of `bits`.
    mutating func read(_ bits: inout BitReader, hasChecksum: Bool) -> SBRFacts {
      var facts = SBRFacts()
      let state = read(&bits, hasChecksum: hasChecksum, &facts)
      facts.state = state
      isRead = state == .read
      return facts
    }

    /// Begins a block.
    mutating func begin() { isRead = false }

    /// Handles a block without a readable payload for the element.
    mutating func recordMissingBlock() {
      for channel in excesses.indices { excesses[channel] = -1 }
      reader.handleMissingFrame()
    }

    private mutating func read(
      _ bits: inout BitReader, hasChecksum: Bool, _ facts: inout SBRFacts
    ) -> SBRFacts.State {
      if hasChecksum {
        let checksum = bits.readInt(10)
        guard SBRChecksum.ofRemainingBits(bits) == checksum else { return .wrongChecksum }
      }
      if bits.readFlag() {
        let header = SBRHeader(&bits)
        guard !bits.isOverrun, setHeader(header) else { return .illegalHeader }
        facts.hasHeader = true
      }
      guard let tables else { return bits.isOverrun ? .illegalData : .withoutHeader }
      guard reader.read(&bits, tables, isCoarse: header.isCoarse) else { return .illegalData }
      describe(&facts)
      return readExtensions(&bits, &facts) ? .read : .illegalData
    }

    /// Builds tables if they change; returns false if they are invalid.
    private mutating func setHeader(_ header: SBRHeader) -> Bool {
      if tables == nil || header.spectrum != self.header.spectrum {
        // Other rates than those of the standard are likely invalid.
        let isStandardRate = (7350...96_000).contains(coreRate)
        tables = isStandardRate ? SBRTables(header, rate: 2 * coreRate) : nil
      }
      self.header = header
      return tables != nil
    }

    private mutating func describe(_ facts: inout SBRFacts) {
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

    /// Reads the extensions after the channels: parametric stereo; others are skipped.
    private mutating func readExtensions(_ bits: inout BitReader, _ facts: inout SBRFacts) -> Bool {
      guard bits.readFlag() else { return !bits.isOverrun }
      var size = bits.readInt(4)
      if size == 15 { size += bits.readInt(8) }
      let end = bits.position + 8 * size
      guard !bits.isOverrun, end <= bits.endBit else { return false }
      if size > 0 && bits.readInt(2) == Self.stereoID && reader.channels.count == 1 {
        if stereo.isEmpty { stereo.append(StereoProbe()) }
        facts.stereo = stereo[0].read(&bits, bitCount: end - bits.position)
        facts.stereo?.bitCount = 8 * size
      }
      return true
    }
  }
}
