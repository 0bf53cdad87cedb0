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
