import AacornSystem
public import AacornWeb

/// The studio: a server with a page that records, keeps and looks into sound.
///
///     let studio = try StudioServer(StudioConfiguration(folder: "Recordings"))
///     print(studio.makeOneTimeURLs()[0])
public final class StudioServer: Sendable {
  /// What it was asked for.
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
  private let codes = OpeningCodes()
  private let proxies: [ProxyAddress]

  /// Bytes of a body: a piece of a file that is brought in.
  static let uploadLimit = 1 << 20
  /// Bytes of a body with fields.
  static let fieldLimit = 64 * 1024

  /// Starts the server; the folder is made if it is not there.
  public init(_ configuration: StudioConfiguration) throws(NetworkError) {
    try configuration.access.check()
    var proxies: [ProxyAddress] = []
    for url in configuration.proxyURLs { proxies.append(try ProxyAddress(url)) }
    try StudioFolder.make(configuration.folder)
    folderProblem = StudioFolder.writingProblem(configuration.folder)
    self.configuration = configuration
    self.proxies = proxies
    let events = EventHub()
    let library = StudioLibrary(folder: configuration.folder, events: events)
    // Players of streams do not come by the page, and so have no cookie.
    let listeningKey =
      configuration.access == .everybody ? nil : RandomIdentifier.make(byteCount: 16)
    let recorder = StudioRecorder(
      library: library, events: events, streamPath: listeningKey.map { "/hls/\($0)/" } ?? "/hls/")
    let desk = StudioDesk(
      events: events, recorder: recorder, library: library, listeningKey: listeningKey)
    self.events = events
    self.library = library
    self.recorder = recorder

    // Which port it is, and so by what names it may be asked for, shows when it listens.
    let gate = Lock<StudioGuard?>(nil)
    var options = HTTPServer.Options()
    options.bodyLimit = Self.uploadLimit
    options.headers = StudioAnswer.headers
    // The end of a long recording, and its repair, take as long as the disk does.
    options.answerSeconds = 600
    options.refusal = { StudioAnswer.failure($0, status: $1, path: $2) }
    options.admission = { request in
      guard let gate = gate.withLock({ $0 }) else {
        return .refused(StudioAnswer.failure("The studio is starting.", status: 503, for: request))
      }
      let admission = gate.admission(of: request)
      if admission.refusal != nil { return admission }
      let refusal = StudioDesk.refusal(of: request) ?? library.refusal(of: request)
      return refusal.map(HTTPAdmission.refused) ?? admission
    }
    let handler: HTTPServer.Handler = { request, responder in
      if request.components == StudioGuard.loginPath, let gate = gate.withLock({ $0 }) {
        responder.respond(gate.login(request))
      } else {
        desk.answer(request, responder)
      }
    }
    do throws(NetworkError) {
      server = try Self.listen(at: configuration.place, options, handler)
    } catch {
      recorder.stop()
      library.stop()
      events.close()
      throw error
    }
    var place = configuration.place
    if case .port(_, let address) = place { place = .port(server.port, address: address) }
    let codes = codes
    gate.withLock { gate in
      gate = StudioGuard(
        place: place, hostName: System.hostName, access: configuration.access, proxies: proxies,
        listeningKey: listeningKey, codes: codes)
    }
  }

  private static func listen(
    at place: StudioPlace, _ options: HTTPServer.Options, _ handler: @escaping HTTPServer.Handler
  ) throws(NetworkError) -> HTTPServer {
    switch place {
    case .port(let port, let address):
      try HTTPServer(address: address, port: port, options: options, handler: handler)
    case .socket(let path):
      try HTTPServer(socket: path, options: options, handler: handler)
    }
  }

  deinit { stop() }

  /// The port at which it listens; 0 where that is a socket.
  public var port: Int { server.port }

  /// Where it is found; see ``urls``.
  public var url: String { urls[0] }

  /// Where it is found, for each address by which it can be reached, those of proxies first; there
  /// is one at least.
  ///
  /// Browsers that it does not know are asked for the token there, unless it lets everybody in.
  public var urls: [String] { proxies.map(\.url) + ownURLs }

  private var ownURLs: [String] {
    guard case .port(_, let address) = configuration.place else {
      // Browsers cannot connect to sockets, but other programs can, by this name.
      return proxies.isEmpty ? ["http://localhost/"] : []
    }
    var hosts = [address]
    if HostAddress.isLoopback(address) {
      hosts = [address == "127.0.0.1" ? "localhost" : address]
    } else if HostAddress.isWildcard(address) {
      let others = System.addresses.filter { address == "::" || !$0.contains(":") }
      hosts = others.isEmpty ? ["localhost"] : others
    }
    return hosts.map { url(host: $0) }
  }

  private func url(host: String) -> String {
    "http://\(Endpoint(host: host, port: port).description)/"
  }

  // MARK: Addresses that let in

  /// Addresses like ``urls``, one of which lets one browser in, once, whenever that comes.
  ///
  /// All have the same code, which is no secret any more when it was used. Where everybody is let
  /// in there is none.
  public func makeOneTimeURLs() -> [String] {
    if configuration.access == .everybody { return urls }
    let code = codes.make()
    return urls.map { $0 + "?code=" + code }
  }

  /// What to start a browser of this machine with.
  ///
  /// Unless everybody is let in it has a code, which lets one browser in, once and within two
  /// minutes, unless another one is let in before. The one before is worth nothing then.
  public func makeOpeningURL() -> String {
    var start = url
    if proxies.isEmpty, case .port(_, let address) = configuration.place,
      HostAddress.isWildcard(address)
    {
      // Browsers give their microphone to pages of this name.
      start = url(host: "localhost")
    }
    return configuration.access == .everybody ? start : start + "?code=" + codes.makeForLaunch()
  }

  /// No browser is started after all: what the last ``makeOpeningURL()`` gave lets nobody in.
  public func withdrawOpeningURL() { codes.withdrawLaunch() }

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
