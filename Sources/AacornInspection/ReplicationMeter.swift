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
