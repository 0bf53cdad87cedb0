import AacornDevices
public import AacornNetwork
import AacornRecording
import AacornSystem

/// A web server with a page that records, stores and examines audio.
///
///     let studio = try StudioServer(StudioConfiguration(folder: "Recordings"))
///     print(studio.makeOneTimeURLs()[0])
public final class StudioServer: Sendable {
  /// The configuration that the server was started with; its folder has an absolute path.
  public let configuration: StudioConfiguration
  /// The reason why recordings cannot be written to the folder, in sentences; nil if they can.
  ///
  /// It is determined at the start, without writing. Existing recordings can still be played.
  public let folderProblem: String?
  private let events: EventHub
  private let recorder: StudioRecorder
  let library: StudioLibrary
  private let server: HTTPServer
  private let codes = OpeningCodes()
  private let proxies: [ProxyAddress]
  private let isStopped = Atomic<Bool>(false)

  /// The maximum size in bytes of a body with a piece of an uploaded file.
  static let uploadLimit = 1 << 20
  /// The maximum size in bytes of a body with form fields.
  static let fieldLimit = 64 * 1024

  /// Starts the server; a missing folder is created.
  ///
  /// `reportIncident` is called immediately, with a message, when another program removes or
  /// damages a recording, or an error ends a recording or an output, on the recording's thread. It
  /// is also called when clients send many wrong tokens, on a separate thread.
  public convenience init(
    _ configuration: StudioConfiguration,
    reportIncident: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(NetworkError) {
    try self.init(configuration, systems: DeviceSystems.all, reportIncident: reportIncident)
  }

  /// Starts a server that captures from `systems`, the preferred one first.
  init(
    _ configuration: StudioConfiguration, systems: [any DeviceSystem.Type],
    limits: StudioLibrary.Limits = StudioLibrary.Limits(),
    reportIncident: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(NetworkError) {
    try configuration.access.check()
    var proxies: [ProxyAddress] = []
    for url in configuration.proxyURLs { proxies.append(try ProxyAddress(url)) }
    try LibraryFolder.make(configuration.folder)
    // Pages and messages show the folder, and “rec” does not say where it is.
    var configuration = configuration
    if !configuration.folder.hasPrefix("/") {
      configuration.folder = FileName.canonical(configuration.folder)
    }
    folderProblem = LibraryFolder.writingProblem(configuration.folder)
    self.configuration = configuration
    self.proxies = proxies
    let events = EventHub()
    let library = StudioLibrary(
      folder: configuration.folder, events: events, limits: limits)
    // Players of live streams do not send the page's cookie, so the path contains a key instead.
    let listeningKey =
      configuration.access == .unrestricted ? nil : RandomIdentifier.make(byteCount: 16)
    let recorder = StudioRecorder(
      library: library, events: events, streamPath: listeningKey.map { "/hls/\($0)/" } ?? "/hls/",
      systems: systems, reportIncident: reportIncident)
    let router = StudioRouter(
      events: events, recorder: recorder, library: library, listeningKey: listeningKey)
    self.events = events
    self.library = library
    self.recorder = recorder

    let reports = SerialWork("reports")
    let guesses = GuessLimiter { message in
      recorder.statusStore.add(.warning(message))
      // The server's thread must not wait for a terminal.
      reports.run { reportIncident(message) }
    }
    // The port, and so the host names, are known only after the server listens.
    let gate = Lock<StudioGuard?>(nil)
    var options = HTTPServer.Options()
    options.reservesIPv6Loopback = true
    options.bodyLimit = Self.uploadLimit
    options.headers = StudioResponse.headers
    // Ending or repairing a long recording can take minutes on a slow disk.
    options.answerTimeout = .seconds(600)
    options.makeErrorResponse = { StudioError($1, $0).response(path: $2) }
    options.admission = { request in
      guard let gate = gate.withLock({ $0 }) else {
        return .rejected(StudioError(503, "The studio is starting.").response(for: request))
      }
      let admission = gate.admission(of: request)
      if admission.rejection != nil { return admission }
      let rejection = StudioRouter.rejection(of: request) ?? library.rejection(of: request)
      return rejection.map(HTTPAdmission.rejected) ?? admission
    }
    let handler: HTTPServer.Handler = { request, responder in
      if request.components == StudioGuard.loginPath, let gate = gate.withLock({ $0 }) {
        responder.respond(gate.login(request))
      } else {
        router.answer(request, responder)
      }
    }
    do throws(NetworkError) {
      server = try Self.listen(at: configuration.endpoint, options, handler)
    } catch {
      recorder.stop()
      library.stop()
      events.close()
      throw error
    }
    var endpoint = configuration.endpoint
    if case .port(_, let address) = endpoint { endpoint = .port(server.port, address: address) }
    let codes = codes
    gate.withLock { gate in
      gate = StudioGuard(
        endpoint: endpoint, hostName: System.hostName, access: configuration.access,
        proxies: proxies,
        listeningKey: listeningKey, codes: codes, guesses: guesses)
    }
  }

  private static func listen(
    at endpoint: StudioEndpoint, _ options: HTTPServer.Options,
    _ handler: @escaping HTTPServer.Handler
  ) throws(NetworkError) -> HTTPServer {
    switch endpoint {
    case .port(let port, let address):
      try HTTPServer(address: address, port: port, options: options, handler: handler)
    case .socket(let path):
      try HTTPServer(socket: path, options: options, handler: handler)
    }
  }

  deinit { stop() }

  /// The port on which the server listens; 0 for a socket.
  public var port: Int { server.port }

  /// The preferred address of the studio, the first of ``urls``.
  public var url: String { urls[0] }

  /// The addresses of the studio, proxies first; there is at least one.
  ///
  /// At these addresses the studio asks unknown browsers for the token, unless it admits every
  /// client.
  public var urls: [String] { proxies.map(\.url) + ownURLs }

  private var ownURLs: [String] {
    guard case .port(_, let address) = configuration.endpoint else {
      // Browsers cannot connect to sockets, but other programs can, with this host name.
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

  /// The host name for programs on this machine; numeric if `localhost` could lead to another
  /// program.
  private var localName: String { server.isLocalhost ? "localhost" : "127.0.0.1" }

  private func url(host: String) -> String {
    "http://\(NetworkEndpoint(host: host, port: port).description)/"
  }

  // MARK: Addresses with a code

  /// Creates addresses like ``urls`` with a one-time code, which admits one browser at any later
  /// time.
  ///
  /// All addresses have the same code, which is not secret once it has been used. If every client
  /// is admitted, they have no code.
  public func makeOneTimeURLs() -> [String] {
    if configuration.access == .unrestricted { return urls }
    let code = codes.make()
    return urls.map { $0 + "?code=" + code }
  }

  /// Creates the address for launching a browser on this machine.
  ///
  /// Unless every client is admitted, the address has a code that admits one browser within two
  /// minutes. The code expires earlier if another browser is admitted. A new address invalidates
  /// the previous one.
  public func makeOpeningURL() -> String {
    var start = url
    if proxies.isEmpty, case .port(_, let address) = configuration.endpoint,
      HostAddress.isWildcard(address)
    {
      // For the use of the microphone, browsers trust pages with this host name.
      start = url(host: localName)
    }
    return configuration.access == .unrestricted ? start : start + "?code=" + codes.makeForLaunch()
  }

  /// Invalidates the last ``makeOpeningURL()`` if no browser was launched.
  public func withdrawOpeningURL() { codes.invalidateLaunchCode() }

  /// Whether a recording is in progress.
  public var isRecording: Bool { recorder.isRecording }

  /// The last completed recording; nil if no recording was completed since the studio started.
  public var lastRecording: StudioRecording? { recorder.lastRecording }

  /// Ends the current recording, which keeps all captured audio, and then stops the server.
  ///
  /// Returns the result of the recording, with a loss if changes of the library were abandoned; nil
  /// if no recording was in progress and nothing was lost. A second call has no effect.
  @discardableResult
  public func stop() -> StudioShutdownResult? {
    // If the folder does not respond, a second stop would wait again.
    if isStopped.exchange(true) { return nil }
    // Pages show the result of the recording, so keep their connections until then.
    var ending = recorder.stop()
    if !library.stop() {
      var result = ending ?? StudioShutdownResult(nil)
      result.losses.append(
        "The folder “\(displayed(configuration.folder))” does not respond. Unfinished changes and"
          + " repairs of recordings were abandoned.")
      ending = result
    }
    events.close()
    server.stop()
    return ending
  }
}

/// A completed recording of the studio.
public struct StudioRecording: Sendable, Equatable {
  /// The name of its file in the studio's folder.
  public var name: String
  /// The duration of the audio, including filled gaps.
  public var duration: Duration
  /// The size of the file in bytes.
  public var byteCount: Int
  /// The number of gaps in the captured audio.
  public var gapCount: Int
  /// The average bitrate of the audio, without the container; 0 if unknown.
  public var bitrate: Int
  /// The loudness in LUFS (EBU R 128, integrated); nil for silence, and for less than 400 ms.
  public var loudness: Double?
  /// Whether the whole recording is silent, although the device delivered samples.
  public var isSilent: Bool

  /// Creates a recording with these properties.
  public init(
    name: String, duration: Duration, byteCount: Int, gapCount: Int, bitrate: Int = 0,
    loudness: Double? = nil, isSilent: Bool = false
  ) {
    self.name = name
    self.duration = duration
    self.byteCount = byteCount
    self.gapCount = gapCount
    self.bitrate = bitrate
    self.loudness = loudness
    self.isSilent = isSilent
  }

  /// Returns the average bitrate of audio data with this duration in seconds; 0 without audio.
  static func bitrate(of byteCount: Int, in seconds: Double) -> Int {
    seconds > 0 ? Int(Double(byteCount) * 8 / seconds) : 0
  }
}

/// The losses at the end of a studio, and the result of a recording that was in progress.
public struct StudioShutdownResult: Sendable, Equatable {
  /// The recording in the studio's folder; nil if no recording was in progress, or its file is
  /// elsewhere.
  public var recording: StudioRecording?
  /// The path of the file if the file or the folder was moved or removed during the recording; nil
  /// if the file is in the folder, or there is no file.
  public var pathElsewhere: String?
  /// The reasons why the recording is incomplete or not in the folder, and a message about abandoned
  /// changes of the library, in sentences; empty without problems.
  public var losses: [String]

  /// Creates the result of a studio's end.
  public init(_ recording: StudioRecording?, pathElsewhere: String? = nil, losses: [String] = []) {
    self.recording = recording
    self.pathElsewhere = pathElsewhere
    self.losses = losses
  }
}
