import AacornCodec

/// Statistics of the payloads of band replication (SBR).
///
/// Each element with SBR has one payload per frame: mono and stereo streams have one per frame. A
/// “channel” is one channel of one payload. All counts except those of headers and bits include
/// only payloads that could be read.
public struct ReplicationCounts: Equatable, Sendable, PayloadCounts {
  /// The number of payloads in all frames.
  public var payloads: Int64 = 0
  /// Payloads that could not be read because no header preceded them.
  public var unheadedPayloads: Int64 = 0
  /// Damaged payloads.
  public var damagedPayloads: Int64 = 0
  /// Frames in which all payloads have a header, so that a decoder can start there.
  public var headerFrames: Int64 = 0
  /// The maximum number of frames from one such frame to the next, or from the last one to the end.
  public var headerDistance: Int64 = 0
  /// Channels of the payloads that were read.
  public var channels: Int64 = 0
  /// Channels whose envelopes fill the frame evenly (FIXFIX).
  public var fixFixChannels: Int64 = 0
  /// Channels whose last envelope may end beyond the frame (FIXVAR).
  public var fixVarChannels: Int64 = 0
  /// Channels whose first envelope may begin late in the frame (VARFIX).
  public var varFixChannels: Int64 = 0
  /// Channels of both kinds: late first envelope, last one beyond the frame (VARVAR).
  public var varVarChannels: Int64 = 0
  /// The number of envelopes in all channels.
  public var envelopes: Int64 = 0
  /// Payloads of channel pairs that were read.
  public var pairs: Int64 = 0
  /// Pairs whose second channel is coded as the balance of the two channels.
  public var coupledPairs: Int64 = 0
  /// Payloads that add sines (missing harmonics).
  public var sinePayloads: Int64 = 0
  /// The number of bits of all payloads, without parametric stereo.
  public var bits: Int64 = 0
  /// Statistics of parametric stereo in the payloads.
  public var stereo = StereoCounts()
  /// The number of the last frame at which a decoder can start.
  private var lastHeaderFrame: Int64?

  /// The number of payloads that could be read.
  public var readPayloads: Int64 { payloads - unheadedPayloads - damagedPayloads }

  /// Counts the payloads of frame number `frame`, at least one.
  mutating func add(_ payloads: [SBRFacts], frame: Int64) {
    for facts in payloads { add(facts) }
    guard payloads.allSatisfy({ $0.hasHeader }) else { return }
    headerFrames += 1
    close(at: frame)
    lastHeaderFrame = frame
  }

  /// Includes the distance from the last header to `frame` in `headerDistance`.
  mutating func close(at frame: Int64) {
    if let lastHeaderFrame { headerDistance = max(headerDistance, frame - lastHeaderFrame) }
  }

  private mutating func add(_ facts: SBRFacts) {
    let isRead = facts.state == .read
    count(isRead: isRead, isUnheaded: facts.state == .withoutHeader, bits: facts.bitCount)
    if !isRead { return }
    channels += Int64(facts.channelCount)
    fixFixChannels += facts.gridClasses[0]
    fixVarChannels += facts.gridClasses[1]
    varFixChannels += facts.gridClasses[2]
    varVarChannels += facts.gridClasses[3]
    envelopes += Int64(facts.envelopeCount)
    if facts.channelCount == 2 { pairs += 1 }
    if facts.isCoupled { coupledPairs += 1 }
    if facts.hasHarmonics { sinePayloads += 1 }
    if let stereo = facts.stereo { self.stereo.add(stereo) }
  }
}

/// Statistics of the payloads of parametric stereo (PS).
///
/// They are part of the readable payloads of band replication, at most one per frame. All counts
/// except the payload and bit counts include only payloads that could be read.
@frozen
public struct StereoCounts: Equatable, Sendable, PayloadCounts {
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

  /// The number of payloads that could be read.
  public var readPayloads: Int64 { payloads - unheadedPayloads - damagedPayloads }

  mutating func add(_ facts: StereoFacts) {
    let isRead = facts.state == .read
    count(isRead: isRead, isUnheaded: facts.state == .withoutHeader, bits: facts.bitCount)
    if !isRead { return }
    levelBands = max(levelBands, facts.levelBandCount)
    coherenceBands = max(coherenceBands, facts.coherenceBandCount)
    if facts.hasFineLevels { hasFineLevels = true }
    if facts.hasPhases { phasePayloads += 1 }
    envelopes += Int64(facts.envelopeCount)
  }
}

/// The counts that both kinds of payloads have.
private protocol PayloadCounts {
  var payloads: Int64 { get set }
  var unheadedPayloads: Int64 { get set }
  var damagedPayloads: Int64 { get set }
  var bits: Int64 { get set }
}

extension PayloadCounts {
  /// Counts a payload of `bits` bits; one that is neither read nor without a header is damaged.
  mutating func count(isRead: Bool, isUnheaded: Bool, bits: Int) {
    payloads += 1
    self.bits += Int64(bits)
    if isUnheaded { unheadedPayloads += 1 }
    if !isRead && !isUnheaded { damagedPayloads += 1 }
  }
}
