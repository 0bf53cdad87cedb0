import AacornSignal

/// Chooses the scalefactors of one channel for a given noise level.
///
/// The starting point is the closed form of 3GPP TS 26.403, 5.6: the scalefactor at which a uniform
/// error in the companded domain produces the allowed noise. With a reach above zero, that many
/// steps on each side are actually quantized, and the search selects the cheapest path through the
/// bands. A step costs the bits of its lines, the bits of its scalefactor difference and its noise:
///
///     cost = bits + nl/(2 ln 2) · (D + 0.8·(E − Ê)²/E)/T
///
/// With the noise D halving for every half bit per line, this cost has its minimum at D = T. The
/// second term is the error in a band's energy E: if few lines are nonzero, less noise can mean
/// duller, unsteady audio. If many lines are nonzero, E − Ê and the term are small.
///
/// The candidates of a band are one vector, lane 0 the finest.
struct ScaleFactorSearch: SegmentStage {
  private typealias Candidates = SIMD8<Float>

  /// The bits of a band's candidates, and their noise, including their error in energy.
  private struct Measured: Sendable {
    var bits = Candidates.zero
    var noise = Candidates.zero

    /// Stores the values of one candidate.
    ///
    /// Setting a lane of a vector writes and reads the whole vector. The read would wait for the
    /// narrow write before it.
    @inline(__always)
    static func store(
      bits: Float, noise: Float, _ candidate: Int, in measured: UnsafeMutablePointer<Measured>
    ) {
      let floats = unsafe UnsafeMutableRawPointer(measured) + candidate &* 4
      unsafe floats.storeBytes(of: bits, as: Float.self)
      unsafe floats.storeBytes(
        of: noise, toByteOffset: MemoryLayout<Candidates>.size, as: Float.self)
    }
  }

  /// The number of steps tried on each side of the closed form, at most 3.
  let searchReach: Int
  private var width: Int { 2 * searchReach + 1 }

  /// The closed-form scalefactor at noise level 0, as a real number.
  private var base = [Float](repeating: 0, count: BandLayout.listCapacity)
  /// The lowest scalefactor that keeps a band's lines within the quantizer's range.
  private var lowest = [Int32](repeating: 0, count: BandLayout.listCapacity)
  /// The number of relevant lines in each band (3GPP TS 26.403, 5.6.1); 0 for a band without lines.
  private var relevant = [Float](repeating: 0, count: BandLayout.listCapacity)
  /// log₂ of each band's energy over its threshold.
  private var logRatio = [Float](repeating: 0, count: BandLayout.listCapacity)
  /// The scalefactor in the middle of a band's candidates.
  private var center = [Int32](repeating: 0, count: BandLayout.maximumBandCount)
  private var measured = [Measured](repeating: Measured(), count: BandLayout.maximumBandCount)
  private var scratch = [UInt32](repeating: 0, count: 1024)

  /// The bands with candidates, in order.
  private var active = [Int](repeating: 0, count: BandLayout.maximumBandCount)
  private var activeCount = 0
  /// The bands worth sending at the current level, and the costs of their candidates.
  private var path = [Int](repeating: 0, count: BandLayout.maximumBandCount)
  private var cost = [Candidates](repeating: .zero, count: BandLayout.maximumBandCount)
  private var pathCount = 0
  /// The previous band's candidate on the cheapest path to each candidate.
  private var cameFrom = [SIMD8<Int32>](repeating: .zero, count: BandLayout.maximumBandCount)

  /// The bits of scalefactor differences −264…263, prohibitive beyond ±60.
  private var differenceBits: [Float] = []
  private static let differenceOrigin = 264
  private static let unreachableCost: Float = 1e9
  /// The typical cost of a band's scalefactor difference.
  private static let typicalScaleFactorBits: Float = 3
  /// Without a search, the maximum distances below and above the closed form, in steps.
  private static let maxFinerSteps: Float = 1.5
  private static let maxCoarserSteps: Float = 1
  /// The weight of an energy error against noise.
  private static let energyWeight: Float = 0.8
  /// The extra weight of a dropped band, which is more noticeable than equally loud noise.
  private static let droppedBandPenalty: Float = 2.5

  init(searchReach: Int) {
    precondition(searchReach >= 0 && searchReach <= 3)
    self.searchReach = searchReach
    let code = ScaleFactorBook.code
    for difference in -Self.differenceOrigin..<Self.differenceOrigin {
      differenceBits.append(
        code.contains(difference) ? Float(code.bitCount(of: difference)) : Self.unreachableCost)
    }
  }

  /// A search covers one frame: everything is measured again in the next.
  static var lookBack: Int { 0 }

  /// Resets the bands of the last frame.
  mutating func begin(atFrame index: Int) { (activeCount, pathCount) = (0, 0) }

  /// Reads a channel's statistics, and adds its bands to the demand model.
  mutating func prepare(
    _ frame: inout ChannelFrame, _ layout: BandLayout, demand: inout DemandModel
  ) {
    let padded = (layout.bandCount + 3) & ~3
    precondition(padded <= BandLayout.listCapacity && padded <= layout.widths.count)
    precondition(padded <= frame.threshold.count && padded <= frame.statistics.energy.count)
    precondition(padded <= frame.statistics.rootSum.count)
    precondition(padded <= frame.statistics.peak.count)
    unsafe frame.statistics.withPointers { statistics in
      unsafe Self.withGoals(
        base: &base, lowest: &lowest, relevant: &relevant, logRatio: &logRatio
      ) { goals in
        unsafe Self.prepare(
          statistics, threshold: frame.threshold, widths: layout.widths, count: layout.bandCount,
          goals: goals)
      }
    }
    for band in 0..<layout.bandCount
    where !frame.isSpectral(band) || frame.statistics.energy[band] <= 1e-3 {
      relevant[band] = 0
    }
    demand.append(logRatios: logRatio, lines: relevant, bandCount: layout.bandCount)
  }

  /// The values of each band that `prepare` computes.
  @unsafe
  private struct Goals {
    let base: UnsafeMutablePointer<Float>
    let lowest: UnsafeMutablePointer<Int32>
    let relevant, logRatio: UnsafeMutablePointer<Float>
  }

  @inline(__always)
  private static func withGoals(
    base: UnsafeMutablePointer<Float>, lowest: UnsafeMutablePointer<Int32>,
    relevant: UnsafeMutablePointer<Float>, logRatio: UnsafeMutablePointer<Float>,
    _ body: (Goals) -> Void
  ) {
    unsafe body(Goals(base: base, lowest: lowest, relevant: relevant, logRatio: logRatio))
  }

  private static func prepare(
    _ statistics: BandStatistics.Pointers, threshold: UnsafePointer<Float>,
    widths: UnsafePointer<Float>, count: Int, goals: Goals
  ) {
    // Logarithms need arguments above zero.
    let minimum = Lanes(repeating: 1e-9)
    var band = 0
    while band < count {
      let width = unsafe widths.lanes(band)
      let noise = ElementaryFunctions.log2(unsafe threshold.lanes(band).raised(to: minimum))
      let rootSum = unsafe statistics.rootSum.lanes(band)
      let root = ElementaryFunctions.log2(rootSum.raised(to: minimum))
      let power = unsafe statistics.energy.lanes(band).raised(to: minimum)
      let logEnergy = ElementaryFunctions.log2(power)
      let mean = ElementaryFunctions.log2(power / width.raised(to: Lanes(repeating: 1)))
      unsafe goals.base.store(100 + (8.0 / 3) * (2.7548875 + noise - root), band)
      let lines = ElementaryFunctions.exp2(root - 0.25 * mean)
      let relevant = lines.replacing(with: Lanes.zero, where: width .== Lanes.zero)
      unsafe goals.relevant.store(relevant, band)
      unsafe goals.logRatio.store(logEnergy - noise, band)
      let peak = unsafe statistics.peak.lanes(band)
      let logPeak = ElementaryFunctions.log2(peak.raised(to: minimum))
      unsafe UnsafeMutableRawPointer(goals.lowest + band).storeBytes(
        of: Quantizer.lowestScaleFactors(logPeaks: logPeak), as: SIMD4<Int32>.self)
      band &+= 4
    }
  }

  /// Chooses scalefactors at noise level `level`; bands not worth sending get codebook 0.
  mutating func choose(
    _ frame: inout ChannelFrame, _ layout: BandLayout, level: Float, with tables: CodeTables
  ) {
    if searchReach == 0 {
      chooseDirectly(&frame, layout, level: level, with: tables)
    } else {
      evaluate(&frame, layout, level: level, with: tables)
      choosePath(&frame, layout, level: level)
    }
    ScaleFactors.limitDifferences(&frame, layout, with: tables)
  }

  /// Chooses scalefactors without a search.
  ///
  /// Repeats the scalefactor of the previous band, which costs one bit instead of three or four,
  /// but moves it as needed to be near the closed form.
  private mutating func chooseDirectly(
    _ frame: inout ChannelFrame, _ layout: BandLayout, level: Float, with tables: CodeTables
  ) {
    var previous: Int32?
    let shift = (8.0 / 3) * level
    for band in 0..<layout.bandCount where frame.isSpectral(band) {
      frame.codebooks[band] = Codebook.zero
      guard relevant[band] > 0 else { continue }
      let wanted = min(254, max(1, base[band] + shift))
      let near = min(
        Int32(wanted + Self.maxCoarserSteps),
        max(Int32(wanted - Self.maxFinerSteps), previous ?? Int32(wanted)))
      let factor = max(lowest[band], near)
      let step = tables.quantizerSteps[Int(factor)]
      if Quantizer.magnitude(frame.statistics.peak[band], step) > 0 {
        frame.codebooks[band] = Codebook.smallest
        frame.scaleFactors[band] = factor
        previous = factor
      }
    }
  }

  /// Measures candidates around the closed form.
  private mutating func evaluate(
    _ frame: inout ChannelFrame, _ layout: BandLayout, level: Float, with tables: CodeTables
  ) {
    let (bandCount, lineCount) = (layout.bandCount, layout.lineCount)
    precondition(lineCount <= scratch.count && bandCount <= BandLayout.maximumBandCount)
    precondition(lineCount <= frame.lines.count && lineCount <= frame.statistics.companded.count)
    precondition(bandCount <= frame.statistics.peak.count)
    precondition(bandCount <= frame.statistics.energy.count)
    activeCount = 0
    let searchReach = Int32(self.searchReach)
    let shift = (8.0 / 3) * level + 0.5
    for band in 0..<bandCount where frame.isSpectral(band) && relevant[band] > 0 {
      let wanted = min(255, max(0, base[band] + shift))
      // The scalefactors of all candidates must be in the tables, which cover 0…255.
      let middle = min(255 - searchReach, max(lowest[band] + searchReach, Int32(wanted)))
      let finest = tables.quantizerSteps[Int(middle - searchReach)]
      guard Quantizer.magnitude(frame.statistics.peak[band], finest) > 0 else { continue }
      center[band] = middle
      active[activeCount] = band
      activeCount += 1
    }
    unsafe frame.statistics.withPointers { statistics in
      unsafe Self.withSource(
        lines: frame.lines, statistics, offsets: layout.offsets, centers: center
      ) { source in
        unsafe Self.withLookup(
          steps: tables.quantizerSteps, decoderSteps: tables.decoderSteps, costs: tables.costs,
          powers: tables.powers
        ) { lookup in
          unsafe Self.measure(
            active, activeCount: activeCount, searchReach: self.searchReach, source: source,
            lookup: lookup, scratch: &scratch, into: &measured)
        }
      }
    }
  }

  /// The lines and bands of the channel, and the scalefactors in the middle of their candidates.
  @unsafe
  private struct Source {
    let lines: UnsafePointer<Float>
    let statistics: BandStatistics.Pointers
    let offsets: UnsafePointer<Int>
    let centers: UnsafePointer<Int32>
  }

  /// The values of `CodeTables` that candidates need.
  @unsafe
  private struct Lookup {
    let steps, decoderSteps: UnsafePointer<Float>
    let tables: CandidateKernels.Tables
  }

  @inline(__always)
  private static func withSource(
    lines: UnsafePointer<Float>, _ statistics: BandStatistics.Pointers,
    offsets: UnsafePointer<Int>, centers: UnsafePointer<Int32>, _ body: (Source) -> Void
  ) {
    unsafe body(Source(lines: lines, statistics: statistics, offsets: offsets, centers: centers))
  }

  @inline(__always)
  private static func withLookup(
    steps: UnsafePointer<Float>, decoderSteps: UnsafePointer<Float>,
    costs: UnsafePointer<UInt32>, powers: UnsafePointer<Float>, _ body: (Lookup) -> Void
  ) {
    let tables = unsafe CandidateKernels.Tables(costs: costs, powers: powers)
    unsafe body(Lookup(steps: steps, decoderSteps: decoderSteps, tables: tables))
  }

  private static func measure(
    _ active: UnsafePointer<Int>, activeCount: Int, searchReach: Int, source: Source,
    lookup: Lookup, scratch: UnsafeMutablePointer<UInt32>,
    into measured: UnsafeMutablePointer<Measured>
  ) {
    var unmeasured = Candidates.zero
    for candidate in 2 &* searchReach &+ 1..<8 { unmeasured[candidate] = unreachableCost }
    for position in 0..<activeCount {
      let band = unsafe active[position]
      let start = unsafe source.offsets[band]
      let count = unsafe source.offsets[band &+ 1] &- start
      let lines = unsafe CandidateKernels.Band(
        lines: source.lines + start, companded: source.statistics.companded + start, count: count)
      let finest = unsafe Int(source.centers[band]) &- searchReach
      let peak = unsafe source.statistics.peak[band]
      let energy = unsafe source.statistics.energy[band]
      let share = energyWeight / energy
      unsafe measured[band] = Measured(
        bits: unmeasured, noise: Candidates(repeating: energy * (1 + energyWeight)))
      for candidate in 0..<2 &* searchReach &+ 1 {
        let step = unsafe lookup.steps[finest &+ candidate]
        let magnitude = Quantizer.magnitude(peak, step)
        // With this step and all coarser ones, all lines are zero: there are no bits, and all
        // energy is noise.
        if magnitude == 0 { break }
        let result = unsafe CandidateKernels.measure(
          lines, magnitude: magnitude, step: step,
          decoderStep: lookup.decoderSteps[finest &+ candidate], lookup.tables, scratch: scratch)
        let gap = energy - result.energy
        unsafe Measured.store(
          bits: result.bits, noise: result.noise + gap * gap * share, candidate,
          in: measured + band)
      }
    }
  }

  private mutating func choosePath(
    _ frame: inout ChannelFrame, _ layout: BandLayout, level: Float
  ) {
    for band in 0..<layout.bandCount where frame.isSpectral(band) {
      frame.codebooks[band] = Codebook.zero
    }
    let scale = ElementaryFunctions.exp2(-level) * 0.7213475
    pathCount = 0
    for position in 0..<activeCount {
      let band = active[position]
      let weight = relevant[band] * scale / frame.threshold[band]
      let costs = measured[band].bits + measured[band].noise * weight
      // A band is dropped if its best candidate, scalefactor included, does not beat silence.
      let silence = weight * frame.statistics.energy[band] * Self.droppedBandPenalty
      if Self.minimum(costs) + Self.typicalScaleFactorBits < silence {
        cost[pathCount] = costs
        path[pathCount] = band
        pathCount += 1
      }
    }
    guard pathCount > 0 else { return }
    let last = unsafe Self.walk(
      path, pathCount, costs: cost, centers: center, differenceBits: differenceBits, width: width,
      cameFrom: &cameFrom)
    walkBack(&frame, from: last)
  }

  /// Finds the cheapest path through the bands; returns the last band's candidate on it.
  private static func walk(
    _ path: UnsafePointer<Int>, _ count: Int, costs cost: UnsafePointer<Candidates>,
    centers center: UnsafePointer<Int32>, differenceBits: UnsafePointer<Float>, width: Int,
    cameFrom: UnsafeMutablePointer<SIMD8<Int32>>
  ) -> Int {
    var sum = unsafe cost[0]
    for position in 1..<max(1, count) {
      let step = unsafe Int(center[path[position]] &- center[path[position &- 1]])
      let prices = unsafe differenceBits + (step &+ differenceOrigin)
      var (low, high) = (Lanes(repeating: .infinity), Lanes(repeating: .infinity))
      var (lowSource, highSource) = (SIMD4<Int32>.zero, SIMD4<Int32>.zero)
      for before in 0..<width {
        let price = unsafe prices.lanes(0 &- before) + sum[before]
        let isCheaper = price .< low
        let source = SIMD4<Int32>(repeating: Int32(truncatingIfNeeded: before))
        low = low.replacing(with: price, where: isCheaper)
        lowSource = lowSource.replacing(with: source, where: isCheaper)
        if width > 4 {
          let price = unsafe prices.lanes(4 &- before) + sum[before]
          let isCheaper = price .< high
          high = high.replacing(with: price, where: isCheaper)
          highSource = highSource.replacing(with: source, where: isCheaper)
        }
      }
      sum = unsafe Candidates(lowHalf: low, highHalf: high) + cost[position]
      unsafe cameFrom[position] = SIMD8<Int32>(lowHalf: lowSource, highHalf: highSource)
    }
    var best = 0
    for candidate in 1..<width where sum[candidate] < sum[best] { best = candidate }
    return best
  }

  private func walkBack(_ frame: inout ChannelFrame, from last: Int) {
    var best = last
    for position in stride(from: pathCount - 1, through: 0, by: -1) {
      let band = path[position]
      frame.scaleFactors[band] = center[band] + Int32(best - searchReach)
      frame.codebooks[band] = measured[band].bits[best] > 0 ? Codebook.smallest : Codebook.zero
      if position > 0 { best = Int(cameFrom[position][best]) }
    }
  }

  @inline(__always)
  private static func minimum(_ value: Candidates) -> Float {
    let four = value.lowHalf.lowered(to: value.highHalf)
    let low = four[0] < four[2] ? four[0] : four[2]
    let high = four[1] < four[3] ? four[1] : four[3]
    return low < high ? low : high
  }
}
