/// Follows the parameters of stereo from frame to frame without applying them.
struct StereoProbe: Sendable {
  /// Whether a header has been seen.
  private var isActive = false
  private var data = StereoData()
  private var parameters = StereoParameters()
  /// What `parameters` become if the data prove to be sound.
  private var candidate = StereoParameters()

  /// Reads ps_data; `bits` stands after bs_extension_id, and at most `bitCount` bits belong to it.
  ///
  /// If the data are damaged, the last parameters are kept. Where `bits` stands afterwards is not
  /// defined. Never traps.
  mutating func read(_ bits: inout BitReader, bitCount: Int) -> StereoFacts {
    var facts = StereoFacts()
    let isSound = data.read(&bits, bitCount: bitCount, after: isActive ? parameters.header : nil)
    if isSound && !isActive && !data.hasHeader { return facts }
    guard isSound, candidate.follow(parameters, data) else {
      parameters.distrust()
      facts.state = .damaged
      return facts
    }
    swap(&parameters, &candidate)
    isActive = true
    facts.state = .read
    let header = parameters.header
    facts.levelBandCount = header.hasLevels ? header.levelResolution.bandCount : 0
    facts.hasFineLevels = header.hasLevels && header.hasFineLevels
    facts.coherenceBandCount = header.hasCoherences ? header.coherenceResolution.bandCount : 0
    facts.hasPhases = parameters.hasPhases
    facts.envelopeCount = parameters.envelopeCount
    parameters.finish()
    return facts
  }
}
