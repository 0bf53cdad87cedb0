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
