/// Where the studio listens, whom it admits and which folder it uses.
public struct StudioConfiguration: Sendable {
  /// The folder with the recordings; if missing, it is created for its owner only.
  public var folder: String
  /// Where it listens.
  public var place: StudioPlace
  /// Whom it admits: by default, those with a token that is new each time.
  public var access: StudioAccess
  /// Addresses at which a proxy makes it reachable, such as `https://studio.example`.
  ///
  /// Requests for names other than these and its own are refused.
  public var proxyURLs: [String]

  /// Creates a configuration; by default, for this machine only.
  public init(
    folder: String, place: StudioPlace = .port(0), access: StudioAccess = .newToken,
    proxyURLs: [String] = []
  ) {
    self.folder = folder
    self.place = place
    self.access = access
    self.proxyURLs = proxyURLs
  }
}
