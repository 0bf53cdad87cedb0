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

  /// A machine-readable name for it.
  var name: StaticString {
    switch self {
    case .checksum: "replication-checksum"
    case .header: "replication-header"
    case .data: "replication-data"
    case .stereo: "stereo-data"
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
    }
  }
}
