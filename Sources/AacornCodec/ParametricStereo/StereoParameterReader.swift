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
