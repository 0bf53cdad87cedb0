import AacornNetwork
import AacornStreaming

/// Decides which requests are admitted, after their headers have arrived and before their bodies
/// are read.
///
/// Every page in a browser can send requests to a server on its machine, and so can every user of
/// that machine. There are three rules against this. The requested host must be one of ours:
/// otherwise a foreign name could be made to point to our address (DNS rebinding). Pages of other
/// origins cannot change anything. The token is required, unless every client is admitted.
struct StudioGuard: Sendable {
  /// The host names of the studio.
  let names: HostNames
  /// The proxies in front of the studio.
  let proxies: [ProxyAddress]
  /// The token that a browser must present; nil admits every client.
  let token: String?
  /// The key that players, which have no cookie, must present to play a live recording; nil if none
  /// is required.
  ///
  /// It is a path component, so that relative addresses of segments include it.
  let listeningKey: String?
  /// The codes in one-time addresses for browsers.
  let codes: OpeningCodes
  private let guesses: GuessLimiter
  /// The random second part of the cookie, which admits a browser without the token; empty if the
  /// token is random itself.
  ///
  /// A browser that is logged in is thus not slowed down while other clients guess the token.
  private let pass: String
  private let cookieName: String
  private let loginPage = LoginPage()

  /// Creates a guard for a studio that listens at `endpoint`, with its actual port, on the machine
  /// `hostName`.
  init(
    endpoint: StudioEndpoint, hostName: String, access: StudioAccess, proxies: [ProxyAddress] = [],
    listeningKey: String? = nil, codes: OpeningCodes = OpeningCodes(),
    guesses: GuessLimiter = GuessLimiter()
  ) {
    switch endpoint {
    case .port(let port, let address):
      names = HostNames(address: address, hostName: hostName)
      // Browsers share cookies between ports, so the name contains the port.
      cookieName = "aacorn-studio-\(port)"
    case .socket:
      names = HostNames(address: "localhost", hostName: hostName)
      cookieName = "aacorn-studio"
    }
    self.proxies = proxies
    token = access.token
    self.listeningKey = listeningKey
    self.codes = codes
    self.guesses = guesses
    let isRandom = token.map { $0.utf8.count >= 32 && $0.utf8.allSatisfy(RandomIdentifier.isDigit) }
    pass = isRandom == false ? RandomIdentifier.make(byteCount: 16) : ""
  }

  /// Decides on a request.
  ///
  /// A request that presents the token or a valid code receives a cookie.
  func admission(of request: HTTPRequest) -> HTTPAdmission {
    guard let host = uniqueValue("Host", of: request) else {
      return .rejected(unknownHostResponse(request))
    }
    let origins = origins(of: host)
    if origins.isEmpty { return .rejected(unknownHostResponse(request)) }
    if let reason = foreignPage(request, origins: origins) {
      return .rejected(StudioError(403, reason).response(for: request))
    }
    guard let token else { return .asGuest }
    if let answer = answerToSecret(in: request, token) { return .rejected(answer) }
    if isListening(request) { return .asGuest }
    let check = authentication(of: request)
    if check == .right { return .asGuest }
    // Clients that only load the login page must not displace admitted clients.
    if isForLogin(request) { return .asUnauthenticated }
    switch check {
    case .exhausted: return .rejected(exhaustedResponse(request))
    case .wrong:
      // A browser has a cookie from an earlier start; a program may have any token.
      let reason =
        request.headers.contains { !cookies($0).isEmpty }
        ? "The studio was restarted with another token." : Self.wrongToken
      return .rejected(unauthorizedResponse(request, reason))
    case .right, nil:
      return .rejected(unauthorizedResponse(request, "This browser is not logged in."))
    }
  }

  /// Returns the response to an address with the token or a code; nil if it has neither, or if a
  /// browser reloads the address that admitted it.
  private func answerToSecret(in request: HTTPRequest, _ token: String) -> HTTPResponse? {
    if request.components.isEmpty, request.method == "GET" {
      if let shown = request.queryValue("token") {
        switch check(shown, against: token, in: request) {
        case .right: return cookieResponse(request)
        case .wrong: return unauthorizedResponse(request, Self.wrongToken)
        case .exhausted: return exhaustedResponse(request)
        }
      }
      if let shown = request.queryValue("code") {
        let codeState = codes.take(shown)
        if codeState == .good { return cookieResponse(request) }
        // A browser may reload the address that admitted it, so accept its cookie.
        if authentication(of: request) == .right { return nil }
        if codeState == .unknown {
          // A code cannot be guessed, but attempts must be visible.
          guesses.recordWrong(shown, in: request)
          if guesses.isExhausted(for: request) { return exhaustedResponse(request) }
        }
        return unauthorizedResponse(
          request,
          codeState == .taken
            ? "This one-time address has been used. If you did not use it, another person has"
              + " logged in: stop the studio."
            : "This address is no longer valid, or belongs to another studio.")
      }
    }
    return nil
  }

  private func unknownHostResponse(_ request: HTTPRequest) -> HTTPResponse {
    StudioError(
      403,
      "The studio does not serve this host name. Open the address that it printed. If a proxy uses"
        + " another name, start the studio with that name."
    ).response(for: request)
  }

  // MARK: - Names

  /// Returns the origins that browsers send for pages of a host with its port; empty if the host is
  /// not this studio.
  private func origins(of host: String) -> Set<String> {
    var origins = Set(proxies.filter { $0.isAsked(by: host) }.map(\.origin))
    if names.contains(host) { origins.insert("http://" + host.lowercased()) }
    return origins
  }

  /// The value of a header that occurs exactly once; otherwise nil.
  private func uniqueValue(_ name: String, of request: HTTPRequest) -> String? {
    let values = request.headers.filter { $0.name.lowercased() == name.lowercased() }
    return values.count == 1 ? values[0].value : nil
  }

  // MARK: - Other pages

  /// Returns why a request from a foreign page is rejected; nil if it comes from our page.
  private func foreignPage(_ request: HTTPRequest, origins: Set<String>) -> String? {
    let foreign = "Requests from other pages are not allowed."
    let shown = request.headers.filter { $0.name.lowercased() == "origin" }
    if shown.contains(where: { !origins.contains($0.value.lowercased()) }) { return foreign }
    let isReading = request.method == "GET" || request.method == "HEAD"
    switch request.header("Sec-Fetch-Site") {
    case nil, "same-origin", "none": break
    default:
      // A link to the studio is allowed; embedding an image, an audio file or a script of the
      // studio is not.
      if !isReading || request.header("Sec-Fetch-Mode") != "navigate" { return foreign }
    }
    // A foreign form cannot send this header, and a foreign script must first send a CORS preflight
    // request.
    if !isReading && request.header("X-Aacorn") != "studio" {
      return "A request that changes something needs the header “X-Aacorn: studio”."
    }
    return nil
  }

  // MARK: - The token

  /// Whether a request is for a live recording with the right key.
  private func isListening(_ request: HTTPRequest) -> Bool {
    guard let listeningKey, request.components.count >= 2, request.components[0] == "hls",
      request.method == "GET" || request.method == "HEAD"
    else { return false }
    return Self.areEqual(request.components[1], listeningKey)
  }

  /// Whether a client needs the request in order to present the token.
  private func isForLogin(_ request: HTTPRequest) -> Bool {
    switch request.method {
    case "GET", "HEAD": LoginPage.files.contains(request.path)
    case "POST": request.components == Self.loginPath
    default: false
    }
  }

  /// The path to which the login page posts the token.
  static let loginPath = ["api", "login"]

  /// Returns the response to a posted token: the field `token` of a form.
  func login(_ request: HTTPRequest) -> HTTPResponse {
    guard request.method == "POST" else {
      return StudioResponse.methodNotAllowed(["POST"], for: request)
    }
    let shown = request.form()?.first { $0.name == "token" }?.value ?? ""
    if let token {
      switch check(shown, against: token, in: request) {
      case .right: break
      case .wrong: return unauthorizedResponse(request, Self.wrongToken)
      case .exhausted: return exhaustedResponse(request)
      }
    }
    var response = StudioResponse.json("{}")
    response.headers += newCookie(for: request)
    return response
  }

  private static let wrongToken = "That is not the token of this studio."

  /// The result of the check of a token.
  private enum Check {
    case right, wrong
    /// The token is rejected, and not compared unless it is random: the budget of the client's
    /// neighborhood is used up.
    case exhausted
  }

  /// Compares a token that a client has presented, within the budget of the client's neighborhood.
  private func check(
    _ shown: String, against secret: String, in request: HTTPRequest
  ) -> Check {
    let isExhausted = guesses.isExhausted(for: request)
    // A random token cannot be guessed, so a client that knows it need not wait.
    if (!isExhausted || pass.isEmpty) && Self.areEqual(shown, secret) { return .right }
    guesses.recordWrong(shown, in: request)
    return isExhausted ? .exhausted : .wrong
  }

  /// The token, percent-encoded so that no character ends the cookie.
  private var cookieToken: String { PercentCoding.encode(token ?? "") }

  /// The value of the cookie: the token, and the pass if there is one.
  private var cookieValue: String { pass.isEmpty ? cookieToken : "\(cookieToken):\(pass)" }

  /// The values of our cookie in a header.
  private func cookies(_ field: HTTPField) -> [Substring] {
    guard field.name.lowercased() == "cookie" else { return [] }
    return field.value.split(separator: ";").compactMap { cookie in
      let sides = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      return sides.count == 2 && sides[0] == cookieName ? sides[1] : nil
    }
  }

  /// Checks the cookies and the tokens in the headers of a request; nil if there are none.
  private func authentication(of request: HTTPRequest) -> Check? {
    guard let token else { return .right }
    // A browser that is logged in is admitted first, whatever else it presents.
    if !pass.isEmpty,
      request.headers.contains(where: { field in
        cookies(field).contains { Self.areEqual(String($0), cookieValue) }
      })
    {
      return .right
    }
    var result: Check?
    for field in request.headers {
      if field.name.lowercased() == "authorization" {
        let words = field.value.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else { continue }
        let check = check(String(words[1]), against: token, in: request)
        if check != .wrong { return check }
        result = check
      }
      for cookie in cookies(field) {
        let shown = cookie.prefix { $0 != ":" }
        result = check(String(shown), against: cookieToken, in: request)
        if result != .wrong { return result }
      }
    }
    return result
  }

  /// The cookie that admits a browser from now on; empty if every client is admitted.
  private func newCookie(for request: HTTPRequest) -> [HTTPField] {
    // Once a browser is admitted, the code for launching one is not needed.
    codes.invalidateLaunchCode()
    if token == nil { return [] }
    let host = uniqueValue("Host", of: request) ?? ""
    let ways = proxies.filter { $0.isAsked(by: host) }
    let isSecure = !ways.isEmpty && ways.allSatisfy(\.isSecure)
    let rules = "HttpOnly; SameSite=Strict; Path=/" + (isSecure ? "; Secure" : "")
    return [HTTPField("Set-Cookie", "\(cookieName)=\(cookieValue); \(rules)")]
  }

  /// Sends a cookie to a browser that has presented the token or a code, so that the secret does
  /// not stay in the address bar.
  private func cookieResponse(_ request: HTTPRequest) -> HTTPResponse {
    var headers = newCookie(for: request) + [HTTPField("Cache-Control", "no-store")]
    switch request.header("Sec-Fetch-Site") {
    case nil, "same-origin", "none":
      headers.append(HTTPField("Location", "/"))
      return HTTPResponse(status: 303, headers: headers)
    default:
      // A browser that follows another site's link would not send the cookie after a redirection
      // (RFC 6265bis 5.6.7.1); after a page of the studio it does.
      headers.append(HTTPField("Refresh", "0; url=/"))
      headers.append(HTTPField("Content-Type", "text/plain; charset=utf-8"))
      return HTTPResponse(headers: headers, body: Array("The studio is opening.\n".utf8))
    }
  }

  /// Returns the response to a client of a neighborhood that has sent too many wrong tokens.
  private func exhaustedResponse(_ request: HTTPRequest) -> HTTPResponse {
    let seconds = GuessLimiter.interval / 1_000_000_000
    let reason =
      "Too many wrong tokens came from this address. Wait \(seconds) seconds, then try again."
    var response =
      LoginPage.isWanted(by: request)
      ? loginPage.answer(reason) : StudioError(429, reason).response(for: request)
    response.status = 429
    response.headers.append(HTTPField("Retry-After", "\(seconds)"))
    return response
  }

  private func unauthorizedResponse(_ request: HTTPRequest, _ reason: String) -> HTTPResponse {
    var response =
      LoginPage.isWanted(by: request)
      ? loginPage.answer(reason)
      : StudioError(
        401, "\(reason) Open the address that the studio printed, or enter its token."
      ).response(for: request)
    response.headers.append(HTTPField("WWW-Authenticate", "Bearer"))
    return response
  }

  /// Whether two texts are equal, compared in a time that does not reveal the position of a
  /// difference.
  static func areEqual(_ text: String, _ secret: String) -> Bool {
    let text = Array(text.utf8)
    let secret = Array(secret.utf8)
    guard text.count == secret.count else { return false }
    var difference: UInt8 = 0
    for (one, other) in zip(text, secret) { difference |= one ^ other }
    return difference == 0
  }
}
