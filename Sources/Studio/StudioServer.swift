import Platform
public import Streaming

/// The studio: a server with a page that records, keeps and looks into sound.
///
///     let studio = try StudioServer(StudioConfiguration(folder: "Recordings"))
///     print(studio.url)
public final class StudioServer: Sendable {
  /// What it was asked for.
  public let configuration: StudioConfiguration
  private let events: EventHub
  private let recorder: StudioRecorder
  private let library: StudioLibrary

  /// Starts the server.
  public init(_ configuration: StudioConfiguration) throws(StreamingError) {
    self.configuration = configuration
    events = EventHub()
    library = StudioLibrary(folder: configuration.folder, events: events)
    recorder = StudioRecorder(library: library, events: events)
  }

  /// What to open in a browser, with the token where there is one.
  public var url: String { "" }

  /// Ends a recording that is going on, with everything that was captured, and then the server.
  public func stop() {}
}
