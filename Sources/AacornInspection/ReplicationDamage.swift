/// Why a payload of band replication cannot be read.
public enum ReplicationDamage: Equatable, Sendable {
  /// Its checksum does not match.
  case checksum
  /// Its header is cut off, or not allowed.
  case header
  /// What comes after the header is cut off, or not allowed.
  case data
  /// Only what it says of parametric stereo is cut off, or not allowed.
  case stereo
  /// It can be read, but its values are differences to those of a frame that is not there.
  case gap

  /// A machine-readable name for it.
  var name: StaticString {
    switch self {
    case .checksum: "replication-checksum"
    case .header: "replication-header"
    case .data: "replication-data"
    case .stereo: "stereo-data"
    case .gap: "replication-gap"
    }
  }

  /// What is wrong, and what decoders do about it, for people.
  var sentence: StaticString {
    switch self {
    case .checksum:
      "the checksum does not match the band replication; the frame is played without it"
    case .header: "a header of band replication is invalid; the frame is played without it"
    case .data: "band replication that cannot be read; the frame is played without it"
    case .stereo: "parametric stereo that cannot be read; that of the frame before is kept"
    case .gap:
      "band replication refers to a missing frame; its level may be wrong until the next header"
    }
  }
}
