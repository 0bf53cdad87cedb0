import AacornSignal

/// Describes an element's bands above the core (ISO/IEC 14496-3, 4.6.18).
///
/// A decoder derives these bands from the core's bands.
///
///     samples ► filter bank ► borders ► tonality ► levels ► payload
struct SBRElementEncoder: SegmentStage {
  private let settings: SBRSettings
  private var tables: SBRTables { settings.tables }
  /// The indices of the element's channels in the encoder's channels.
  private let channels: Range<Int>

  private var analysis = QMFAnalysis64()
  private var spectra: [SBRSpectrum]
  private var planner: GridPlanner
  private var tonality: [TonalityAnalyzer]
  private var meter = EnvelopeMeter()
  private var data: [SBRChannelData]
  private var writer: SBRWriter

  init(_ settings: SBRSettings, channels: Range<Int>) {
    self.settings = settings
    self.channels = channels
    let count = channels.count
    spectra = [SBRSpectrum](repeating: SBRSpectrum(), count: count)
    planner = GridPlanner(
      settings.tables, channelCount: count, policy: GridPolicy(envelope: settings.envelopePrice))
    tonality = [TonalityAnalyzer](repeating: TonalityAnalyzer(), count: count)
    data = [SBRChannelData](repeating: SBRChannelData(), count: count)
    writer = SBRWriter(channelCount: count)
  }

  static var lookBack: Int {
    max(GridPlanner.lookBack, TonalityAnalyzer.lookBack, SBRWriter.lookBack)
  }

  mutating func begin(atFrame index: Int) {
    planner.begin(atFrame: index)
    for channel in tonality.indices { tonality[channel].begin(atFrame: index) }
    writer.begin(atFrame: index)
  }

  /// Reads the bands of the next frame, whose core block begins at the head of `sound`.
  mutating func analyzeBands(of sound: SampleInput) {
    for channel in spectra.indices {
      spectra[channel].advance(sound.queues[channels.lowerBound + channel], &analysis)
    }
  }

  mutating func copyBands(from stereo: StereoPreprocessor) { spectra[0].copyBands(from: stereo) }

  /// Describes frame `index`, whose bands were read, in at most `byteLimit` bytes if possible.
  ///
  /// `stereo` is the parametric stereo data, if there is any.
  mutating func encode(
    frame index: Int, stereo: BitWriter?, into payload: inout BitWriter, byteLimit: Int
  ) {
    for channel in spectra.indices {
      planner.analyze(spectra[channel].energies, channel: channel)
      tonality[channel].analyze(spectra[channel], tables)
    }
    let isCoupled = spectra.count == 2 && settings.mayCouplePairs && planner.canShare
    let segment = AACEncoder.segmentFrameCount
    plan(isCoupled: isCoupled, isLastOfSegment: index % segment == segment - 1)
    if isCoupled {
      TonalityAnalyzer.decide(&tonality, into: &data, tables)
      meter.measure(spectra[0], spectra[1], with: tables, into: &data)
    } else {
      for channel in data.indices {
        tonality[channel].decide(into: &data[channel], tables)
        meter.measure(spectra[channel], tables, into: &data[channel])
      }
    }
    write(
      isCoupled: isCoupled, hasHeader: index % settings.headerDistance == 0, stereo: stereo,
      into: &payload, byteLimit: byteLimit)
  }

  private mutating func plan(isCoupled: Bool, isLastOfSegment: Bool) {
    for channel in data.indices {
      if isCoupled && channel > 0 {
        data[channel].grid = data[0].grid
      } else {
        let plan =
          isCoupled
          ? planner.planPair(isLastOfSegment: isLastOfSegment)
          : planner.plan(channel: channel, isLastOfSegment: isLastOfSegment)
        data[channel].grid = SBRGrid(plan)
      }
      data[channel].isCoarse = settings.header.isCoarse && !data[channel].grid.hasFineSteps
    }
  }

  /// Writes the payload; simplifies it if it is too long.
  private mutating func write(
    isCoupled: Bool, hasHeader: Bool, stereo: BitWriter?, into payload: inout BitWriter,
    byteLimit: Int
  ) {
    let maxByteCount = min(byteLimit, SBRWriter.maxByteCount)
    for attempt in 0..<3 {
      for channel in data.indices {
        if attempt == 1 {
          data[channel].joinEnvelopes(isCoarse: settings.header.isCoarse, tables: tables)
        }
        if attempt == 2 { data[channel].flatten(tables) }
      }
      SBRWriter.limit(&data, isCoupled: isCoupled, tables: tables)
      writer.choose(data, isCoupled: isCoupled, tables: tables, isFresh: hasHeader)
      payload.removeAll()
      writer.put(
        to: &payload, data, tables: tables, header: hasHeader ? settings.header : nil,
        stereo: stereo)
      if payload.bitCount <= 8 * maxByteCount { break }
    }
    writer.advance()
  }
}

extension SBRChannelData {
  /// Sets all bands of an envelope and of a noise floor to one level, which needs few bits.
  fileprivate mutating func flatten(_ tables: SBRTables) {
    for envelope in 0..<grid.envelopeCount {
      let offset = envelope * SBRTables.maxBandCount
      let count = tables.bandCount(isHigh: grid.isHigh(envelope))
      var sum = 0
      for band in 0..<count { sum += Int(envelopes[offset + band]) }
      for band in 0..<count { envelopes[offset + band] = UInt8(sum / count) }
    }
    for floor in 0..<2 {
      for band in 1..<8 { noise[8 * floor + band] = noise[8 * floor] }
    }
    harmonics = 0
  }
}

extension SBRGrid {
  init(_ plan: GridPlan) {
    let grid = SBRGrid(
      borders: plan.borders, envelopeCount: plan.envelopeCount, transient: plan.transient,
      resolutions: plan.resolutions)
    guard let grid else { preconditionFailure("The grid of the plan cannot be written") }
    self = grid
  }
}

/// Measures envelopes: the mean energy of each band between two borders, in steps of 1.5 or 3 dB.
///
/// ISO/IEC 14496-3, 4.6.18.3.5.
struct EnvelopeMeter: Sendable {
  /// Energies of the bands of an envelope, one channel after the other.
  private var energies = [Float](repeating: 0, count: 2 * width)
  /// Energies of the filter bank's bands, summed over an envelope.
  private var sums = [Float](repeating: 0, count: 64)
  /// Bands of a channel in `energies`, a multiple of four.
  private static let width = 48

  /// Writes the levels of all envelopes of `data`, whose grid is set.
  mutating func measure(
    _ spectrum: SBRSpectrum, _ tables: SBRTables, into data: inout SBRChannelData
  ) {
    let grid = data.grid
    for envelope in 0..<grid.envelopeCount {
      let count = add(spectrum, grid, envelope: envelope, tables: tables, to: 0)
      let offset = envelope * SBRTables.maxBandCount
      for band in stride(from: 0, to: count, by: 4) {
        // E = 64 · 2^(level / a), a = 1 for coarse steps, otherwise 2.
        let levels = Self.steps(lanes(band) * (1.0 / 64), isCoarse: data.isCoarse)
        for lane in 0..<min(4, count - band) {
          data.envelopes[offset + band + lane] = Self.clamped(
            levels[lane], to: Float(SBRValueCoding.maxLevel(isCoarse: data.isCoarse)))
        }
      }
    }
  }

  /// Writes the levels of a pair as their sum, and their balance in the second channel.
  mutating func measure(
    _ left: SBRSpectrum, _ right: SBRSpectrum, with tables: SBRTables,
    into pair: inout [SBRChannelData]
  ) {
    let (grid, isCoarse) = (pair[0].grid, pair[0].isCoarse)
    let middle: Float = isCoarse ? 12 : 24
    for envelope in 0..<grid.envelopeCount {
      let count = add(left, grid, envelope: envelope, tables: tables, to: 0)
      _ = add(right, grid, envelope: envelope, tables: tables, to: Self.width)
      let offset = envelope * SBRTables.maxBandCount
      for band in stride(from: 0, to: count, by: 4) {
        let (l, r) = (lanes(band), lanes(Self.width + band))
        let levels = Self.steps((l + r) * (1.0 / 128), isCoarse: isCoarse)
        let ratios =
          Self.steps(l, isCoarse: isCoarse) - Self.steps(r, isCoarse: isCoarse)
        for lane in 0..<min(4, count - band) {
          pair[0].envelopes[offset + band + lane] = Self.clamped(
            levels[lane], to: Float(SBRValueCoding.maxLevel(isCoarse: isCoarse)))
          // The bitstream contains half the value.
          let half = Self.clamped((ratios[lane] + middle) / 2, to: middle)
          pair[1].envelopes[offset + band + lane] = 2 * half
        }
      }
    }
  }

  /// Writes the mean energies of an envelope's bands from index `place` on; returns the number of
  /// bands.
  private mutating func add(
    _ spectrum: SBRSpectrum, _ grid: SBRGrid, envelope: Int, tables: SBRTables, to place: Int
  ) -> Int {
    let slots = 2 * Int(grid.borders[envelope])..<2 * Int(grid.borders[envelope + 1])
    unsafe Self.sum(spectrum.energies, in: slots, into: &sums)
    let borders = grid.isHigh(envelope) ? tables.high : tables.low
    for band in 0..<borders.count - 1 {
      var total: Float = 0
      for k in borders[band]..<borders[band + 1] { total += sums[k] }
      energies[place + band] = total / Float(slots.count * (borders[band + 1] - borders[band]))
    }
    return borders.count - 1
  }

  private static func sum(
    _ energies: UnsafePointer<Float>, in slots: Range<Int>, into sums: UnsafeMutablePointer<Float>
  ) {
    precondition(
      slots.lowerBound >= -SBRSpectrum.pastSlotCount
        && slots.upperBound + SBRSpectrum.pastSlotCount <= SBRSpectrum.slotCount)
    for band in stride(from: 0, to: 64, by: 4) {
      var total = Lanes.zero
      for slot in slots {
        unsafe total += energies.lanes((slot &+ SBRSpectrum.pastSlotCount) &* 64 &+ band)
      }
      unsafe sums.store(total, band)
    }
  }

  private func lanes(_ band: Int) -> Lanes {
    Lanes(energies[band], energies[band + 1], energies[band + 2], energies[band + 3])
  }

  /// Returns a · log₂ of energies; the values of silence are very low.
  private static func steps(_ energies: Lanes, isCoarse: Bool) -> Lanes {
    let logs = ElementaryFunctions.log2(energies.raised(to: Lanes(repeating: 1e-9)))
    return isCoarse ? logs : logs * 2
  }

  private static func clamped(_ level: Float, to most: Float) -> UInt8 {
    UInt8(min(most, max(0, (level + 0.5).rounded(.down))))
  }
}
