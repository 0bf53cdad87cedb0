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
    _ border: Int, parameters: StereoParameters, row: Int, layout: HybridLayout
  ) {
    let header = parameters.header
    let target: StereoResolution = layout.bandCount == 34 ? .thirtyFour : .twenty
    let source = header.levelResolution
    Self.mapRow(of: parameters.levels, row: row, from: source, to: target, into: &levels)
    Self.mapRow(
      of: parameters.coherences, row: row, from: header.coherenceResolution, to: target,
      into: &coherences)
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
    Self.mapRow(
      of: parameters.phaseDifferences, row: row, from: source, to: target, into: &differenceIndices)
    Self.mapRow(
      of: parameters.overallPhases, row: row, from: source, to: target, into: &overallIndices)
    for band in 0..<layout.phaseBands { rotate(start + band, band) }
  }

  /// Copies a row of indices and converts it.
  private static func mapRow(
    of values: [Int8], row: Int, from source: StereoResolution, to target: StereoResolution,
    into mapped: inout [Int8]
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

/// The mixing matrix of each pair of level and coherence (ISO/IEC 14496-3, 8.6.4.6.2).
///
/// Left is h11·s + h21·d and right is h12·s + h22·d of the mono signal s and the decorrelated d.
struct MixingTable: Sendable {
  /// h11, h12, h21, h22 at 4 · (8 · level + coherence) by procedure Ra.
  private var first: [Float] = []
  /// h11, h12, h21, h22 at the same indices by procedure Rb.
  private var second: [Float] = []

  /// The index of level 0 among 15 levels, and among the fine ones.
  private static let zeroLevel = 7
  private static let zeroFineLevel = 30

  init() {
    first.reserveCapacity(StereoTables.levelRatios.count * 32)
    second.reserveCapacity(StereoTables.levelRatios.count * 32)
    for level in StereoTables.levelRatios.indices {
      let ratio = StereoTables.levelRatios[level]
      for coherence in 0..<8 {
        appendRotated(ratio, angle: StereoTables.coherenceAngles[coherence])
        appendPrincipal(ratio, coherence: StereoTables.coherences[coherence])
      }
    }
  }

  /// Appends a matrix by procedure Ra.
  ///
  /// The coherence determines the amount of decorrelated signal rotated into both channels.
  private mutating func appendRotated(_ ratio: Float, angle: Float) {
    let right = Float(2).squareRoot() / (1 + ratio * ratio).squareRoot()
    let left = ratio * right
    let alpha = 0.5 * angle
    let beta = alpha * (right - left) * Float(0.5).squareRoot()
    let (sum, difference) = (Self.rotation(beta + alpha), Self.rotation(beta - alpha))
    first.append(left * sum.cos)
    first.append(right * difference.cos)
    first.append(left * sum.sin)
    first.append(right * difference.sin)
  }

  /// Appends a matrix by procedure Rb: the mono signal is the principal component of both channels.
  ///
  /// Sines and cosines derive from those of the double angles: tan 2α = 2cρ / (c² − 1) and
  /// cos 2γ = √(1 + (4ρ² − 4) / (c + 1/c)²).
  private mutating func appendPrincipal(_ ratio: Float, coherence: Float) {
    let coherence = max(coherence, 0.05)
    let (x, y) = (Double(ratio * ratio - 1), Double(2 * ratio * coherence))
    let cosine = x / (x * x + y * y).squareRoot()
    let (alphaCos, alphaSin) = Self.half(cosine)
    let mean = ratio + 1 / ratio
    let spread = (1 + (4 * coherence * coherence - 4) / (mean * mean)).squareRoot()
    let (gammaCos, gammaSin) = Self.half(Double(spread))
    let root = Double(2).squareRoot()
    second.append(Float(root * alphaCos * gammaCos))
    second.append(Float(root * alphaSin * gammaCos))
    second.append(Float(-root * alphaSin * gammaSin))
    second.append(Float(root * alphaCos * gammaSin))
  }

  /// Returns the cosine and sine of half the angle with this cosine, up to a quarter turn.
  private static func half(_ cosine: Double) -> (cos: Double, sin: Double) {
    (((1 + cosine) / 2).squareRoot(), ((1 - cosine) / 2).squareRoot())
  }

  /// Returns the cosine and sine of an angle of at most half a turn.
  private static func rotation(_ angle: Float) -> (cos: Float, sin: Float) {
    let rotation = Double(angle) / Double.pi
    let (sine, cosine) = ElementaryFunctions.sinCosPi(rotation < 0 ? -rotation : rotation)
    return (Float(cosine), Float(rotation < 0 ? -sine : sine))
  }

  /// Returns h11, h12, h21 and h22.
  func matrix(
    level: Int, isFine: Bool, coherence: Int, bySecond: Bool
  ) -> SIMD4<Float> {
    let index = 4 * (8 * (level + (isFine ? Self.zeroFineLevel : Self.zeroLevel)) + coherence)
    if bySecond {
      return Lanes(second[index], second[index + 1], second[index + 2], second[index + 3])
    }
    return Lanes(first[index], first[index + 1], first[index + 2], first[index + 3])
  }
}

/// Phases in eighths of a turn, smoothed over envelopes (ISO/IEC 14496-3, 8.6.4.6.3).
///
/// The weights are 1 for the newest phase, ½ for the middle one and ¼ for the oldest.
struct PhaseTable: Sendable {
  /// The cosine and sine at 2 · (64 · oldest + 8 · middle + newest).
  private var values: [Float] = []

  init() {
    let root = Float(0.5).squareRoot()
    let cosines: [Float] = [1, root, 0, -root, -1, -root, 0, root]
    values.reserveCapacity(1024)
    for oldest in 0..<8 {
      for middle in 0..<8 {
        for newest in 0..<8 {
          let re = 0.25 * cosines[oldest] + 0.5 * cosines[middle] + cosines[newest]
          let im =
            0.25 * cosines[(oldest + 6) & 7] + 0.5 * cosines[(middle + 6) & 7]
            + cosines[(newest + 6) & 7]
          let scale = 1 / (re * re + im * im).squareRoot()
          values.append(re * scale)
          values.append(im * scale)
        }
      }
    }
  }

  /// Returns the cosine and sine for three phases, the newest in the lowest three bits.
  func phase(_ history: Int) -> (cos: Float, sin: Float) {
    (values[2 * history], values[2 * history + 1])
  }
}
