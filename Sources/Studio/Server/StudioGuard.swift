import Streaming

/// Who is let in: decided when the headers of a request have come, before its body is read.
///
/// A studio listens on this machine, where every page that a browser shows can send requests to it.
/// So the name that the browser was asked for must be one of ours, or another's name could be made
/// to mean our address (DNS rebinding); nothing that changes anything is taken from another's page;
/// and where other machines can reach the studio, only who knows the token is let in.
struct StudioGuard: Sendable {
  /// By what the studio is asked for.
  let names: HostNames
  let port: Int
  /// What a browser must know; nil lets everybody in.
  let token: String?
  /// What players must know, which have no cookie, to listen to a recording while it is made: a
  /// part of the path, and so of that of every segment; nil if none is needed.
  let listeningKey: String?
  /// What the browser shows that the studio has started.
  let openingCode: OpeningCode

  /// A guard for a studio that listens at an address and a port of a machine of this name.
  init(
    address: String, port: Int, hostName: String, token: String?, listeningKey: String? = nil,
    openingCode: OpeningCode = OpeningCode()
  ) {
    names = HostNames(address: address, hostName: hostName)
    self.port = port
    self.token = token
    self.listeningKey = listeningKey
    self.openingCode = openingCode
  }

  /// The answer to who is not let in, and to who shows the token for the first time.
  func refusal(of request: HTTPRequest) -> HTTPResponse? {
    guard let host = theOnly("Host", of: request), names.contains(host) else {
      return StudioAnswer.refusal(
        "The studio is not called that. Open it by the address that it printed.", for: request)
    }
    if let reason = foreignPage(request, host: host) {
      return StudioAnswer.refusal(reason, for: request)
    }
    guard let token else { return nil }
    if isListening(request) { return nil }
    if request.components.isEmpty, request.method == "GET" {
      if let shown = request.queryValue("token") {
        guard Self.areEqual(shown, token) else { return unknown(request) }
        openingCode.withdraw()
        return welcome(request)
      }
      if let shown = request.queryValue("code"), openingCode.take(shown) { return welcome(request) }
    }
    return knows(token, request) ? nil : unknown(request)
  }

  /// The value of a header that is there once.
  private func theOnly(_ name: String, of request: HTTPRequest) -> String? {
    let values = request.headers.filter { $0.name.lowercased() == name.lowercased() }
    return values.count == 1 ? values[0].value : nil
  }

  // MARK: - Other pages

  /// Why a request of another's page is refused; nil if it is none.
  private func foreignPage(_ request: HTTPRequest, host: String) -> String? {
    let foreign = "Another page may not use the studio."
    let origins = request.headers.filter { $0.name.lowercased() == "origin" }
    if origins.contains(where: { $0.value.lowercased() != "http://" + host.lowercased() }) {
      return foreign
    }
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

  private var cookieName: String { "aacorn-studio-\(port)" }

  /// The token without characters that end a cookie.
  private var cookieValue: String { PercentCoding.encode(token ?? "") }

  /// Whether a request comes from who has shown the token before, or shows it.
  private func knows(_ token: String, _ request: HTTPRequest) -> Bool {
    for field in request.headers {
      switch field.name.lowercased() {
      case "authorization":
        let words = field.value.split(separator: " ")
        if words.count == 2, words[0].lowercased() == "bearer",
          Self.areEqual(String(words[1]), token)
        {
          return true
        }
      case "cookie":
        for cookie in field.value.split(separator: ";") {
          let sides = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
          if sides.count == 2, sides[0] == cookieName, Self.areEqual(String(sides[1]), cookieValue)
          {
            return true
          }
        }
      default: break
      }
    }
    return false
  }

  /// Gives who has shown the token a cookie instead, so that it does not stay in the address.
  private func welcome(_ request: HTTPRequest) -> HTTPResponse {
    let cookie = HTTPField(
      "Set-Cookie", "\(cookieName)=\(cookieValue); HttpOnly; SameSite=Strict; Path=/")
    var headers = [cookie, HTTPField("Cache-Control", "no-store")]
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

  private func unknown(_ request: HTTPRequest) -> HTTPResponse {
    let code = request.queryValue("code")
    let reason =
      code == nil
      ? "The studio does not know this browser."
      : "This address is good once, and for a short time."
    var sentence =
      "\(reason) Open the studio by the whole address that it printed, which ends in a token."
    if let code, openingCode.isTaken(code) {
      sentence += " If it was not you who opened it, somebody else has: end the studio."
    }
    var response = StudioAnswer.failure(sentence, status: 401, for: request)
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
