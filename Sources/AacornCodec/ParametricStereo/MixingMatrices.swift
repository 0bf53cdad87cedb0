import AacornSignal

/// The mixing matrices at the borders of a frame's envelopes, one for each band.
///
/// Element c of band b at border e is at (8 · e + c) · 36 + b, with the real parts of h11, h12, h21
/// and h22 first and then the imaginary parts. Border 0 is the end of the previous frame.
struct MixingMatrices: Sendable {
  /// The maximum number of envelopes of a frame: the coded ones, and one that fills the frame.
  static let maxEnvelopes = StereoData.maxEnvelopes + 1
  /// The distance from one element to the next.
  static let stride = 36
  /// The distance from one border to the next.
  static let borderStride = 8 * stride

  private(set) var elements = [Float](repeating: 0, count: (maxEnvelopes + 1) * borderStride)
  private let table = MixingTable()
  private let phases = PhaseTable()
  /// The last two indices of the phase difference and of the overall phase in each band.
  ///
  /// Each index has three bits; the newest is in the lowest bits.
  private var phaseDifferences = [UInt8](repeating: 0, count: 17)
  private var overallPhases = [UInt8](repeating: 0, count: 17)
  /// The indices of an envelope, converted to the bands that are processed.
  private var levels = [Int8](repeating: 0, count: StereoData.stride)
  private var coherences = [Int8](repeating: 0, count: StereoData.stride)
  private var differenceIndices = [Int8](repeating: 0, count: StereoData.stride)
  private var overallIndices = [Int8](repeating: 0, count: StereoData.stride)

  /// Resets all state; the signal then fades in.
  mutating func reset() {
    for index in elements.indices { elements[index] = 0 }
    resetPhases()
  }

  private mutating func resetPhases() {
    for band in 0..<17 {
      phaseDifferences[band] = 0
      overallPhases[band] = 0
    }
  }

  /// Moves the last border to the first one of the next frame.
  mutating func begin(afterBorder last: Int) {
    if last == 0 { return }
    let start = last * Self.borderStride
    for index in 0..<Self.borderStride { elements[index] = elements[start + index] }
  }

  /// Converts the first border to another number of bands.
  mutating func convert(toThirtyFour: Bool) {
    for element in 0..<8 {
      if toThirtyFour {
        StereoBandMap.expandTwenty(&elements, element * Self.stride)
      } else {
        StereoBandMap.reduceThirtyFour(&elements, element * Self.stride)
      }
    }
    resetPhases()
  }

  /// Computes the matrices of border `border` from a row of parameters.
  mutating func set(
    _ border: Int, _ parameters: StereoParameters, row: Int, _ layout: HybridLayout
  ) {
    let header = parameters.header
    let target: StereoResolution = layout.bandCount == 34 ? .thirtyFour : .twenty
    let source = header.levelResolution
    Self.mapRow(parameters.levels, row, source, target, &levels)
    Self.mapRow(parameters.coherences, row, header.coherenceResolution, target, &coherences)
    let start = border * Self.borderStride
    for band in 0..<layout.bandCount {
      let matrix = table.matrix(
        level: Int(levels[band]), isFine: header.hasFineLevels, coherence: Int(coherences[band]),
        bySecond: header.usesSecondMixing)
      for element in 0..<4 {
        elements[start + element * Self.stride + band] = matrix[element]
      }
    }
    // Without phases the imaginary parts stay unchanged, as in existing decoders. The effect is
    // audible only if phases continue after a change of the bands.
    if !parameters.hasPhases { return }
    Self.mapRow(parameters.phaseDifferences, row, source, target, &differenceIndices)
    Self.mapRow(parameters.overallPhases, row, source, target, &overallIndices)
    for band in 0..<layout.phaseBands { rotate(start + band, band) }
  }

  /// Copies a row of indices and converts it.
  private static func mapRow(
    _ values: [Int8], _ row: Int, _ source: StereoResolution, _ target: StereoResolution,
    _ mapped: inout [Int8]
  ) {
    for band in 0..<StereoData.stride { mapped[band] = values[row * StereoData.stride + band] }
    if source != target { StereoBandMap.convert(&mapped, at: 0, from: source, to: target) }
  }

  /// Rotates left by the overall phase ψ, right by ψ minus the phase difference.
  private mutating func rotate(_ start: Int, _ band: Int) {
    let overall = Int(overallPhases[band]) << 3 | Int(overallIndices[band])
    let difference = Int(phaseDifferences[band]) << 3 | Int(differenceIndices[band])
    overallPhases[band] = UInt8(overall & 63)
    phaseDifferences[band] = UInt8(difference & 63)
    let (c, s) = phases.phase(overall)
    let (d, t) = phases.phase(difference)
    let (rightC, rightS) = (c * d + s * t, s * d - c * t)
    for element in 0..<4 {
      let at = start + element * Self.stride
      let value = elements[at]
      elements[at] = value * (element & 1 == 0 ? c : rightC)
      elements[at + 4 * Self.stride] = value * (element & 1 == 0 ? s : rightS)
    }
  }
}
