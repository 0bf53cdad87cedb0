import AacornCodec

/// The state of the bit reservoir as stored in ADTS and LATM (ISO/IEC 14496-3, 1.A.3.2 and 1.7.3).
///
/// Both formats count in units of 32 bits per channel, and reserve the highest code for “variable
/// rate”.
struct BufferFullness: Sendable {
  let unitBits: Int

  init(_ configuration: AudioSpecificConfig) {
    unitBits = 32 * max(1, configuration.bufferedChannelCount)
  }

  /// Returns the code for `bits` left in the reservoir; nil means variable rate.
  func code(reservoirBits bits: Int?, variableRate: Int) -> Int {
    guard let bits else { return variableRate }
    return min(max(0, bits) / unitBits, variableRate - 1)
  }
}
