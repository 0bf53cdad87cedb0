import AacornSystem

/// The address of a studio, its clients and its folder.
public struct StudioConfiguration: Sendable {
  /// The folder with the recordings.
  ///
  /// A missing folder is created for its owner only.
  public var folder: String
  /// The port or socket on which the studio listens.
  public var endpoint: StudioEndpoint
  /// The clients that the studio admits.
  ///
  /// By default, clients need a token that is new at each start.
  public var access: StudioAccess
  /// The addresses at which a proxy makes the studio reachable, such as `https://studio.example`.
  ///
  /// Requests for host names other than these and the studio's own are rejected.
  public var proxyURLs: [String]

  /// Creates a configuration; by default, the studio is reachable from this machine only.
  public init(
    folder: String, endpoint: StudioEndpoint = .port(0), access: StudioAccess = .newToken,
    proxyURLs: [String] = []
  ) {
    self.folder = folder
    self.endpoint = endpoint
    self.access = access
    self.proxyURLs = proxyURLs
  }
}

/// Creates unguessable names.
enum RandomIdentifier {
  /// Returns `byteCount` random bytes in lowercase hexadecimal.
  static func make(byteCount: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    var text = ""
    for _ in 0..<byteCount {
      text += hexadecimal(UInt32(UInt8.random(in: .min ... .max, using: &generator)), digits: 2)
    }
    return text
  }

  /// Whether a byte is a digit of such a name.
  static func isDigit(_ byte: UInt8) -> Bool {
    byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
