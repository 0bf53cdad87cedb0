import AacornCodec

/// Collects the statistics of band replication, block by block.
struct ReplicationMeter: Sendable {
  /// The damage in the payloads of the last block.
  private(set) var damage: [ReplicationDamage] = []
  /// Whether the last block has parametric stereo.
  private(set) var hasStereo = false
  /// The replicated frequencies in hertz, according to the first header of the stream.
  private(set) var frequencies: Range<Int>?
  private var probe: SBRProbe?
  private var counts = ReplicationCounts()
  /// The number of the last frame at which a decoder can start.
  private var lastHeader: Int64?

  /// Starts a new configuration.
  ///
  /// Its blocks do not depend on previous ones.
  mutating func begin(_ configuration: AudioSpecificConfig) {
    probe = SBRProbe(configuration)
  }

  /// Counts the payloads of frame number `frame`, a block that was read from `range` of `bytes`.
  mutating func add(
    _ block: ParsedBlock, in bytes: [UInt8], range: Range<Int>, frame: Int64
  ) {
    damage.removeAll(keepingCapacity: true)
    hasStereo = false
    probe?.read(block, in: bytes, range: range)
    guard let payloads = probe?.payloads, !payloads.isEmpty else { return }
    var canBegin = true
    for facts in payloads {
      counts.add(facts)
      if facts.stereo != nil { hasStereo = true }
      if !facts.hasHeader { canBegin = false }
      frequencies = frequencies ?? facts.frequencies
      if let kind = Self.kind(of: facts) { damage.append(kind) }
    }
    guard canBegin else { return }
    counts.headerFrames += 1
    counts.headerDistance = distance(to: frame)
    lastHeader = frame
  }

  mutating func recordMissingBlock() {
    hasStereo = false
    probe?.recordMissingBlock()
  }

  func result(frameCount: Int64) -> ReplicationCounts {
    var counts = self.counts
    counts.headerDistance = distance(to: frameCount)
    return counts
  }

  /// Returns the maximum distance if the next header is in this frame.
  private func distance(to frame: Int64) -> Int64 {
    guard let lastHeader else { return 0 }
    return max(counts.headerDistance, frame - lastHeader)
  }

  /// Returns the damage of a payload, or nil if it is intact.
  private static func kind(of facts: SBRFacts) -> ReplicationDamage? {
    switch facts.state {
    case .read: if facts.isDiscontinuous { return .gap }
    case .withoutHeader: break
    case .wrongChecksum: return .checksum
    case .illegalHeader: return .header
    case .illegalData: return .data
    }
    if let stereo = facts.stereo, stereo.state == .damaged { return .stereo }
    return nil
  }
}

/// The reason why a payload of band replication cannot be read.
public enum ReplicationDamage: Equatable, Sendable {
  /// The checksum does not match.
  case checksum
  /// The header is truncated or invalid.
  case header
  /// The data after the header is truncated or invalid.
  case data
  /// Only the parametric stereo data is truncated or invalid.
  case stereo
  /// The payload is readable, but its values are differences to a missing frame.
  case gap

  /// The machine-readable name.
  var name: StaticString {
    switch self {
    case .checksum: "replication-checksum"
    case .header: "replication-header"
    case .data: "replication-data"
    case .stereo: "stereo-data"
    case .gap: "replication-gap"
    }
  }

  /// A message for the user: the damage and its effect on playback.
  var message: StaticString {
    switch self {
    case .checksum:
      "the checksum does not match the band replication; the frame is played without it"
    case .header: "a header of band replication is invalid; the frame is played without it"
    case .data: "band replication that cannot be read; the frame is played without it"
    case .stereo: "parametric stereo that cannot be read; the previous frame's stereo is kept"
    case .gap:
      "band replication refers to a missing frame; its level may be wrong until the next header"
    }
  }
}
