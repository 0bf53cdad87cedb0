import AacornNetwork
import Testing

@testable import AacornStudio

@Suite("Access") struct StudioGuardTests {
  private static let token = "0123456789abcdef0123456789abcdef"

  private static let local = StudioGuard(
    endpoint: .port(4848), hostName: "Acorn", access: .unrestricted)
  private static let open = StudioGuard(
    endpoint: .port(4848, address: "0.0.0.0"), hostName: "acorn", access: .token(token))

  /// Returns the status of the rejection, or 0 if the request is admitted.
  private static func status(
    _ gate: StudioGuard, _ method: String = "GET", path: [String] = ["api", "state"],
    query: [HTTPField] = [], host: String? = "localhost:4848", headers: [String: String] = [:]
  ) -> Int {
    var fields = headers.map { HTTPField($0.key, $0.value) }
    if let host { fields.append(HTTPField("Host", host)) }
    let request = HTTPRequest(method: method, components: path, query: query, headers: fields)
    return gate.admission(of: request).rejection?.status ?? 0
  }

  // MARK: Names

  @Test(arguments: [
    "localhost:4848", "LOCALHOST:4848", "127.0.0.1:4848", "[::1]:4848", "acorn:4848",
    "Acorn.local:4848", "localhost:9000", "[::1]:80", "localhost", "127.0.0.1",
  ])
  func ourOwnNamesAreFine(host: String) {
    #expect(Self.status(Self.local, host: host) == 0)
  }

  @Test(arguments: [
    nil, "", "localhost:", "localhost:484800", "localhost:4848:4848", "localhost:+4848",
    "evil.example", "evil.example:4848", "localhost.evil.example:4848", "127.0.0.1.evil:4848",
    "127.0.0.2:4848", "192.168.1.5:4848", "[::1", "::1:4848", "[localhost]:4848",
    "user@localhost:4848", "localhost:4848/", "acorn.local.evil:4848", " localhost:4848",
    "localhost:4848, evil.example",
  ])
  func foreignHostNamesAreRejected(host: String?) {
    #expect(Self.status(Self.local, host: host) == 403)
  }

  @Test func aHostThatIsThereTwiceIsRefused() {
    let host = HTTPField("Host", "localhost:4848")
    let request = HTTPRequest(components: [], headers: [host, HTTPField("host", "localhost:4848")])
    #expect(Self.local.admission(of: request).rejection?.status == 403)
  }

  @Test func anyAddressInNumbersIsFineWhereOthersMayCome() {
    let bearer = ["Authorization": "Bearer \(Self.token)"]
    for host in ["192.168.1.5:4848", "[fd00::1]:4848", "10.0.0.1:4848", "localhost:4848"] {
      #expect(Self.status(Self.open, host: host, headers: bearer) == 0)
    }
    for host in ["evil.example:4848", "1.2.3:4848", "1.2.3.4.5:4848", "256.1.1.1:4848", "1:4848"] {
      #expect(Self.status(Self.open, host: host, headers: bearer) == 403)
    }
  }

  @Test func aPortThatLeadsHereFromElsewhereIsFine() {
    let page = ["Origin": "http://localhost:9000", "X-Aacorn": "studio"]
    #expect(Self.status(Self.local, "POST", host: "localhost:9000", headers: page) == 0)
    // Only a page that was loaded through that port may use it.
    #expect(Self.status(Self.local, "POST", host: "localhost:4848", headers: page) == 403)
    #expect(Self.status(Self.local, host: "localhost:4848", headers: page) == 403)
  }

  // MARK: Players

  @Test func playersListenWithAKeyInThePath() {
    let key = "fedcba9876543210fedcba9876543210"
    let gate = StudioGuard(
      endpoint: .port(4848), hostName: "", access: .token(Self.token), listeningKey: key)
    for path in [["hls", key], ["hls", key, "live.m3u8"], ["hls", key, "live-1.m4s"]] {
      #expect(Self.status(gate, path: path) == 0)
      #expect(Self.status(gate, "HEAD", path: path) == 0)
    }
    for path in [
      ["hls", "live.m3u8"], ["hls", Self.token, "live.m3u8"], ["hls"], ["api", key, "state"],
      ["hls", "a", key], ["recordings", key], ["hls", "", "live.m3u8"], [key],
    ] {
      #expect(Self.status(gate, path: path) == 401)
    }
    let header = ["X-Aacorn": "studio"]
    #expect(Self.status(gate, "POST", path: ["hls", key, "a"], headers: header) == 401)
    #expect(Self.status(gate, path: ["hls", key, "a"], host: "evil.example:4848") == 403)
  }

  // MARK: Other pages

  @Test(arguments: [
    "http://evil.example", "http://localhost", "http://localhost:3000", "https://localhost:4848",
    "http://127.0.0.1:4848", "null", "", "http://localhost:4848.evil.example",
  ])
  func anotherPageGetsNothing(origin: String) {
    #expect(Self.status(Self.local, headers: ["Origin": origin]) == 403)
    #expect(
      Self.status(Self.local, "POST", headers: ["Origin": origin, "X-Aacorn": "studio"]) == 403)
  }

  @Test func ourPageMayDoEverything() {
    let page = [
      "Origin": "http://localhost:4848", "X-Aacorn": "studio", "Sec-Fetch-Site": "same-origin",
      "Sec-Fetch-Mode": "cors",
    ]
    for method in ["GET", "HEAD", "POST", "PUT", "DELETE"] {
      #expect(Self.status(Self.local, method, headers: page) == 0)
    }
  }

  @Test func changesNeedTheHeader() {
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "post", "get"] {
      #expect(Self.status(Self.local, method, headers: [:]) == 403)
      #expect(Self.status(Self.local, method, headers: ["X-Aacorn": "else"]) == 403)
      #expect(Self.status(Self.local, method, headers: ["X-Aacorn": "studio"]) == 0)
    }
    for method in ["GET", "HEAD"] { #expect(Self.status(Self.local, method, headers: [:]) == 0) }
  }

  @Test(arguments: ["cross-site", "same-site", "nonsense"])
  func crossSiteRequestsAreRejectedExceptLinks(site: String) {
    let link = ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"]
    #expect(Self.status(Self.local, headers: link) == 0)
    for mode in ["cors", "no-cors", "same-origin", "websocket"] {
      #expect(
        Self.status(Self.local, headers: ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode]) == 403)
    }
    #expect(Self.status(Self.local, headers: ["Sec-Fetch-Site": site]) == 403)
    let post = link.merging(["X-Aacorn": "studio"]) { $1 }
    #expect(Self.status(Self.local, "POST", headers: post) == 403)
  }

  // MARK: The token

  @Test func withoutTheTokenNothingIsShown() {
    for path in [[], ["index.html"], ["api", "state"], ["recordings", "a.m4a"]] {
      #expect(Self.status(Self.open, path: path) == 401)
    }
    #expect(Self.status(Self.open, headers: ["Authorization": "Bearer"]) == 401)
    #expect(Self.status(Self.open, headers: ["Authorization": "Basic \(Self.token)"]) == 401)
    #expect(Self.status(Self.open, headers: ["Authorization": "Bearer \(Self.token)0"]) == 401)
    #expect(Self.status(Self.open, headers: ["Cookie": "aacorn-studio-4849=\(Self.token)"]) == 401)
    #expect(Self.status(Self.open, headers: ["Cookie": "aacorn-studio-4848="]) == 401)
    #expect(Self.status(Self.open, headers: ["Cookie": "xaacorn-studio-4848=\(Self.token)"]) == 401)
  }

  @Test func validTokenIsAdmitted() {
    #expect(Self.status(Self.open, headers: ["Authorization": "Bearer \(Self.token)"]) == 0)
    #expect(Self.status(Self.open, headers: ["authorization": "bearer \(Self.token)"]) == 0)
    #expect(Self.status(Self.open, headers: ["Cookie": "aacorn-studio-4848=\(Self.token)"]) == 0)
    let cookies = "a=b; aacorn-studio-4848=old; aacorn-studio-4848=\(Self.token); c"
    #expect(Self.status(Self.open, headers: ["Cookie": cookies]) == 0)
    // The token does not admit pages of other sites.
    let both = ["Cookie": "aacorn-studio-4848=\(Self.token)", "Origin": "http://evil.example"]
    #expect(Self.status(Self.open, headers: both) == 403)
  }

  @Test func loginRequestIsUnauthenticated() {
    func isUnauthenticated(_ method: String, _ path: [String], _ headers: [HTTPField] = []) -> Bool
    {
      let request = HTTPRequest(
        method: method, components: path,
        headers: headers + [HTTPField("Host", "localhost"), HTTPField("X-Aacorn", "studio")])
      if case .asUnauthenticated = Self.open.admission(of: request) { return true }
      return false
    }
    #expect(isUnauthenticated("POST", ["api", "login"]))
    #expect(isUnauthenticated("GET", ["login.js"]))
    let cookie = HTTPField("Cookie", "aacorn-studio-4848=\(Self.token)")
    #expect(!isUnauthenticated("POST", ["api", "login"], [cookie]))
    #expect(!isUnauthenticated("GET", ["login.js"], [cookie]))
    #expect(!isUnauthenticated("GET", ["api", "state"]))
  }

  @Test func theTokenInTheAddressBecomesACookie() throws {
    let request = HTTPRequest(
      components: [], query: [HTTPField("token", Self.token)],
      headers: [HTTPField("Host", "192.168.1.5:4848")])
    let response = try #require(Self.open.admission(of: request).rejection)
    #expect(response.status == 303)
    #expect(response.headers.contains(HTTPField("Location", "/")))
    #expect(
      response.headers.contains(
        HTTPField(
          "Set-Cookie",
          "aacorn-studio-4848=\(Self.token); HttpOnly; SameSite=Strict; Path=/")))
    var linked = request
    linked.headers += [
      HTTPField("Sec-Fetch-Site", "cross-site"), HTTPField("Sec-Fetch-Mode", "navigate"),
    ]
    let page = try #require(Self.open.admission(of: linked).rejection)
    #expect(page.status == 200 && page.headers.contains(HTTPField("Refresh", "0; url=/")))
  }

  @Test func aWrongTokenInTheAddressIsRefused() {
    for wrong in [
      "", "x", String(Self.token.dropLast()), Self.token + "0", Self.token.uppercased(),
    ] {
      #expect(Self.status(Self.open, path: [], query: [HTTPField("token", wrong)]) == 401)
    }
    let right = [HTTPField("token", Self.token)]
    #expect(Self.status(Self.open, query: right) == 401)
    #expect(
      Self.status(Self.open, "POST", path: [], query: right, headers: ["X-Aacorn": "studio"]) == 401
    )
  }

  @Test func tokensAreLongAndDiffer() {
    let tokens = (0..<100).compactMap { _ in StudioAccess.newToken.token }
    #expect(Set(tokens).count == 100)
    for token in tokens {
      #expect(token.utf8.count == 32 && token.allSatisfy(\.isHexDigit))
    }
    // Every hexadecimal digit occurs.
    #expect(Set(tokens.joined()).count == 16)
  }

  @Test func guessableTokenThrows() throws {
    for (token, reason) in [
      ("", "is empty"), ("secret", "fewer than 16 characters"),
      (String(Self.token.prefix(15)), "fewer than 16"), (Self.token + "\nx", "several lines"),
      (Self.token + "\u{0}", "control characters"),
    ] {
      let error = #expect(throws: NetworkError.self) { try StudioAccess.token(token).check() }
      #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
      #expect(token.isEmpty || error?.message.contains(token) == false)
    }
    try StudioAccess.token(String(Self.token.prefix(16))).check()
    try StudioAccess.unrestricted.check()
  }

  // MARK: Proxies

  private static func proxied(_ urls: [String], at endpoint: StudioEndpoint) throws -> StudioGuard {
    StudioGuard(
      endpoint: endpoint, hostName: "acorn", access: .token(token),
      proxies: try urls.map { try ProxyAddress($0) })
  }

  @Test(arguments: [StudioEndpoint.port(4848), .socket("/run/studio/socket")])
  func aProxyMayPassItsOwnName(endpoint: StudioEndpoint) throws {
    let gate = try Self.proxied(["https://Studio.Example/", "http://inner:8080"], at: endpoint)
    let bearer = ["Authorization": "Bearer \(Self.token)"]
    for (host, origin) in [
      ("studio.example", "https://studio.example"),
      ("studio.example:443", "https://studio.example"),
      ("STUDIO.example", "https://studio.example"), ("inner:8080", "http://inner:8080"),
      ("localhost:4848", "http://localhost:4848"),
    ] {
      let page = bearer.merging(["Origin": origin, "X-Aacorn": "studio"]) { $1 }
      #expect(Self.status(gate, "POST", host: host, headers: page) == 0, "\(host)")
      #expect(Self.status(gate, host: host) == 401)
      for other in ["https://evil.example", "http://studio.example", "https://inner:8080", "null"] {
        let page = page.merging(["Origin": other]) { $1 }
        #expect(Self.status(gate, "POST", host: host, headers: page) == 403, "\(host) \(other)")
      }
    }
    for host in ["evil.example", "studio.example:80", "studio.example:4848", "inner", "inner:80"] {
      #expect(Self.status(gate, host: host, headers: bearer) == 403, "\(host)")
    }
  }

  /// A cookie set over an encrypted connection is not sent over an unencrypted one.
  @Test func theCookieKnowsHowItWasGiven() throws {
    let gate = try Self.proxied(["https://studio.example"], at: .socket("/run/studio/socket"))
    func cookie(_ host: String) -> String? {
      let request = HTTPRequest(
        components: [], query: [HTTPField("token", Self.token)], headers: [HTTPField("Host", host)])
      return gate.admission(of: request).rejection?.headers.first { $0.name == "Set-Cookie" }?.value
    }
    #expect(
      cookie("studio.example")
        == "aacorn-studio=\(Self.token); HttpOnly; SameSite=Strict; Path=/; Secure")
    #expect(cookie("localhost")?.hasSuffix("Path=/") == true)
  }

  @Test(arguments: [
    "", "studio.example", "ftp://studio.example", "https://", "https:///", "https://a/b",
    "https://a/?x", "https://a b", "https://user@a", "https://a:x", "https://[a]",
    "https://ä.example",
  ])
  func invalidProxyAddressThrows(text: String) {
    let error = #expect(throws: NetworkError.self) { try ProxyAddress(text) }
    #expect(error?.message.hasPrefix("“\(text)” cannot be an address of the studio: ") == true)
  }
}
