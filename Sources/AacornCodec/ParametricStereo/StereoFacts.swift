/// What the data of parametric stereo in a frame say, for who looks at a stream.
package struct StereoFacts: Sendable {
  /// Whether the data could be read.
  package enum State: Equatable, Sendable {
    /// All of them.
    case read
    /// There has been no header yet, without which nothing can be read.
    case unheaded
    /// They are cut off, or not allowed.
    case damaged
  }

  /// Whether they could be read; if not, only the next one is known.
  package internal(set) var state = State.unheaded
  /// The bits of the extension that carries them.
  package internal(set) var bitCount = 0
  /// Bands of levels (IID): 10, 20, 34, or 0 without levels.
  package internal(set) var levelBandCount = 0
  /// Whether levels have 31 steps rather than 15.
  package internal(set) var hasFineLevels = false
  /// Bands of coherences (ICC): 10, 20, 34, or 0 without coherences.
  package internal(set) var coherenceBandCount = 0
  /// Whether phases (IPD and OPD) are sent.
  package internal(set) var hasPhases = false
  /// Envelopes of the frame.
  package internal(set) var envelopeCount = 0

  init() {}
}
