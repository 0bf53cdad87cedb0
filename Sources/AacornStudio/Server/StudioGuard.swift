import AacornStreaming
import AacornWeb

/// Who is let in: decided when the headers of a request have come, before its body is read.
///
/// Every page that a browser shows can send requests to a server of its machine, and so can every
/// user of that machine. So the name that the browser was asked for must be one of ours, or
/// another's name could be made to mean our address (DNS rebinding); nothing that changes anything
/// is taken from another's page; and only who knows the token is let in, unless everybody is.
struct StudioGuard: Sendable {
  /// By what the studio is asked for.
  let names: HostNames
  /// By what proxies in front of it are.
  let proxies: [ProxyAddress]
  /// What a browser must know; nil lets everybody in.
  let token: String?
  /// What players must know, which have no cookie, to listen to a recording while it is made: a
  /// part of the path, and so of that of every segment; nil if none is needed.
  let listeningKey: String?
  /// What browsers show that have an address which is good once.
  let codes: OpeningCodes
  private let cookieName: String
  private let loginPage = LoginPage()

  /// A guard for a studio that listens at a place, with the port that it has got, of a machine of
  /// this name.
  init(
    place: StudioPlace, hostName: String, access: StudioAccess, proxies: [ProxyAddress] = [],
    listeningKey: String? = nil, codes: OpeningCodes = OpeningCodes()
  ) {
    switch place {
    case .port(let port, let address):
      names = HostNames(address: address, hostName: hostName)
      // Browsers do not keep the cookies of ports apart.
      cookieName = "aacorn-studio-\(port)"
    case .socket:
      names = HostNames(address: "localhost", hostName: hostName)
      cookieName = "aacorn-studio"
    }
    self.proxies = proxies
    token = access.token
    self.listeningKey = listeningKey
    self.codes = codes
  }

  /// Who is let in; who shows the token or a code for the first time is answered with a cookie.
  func admission(of request: HTTPRequest) -> HTTPAdmission {
    guard let host = theOnly("Host", of: request) else { return .refused(misnamed(request)) }
    let origins = origins(of: host)
    if origins.isEmpty { return .refused(misnamed(request)) }
    if let reason = foreignPage(request, origins: origins) {
      return .refused(StudioAnswer.refusal(reason, for: request))
    }
    guard let token else { return .asGuest }
    if let answer = answerToSecret(in: request, token) { return .refused(answer) }
    if isListening(request) || knows(token, request) { return .asGuest }
    // Nobody who only asks how to get in takes the place of who is in.
    if isForEverybody(request) { return .asStranger }
    let hasCookie = request.headers.contains { !cookies($0).isEmpty }
    return .refused(
      unknown(
        request,
        hasCookie
          ? "The studio does not know this browser any more: it was started again, with another"
            + " token."
          : "The studio does not know this browser."))
  }

  /// The answer to an address that shows the token or a code; nil if it shows none, or if it is
  /// loaded again by who has come in by it.
  private func answerToSecret(in request: HTTPRequest, _ token: String) -> HTTPResponse? {
    if request.components.isEmpty, request.method == "GET" {
      if let shown = request.queryValue("token") {
        guard Self.areEqual(shown, token) else {
          return unknown(request, "That is not the token of this studio.")
        }
        return welcome(request)
      }
      if let shown = request.queryValue("code") {
        let fate = codes.take(shown)
        if fate == .good { return welcome(request) }
        // Who has come in by it may load its address again.
        if knows(token, request) { return nil }
        return unknown(
          request,
          fate == .taken
            ? "This address was good once, and has been used. If it was not you who used it,"
              + " somebody else has come in: end the studio."
            : "This address is not good any more, or is that of another studio.")
      }
    }
    return nil
  }

  private func misnamed(_ request: HTTPRequest) -> HTTPResponse {
    StudioAnswer.refusal(
      "The studio is not called that. Open it by the address that it printed. Where a proxy has"
        + " given it another name, start it with --url.", for: request)
  }

  // MARK: - Names

  /// What browsers say of pages that were asked for by a host, with its port; nothing if that is
  /// not this studio.
  private func origins(of host: String) -> Set<String> {
    var origins = Set(proxies.filter { $0.isAsked(by: host) }.map(\.origin))
    if names.contains(host) { origins.insert("http://" + host.lowercased()) }
    return origins
  }

  /// The value of a header that is there once.
  private func theOnly(_ name: String, of request: HTTPRequest) -> String? {
    let values = request.headers.filter { $0.name.lowercased() == name.lowercased() }
    return values.count == 1 ? values[0].value : nil
  }

  // MARK: - Other pages

  /// Why a request of another's page is refused; nil if it is none.
  private func foreignPage(_ request: HTTPRequest, origins: Set<String>) -> String? {
    let foreign = "Another page may not use the studio."
    let shown = request.headers.filter { $0.name.lowercased() == "origin" }
    if shown.contains(where: { !origins.contains($0.value.lowercased()) }) { return foreign }
    let isReading = request.method == "GET" || request.method == "HEAD"
    switch request.header("Sec-Fetch-Site") {
    case nil, "same-origin", "none": break
    default:
      // A link that leads here is fine; a picture, a sound or a script of ours elsewhere is not.
      if !isReading || request.header("Sec-Fetch-Mode") != "navigate" { return foreign }
    }
    // Another page's form cannot send this header, and its script would have to ask before.
    if !isReading && request.header("X-Aacorn") != "studio" {
      return "A request that changes something needs the header “X-Aacorn: studio”."
    }
    return nil
  }

  // MARK: - The token

  /// Whether somebody who knows the key for that listens to a recording while it is made.
  private func isListening(_ request: HTTPRequest) -> Bool {
    guard let listeningKey, request.components.count >= 2, request.components[0] == "hls",
      request.method == "GET" || request.method == "HEAD"
    else { return false }
    return Self.areEqual(request.components[1], listeningKey)
  }

  /// Whether a request is what somebody needs to show the token.
  private func isForEverybody(_ request: HTTPRequest) -> Bool {
    switch request.method {
    case "GET", "HEAD": LoginPage.files.contains(request.path)
    case "POST": request.components == Self.loginPath
    default: false
    }
  }

  /// Where the page sends the token that somebody has typed.
  static let loginPath = ["api", "login"]

  /// The answer to a token that somebody has typed: `token` in a form.
  func login(_ request: HTTPRequest) -> HTTPResponse {
    guard request.method == "POST" else {
      return StudioAnswer.methodNotAllowed(["POST"], for: request)
    }
    let shown = request.form()?.first { $0.name == "token" }?.value ?? ""
    if let token, !Self.areEqual(shown, token) {
      return unknown(request, "That is not the token of this studio.")
    }
    var response = StudioAnswer.json("{}")
    response.headers += newCookie(for: request)
    return response
  }

  /// The token without characters that end a cookie.
  private var cookieValue: String { PercentCoding.encode(token ?? "") }

  /// The values of our cookie in a header.
  private func cookies(_ field: HTTPField) -> [Substring] {
    guard field.name.lowercased() == "cookie" else { return [] }
    return field.value.split(separator: ";").compactMap { cookie in
      let sides = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      return sides.count == 2 && sides[0] == cookieName ? sides[1] : nil
    }
  }

  /// Whether a request comes from who has shown the token before, or shows it.
  private func knows(_ token: String, _ request: HTTPRequest) -> Bool {
    request.headers.contains { field in
      if field.name.lowercased() == "authorization" {
        let words = field.value.split(separator: " ", maxSplits: 1)
        return words.count == 2 && words[0].lowercased() == "bearer"
          && Self.areEqual(String(words[1]), token)
      }
      return cookies(field).contains { Self.areEqual(String($0), cookieValue) }
    }
  }

  /// What lets a browser in from now on.
  private func newCookie(for request: HTTPRequest) -> [HTTPField] {
    // Who has come in needs the browser no more that is being started.
    codes.withdrawLaunch()
    if token == nil { return [] }
    let host = theOnly("Host", of: request) ?? ""
    let ways = proxies.filter { $0.isAsked(by: host) }
    let isSecure = !ways.isEmpty && ways.allSatisfy(\.isSecure)
    let rules = "HttpOnly; SameSite=Strict; Path=/" + (isSecure ? "; Secure" : "")
    return [HTTPField("Set-Cookie", "\(cookieName)=\(cookieValue); \(rules)")]
  }

  /// Gives who has shown the token or a code a cookie instead, so that it does not stay in the
  /// address.
  private func welcome(_ request: HTTPRequest) -> HTTPResponse {
    var headers = newCookie(for: request) + [HTTPField("Cache-Control", "no-store")]
    switch request.header("Sec-Fetch-Site") {
    case nil, "same-origin", "none":
      headers.append(HTTPField("Location", "/"))
      return HTTPResponse(status: 303, headers: headers)
    default:
      // Who comes by another site's link is still led by that, and the cookie would not be sent
      // after a redirection (RFC 6265bis 5.6.7.1); after a page of ours it is.
      headers.append(HTTPField("Refresh", "0; url=/"))
      headers.append(HTTPField("Content-Type", "text/plain; charset=utf-8"))
      return HTTPResponse(headers: headers, body: Array("The studio opens.\n".utf8))
    }
  }

  private func unknown(_ request: HTTPRequest, _ reason: String) -> HTTPResponse {
    var response =
      LoginPage.isWanted(by: request)
      ? loginPage.answer(reason)
      : StudioAnswer.failure(
        "\(reason) Open the address that “aacorn studio” has printed, or give its token.",
        status: 401, for: request)
    response.headers.append(HTTPField("WWW-Authenticate", "Bearer"))
    return response
  }

  /// Whether two texts are equal, found out in a time that does not tell where they differ.
  static func areEqual(_ text: String, _ secret: String) -> Bool {
    let text = Array(text.utf8)
    let secret = Array(secret.utf8)
    guard text.count == secret.count else { return false }
    var difference: UInt8 = 0
    for (one, other) in zip(text, secret) { difference |= one ^ other }
    return difference == 0
  }
}
