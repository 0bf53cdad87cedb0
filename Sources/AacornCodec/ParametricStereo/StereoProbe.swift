/// Decodes the parameters of parametric stereo without applying them.
struct StereoProbe: Sendable {
  /// Whether a header has been received.
  private var isActive = false
  private var data = StereoData()
  private var parameters = StereoParameters()
  /// The next value of `parameters`, used if the data is valid.
  private var candidate = StereoParameters()

  /// Reads ps_data of at most `bitCount` bits.
  ///
  /// `bits` must be at the position after bs_extension_id.
  ///
  /// If the data is damaged, the last parameters stay. The position of `bits` afterwards is
  /// undefined. Never traps.
  mutating func read(_ bits: inout BitReader, bitCount: Int) -> StereoFacts {
    var facts = StereoFacts()
    let isValid = data.read(&bits, bitCount: bitCount, after: isActive ? parameters.header : nil)
    if isValid && !isActive && !data.hasHeader { return facts }
    guard isValid, candidate.update(after: parameters, with: data) else {
      parameters.handleMissingFrame()
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
