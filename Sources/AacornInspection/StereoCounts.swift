import AacornCodec

/// Statistics of the payloads of parametric stereo (PS).
///
/// They are part of the readable payloads of band replication, at most one per frame. All counts
/// except the payload and bit counts include only payloads that could be read.
@frozen
public struct StereoCounts: Equatable, Sendable {
  /// The number of payloads in all frames.
  public var payloads: Int64 = 0
  /// Payloads that could not be read because no header preceded them.
  public var unheadedPayloads: Int64 = 0
  /// Damaged payloads.
  public var damagedPayloads: Int64 = 0
  /// The maximum number of bands of level differences (IID) in a payload: 10, 20, 34, or 0 without
  /// any.
  public var levelBands = 0
  /// Whether a payload has level differences of 31 steps rather than 15.
  public var hasFineLevels = false
  /// The maximum number of bands of coherences (ICC) in a payload: 10, 20, 34, or 0 without any.
  public var coherenceBands = 0
  /// Payloads with phases (IPD and OPD), or in which previous phases remain in effect.
  public var phasePayloads: Int64 = 0
  /// The number of envelopes in all payloads; a payload without one keeps the previous values.
  public var envelopes: Int64 = 0
  /// The number of bits of all payloads.
  public var bits: Int64 = 0

  init() {}

  /// The number of payloads that could be read.
  public var readPayloads: Int64 { payloads - unheadedPayloads - damagedPayloads }

  mutating func add(_ facts: StereoFacts) {
    payloads += 1
    bits += Int64(facts.bitCount)
    switch facts.state {
    case .read: break
    case .withoutHeader:
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
