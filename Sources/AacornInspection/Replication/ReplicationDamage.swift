import AacornCodec

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
  /// The payload is readable but not applied: its level exceeds full scale, or it follows damage
  /// that may hide another header.
  case skipped
  /// The payload is readable, but its values are differences to a missing frame.
  case gap

  /// The damage of a payload; nil if it is intact.
  init?(_ facts: SBRFacts) {
    switch facts.state {
    case .read where !facts.isApplied: self = .skipped
    case .read where facts.isDiscontinuous: self = .gap
    case .wrongChecksum: self = .checksum
    case .illegalHeader: self = .header
    case .illegalData: self = .data
    case .read, .withoutHeader:
      guard facts.stereo?.state == .damaged else { return nil }
      self = .stereo
    }
  }

  /// The machine-readable name.
  var name: StaticString {
    switch self {
    case .checksum: "replication-checksum"
    case .header: "replication-header"
    case .data: "replication-data"
    case .stereo: "stereo-data"
    case .skipped: "replication-skipped"
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
    case .skipped:
      "band replication that is too loud or follows damage; the frame is played without it"
    case .gap:
      "band replication refers to a missing frame; its level may be wrong until the next header"
    }
  }
}
