/// Something to play.
public struct PlaylistItem: Sendable, Equatable {
  /// The path of a file, or an address of the web; `-` is standard input.
  public var path: String
  /// What people call it; nil for the name of the file.
  public var title: String?

  /// A file that can be encoded or decoded, standard input if the path is `-`, or what is at an address
  /// that begins with `http://` or `https://`.
  public init(_ path: String, title: String? = nil) {
    self.path = path
    self.title = title
  }

  /// Whether it is an address of the web.
  package var isAddress: Bool { HTTPAddress(path) != nil }
}
