/// The replicated bands and the resolution of their description.
struct SBRSettings: Sendable {
  var header: SBRHeader
  let tables: SBRTables
  /// Whether pairs may be coded as their sum and their balance.
  let mayCouplePairs: Bool
  /// The distortion that an envelope must save to be worth its bits.
  let envelopePrice: Float
  /// The number of frames between headers; decoders that join late wait for a header.
  let headerDistance: Int
  /// The bitrate of a parametric stereo stream, in bits per second; nil if all channels are coded.
  let stereoBitrate: Int?

  /// The first replicated frequency and the end of the last replicated band, in hertz.
  let crossover: Int
  let top: Int

  /// The share of its bitrate that counts for a single channel.
  ///
  /// The channels of a pair share more than half of their data; a single channel shares nothing.
  private static let singleShare: Float = 0.75
  /// The factors of the replicated range in a stereo stream.
  ///
  /// Stereo data takes bits from the core, so the core gets fewer bands, and replication more.
  private static let stereoStartFactor: Float = 0.85
  private static let stereoEndFactor: Float = 1.1
  /// The highest end of the replicated range, as a share of the output rate.
  private static let maxEndShare: Float = 0.47

  /// Creates settings for an output rate and the bitrate of a channel.
  ///
  /// The bitrate applies to a channel of a pair, or to a single channel, which parametric stereo
  /// may extend to two.
  init?(rate: Int, bitsPerSecond: Float, isSingle: Bool, isStereo: Bool = false) {
    stereoBitrate = isStereo ? Int(bitsPerSecond) : nil
    headerDistance = Self.headerDistance(rate: rate)
    let share = isSingle ? bitsPerSecond * Self.singleShare : bitsPerSecond
    var (wantedStart, wantedEnd) = Self.range(share)
    if isStereo {
      wantedStart *= Self.stereoStartFactor
      wantedEnd *= Self.stereoEndFactor
    }
    var header = SBRHeader()
    header.isCoarse = true
    // Without a limit (3): gains follow the measured energies, and limits would soften tones.
    header.limiterGain = 3
    header.spectrum.frequencyScale = share < 14_000 ? 3 : share < 26_000 ? 2 : 1
    header.spectrum.noiseBands = share < 14_000 ? 1 : share < 22_000 ? 2 : 3
    header.spectrum.isAltered = true
    guard
      let best = Self.nearest(
        header, rate: rate, start: wantedStart,
        end: min(wantedEnd, Self.maxEndShare * Float(rate)))
    else { return nil }
    self.header = best.header
    tables = best.tables
    crossover = tables.start * rate / 128
    top = (tables.start + tables.count) * rate / 128
    mayCouplePairs = share < 22_000
    envelopePrice = isStereo ? 1 : share < 14_000 ? 4 : 2
  }

  /// Returns the number of frames between headers at an output rate: less than half a second.
  static func headerDistance(rate: Int) -> Int { rate > 32_768 ? 8 : rate > 16_384 ? 4 : 2 }

  /// Returns the range of replicated frequencies at a bitrate, in hertz.
  ///
  /// Tuned by experiment; bits that a lower crossover frees for the core are worth more than the
  /// lost top frequencies.
  private static func range(_ rate: Float) -> (start: Float, end: Float) {
    let points: [(rate: Float, start: Float, end: Float)] = [
      (8_000, 2_900, 9_500), (12_000, 3_900, 12_700), (16_000, 4_400, 15_000),
      (20_000, 5_500, 16_200), (24_000, 7_100, 17_500), (28_000, 7_600, 18_900),
      (32_000, 8_200, 20_300), (48_000, 9_400, 21_000),
    ]
    var before = points[0]
    for point in points {
      if rate < point.rate {
        let part = max(0, (rate - before.rate) / max(1, point.rate - before.rate))
        return (
          before.start + part * (point.start - before.start),
          before.end + part * (point.end - before.end)
        )
      }
      before = point
    }
    return (before.start, before.end)
  }

  /// Returns the legal header whose bands begin and end nearest to these frequencies.
  private static func nearest(
    _ header: SBRHeader, rate: Int, start: Float, end: Float
  ) -> (header: SBRHeader, tables: SBRTables)? {
    var best: (header: SBRHeader, tables: SBRTables)?
    var minimum = Float.greatestFiniteMagnitude
    let hertz = Float(rate) / 128
    for startIndex in 0..<16 {
      for stopIndex in 0..<14 {
        var candidate = header
        candidate.spectrum.startFrequency = startIndex
        candidate.spectrum.stopFrequency = stopIndex
        guard let tables = SBRTables(candidate, rate: rate), tables.count >= 4,
          tables.start <= HalfBandDecimator.maxBandCount, !isDoubtful(tables, rate: rate)
        else { continue }
        let distance =
          abs(Float(tables.start) * hertz - start) * 2
          + abs(Float(tables.start + tables.count) * hertz - end)
        if distance < minimum {
          minimum = distance
          best = (candidate, tables)
        }
      }
    }
    return best
  }

  /// Returns whether decoders are known to disagree about the tables.
  private static func isDoubtful(_ tables: SBRTables, rate: Int) -> Bool {
    if tables.lowest == 17 && (tables.highest == 36 || tables.highest == 62) { return true }
    if rate == 32_000 && tables.lowest == 10 && tables.highest == 44 { return true }
    // If the last patch is too narrow, decoders drop it and leave its bands empty.
    return tables.patches.reduce(0) { $0 + $1.width } != tables.count
  }
}
