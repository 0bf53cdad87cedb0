import Platform
public import Streaming

/// The studio: a server with a page that records, keeps and looks into sound.
///
///     let studio = try StudioServer(StudioConfiguration(folder: "Recordings"))
///     print(studio.url)
public final class StudioServer: Sendable {
  /// What it was asked for, with a token where it needs one.
  public let configuration: StudioConfiguration
  /// Why nothing can be recorded into the folder, in sentences; nil if it can.
  ///
  /// It is found out at the start, without writing. What is in the folder can be listened to all
  /// the same.
  public let folderProblem: String?
  private let events: EventHub
  private let recorder: StudioRecorder
  private let library: StudioLibrary
  private let server: HTTPServer
  private let openingCode = OpeningCode()

  /// Bytes of a body: a piece of a file that is brought in.
  static let uploadLimit = 1 << 20
  /// Bytes of a body with fields.
  static let fieldLimit = 64 * 1024

  /// Starts the server; the folder is made if it is not there.
  public init(_ wanted: StudioConfiguration) throws(StreamingError) {
    let configuration = try wanted.guarded()
    try StudioFolder.make(configuration.folder)
    folderProblem = StudioFolder.writingProblem(configuration.folder)
    self.configuration = configuration
    let events = EventHub()
    let library = StudioLibrary(folder: configuration.folder, events: events)
    // Players of streams do not come by the page, and so have no cookie.
    let listeningKey = configuration.token.map { _ in StudioConfiguration.newToken() }
    let recorder = StudioRecorder(
      library: library, events: events, streamPath: listeningKey.map { "/hls/\($0)/" } ?? "/hls/")
    let desk = StudioDesk(
      events: events, recorder: recorder, library: library, listeningKey: listeningKey)
    self.events = events
    self.library = library
    self.recorder = recorder

    // Which port it is, and so by what names it may be asked for, shows when it listens.
    let gate = Lock<StudioGuard?>(nil)
    let openingCode = openingCode
    var options = HTTPServer.Options()
    options.bodyLimit = Self.uploadLimit
    options.headers = StudioAnswer.headers
    // The end of a long recording, and its repair, take as long as the disk does.
    options.answerSeconds = 600
    options.refusal = { StudioAnswer.failure($0, status: $1, path: $2) }
    options.admission = { request in
      guard let gate = gate.withLock({ $0 }) else {
        return StudioAnswer.failure("The studio begins.", status: 503, for: request)
      }
      return gate.refusal(of: request) ?? StudioDesk.refusal(of: request)
        ?? library.refusal(of: request)
    }
    do throws(StreamingError) {
      server = try HTTPServer(
        address: configuration.address, port: configuration.port, options: options
      ) { request, responder in desk.answer(request, responder) }
    } catch {
      recorder.stop()
      library.stop()
      events.close()
      throw error
    }
    let port = server.port
    gate.withLock { gate in
      gate = StudioGuard(
        address: configuration.address, port: port, hostName: System.hostName,
        token: configuration.token, listeningKey: listeningKey, openingCode: openingCode)
    }
  }

  deinit { stop() }

  /// The port at which it listens.
  public var port: Int { server.port }

  /// What to open in a browser, with the token where there is one.
  public var url: String { urls[0] }

  /// What to open in a browser, for each address by which it can be reached; there is one at least.
  public var urls: [String] {
    let address = configuration.address
    var hosts = [address]
    if HostAddress.isLoopback(address) {
      hosts = [address == "127.0.0.1" ? "localhost" : address]
    } else if HostAddress.isWildcard(address) {
      let others = System.addresses.filter { address == "::" || !$0.contains(":") }
      hosts = others.isEmpty ? ["localhost"] : others
    }
    let query = configuration.token.map { "?token=" + PercentCoding.encode($0) } ?? ""
    return hosts.map { url(host: $0) + query }
  }

  private func url(host: String) -> String {
    "http://\(Endpoint(host: host, port: port).description)/"
  }

  /// What to start a browser of this machine with.
  ///
  /// Where there is a token, it has a code instead, which lets one browser in, once and within two
  /// minutes, unless somebody comes in by the token before. The one before is worth nothing then.
  public func makeOpeningURL() -> String {
    if configuration.token == nil { return url }
    let address = configuration.address
    // Browsers give their microphone to pages of this name.
    let host = HostAddress.isWildcard(address) ? "localhost" : address
    return url(host: host) + "?code=" + openingCode.make()
  }

  /// No browser is started after all: what the last ``makeOpeningURL()`` gave lets nobody in.
  public func withdrawOpeningURL() { openingCode.withdraw() }

  /// Whether a recording is going on.
  public var isRecording: Bool { recorder.isRecording }

  /// The recording that ended last; nil if there was none since the studio began.
  public var lastRecording: StudioRecording? { recorder.lastRecording }

  /// Ends a recording that is going on, with everything that was captured, and then the server.
  public func stop() {
    // Pages see how the recording ends, so their connections last until then.
    recorder.stop()
    library.stop()
    events.close()
    server.stop()
  }
}
