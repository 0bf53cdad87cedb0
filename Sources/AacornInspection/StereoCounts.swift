import AacornCodec

/// What the payloads of parametric stereo (PS) say, counted.
///
/// They come with those of band replication that could be read, at most one a frame. What is not
/// about bits is only known of payloads that could be read.
@frozen
public struct StereoCounts: Equatable, Sendable {
  /// Payloads of all frames.
  public var payloads: Int64 = 0
  /// Payloads that could not be read because no header had come before.
  public var unheadedPayloads: Int64 = 0
  /// Payloads that are damaged.
  public var damagedPayloads: Int64 = 0
  /// The most bands of level differences (IID) that a payload has: 10, 20, 34, or 0 without any.
  public var levelBands = 0
  /// Whether a payload has level differences of 31 steps rather than 15.
  public var hasFineLevels = false
  /// The most bands of coherences (ICC) that a payload has: 10, 20, 34, or 0 without any.
  public var coherenceBands = 0
  /// Payloads with phases (IPD and OPD), or in which those of others hold.
  public var phasePayloads: Int64 = 0
  /// Envelopes of all payloads; those without one keep what was before.
  public var envelopes: Int64 = 0
  /// Bits of all payloads.
  public var bits: Int64 = 0

  /// All counts zero.
  init() {}

  /// Payloads that could be read.
  public var readPayloads: Int64 { payloads - unheadedPayloads - damagedPayloads }

  mutating func add(_ facts: StereoFacts) {
    payloads += 1
    bits += Int64(facts.bitCount)
    switch facts.state {
    case .read: break
    case .unheaded:
      unheadedPayloads += 1
      return
    case .damaged:
      damagedPayloads += 1
      return
    }
    levelBands = max(levelBands, facts.levelBandCount)
    coherenceBands = max(coherenceBands, facts.coherenceBandCount)
    if facts.hasFineLevels { hasFineLevels = true }
    if facts.hasPhases { phasePayloads += 1 }
    envelopes += Int64(facts.envelopeCount)
  }
}
