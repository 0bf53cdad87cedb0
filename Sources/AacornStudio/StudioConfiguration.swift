/// Where the studio is found, whom it lets in and what it works on.
public struct StudioConfiguration: Sendable {
  /// The folder with the recordings; it is made for its owner alone if it is not there.
  public var folder: String
  /// Where it listens.
  public var place: StudioPlace
  /// Whom it lets in: by default who has a token that is new each time.
  public var access: StudioAccess
  /// Addresses by which a proxy makes it reachable, such as `https://studio.example`.
  ///
  /// Requests with other names than these and its own are refused.
  public var proxyURLs: [String]

  /// A studio for this machine alone, unless told otherwise.
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
