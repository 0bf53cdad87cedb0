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
      long = Self.set(
        ScaleFactorBandTables.long960Offsets, at: ScaleFactorBandTables.long960Starts[index])
      short = Self.set(
        ScaleFactorBandTables.short120Offsets, at: ScaleFactorBandTables.short120Starts[index])
    } else {
      long = Self.set(
        ScaleFactorBandTables.long1024Offsets, at: ScaleFactorBandTables.long1024Starts[index])
      short = Self.set(
        ScaleFactorBandTables.short128Offsets, at: ScaleFactorBandTables.short128Starts[index])
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

  /// Returns the set of offsets at `start`; the next set begins with zero.
  private static func set(_ offsets: [UInt16], at start: UInt16) -> [Int] {
    [0] + offsets[(Int(start) + 1)...].prefix { $0 > 0 }.map(Int.init)
  }

  /// Returns the line offsets of the bands in a long or short window, including the end.
  func offsets(isShort: Bool) -> [Int] { isShort ? short : long }

  /// Returns the maximum number of bands for temporal noise shaping filters (4.6.9.4).
  func noiseShapingLimit(isShort: Bool) -> Int {
    isShort ? shortNoiseShapingLimit : longNoiseShapingLimit
  }

  /// Returns the number of bands that begin below a line.
  static func count(below line: Int, in offsets: [Int]) -> Int {
    var count = 0
    while count < offsets.count - 1 && offsets[count] < line { count += 1 }
    return count
  }
}
