import AacornSignal

/// The frequency tables of band replication, in bands of the 64-band filter bank.
///
/// ISO/IEC 14496-3, 4.6.18.3.2.
struct SBRTables: Sendable {
  static let maxBandCount = 48

  /// The first and last border of the master table (k₀, k₂).
  let lowest, highest: Int
  /// The borders of the master table.
  let master: [Int]
  /// The borders of envelope bands in high and low resolution.
  let high, low: [Int]
  /// The borders of noise bands.
  let noise: [Int]
  /// The bands that are copied together, from the lowest target up.
  private(set) var patches: [Patch] = []
  /// The source of each replicated band; −1 for a band of a patch that was dropped because it was
  /// too narrow.
  private(set) var sources: [Int] = []
  /// The borders of limiter bands.
  private(set) var limiter: [Int] = []

  /// Adjacent bands that are copied to adjacent bands.
  struct Patch: Sendable {
    /// The lowest band that is copied.
    let source: Int
    /// The lowest replicated band, counted from kₓ.
    let target: Int
    /// The number of bands.
    let width: Int
  }

  /// The first replicated band, kₓ.
  var start: Int { high[0] }
  /// The number of replicated bands, M.
  var count: Int { high[high.count - 1] - high[0] }
  func bandCount(isHigh: Bool) -> Int { (isHigh ? high : low).count - 1 }
  var noiseCount: Int { noise.count - 1 }

  /// The rates of the core for which tables are built, in hertz.
  private static let coreRates = 1...192_000

  /// Builds the tables for an output rate in hertz; nil if the standard forbids the header, or if
  /// the rate is far from all rates of the standard.
  init?(_ header: SBRHeader, rate: Int) {
    let spectrum = header.spectrum
    guard Self.coreRates.contains(rate / 2), let range = Self.range(spectrum, rate: rate),
      let widths = Self.masterWidths(spectrum, range)
    else { return nil }
    lowest = range.lowerBound
    highest = range.upperBound
    var borders = [lowest]
    for width in widths {
      guard width > 0 else { return nil }
      borders.append(borders[borders.count - 1] + width)
    }
    master = borders
    guard borders.count - 1 > spectrum.crossoverBand else { return nil }
    high = [Int](borders[spectrum.crossoverBand...])
    let highCount = high.count - 1
    var lows = [high[0]]
    for band in 1...(highCount + 1) / 2 { lows.append(high[2 * band - highCount & 1]) }
    low = lows
    guard high[0] <= 32, high[highCount] <= 64 else { return nil }

    let octaves = Self.octaves(from: high[0], to: highest)
    let noiseCount = max(1, Self.nearest(Double(spectrum.noiseBands) * octaves))
    guard noiseCount <= 5 else { return nil }
    var noises = [low[0]]
    var index = 0
    for band in 1...noiseCount {
      index += (low.count - 1 - index) / (noiseCount + 1 - band)
      noises.append(low[index])
    }
    noise = noises
    guard makePatches(rate: rate) else { return nil }
    sources = [Int](repeating: -1, count: count)
    for patch in patches {
      for band in 0..<patch.width { sources[patch.target + band] = patch.source + band }
    }
    makeLimiter(header.limiterBands)
  }

  /// Returns ⌊x + ½⌋ of a number ≥ 0.
  static func nearest(_ x: Double) -> Int { Int(x + 0.5) }

  private static func octaves(from low: Int, to high: Int) -> Double {
    ElementaryFunctions.preciseLog2(Double(high)) - ElementaryFunctions.preciseLog2(Double(low))
  }

  /// Returns the range of the master table.
  private static func range(_ spectrum: SBRHeader.Spectrum, rate: Int) -> Range<Int>? {
    let base: Double = rate < 32_000 ? 3_000 : rate < 64_000 ? 4_000 : 5_000
    let bandsPerHertz = 128 / Double(rate)
    let start = nearest(base * bandsPerHertz) + startOffset(spectrum.startFrequency, rate: rate)
    var stop: Int
    switch spectrum.stopFrequency {
    case 14: stop = 2 * start
    case 15: stop = 3 * start
    default:
      stop = nearest(2 * base * bandsPerHertz)
      guard stop < 64 else { return nil }
      for width in geometric(from: stop, to: 64, count: 13).prefix(spectrum.stopFrequency) {
        stop += width
      }
    }
    stop = min(stop, 64)
    let limit = rate <= 32_000 ? 48 : rate <= 44_100 ? 35 : 32
    guard start > 0, stop > start, stop - start <= limit else { return nil }
    return start..<stop
  }

  /// Returns the offset for bs_start_freq (4.6.18.3.2.1).
  private static func startOffset(_ index: Int, rate: Int) -> Int {
    switch rate {
    case ..<19_000: index - 8
    case ..<23_000: index < 13 ? index - 5 : 2 * index - 17
    case ..<28_000:
      index == 0 ? -5 : index < 12 ? index - 4 : index < 15 ? 2 * index - 15 : 16
    case ..<38_000:
      index < 3 ? 2 * index - 6 : index < 12 ? index - 4 : index < 15 ? 2 * index - 15 : 16
    case ...64_000: index < 2 ? 2 * index - 4 : steep(index - 3)
    default: steep(index - 2)
    }
  }

  /// Returns a term of the sequence … −1 0 1 2 3 4 5 6 7 9 11 13 16 20 24.
  private static func steep(_ step: Int) -> Int {
    step < 8 ? step : step < 11 ? 2 * step - 7 : 4 * step - 28
  }

  /// Returns the widths of the master table's bands, from low to high.
  private static func masterWidths(
    _ spectrum: SBRHeader.Spectrum, _ range: Range<Int>
  ) -> [Int]? {
    let (lowest, highest) = (range.lowerBound, range.upperBound)
    if spectrum.frequencyScale == 0 {
      return evenWidths(range.count, isAltered: spectrum.isAltered)
    }
    let half = Double(7 - spectrum.frequencyScale)
    // If the borders have a ratio above 2.2449, there are two regions, and the first is an octave.
    let hasTwo = Double(highest) / Double(lowest) > 2.2449
    let middle = hasTwo ? 2 * lowest : highest
    let count = 2 * nearest(half * octaves(from: lowest, to: middle))
    guard count > 0 else { return nil }
    let first = geometric(from: lowest, to: middle, count: count)
    guard hasTwo, let widest = first.last else { return first }
    let warp = spectrum.isAltered ? 1.3 : 1.0
    let secondCount = 2 * nearest(half * octaves(from: middle, to: highest) / warp)
    guard secondCount > 0 else { return nil }
    var second = geometric(from: middle, to: highest, count: secondCount)
    if second[0] < widest {
      let change = min(widest - second[0], (second[secondCount - 1] - second[0]) / 2)
      second[0] += change
      second[secondCount - 1] -= change
      second.sort()
    }
    return first + second
  }

  /// Returns equal widths: 1, or 2 if `isAltered`; the first or last ones differ to fill the range.
  private static func evenWidths(_ total: Int, isAltered: Bool) -> [Int]? {
    let width = isAltered ? 2 : 1
    let count = 2 * ((total + (isAltered ? 2 : 0)) / (2 * width))
    guard count > 0 else { return nil }
    var widths = [Int](repeating: width, count: count)
    var rest = total - count * width
    var band = rest < 0 ? 0 : count - 1
    while rest != 0 {
      guard widths.indices.contains(band) else { return nil }
      let step = rest > 0 ? 1 : -1
      widths[band] += step
      rest -= step
      band -= step
    }
    return widths
  }

  /// Returns the sorted widths of `count` bands whose borders have a constant ratio.
  private static func geometric(from low: Int, to high: Int, count: Int) -> [Int] {
    let octaves = octaves(from: low, to: high)
    var widths: [Int] = []
    var last = low
    for band in 1...count {
      let ratio = ElementaryFunctions.preciseExp2(Double(band) / Double(count) * octaves)
      let border = nearest(Double(low) * ratio)
      widths.append(border - last)
      last = border
    }
    widths.sort()
    return widths
  }
}

extension SBRTables {
  /// Divides the replicated bands into patches (4.6.18.6.3); returns false if there are too many.
  private mutating func makePatches(rate: Int) -> Bool {
    let top = start + count
    let goal = Self.nearest(2_048_000 / Double(rate))
    let last = master.count - 1
    var from = last
    if goal < top { from = master.firstIndex { $0 >= goal } ?? last }
    var (source, filled) = (lowest, start)
    for _ in 0..<2 * Self.maxBandCount {
      var index = from
      var border = master[index]
      var odd = (border + lowest) & 1
      while border > lowest - 1 + source - odd {
        guard index > 0 else { return false }
        index -= 1
        border = master[index]
        odd = (border + lowest) & 1
      }
      if border > filled {
        let width = border - filled
        // The standard allows five, but some encoders make six.
        guard patches.count < 6, lowest - odd - width >= 0 else { return false }
        patches.append(
          Patch(source: lowest - odd - width, target: filled - start, width: width))
        filled = border
        source = border
      } else {
        source = start
      }
      if master[from] - border < 3 { from = last }
      if border == top {
        if let last = patches.last, last.width < 3, patches.count > 1 { patches.removeLast() }
        return true
      }
    }
    return false
  }

  /// Computes the limiter bands: joins borders that are too close (4.6.18.3.2.3).
  ///
  /// The input is the borders of low resolution and of patches.
  mutating func makeLimiter(_ bandsPerOctave: Int) {
    // 2^(0.49 / 1.2), 2^(0.49 / 2) and 2^(0.49 / 3).
    let ratio: Double
    switch bandsPerOctave {
    case 0:
      limiter = [start, start + count]
      return
    case 1: ratio = 1.327_151_742_338_568
    case 2: ratio = 1.185_092_781_094_182_1
    default: ratio = 1.119_872_046_719_501_8
    }
    var borders = [start]
    for patch in patches { borders.append(start + patch.target + patch.width) }
    // For the limiter, a dropped patch is part of the last patch.
    borders[borders.count - 1] = start + count
    limiter = low + borders[1..<max(borders.count - 1, 1)]
    limiter.sort()
    var band = 1
    while band < limiter.count {
      let (below, here) = (limiter[band - 1], limiter[band])
      if Double(here) >= Double(below) * ratio {
        band += 1
      } else if here == below || !borders.contains(here) {
        limiter.remove(at: band)
      } else if borders.contains(below) {
        band += 1
      } else {
        limiter.remove(at: band - 1)
      }
    }
  }
}
