import AacornCodec

/// What the payloads of band replication (SBR) say, counted.
///
/// A payload is what one element has in one frame: mono and stereo streams have one a frame. A
/// "channel" is one channel of one payload. What is not about headers or bits is only known of
/// payloads that could be read.
public struct ReplicationCounts: Equatable, Sendable {
  /// Payloads of all frames.
  public var payloads: Int64 = 0
  /// Payloads that could not be read because no header had come before.
  public var unheadedPayloads: Int64 = 0
  /// Payloads that are damaged.
  public var damagedPayloads: Int64 = 0
  /// Frames all of whose payloads have a header, so that a decoder can begin there.
  public var headerFrames: Int64 = 0
  /// The most frames from one such frame to the next, or from the last one to the end.
  public var headerDistance: Int64 = 0
  /// Channels of the payloads that were read.
  public var channels: Int64 = 0
  /// Channels whose envelopes fill the frame evenly (FIXFIX).
  public var fixFixChannels: Int64 = 0
  /// Channels whose last envelope may end beyond the frame (FIXVAR).
  public var fixVarChannels: Int64 = 0
  /// Channels whose first envelope may begin late in the frame (VARFIX).
  public var varFixChannels: Int64 = 0
  /// Channels with both (VARVAR).
  public var varVarChannels: Int64 = 0
  /// Envelopes of all channels.
  public var envelopes: Int64 = 0
  /// Payloads of channel pairs that were read.
  public var pairs: Int64 = 0
  /// Those whose second channel is the balance of the two.
  public var coupledPairs: Int64 = 0
  /// Payloads that add sines (missing harmonics).
  public var sinePayloads: Int64 = 0
  /// Bits of all payloads, without those of parametric stereo.
  public var bits: Int64 = 0
  /// What some of the payloads say of parametric stereo.
  public var stereo = StereoCounts()

  /// All counts zero.
  init() {}

  /// Payloads that could be read.
  public var readPayloads: Int64 { payloads - unheadedPayloads - damagedPayloads }

  mutating func add(_ facts: SBRFacts) {
    payloads += 1
    bits += Int64(facts.bitCount)
    switch facts.state {
    case .read: break
    case .unheaded:
      unheadedPayloads += 1
      return
    case .wrongChecksum, .illegalHeader, .illegalData:
      damagedPayloads += 1
      return
    }
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
