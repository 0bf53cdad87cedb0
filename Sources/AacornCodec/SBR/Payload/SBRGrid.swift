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
  /// Whether steps are 1.5 dB regardless of the header: for one envelope between fixed borders
  /// (4.6.18.3.2).
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

/// The creation and writing of grids in an encoder.
extension SBRGrid {
  /// Creates 1, 2 or 4 envelopes of equal length and resolution between fixed borders.
  init(even envelopeCount: Int, isHigh: Bool, slotCount: Int = 16) {
    precondition(envelopeCount == 1 || envelopeCount == 2 || envelopeCount == 4)
    self.envelopeCount = envelopeCount
    setEvenBorders(isHigh: isHigh, slotCount: slotCount)
    noiseBorder = Int(borders[secondFloor])
  }

  /// Creates the smallest grid with these borders; nil if there is none.
  ///
  /// The first border is 0…3 and the last one up to 3 slots past `slotCount`. Envelopes have 2, 4,
  /// 6 or 8 slots, except for one with any length; at most three envelopes precede it and three
  /// follow it.
  ///
  /// - Parameters:
  ///   - borders: The starts of the envelopes, and the end of the last one.
  ///   - envelopeCount: The number of envelopes, 1…5.
  ///   - transient: The envelope that begins with a transient, from 1 on; `envelopeCount` for the
  ///     first one of the next frame; −1 without a transient.
  ///   - resolutions: The envelopes with the high frequency resolution: bit 0 is the first.
  ///   - slotCount: The number of slots in the frame.
  init?(
    borders: SIMD8<UInt8>, envelopeCount: Int, transient: Int = -1, resolutions: UInt8,
    slotCount: Int = 16
  ) {
    guard envelopeCount >= 1, envelopeCount <= Self.maxEnvelopeCount else { return nil }
    let all = UInt8(1) << UInt8(envelopeCount) - 1
    self.envelopeCount = envelopeCount
    self.resolutions = resolutions & all
    for index in 0...envelopeCount { self.borders[index] = borders[index] }
    for envelope in 0..<envelopeCount where borders[envelope] >= borders[envelope + 1] {
      return nil
    }
    guard start <= 3, end >= slotCount, end <= slotCount + 3 else { return nil }
    let isUniform = self.resolutions == 0 || self.resolutions == all
    if transient < 0, isUniform, envelopeCount & (envelopeCount - 1) == 0 {
      let even = Self(even: envelopeCount, isHigh: self.resolutions != 0, slotCount: slotCount)
      if even.borders == self.borders {
        self.resolutions = even.resolutions
        noiseBorder = even.noiseBorder
        return
      }
    }
    if setCodedForm(.fixedVariable, transient: transient, slotCount: slotCount) { return }
    if setCodedForm(.variableFixed, transient: transient, slotCount: slotCount) { return }
    if !setCodedForm(.variableVariable, transient: transient, slotCount: slotCount) { return nil }
  }

  /// Sets the coded form of borders and transient for a class other than FIXFIX.
  ///
  /// Returns false if the class does not allow such borders, or such a transient.
  private mutating func setCodedForm(
    _ frameClass: FrameClass, transient: Int, slotCount: Int
  ) -> Bool {
    self.frameClass = frameClass
    if frameClass == .fixedVariable && start != 0 { return false }
    if frameClass == .variableFixed && end != slotCount { return false }
    guard leadingDistanceCount != nil else { return false }
    pointer = 0
    if transient >= 0 {
      let isEndFixed = frameClass == .variableFixed
      guard transient >= 1, transient <= (isEndFixed ? envelopeCount - 1 : envelopeCount) else {
        return false
      }
      pointer = isEndFixed ? transient + 1 : envelopeCount + 1 - transient
    }
    noiseBorder = Int(borders[secondFloor])
    return true
  }

  /// The number of envelope lengths written from the first border on; nil if a length is not
  /// allowed.
  ///
  /// The next length is not written; the remaining ones are written backward from the last border.
  private var leadingDistanceCount: Int? {
    let last = envelopeCount - 1
    let choices =
      frameClass == .fixedVariable ? 0...0 : frameClass == .variableFixed ? last...last : 0...last
    for count in choices where count <= 3 && last - count <= 3 {
      if hasDistances(of: 0..<count) && hasDistances(of: count + 1..<envelopeCount) {
        return count
      }
    }
    return nil
  }

  /// Returns whether these envelopes are 2, 4, 6 or 8 slots long.
  private func hasDistances(of envelopes: Range<Int>) -> Bool {
    for envelope in envelopes {
      let length = borders[envelope + 1] - borders[envelope]
      if length < 2 || length > 8 || length & 1 != 0 { return false }
    }
    return true
  }

  /// Writes sbr_grid (table 4.69) of a frame of `slotCount` slots.
  func put(to bits: inout some BitSink, slotCount: Int) {
    bits.put(UInt32(frameClass.rawValue), count: 2)
    if frameClass == .fixedFixed {
      bits.put(UInt32(envelopeCount.trailingZeroBitCount), count: 2)
      bits.put(isHigh(0) ? 1 : 0, count: 1)
      return
    }
    guard let leading = leadingDistanceCount else {
      preconditionFailure("The grid has borders that cannot be written")
    }
    let trailing = envelopeCount - 1 - leading
    let hasStart = frameClass != .fixedVariable
    let hasEnd = frameClass != .variableFixed
    if hasStart { bits.put(UInt32(start), count: 2) }
    if hasEnd { bits.put(UInt32(end - slotCount), count: 2) }
    if hasStart { bits.put(UInt32(leading), count: 2) }
    if hasEnd { bits.put(UInt32(trailing), count: 2) }
    for envelope in 0..<leading { putLength(of: envelope, to: &bits) }
    for envelope in 0..<trailing { putLength(of: envelopeCount - 1 - envelope, to: &bits) }
    bits.put(UInt32(pointer), count: pointerWidth)
    for envelope in 0..<envelopeCount {
      // The resolutions of FIXVAR are in reverse order.
      let index = frameClass == .fixedVariable ? envelopeCount - 1 - envelope : envelope
      bits.put(isHigh(index) ? 1 : 0, count: 1)
    }
  }

  private func putLength(of envelope: Int, to bits: inout some BitSink) {
    bits.put(UInt32(borders[envelope + 1] - borders[envelope]) / 2 - 1, count: 2)
  }
}
