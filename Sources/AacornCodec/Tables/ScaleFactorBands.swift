/// The scalefactor bands of one sampling frequency (ISO/IEC 14496-3, 4.5.4).
struct ScaleFactorBands: Sendable {
  /// Offsets for long windows, the end (1024) included.
  let long: [Int]
  /// Offsets for short windows, the end (128) included.
  let short: [Int]
  /// Bands that TNS may reach in long windows.
  let longNoiseShapingLimit: Int
  /// Bands that TNS may reach in short windows.
  let shortNoiseShapingLimit: Int

  /// The bands for a sampling frequency index, 0…12.
  init(rateIndex: Int) {
    typealias Tables = ScaleFactorBandTables
    switch Tables.longSetOfRate[rateIndex] {
    case 0: long = Tables.long0
    case 1: long = Tables.long1
    case 2: long = Tables.long2
    case 3: long = Tables.long3
    case 4: long = Tables.long4
    case 5: long = Tables.long5
    default: long = Tables.long6
    }
    switch Tables.shortSetOfRate[rateIndex] {
    case 0: short = Tables.short0
    case 1: short = Tables.short1
    case 2: short = Tables.short2
    case 3: short = Tables.short3
    default: short = Tables.short4
    }
    longNoiseShapingLimit = Tables.longNoiseShapingLimit[rateIndex]
    shortNoiseShapingLimit = Tables.shortNoiseShapingLimit[rateIndex]
  }

  /// How many bands begin below a line.
  static func count(below line: Int, in offsets: [Int]) -> Int {
    var count = 0
    while count < offsets.count - 1 && offsets[count] < line { count += 1 }
    return count
  }
}
