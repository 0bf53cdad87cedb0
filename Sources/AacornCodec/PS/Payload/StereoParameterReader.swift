/// Reads ps_data (ISO/IEC 14496-3, 8.6.4) frame by frame, for the decoder and the inspector.
struct StereoParameterReader: Sendable {
  private(set) var isActive = false
  /// The parameters of the last valid frame.
  private(set) var parameters = StereoParameters()
  private var data = StereoData()
  /// The next value of `parameters`, used if the data is valid.
  private var candidate = StereoParameters()

  mutating func reset() {
    isActive = false
    parameters = StereoParameters()
    parameters.handleMissingFrame()
  }

  /// Handles a missing frame: the next frame does not follow the last one.
  mutating func handleMissingFrame() { parameters.handleMissingFrame() }

  /// Reads ps_data of at most `bitCount` bits.
  ///
  /// `bits` must be at the position after bs_extension_id. If the data cannot be read, the last
  /// parameters stay, and `bits` moves to the end of the data. Never traps.
  mutating func read(_ bits: inout BitReader, bitCount: Int) -> StereoFacts.State {
    let end = min(max(bits.position + bitCount, bits.position), bits.endBit)
    let isValid = data.read(&bits, bitCount: bitCount, after: isActive ? parameters.header : nil)
    if isValid && !isActive && !data.hasHeader {
      bits.seek(to: end)
      return .withoutHeader
    }
    if !isValid || !candidate.update(after: parameters, with: data) {
      parameters.handleMissingFrame()
      bits.seek(to: end)
      return .damaged
    }
    swap(&parameters, &candidate)
    isActive = true
    return .read
  }

  /// Ends a frame: the last envelope is the state before the next frame.
  mutating func finish() { parameters.finish() }
}

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
