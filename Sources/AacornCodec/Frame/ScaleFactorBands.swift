/// The scalefactor bands for a sampling frequency and frame length (ISO/IEC 14496-3, 4.5.4).
struct ScaleFactorBands: Sendable {
  /// The band offsets of long windows, including the end (1024 or 960).
  let long: [Int]
  /// The band offsets of short windows, including the end (128 or 120).
  let short: [Int]
  /// The maximum number of bands for TNS in long windows.
  let longNoiseShapingLimit: Int
  /// The maximum number of bands for TNS in short windows.
  let shortNoiseShapingLimit: Int
  /// The maximum number of bands with prediction in streams of object type Main.
  let predictionLimit: Int

  /// Selects the bands for a rate and frames of 1024 or 960 samples.
  init(_ frequency: SamplingFrequency, frameLength: Int = 1024) {
    let index = frequency.index
    if frameLength == 960 {
      long = Self.slice(
        ScaleFactorBandTables.long960BandOffsets,
        from: ScaleFactorBandTables.long960BandSetStarts[index],
        bands: ScaleFactorBandTables.long960BandCounts[index])
      short = Self.slice(
        ScaleFactorBandTables.short120BandOffsets,
        from: ScaleFactorBandTables.short120BandSetStarts[index],
        bands: ScaleFactorBandTables.short120BandCounts[index])
    } else {
      long = Self.long1024(index)
      short = Self.short128(index)
    }
    longNoiseShapingLimit = ScaleFactorBandTables.longNoiseShapingLimit[index]
    shortNoiseShapingLimit = ScaleFactorBandTables.shortNoiseShapingLimit[index]
    predictionLimit = Int(ScaleFactorBandTables.predictionLimits[index])
  }

  init(_ configuration: AudioSpecificConfig) {
    let frequency =
      SamplingFrequency(hertz: configuration.sampleRate)
      ?? SamplingFrequency(tablesFor: configuration.sampleRate)
    self.init(frequency, frameLength: configuration.frameLength)
  }

  private static func slice(_ table: [UInt16], from start: UInt16, bands: UInt8) -> [Int] {
    (0...Int(bands)).map { Int(table[Int(start) + $0]) }
  }

  private static func long1024(_ index: Int) -> [Int] {
    switch ScaleFactorBandTables.longSetOfRate[index] {
    case 0: ScaleFactorBandTables.long0
    case 1: ScaleFactorBandTables.long1
    case 2: ScaleFactorBandTables.long2
    case 3: ScaleFactorBandTables.long3
    case 4: ScaleFactorBandTables.long4
    case 5: ScaleFactorBandTables.long5
    default: ScaleFactorBandTables.long6
    }
  }

  private static func short128(_ index: Int) -> [Int] {
    switch ScaleFactorBandTables.shortSetOfRate[index] {
    case 0: ScaleFactorBandTables.short0
    case 1: ScaleFactorBandTables.short1
    case 2: ScaleFactorBandTables.short2
    case 3: ScaleFactorBandTables.short3
    default: ScaleFactorBandTables.short4
    }
  }

  /// Returns the number of bands that begin below a line.
  static func count(below line: Int, in offsets: [Int]) -> Int {
    var count = 0
    while count < offsets.count - 1 && offsets[count] < line { count += 1 }
    return count
  }
}
