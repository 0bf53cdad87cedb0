import AacornSignal

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
