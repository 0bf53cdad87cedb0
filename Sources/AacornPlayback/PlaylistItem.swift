/// Something to play.
public struct PlaylistItem: Sendable, Equatable {
  /// The path of a file; `-` is standard input.
  public var path: String
  /// What people call it; nil for the name of the file.
  public var title: String?

  /// A file that can be encoded or decoded, or standard input if the path is `-`.
  public init(_ path: String, title: String? = nil) {
    self.path = path
    self.title = title
  }
}
