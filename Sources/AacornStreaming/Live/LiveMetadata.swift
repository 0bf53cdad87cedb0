/// The metadata of the current program item.
public struct LiveMetadata: Sendable, Equatable {
  /// The title of the item.
  public var title: String?
  /// The performer or speaker.
  public var artist: String?

  /// Creates metadata.
  ///
  /// The default is empty.
  public init(title: String? = nil, artist: String? = nil) {
    self.title = title
    self.artist = artist
  }

  /// Artist and title in one line, as radios display it.
  public var line: String? {
    switch (artist, title) {
    case (let artist?, let title?): "\(artist) - \(title)"
    case (let text?, nil), (nil, let text?): text
    case (nil, nil): nil
    }
  }
}
