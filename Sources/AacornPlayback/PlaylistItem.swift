/// An item to play.
public struct PlaylistItem: Sendable, Equatable {
  /// The path of a file, a web address, or `-` for standard input.
  public var path: String
  /// The display title; nil for the name of the file.
  public var title: String?

  /// Creates an item.
  ///
  /// The path is a file that can be encoded or decoded, `-` for standard input, or an address that
  /// begins with `http://` or `https://`.
  public init(_ path: String, title: String? = nil) {
    self.path = path
    self.title = title
  }

  package var isAddress: Bool { HTTPAddress(path) != nil }
}
