/// The properties of a frame's parametric stereo data, for the inspection of a stream.
package struct StereoFacts: Sendable {
  /// The result of reading the data.
  package enum State: Equatable, Sendable {
    /// All data was read.
    case read
    /// No header was received yet, which is required for reading.
    case withoutHeader
    /// The data is truncated or invalid.
    case damaged
  }

  /// The result of reading; unless it is `read`, only `bitCount` is valid.
  package internal(set) var state: State
  /// The bits of the extension that contains the data.
  package internal(set) var bitCount = 0
  /// The number of bands of levels (IID): 10, 20, 34, or 0 without levels.
  package internal(set) var levelBandCount = 0
  /// Whether levels have 31 steps rather than 15.
  package internal(set) var hasFineLevels = false
  /// The number of bands of coherences (ICC): 10, 20, 34, or 0 without coherences.
  package internal(set) var coherenceBandCount = 0
  /// Whether phases (IPD and OPD) are sent.
  package internal(set) var hasPhases = false
  /// The number of envelopes of the frame.
  package internal(set) var envelopeCount = 0

  /// Creates the properties of data; `parameters` are the values after reading, before the next
  /// frame begins.
  init(_ state: State, _ parameters: StereoParameters) {
    self.state = state
    guard state == .read else { return }
    let header = parameters.header
    levelBandCount = header.hasLevels ? header.levelResolution.bandCount : 0
    hasFineLevels = header.hasLevels && header.hasFineLevels
    coherenceBandCount = header.hasCoherences ? header.coherenceResolution.bandCount : 0
    hasPhases = parameters.hasPhases
    envelopeCount = parameters.envelopeCount
  }
}
