/// Chooses the scalefactors of one channel for a given noise level.
///
/// `fast` takes the closed form of 3GPP TS 26.403, 5.6: the scalefactor at which a uniform error in
/// the companded domain makes the allowed noise. The other efforts really quantise a few steps
/// around it and walk the cheapest path through the bands, where a step's price is the bits of its
/// lines, the bits of its scalefactor difference and its noise:
///
///     cost = bits + nl/(2 ln 2) · D/T
///
/// With D falling by half for every half bit a line, this cost has its minimum at D = T.
struct ScaleFactorSearch: Sendable {
  /// Steps tried on each side of the closed form.
  let reach: Int
  /// Scalefactor of the closed form at noise level 0, as a real number.
  private var base = [Float](repeating: 0, count: BandLayout.maximumBandCount)
  /// The least scalefactor that keeps a band's lines within the quantiser's range.
  private var lowest = [Int32](repeating: 0, count: BandLayout.maximumBandCount)
  /// Lines that matter in each band.
  private var relevant = [Float](repeating: 0, count: BandLayout.maximumBandCount)
  /// Bits and noise of each candidate, at band·width + step.
  private var candidateBits: [Float]
  private var candidateNoise: [Float]
  private var centre = [Int32](repeating: 0, count: BandLayout.maximumBandCount)
  private var cameFrom: [UInt8]
  private var scratch = [Int32](repeating: 0, count: 1024)
  /// Bands that have candidates, in order.
  private var active = [Int](repeating: 0, count: BandLayout.maximumBandCount)
  private var activeCount = 0
  /// Those of them that are worth sending at the level looked at.
  private var path = [Int](repeating: 0, count: BandLayout.maximumBandCount)
  private var pathCount = 0
  /// Cost of the cheapest path to each candidate of the last band, and of the one after it.
  private var cost: [Float]
  private var nextCost: [Float]
  /// Bits of scalefactor differences −128…127, out of reach beyond ±60.
  private var differenceBits: [Float] = []

  /// Candidates a band.
  private var width: Int { 2 * reach + 1 }

  init(reach: Int) {
    self.reach = reach
    let size = BandLayout.maximumBandCount * (2 * reach + 1)
    candidateBits = [Float](repeating: 0, count: size)
    candidateNoise = [Float](repeating: 0, count: size)
    cameFrom = [UInt8](repeating: 0, count: size)
    cost = [Float](repeating: 0, count: 2 * reach + 1)
    nextCost = cost
    for difference in -256...255 {
      differenceBits.append(
        abs(difference) <= ScaleFactorCoder.largestDifference
          ? Float(ScaleFactorCoder.bits(difference)) : 1e6)
    }
  }

  /// Reads a channel's statistics, and adds its bands to the demand model.
  mutating func prepare(_ frame: ChannelFrame, _ layout: BandLayout, demand: inout DemandModel) {
    for band in 0..<layout.bandCount {
      let energy = frame.statistics.energy[band]
      guard frame.isSpectral(band), energy > 1e-3 else {
        relevant[band] = 0
        continue
      }
      let width = Float(layout.offsets[band + 1] - layout.offsets[band])
      let root = frame.statistics.rootSum[band]
      let logs = ElementaryFunctions.log2(
        Lanes(frame.threshold[band], root, energy, energy / width))
      base[band] = 100 + (8.0 / 3) * (2.7548875 + logs[0] - logs[1])
      lowest[band] = Quantizer.lowestScaleFactor(peak: frame.statistics.peak[band])
      relevant[band] = ElementaryFunctions.exp2(logs[1] - 0.25 * logs[3])
      demand.append(logRatio: logs[2] - logs[0], lines: relevant[band])
    }
  }

  /// The closed form alone.
  mutating func chooseDirectly(
    _ frame: inout ChannelFrame, _ layout: BandLayout, level: Float, _ tables: CodeTables
  ) {
    for band in 0..<layout.bandCount where frame.isSpectral(band) {
      let wanted = relevant[band] > 0 ? base[band] + (8.0 / 3) * level : 255
      let factor = max(lowest[band], min(255, max(0, Int32(wanted))))
      let step = tables.quantizerSteps[Int(factor)]
      if relevant[band] <= 0 || Quantizer.magnitude(frame.statistics.peak[band], step) == 0 {
        frame.book[band] = Codebook.zero
      } else {
        frame.book[band] = 1
        frame.scaleFactor[band] = factor
      }
    }
  }

  /// Measures candidates around the closed form at noise level `level`.
  mutating func evaluate(
    _ frame: ChannelFrame, _ layout: BandLayout, level: Float, _ tables: CodeTables
  ) {
    activeCount = 0
    for band in 0..<layout.bandCount where frame.isSpectral(band) && relevant[band] > 0 {
      let wanted = base[band] + (8.0 / 3) * level + 0.5
      let middle = max(lowest[band] + Int32(reach), min(255 - Int32(reach), Int32(max(0, wanted))))
      let finest = tables.quantizerSteps[Int(middle) - reach]
      guard Quantizer.magnitude(frame.statistics.peak[band], finest) > 0 else { continue }
      centre[band] = middle
      active[activeCount] = band
      activeCount += 1
      unsafe measure(
        frame.lines, frame.statistics.companded, band, layout.offsets[band],
        layout.offsets[band + 1], peak: frame.statistics.peak[band],
        energy: frame.statistics.energy[band], tables)
    }
  }

  private mutating func measure(
    _ lines: UnsafePointer<Float>, _ companded: UnsafePointer<Float>, _ band: Int, _ start: Int,
    _ end: Int, peak: Float, energy: Float, _ tables: CodeTables
  ) {
    for candidate in 0..<width {
      let factor = Int(centre[band]) + candidate - reach
      let step = tables.quantizerSteps[factor]
      let magnitude = Quantizer.magnitude(peak, step)
      let slot = band * width + candidate
      if magnitude == 0 {
        candidateBits[slot] = 0
        candidateNoise[slot] = energy
        continue
      }
      unsafe Quantizer.quantize(
        lines, companded, start, end, step: step, into: &scratch, at: 0)
      let bits = unsafe SpectrumCoder.bits(
        scratch, 0, end - start, firstBook: SpectrumCoder.firstBook(magnitude: magnitude),
        tables.costs)
      candidateBits[slot] = Float(min(bits & 0xFFFF, bits >> 16))
      candidateNoise[slot] = unsafe Quantizer.distortion(
        lines, start, end, scratch, at: 0, tables.powers, decoderStep: tables.decoderSteps[factor])
    }
  }

  /// The cheapest path at noise level `level`; returns its bits, sections not counted.
  ///
  /// The candidates stay valid, so the path can be walked again at another level near by.
  mutating func choosePath(
    _ frame: inout ChannelFrame, _ layout: BandLayout, level: Float
  ) -> Int {
    for band in 0..<layout.bandCount where frame.isSpectral(band) {
      frame.book[band] = Codebook.zero
    }
    let scale = ElementaryFunctions.exp2(-level) * 0.7213475
    pathCount = 0
    for position in 0..<activeCount {
      let band = active[position]
      let weight = relevant[band] * scale / frame.threshold[band]
      guard isWorthSending(band, weight: weight, energy: frame.statistics.energy[band]) else {
        continue
      }
      extendPath(to: band, weight: weight)
    }
    guard pathCount > 0 else { return 0 }
    return walkBack(&frame)
  }

  /// Whether a band's best candidate, its scalefactor included, beats silence.
  private func isWorthSending(_ band: Int, weight: Float, energy: Float) -> Bool {
    var best = Float.infinity
    for slot in band * width..<(band + 1) * width {
      best = min(best, candidateBits[slot] + weight * candidateNoise[slot])
    }
    return best + Self.usualScaleFactorBits < weight * energy * Self.holePenalty
  }

  private mutating func extendPath(to band: Int, weight: Float) {
    let width = width
    let first = band * width
    if pathCount == 0 {
      for candidate in 0..<width {
        cost[candidate] =
          candidateBits[first + candidate] + weight * candidateNoise[first + candidate]
      }
    } else {
      let jump = Int(centre[band] - centre[path[pathCount - 1]]) + 256
      for candidate in 0..<width {
        var cheapest = Float.infinity
        var source = 0
        for before in 0..<width {
          let price = cost[before] + differenceBits[jump + candidate - before]
          if price < cheapest {
            cheapest = price
            source = before
          }
        }
        let slot = first + candidate
        nextCost[candidate] = cheapest + candidateBits[slot] + weight * candidateNoise[slot]
        cameFrom[slot] = UInt8(truncatingIfNeeded: source)
      }
      swap(&cost, &nextCost)
    }
    path[pathCount] = band
    pathCount += 1
  }

  private func walkBack(_ frame: inout ChannelFrame) -> Int {
    var best = 0
    for candidate in 1..<width where cost[candidate] < cost[best] { best = candidate }
    var bits: Float = 0
    for position in stride(from: pathCount - 1, through: 0, by: -1) {
      let band = path[position]
      let slot = band * width + best
      frame.scaleFactor[band] = centre[band] + Int32(best - reach)
      frame.book[band] = candidateBits[slot] > 0 ? 1 : Codebook.zero
      bits += candidateBits[slot]
      if position > 0 { best = Int(cameFrom[slot]) }
    }
    return Int(bits)
  }

  /// What a band's scalefactor difference costs more often than not.
  private static let usualScaleFactorBits: Float = 3
  /// A hole in the spectrum is heard more than noise of the same energy.
  private static let holePenalty: Float = 2
}
