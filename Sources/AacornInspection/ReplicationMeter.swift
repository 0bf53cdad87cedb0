import AacornCodec

/// Counts what the payloads of band replication say, block by block.
struct ReplicationMeter: Sendable {
  /// What is wrong with the payloads of the last block.
  private(set) var damage: [ReplicationDamage] = []
  /// Whether the last block has parametric stereo.
  private(set) var hasStereo = false
  private var probe: SBRProbe?
  private var counts = ReplicationCounts()
  /// The number of the last frame at which a decoder can begin.
  private var lastHeader: Int64?

  /// From here on blocks have this configuration, and do not go on from others.
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
      if let kind = Self.kind(of: facts) { damage.append(kind) }
    }
    guard canBegin else { return }
    counts.headerFrames += 1
    counts.headerDistance = distance(to: frame)
    lastHeader = frame
  }

  /// A block is missing, or cannot be read.
  mutating func miss() {
    hasStereo = false
    probe?.miss()
  }

  /// The counts of all frames, of which there have been `frameCount`.
  func result(frameCount: Int64) -> ReplicationCounts {
    var counts = self.counts
    counts.headerDistance = distance(to: frameCount)
    return counts
  }

  /// The longest distance if the next header comes in this frame.
  private func distance(to frame: Int64) -> Int64 {
    guard let lastHeader else { return 0 }
    return max(counts.headerDistance, frame - lastHeader)
  }

  /// What is wrong with a payload, if anything is.
  private static func kind(of facts: SBRFacts) -> ReplicationDamage? {
    switch facts.state {
    case .read: if facts.isTorn { return .gap }
    case .unheaded: break
    case .wrongChecksum: return .checksum
    case .illegalHeader: return .header
    case .illegalData: return .data
    }
    if let stereo = facts.stereo, stereo.state == .damaged { return .stereo }
    return nil
  }
}
