/// The header of ps_data, which is valid until the next one (ISO/IEC 14496-3, 8.4.2).
struct StereoHeader: Equatable, Sendable {
  /// Whether levels are sent; otherwise both channels are equally loud.
  var hasLevels = false
  /// iid_mode, 0...5; stays unchanged while there are no levels.
  var levelMode = 0
  /// Whether coherences are sent; otherwise the channels are in phase.
  var hasCoherences = false
  /// icc_mode, 0...5; stays unchanged while there are no coherences.
  var coherenceMode = 0
  /// Whether extensions with phases may follow.
  var hasExtension = false

  /// The resolution of levels and of phases.
  var levelResolution: StereoResolution { StereoResolution(mode: levelMode) }
  var coherenceResolution: StereoResolution { StereoResolution(mode: coherenceMode) }
  /// Whether levels have 31 steps rather than 15.
  var hasFineLevels: Bool { levelMode > 2 }
  /// The largest index of a level.
  var levelLimit: Int { hasFineLevels ? 15 : 7 }
  /// Whether channels are mixed by procedure Rb rather than Ra.
  var usesSecondMixing: Bool { coherenceMode > 2 }

  /// Whether 34 bands are processed rather than 20; nil for no change.
  var wantsThirtyFourBands: Bool? {
    if !hasLevels && !hasCoherences { return nil }
    return hasLevels && levelResolution == .thirtyFour
      || hasCoherences && coherenceResolution == .thirtyFour
  }
}

/// The number of bands of parametric stereo (ISO/IEC 14496-3, 8.4.5).
enum StereoResolution: Int, Sendable {
  case ten
  case twenty
  case thirtyFour

  /// Selects the resolution of a mode of levels or coherences, 0...5.
  init(mode: Int) {
    switch mode % 3 {
    case 0: self = .ten
    case 1: self = .twenty
    default: self = .thirtyFour
    }
  }

  /// The number of bands of levels and coherences.
  var bandCount: Int {
    switch self {
    case .ten: 10
    case .twenty: 20
    case .thirtyFour: 34
    }
  }

  /// The number of bands of phases, which only low frequencies have.
  var phaseBandCount: Int {
    switch self {
    case .ten: 5
    case .twenty: 11
    case .thirtyFour: 17
    }
  }
}

/// Converts values of bands from one resolution to another (ISO/IEC 14496-3, 8.6.4.4, table 8.46).
///
/// If values end before the last band, as phases do, the remaining values are zeros.
enum StereoBandMap {
  /// Converts indices of 10, 20 or 34 bands in place.
  static func convert(
    _ values: inout [Int8], at start: Int, from old: StereoResolution, to new: StereoResolution
  ) {
    switch (old, new) {
    case (.ten, .twenty): expandTen(&values, start)
    case (.ten, .thirtyFour):
      expandTen(&values, start)
      expandTwenty(&values, start)
    case (.twenty, .thirtyFour): expandTwenty(&values, start)
    case (.twenty, .ten): reduceTwenty(&values, start)
    case (.thirtyFour, .twenty): reduceThirtyFour(&values, start)
    case (.thirtyFour, .ten):
      reduceThirtyFour(&values, start)
      reduceTwenty(&values, start)
    default: break
    }
  }

  private static func expandTen(_ v: inout [Int8], _ at: Int) {
    for band in (0..<10).reversed() {
      let value = v[at + band]
      v[at + 2 * band] = value
      v[at + 2 * band + 1] = value
    }
  }

  private static func reduceTwenty(_ v: inout [Int8], _ at: Int) {
    for band in 0..<20 { v[at + band] = band < 10 ? v[at + 2 * band] : 0 }
  }

  /// Converts 20 indices to 34 in place, from the top: no band depends on a higher source band.
  private static func expandTwenty(_ v: inout [Int8], _ at: Int) {
    for band in (0..<34).reversed() {
      let first = v[at + Int(StereoTables.firstOfTwenty[band])]
      v[at + band] = (first + v[at + Int(StereoTables.secondOfTwenty[band])]) / 2
    }
  }

  private static func reduceThirtyFour(_ v: inout [Int8], _ at: Int) {
    v[at] = (2 * v[at] + v[at + 1]) / 3
    v[at + 1] = (v[at + 1] + 2 * v[at + 2]) / 3
    v[at + 2] = (2 * v[at + 3] + v[at + 4]) / 3
    v[at + 3] = (v[at + 4] + 2 * v[at + 5]) / 3
    for band in 4..<20 where band != 18 {
      let source = at + source(band)
      v[at + band] = isSingle(band) ? v[source] : (v[source] + v[source + 1]) / 2
    }
    v[at + 18] = (v[at + 28] + v[at + 29] + v[at + 30] + v[at + 31]) / 4
    for band in 20..<34 { v[at + band] = 0 }
  }

  /// Converts 20 matrix elements to 34, like the conversion of indices.
  static func expandTwenty(_ v: inout [Float], _ at: Int) {
    for band in (0..<34).reversed() {
      let first = Int(StereoTables.firstOfTwenty[band])
      let second = Int(StereoTables.secondOfTwenty[band])
      v[at + band] = first == second ? v[at + first] : (v[at + first] + v[at + second]) * 0.5
    }
  }

  /// Converts 34 matrix elements to 20, like the conversion of indices.
  static func reduceThirtyFour(_ v: inout [Float], _ at: Int) {
    let third: Float = 1 / 3
    v[at] = (2 * v[at] + v[at + 1]) * third
    v[at + 1] = (v[at + 1] + 2 * v[at + 2]) * third
    v[at + 2] = (2 * v[at + 3] + v[at + 4]) * third
    v[at + 3] = (v[at + 4] + 2 * v[at + 5]) * third
    for band in 4..<20 where band != 18 {
      let source = at + source(band)
      v[at + band] = isSingle(band) ? v[source] : (v[source] + v[source + 1]) * 0.5
    }
    let low = v[at + 28] + v[at + 29]
    v[at + 18] = (low + v[at + 30] + v[at + 31]) * 0.25
  }

  /// Returns the first source band (of 34) of a target band (of 20), from target band 4 on.
  private static func source(_ band: Int) -> Int {
    switch band {
    case 4...5: 2 * band - 2
    case 6...7: band + 4
    case 8...9: 2 * band - 4
    case 10...13: band + 6
    case 14...18: 2 * band - 8
    default: 32
    }
  }

  /// Returns whether a target band (of 20) has only one source band (of 34), from target band 4 on.
  private static func isSingle(_ band: Int) -> Bool {
    band >= 6 && band <= 7 || band >= 10 && band <= 13
  }
}
