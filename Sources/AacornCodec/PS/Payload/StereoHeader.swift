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
