import AacornSystem
public import AacornWeb

/// The studio: a server with a page that records, stores and examines audio.
///
///     let studio = try StudioServer(StudioConfiguration(folder: "Recordings"))
///     print(studio.makeOneTimeURLs()[0])
public final class StudioServer: Sendable {
  /// The configuration it was started with.
  public let configuration: StudioConfiguration
  /// Why recordings cannot be written into the folder, in sentences; nil if they can.
  ///
  /// This is determined at the start, without writing. Existing recordings can be played anyway.
  public let folderProblem: String?
  private let events: EventHub
  private let recorder: StudioRecorder
  private let library: StudioLibrary
  private let server: HTTPServer
  private let codes = OpeningCodes()
  private let proxies: [ProxyAddress]

  /// The largest body in bytes: a piece of an uploaded file.
  static let uploadLimit = 1 << 20
  /// The largest body with fields in bytes.
  static let fieldLimit = 64 * 1024

  /// Starts the server; the folder is created if missing.
  ///
  /// `mishap` is told at once, in a sentence, what other programs remove or damage of a recording; it
  /// is called on the recording's thread.
  public init(
    _ configuration: StudioConfiguration, mishap: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(NetworkError) {
    try configuration.access.check()
    var proxies: [ProxyAddress] = []
    for url in configuration.proxyURLs { proxies.append(try ProxyAddress(url)) }
    try StudioFolder.make(configuration.folder)
    folderProblem = StudioFolder.writingProblem(configuration.folder)
    self.configuration = configuration
    self.proxies = proxies
    let events = EventHub()
    let library = StudioLibrary(folder: configuration.folder, events: events)
    // Players of streams do not go through the page, and so have no cookie.
    let listeningKey =
      configuration.access == .everybody ? nil : RandomIdentifier.make(byteCount: 16)
    let recorder = StudioRecorder(
      library: library, events: events, streamPath: listeningKey.map { "/hls/\($0)/" } ?? "/hls/",
      tellMishap: mishap)
    let desk = StudioDesk(
      events: events, recorder: recorder, library: library, listeningKey: listeningKey)
    self.events = events
    self.library = library
    self.recorder = recorder

    // The port, and so the host names, are known only once the server listens.
    let gate = Lock<StudioGuard?>(nil)
    var options = HTTPServer.Options()
    options.keepsLocalhost = true
    options.bodyLimit = Self.uploadLimit
    options.headers = StudioAnswer.headers
    // Ending or repairing a long recording takes as long as the disk does.
    options.answerTimeout = .seconds(600)
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

  /// The port it listens on; 0 for a socket.
  public var port: Int { server.port }

  /// Its address; see ``urls``.
  public var url: String { urls[0] }

  /// Its address for each way of reaching it, those of proxies first; there is at least one.
  ///
  /// There it asks unknown browsers for the token, unless it admits everybody.
  public var urls: [String] { proxies.map(\.url) + ownURLs }

  private var ownURLs: [String] {
    guard case .port(_, let address) = configuration.place else {
      // Browsers cannot connect to sockets, but other programs can, under this name.
      return proxies.isEmpty ? ["http://localhost/"] : []
    }
    var hosts = [address]
    if HostAddress.isLoopback(address) {
      hosts = [address == "127.0.0.1" ? localName : address]
    } else if HostAddress.isWildcard(address) {
      let others = System.addresses.filter { address == "::" || !$0.contains(":") }
      hosts = others.isEmpty ? [localName] : others
    }
    return hosts.map { url(host: $0) }
  }

  /// What programs on this machine call it: by its number if the name could lead to another program.
  private var localName: String { server.isLocalhost ? "localhost" : "127.0.0.1" }

  private func url(host: String) -> String {
    "http://\(NetworkEndpoint(host: host, port: port).description)/"
  }

  // MARK: Addresses with a code

  /// Addresses like ``urls``, one of which admits one browser, once, at any later time.
  ///
  /// All have the same code, which is no secret once it has been used. If everybody is admitted
  /// there is none.
  public func makeOneTimeURLs() -> [String] {
    if configuration.access == .everybody { return urls }
    let code = codes.make()
    return urls.map { $0 + "?code=" + code }
  }

  /// The address to start a browser on this machine with.
  ///
  /// Unless everybody is admitted it has a code, which admits one browser, once and within two
  /// minutes, unless another one is admitted before. It invalidates the previous address.
  public func makeOpeningURL() -> String {
    var start = url
    if proxies.isEmpty, case .port(_, let address) = configuration.place,
      HostAddress.isWildcard(address)
    {
      // Browsers allow pages with this name to use the microphone.
      start = url(host: localName)
    }
    return configuration.access == .everybody ? start : start + "?code=" + codes.makeForLaunch()
  }

  /// Invalidates the last ``makeOpeningURL()`` because no browser is started after all.
  public func withdrawOpeningURL() { codes.withdrawLaunch() }

  /// Whether a recording is in progress.
  public var isRecording: Bool { recorder.isRecording }

  /// The last completed recording; nil if there was none since the studio started.
  public var lastRecording: StudioRecording? { recorder.lastRecording }

  /// Ends the current recording, with everything that was captured, and then the server; returns how
  /// the recording has ended, or nil if there was none.
  @discardableResult
  public func stop() -> StudioEnding? {
    // Pages show how the recording ends, so their connections last until then.
    let ending = recorder.stop()
    library.stop()
    events.close()
    server.stop()
    return ending
  }
}
