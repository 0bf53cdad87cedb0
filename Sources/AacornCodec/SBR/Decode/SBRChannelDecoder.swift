import AacornSignal

/// A channel's filter banks, and the state between frames.
struct SBRChannelDecoder: Sendable {
  /// The number of slots of the last frame before the current frame's slots (t_HFGen).
  private static let overlap = 8
  /// The number of slots before slot 0 of the output (t_HFAdj).
  private static let lead = 2

  /// Scratch storage for processing a channel, reused by the next channel.
  struct Scratch: Sendable {
    var levels = SBRLevels()
    var high = SBRGenerator()
    var gains = SBRGains()
  }

  /// The input of replication in a frame.
  struct Work {
    let tables: SBRTables
    let header: SBRHeader
    let data: SBRChannelData
    /// The number of leading envelopes that may belong to another position of the stream.
    let splicedEnvelopeCount: Int
  }

  private let slotCount: Int
  private var analysis: QMFAnalysis
  private(set) var synthesis: QMFSynthesis
  /// The bands that are passed to the synthesis.
  private(set) var frame = QMFFrame()
  /// The low bands, in rows of 32: slot n of the output is row n + 2.
  private var lowReal: [Float]
  private var lowImaginary: [Float]
  private var adjuster = SBRAdjuster()
  private var spliceLimiter = SpliceLimiter()
  /// The inverse filtering factors of each noise band, and their coded modes.
  private var chirps = SIMD8<Float>()
  private var inverseFiltering = SIMD8<UInt8>()
  /// The sines at the end of the last frame: bit m is band kₓ + m.
  private var sines: UInt64 = 0
  /// Whether the first envelope of the next frame begins with a transient.
  private var endsInTransient = false
  // The replicated bands of the last frame, and the number of slots past its end.
  private var start = 32
  private var count = 0
  private var tail = 0
  /// The number of slots at the start of the frame whose high bands were made with other tables.
  private var staleCount = 0
  /// Whether the last frame had no replication.
  private var wasSkipped = true

  init(slotCount: Int, isDownsampled: Bool) {
    self.slotCount = slotCount
    analysis = QMFAnalysis(frameLength: 32 * slotCount)
    synthesis = QMFSynthesis(slotCount: slotCount, isDownsampled: isDownsampled)
    // Vectors may read up to three bands past the end.
    let rows = QMFFrame.slotCount + Self.lead
    lowReal = [Float](
      repeating: 0, count: rows * SBRGenerator.lowWidth + 4)
    lowImaginary = lowReal
  }

  /// Resets everything but the configuration.
  mutating func reset() {
    analysis.reset()
    synthesis.reset()
    clear(&frame.real, from: 0)
    clear(&frame.imaginary, from: 0)
    clear(&lowReal, from: 0)
    clear(&lowImaginary, from: 0)
    adjuster.reset()
    spliceLimiter.reset()
    chirps = SIMD8()
    inverseFiltering = SIMD8()
    sines = 0
    endsInTransient = false
    start = 32
    count = 0
    tail = 0
    staleCount = 0
    wasSkipped = true
  }

  private func clear(_ values: inout [Float], from start: Int) {
    unsafe values.withUnsafeMutableBufferPointer { values in
      for index in start..<values.count { unsafe values[index] = 0 }
    }
  }

  mutating func synthesize(into output: inout [Float]) {
    synthesis.synthesize(frame, slotCount: slotCount, into: &output)
  }

  /// Computes samples from `other` instead of `frame`.
  mutating func synthesize(_ other: QMFFrame, into output: inout [Float]) {
    synthesis.synthesize(other, slotCount: slotCount, into: &output)
  }

  /// Computes `frame` from the core's samples, with high bands if `work` is not nil.
  ///
  /// - Parameters:
  ///   - core: The core's frame.
  ///   - work: The replication data of the frame, if any.
  ///   - isFirst: Whether the tables are new.
  ///   - scratch: The scratch storage, with the levels of this channel.
  mutating func makeFrame(
    _ core: [Float], work: Work?, isFirst: Bool, scratch: inout Scratch
  ) {
    analyze(core)
    keepTail()
    let (start, count) = (work?.tables.start ?? 32, work?.tables.count ?? 0)
    let firstSlot = tail
    let hasChanged = start != self.start || count != self.count
    if hasChanged || staleCount > firstSlot {
      clear(&frame.real, from: firstSlot * 64)
      clear(&frame.imaginary, from: firstSlot * 64)
    }
    staleCount = hasChanged ? firstSlot : 0
    if let work {
      replicate(work, isFirst: isFirst || wasSkipped, from: firstSlot, &scratch)
    } else {
      spliceLimiter.recordUnreplicated(slotCount: slotCount, lowReal, lowImaginary)
      for slot in firstSlot..<slotCount + 6 { copyLowBands(start, slot) }
      endsInTransient = false
      tail = 0
    }
    self.start = start
    self.count = count
    wasSkipped = work == nil
  }

  /// Splits the core's frame into bands, and appends its slots to the last slots of the previous
  /// frame.
  private mutating func analyze(_ core: [Float]) {
    let from = slotCount * SBRGenerator.lowWidth
    precondition(start <= SBRGenerator.lowWidth)
    unsafe Self.moveLast(&lowReal, from: from, bands: start)
    unsafe Self.moveLast(&lowImaginary, from: from, bands: start)
    analysis.analyze(
      core, slotCount: slotCount, into: &lowReal, &lowImaginary, firstRow: Self.overlap)
  }

  /// Moves the last slots to the front; clears the bands from `bands` on, which were replicated.
  private static func moveLast(_ low: UnsafeMutablePointer<Float>, from: Int, bands: Int) {
    let width = SBRGenerator.lowWidth
    for slot in 0..<overlap {
      let row = unsafe low + slot &* width
      for band in stride(from: 0, to: width, by: 4) {
        unsafe row.store(row.lanes(from &+ band), band)
      }
      for band in bands..<width { unsafe row[band] = 0 }
    }
  }

  /// Moves the slots past the last frame's end to the beginning.
  private mutating func keepTail() {
    if tail > 0 {
      frame.real.moveToFront(from: slotCount * 64, count: tail * 64)
      frame.imaginary.moveToFront(from: slotCount * 64, count: tail * 64)
    }
    for slot in 0..<tail { copyLowBands(start, slot) }
  }

  private mutating func copyLowBands(_ bands: Int, _ slot: Int) {
    let from = (slot + Self.lead) * SBRGenerator.lowWidth
    precondition(bands <= SBRGenerator.lowWidth && slot < QMFFrame.slotCount)
    unsafe Self.copy(lowReal, from: from, count: bands, into: &frame.real, at: slot * 64)
    unsafe Self.copy(lowImaginary, from: from, count: bands, into: &frame.imaginary, at: slot * 64)
  }

  private static func copy(
    _ low: UnsafePointer<Float>, from: Int, count: Int, into out: UnsafeMutablePointer<Float>,
    at to: Int
  ) {
    var band = 0
    while band &+ 4 <= count {
      unsafe out.store(low.lanes(from &+ band), to &+ band)
      band &+= 4
    }
    while band < count {
      unsafe out[to &+ band] = low[from &+ band]
      band &+= 1
    }
  }

  private mutating func replicate(
    _ work: Work, isFirst: Bool, from firstSlot: Int, _ scratch: inout Scratch
  ) {
    let (tables, grid) = (work.tables, work.data.grid)
    let slots = 2 * grid.start..<2 * grid.end
    chirp(work)
    scratch.high.generate(
      lowReal, lowImaginary, tables: tables, chirps: chirps, frameSlots: slotCount, slots: slots)
    spliceLimiter.bound(
      &scratch.levels, grid, tables: tables, splicedEnvelopeCount: work.splicedEnvelopeCount,
      lowReal: lowReal, lowImaginary: lowImaginary)
    let transients = solve(work, &scratch)
    let job = SBRAdjuster.Frame(
      grid: grid, start: tables.start, count: tables.count, transients: transients,
      isSmoothed: work.header.isSmoothed)
    adjuster.begin(job, scratch.gains, isFirst: isFirst)
    // A frame should begin at the end of the last one; if not, the slots in between are silent.
    for slot in firstSlot..<max(slots.lowerBound, firstSlot) {
      for index in slot * 64 + tables.start..<slot * 64 + 64 {
        frame.real[index] = 0
        frame.imaginary[index] = 0
      }
      copyLowBands(tables.start, slot)
    }
    for envelope in 0..<grid.envelopeCount {
      let (from, to) = (2 * Int(grid.borders[envelope]), 2 * Int(grid.borders[envelope + 1]))
      for slot in from..<to {
        let isOutput = slot >= firstSlot
        // This order is required, as high bands may extend into the low ones of the next slot.
        if isOutput { copyLowBands(tables.start, slot) }
        adjuster.adjust(
          job, by: scratch.gains, from: scratch.high, envelope: envelope, slot: slot,
          isOutput: isOutput, into: &frame)
      }
    }
    for slot in slots.upperBound..<slotCount + 6 { copyLowBands(tables.start, slot) }
    adjuster.end(job)
    tail = slots.upperBound - slotCount
  }

  /// Updates the inverse filtering factors from the modes (4.6.18.6.2).
  private mutating func chirp(_ work: Work) {
    for band in 0..<work.tables.noiseCount {
      let (old, new) = (inverseFiltering[band], work.data.inverseFiltering[band])
      let goal: Float =
        switch (old, new) {
        case (0, 1), (1, 0): 0.6
        case (_, 0): 0
        case (_, 1): 0.75
        case (_, 2): 0.9
        default: 0.98
        }
      let last = chirps[band]
      let next = goal < last ? 0.75 * goal + 0.25 * last : 0.90625 * goal + 0.09375 * last
      chirps[band] = next < 0.015625 ? 0 : next
    }
    inverseFiltering = work.data.inverseFiltering
  }

  /// Computes all gains; returns a bit for each envelope that begins with a transient.
  private mutating func solve(_ work: Work, _ scratch: inout Scratch) -> UInt8 {
    let (tables, grid) = (work.tables, work.data.grid)
    var sineMask: UInt64 = 0
    for band in 0..<tables.high.count - 1 where work.data.harmonics >> UInt64(band) & 1 != 0 {
      sineMask |= 1 << UInt64((tables.high[band] + tables.high[band + 1]) >> 1 - tables.start)
    }
    let settings = SBRGains.Settings(
      tables: tables, limiterGain: work.header.limiterGain,
      interpolatesFrequency: work.header.interpolatesFrequency)
    var transients: UInt8 = endsInTransient ? 1 : 0
    if 0..<grid.envelopeCount ~= grid.transient { transients |= 1 << UInt8(grid.transient) }
    var active: UInt64 = 0
    for envelope in 0..<grid.envelopeCount {
      // A new sine starts with the transient.
      active = envelope >= grid.transient ? sineMask : sineMask & sines
      scratch.gains.find(
        envelope: envelope, grid: grid, levels: scratch.levels, settings: settings,
        high: scratch.high, activeSines: active,
        isTransient: transients >> UInt8(envelope) & 1 != 0)
    }
    sines = active
    endsInTransient = grid.transient == grid.envelopeCount
    return transients
  }
}
