/// sbr_grid (ISO/IEC 14496-3, table 4.69): the borders of envelopes and noise floors.
struct SBRGrid: Equatable, Sendable {
  static let maxEnvelopeCount = 5

  /// Whether the start and the end of a frame's envelopes are fixed or variable (bs_frame_class).
  enum FrameClass: UInt8, Sendable {
    case fixedFixed, fixedVariable, variableFixed, variableVariable
  }

  /// Whether the start and the end of the frame's envelopes are fixed or variable.
  var frameClass = FrameClass.fixedFixed
  /// The number of envelopes, 1…5 (L_E).
  var envelopeCount = 1
  /// The borders of envelopes in slots of two samples of the filter bank (t_E).
  var borders = SIMD8<UInt8>()
  /// The envelopes with the high frequency resolution: bit 0 is the first.
  var resolutions: UInt8 = 0
  /// bs_pointer.
  var pointer = 0
  /// The start of the second noise floor (t_Q[1]), if there is more than one envelope.
  var noiseBorder = 0

  /// The start and the end of the frame's envelopes.
  var start: Int { Int(borders[0]) }
  var end: Int { Int(borders[envelopeCount]) }
  var noiseCount: Int { envelopeCount > 1 ? 2 : 1 }
  /// Whether steps are 1.5 dB regardless of the header: for one envelope between fixed borders.
  var hasFineSteps: Bool { frameClass == .fixedFixed && envelopeCount == 1 }
  /// The bits of the pointer: ⌈log₂(L_E + 1)⌉.
  var pointerWidth: Int { envelopeCount > 3 ? 3 : envelopeCount > 1 ? 2 : 1 }
  func isHigh(_ envelope: Int) -> Bool { resolutions >> UInt8(envelope) & 1 != 0 }
  func noiseFloor(_ envelope: Int) -> Int {
    envelopeCount > 1 && Int(borders[envelope]) >= noiseBorder ? 1 : 0
  }

  /// The envelope that begins with a transient, up to `envelopeCount`; −1 without one (l_A).
  var transient: Int {
    switch frameClass {
    case .fixedFixed: -1
    case .variableFixed: pointer > 1 ? pointer - 1 : -1
    default: pointer > 0 ? envelopeCount + 1 - pointer : -1
    }
  }
}

extension SBRGrid {
  /// Reads the grid of a frame of `slotCount` slots; nil if it is illegal.
  init?(_ bits: inout BitReader, slotCount: Int) {
    frameClass = FrameClass(rawValue: UInt8(bits.readInt(2))) ?? .fixedFixed
    switch frameClass {
    case .fixedFixed:
      envelopeCount = 1 << bits.readInt(2)
      guard envelopeCount <= 4 else { return nil }
      setEvenBorders(isHigh: bits.readFlag(), slotCount: slotCount)
    case .fixedVariable:
      let end = slotCount + bits.readInt(2)
      envelopeCount = bits.readInt(2) + 1
      guard readBorders(&bits, leading: 0, trailing: envelopeCount - 1, from: 0, to: end)
      else { return nil }
    case .variableFixed:
      let start = bits.readInt(2)
      envelopeCount = bits.readInt(2) + 1
      guard
        readBorders(&bits, leading: envelopeCount - 1, trailing: 0, from: start, to: slotCount)
      else { return nil }
    case .variableVariable:
      let start = bits.readInt(2)
      let end = slotCount + bits.readInt(2)
      let leading = bits.readInt(2)
      let trailing = bits.readInt(2)
      envelopeCount = leading + trailing + 1
      guard envelopeCount <= Self.maxEnvelopeCount,
        readBorders(&bits, leading: leading, trailing: trailing, from: start, to: end)
      else { return nil }
    }
    for envelope in 0..<envelopeCount where borders[envelope] >= borders[envelope + 1] {
      return nil
    }
    noiseBorder = Int(borders[secondFloor])
  }

  /// Sets the borders of `envelopeCount` envelopes of equal length and resolution.
  mutating func setEvenBorders(isHigh: Bool, slotCount: Int) {
    if isHigh { resolutions = 0xFF }
    let length = (slotCount + envelopeCount / 2) / envelopeCount
    for envelope in 0..<envelopeCount { borders[envelope] = UInt8(envelope * length) }
    borders[envelopeCount] = UInt8(slotCount)
  }

  /// Reads distances from the start and from the end, the pointer and the resolutions.
  private mutating func readBorders(
    _ bits: inout BitReader, leading: Int, trailing: Int, from start: Int, to end: Int
  ) -> Bool {
    borders[0] = UInt8(start)
    borders[envelopeCount] = UInt8(end)
    var border = start
    for envelope in 0..<leading {
      border += 2 * bits.readInt(2) + 2
      borders[envelope + 1] = UInt8(border)
    }
    border = end
    for envelope in 0..<trailing {
      border -= 2 * bits.readInt(2) + 2
      guard border > 0 else { return false }
      borders[envelopeCount - 1 - envelope] = UInt8(border)
    }
    pointer = bits.readInt(pointerWidth)
    guard pointer <= envelopeCount + 1 else { return false }
    for envelope in 0..<envelopeCount where bits.readFlag() {
      // The resolutions of FIXVAR are in reverse order.
      let index = frameClass == .fixedVariable ? envelopeCount - 1 - envelope : envelope
      resolutions |= 1 << UInt8(index)
    }
    return true
  }

  /// The envelope with which the second noise floor begins (4.6.18.3.3).
  var secondFloor: Int {
    switch frameClass {
    case .fixedFixed: envelopeCount / 2
    case .variableFixed:
      pointer == 0 ? 1 : pointer == 1 ? envelopeCount - 1 : pointer - 1
    default: envelopeCount - max(pointer - 1, 1)
    }
  }
}
