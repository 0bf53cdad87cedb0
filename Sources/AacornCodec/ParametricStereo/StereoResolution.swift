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
