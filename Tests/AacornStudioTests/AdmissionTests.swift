import AacornNetwork
import AacornSystem
import Foundation
import StreamRigs
import Testing

@testable import AacornStudio

/// The responses to clients without a token: another user of the machine, another machine.
@Suite("Rejection of unauthenticated clients") struct AdmissionTests {
  let folder: StudioFolderRig

  init() throws { folder = try StudioFolderRig() }

  private func studio(_ access: StudioAccess = .newToken) throws -> StudioServer {
    try StudioServer(StudioConfiguration(folder: folder.path, access: access))
  }

  private static let person = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"

  /// Returns the cookie that a response sets, as a browser sends it back.
  private func cookie(_ answer: StudioClient.Answer) throws -> String {
    let field = try #require(answer.headers["set-cookie"])
    for rule in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(field.contains(rule)) }
    return "Cookie: \(try #require(field.split(separator: ";").first))"
  }

  // MARK: Without the token

  /// Every method and path that the studio serves.
  private static let requests = [
    ("GET", "/api/state"), ("GET", "/api/devices"), ("GET", "/api/events"),
    ("GET", "/api/recordings"), ("GET", "/api/recordings/talk.wav/waveform"),
    ("POST", "/api/record"), ("POST", "/api/stop"), ("POST", "/api/pause"), ("POST", "/api/resume"),
    ("POST", "/api/mute"), ("POST", "/api/gain"), ("POST", "/api/device"), ("POST", "/api/listen"),
    ("POST", "/api/hear"),
    ("POST", "/api/recordings/talk.wav/rename"), ("POST", "/api/recordings/talk.wav/delete"),
    ("POST", "/api/recordings/talk.wav/repair"), ("POST", "/api/deleted/1/restore"),
    ("POST", "/api/deleted/1/erase"), ("POST", "/api/uploads"), ("PUT", "/api/uploads/1?at=0"),
    ("POST", "/api/uploads/1/finish"), ("DELETE", "/api/uploads/1"),
    ("GET", "/recordings/talk.wav"), ("HEAD", "/recordings/talk.wav"),
    ("GET", "/recordings/talk.wav?download"), ("GET", "/hls/live.m3u8"), ("GET", "/api/absent"),
    ("GET", "/api/login"), ("POST", "/"),
  ]

  @Test func nothingIsAnsweredAndNothingIsDone() throws {
    try folder.put(LibrarySound.wav, "talk.wav")
    let studio = try studio()
    for (method, path) in Self.requests {
      for headers in [[], ["Cookie: aacorn-studio-\(studio.port)=0123456789abcdef"], [Self.person]]
      {
        let answer = try studioAnswer(
          port: studio.port, path, method: method, headers: headers,
          form: method == "POST" ? "device=tone&to=x&name=a.wav" : nil)
        #expect(answer.status == 401, "\(method) \(path)")
        #expect(
          answer.headers["www-authenticate"] == "Bearer" && answer.headers["set-cookie"] == nil)
        if method == "HEAD" { continue }
        let isForPrograms = path.hasPrefix("/api/") || path.hasPrefix("/recordings/")
        let start = isForPrograms ? "{\"error\":\"" : ""
        #expect(
          ["This browser is not logged in", "The studio was restarted"].contains {
            answer.text.hasPrefix(start + $0)
          }, "\(path)")
      }
    }
    // The studio itself may be examining the recording, with a mark on the disk.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.filter { $0 != WorkMarks.folderName } == ["talk.wav"])
    #expect(!studio.isRecording)
    // An authenticated client can read all of these paths.
    for (method, path) in Self.requests where method == "GET" {
      #expect(try studioAnswer(studio, path).status != 401, "\(path)")
    }
  }

  @Test func thePageSaysHowToGetIn() throws {
    let studio = try studio()
    for path in ["/", "/index.html", "/nowhere"] {
      let page = try studioAnswer(port: studio.port, path, headers: [Self.person])
      #expect(page.status == 401, "\(path)")
      #expect(page.headers["content-type"] == "text/html; charset=utf-8")
      #expect(page.headers["cache-control"] == "no-store")
      #expect(page.text.contains("<p class=\"reason\">This browser is not logged in.</p>"))
      #expect(page.text.hasSuffix("</html>\n") && page.text.contains("aacorn studio"))
    }
    // The files of the login page are public; all other files need the token.
    let page = try studioAnswer(port: studio.port, "/").text
    for path in LoginPage.files {
      #expect(try studioAnswer(port: studio.port, path).status == 200, "\(path)")
      #expect(page.contains("\"\(path)\""), "\(path)")
    }
    for path in ["/app.js", "/studio.js", "/index.html", "/aacorn/aacorn.wasm", "/login.html"] {
      let answer = try studioAnswer(port: studio.port, path)
      #expect(
        answer.status == 401 && answer.headers["content-type"]?.hasPrefix("text/plain") == true)
    }
    #expect(try studioAnswer(port: studio.port, "/login.js", method: "DELETE").status == 401)
  }

  @Test func invalidCodeOrTokenIsExplained() throws {
    let studio = try studio()
    for (query, reason) in [
      ("code=0123456789abcdef0123456789abcdef", "This address is no longer valid"),
      ("token=0123456789abcdef0123456789abcdef", "That is not the token of this studio."),
    ] {
      let page = try studioAnswer(port: studio.port, "/?\(query)")
      #expect(page.status == 401 && page.text.contains("<p class=\"reason\">\(reason)"))
      // The response does not repeat the text of an address, which anyone could have written.
      #expect(!page.text.contains("0123456789abcdef"))
    }
    let old = ["Cookie: aacorn-studio-\(studio.port)=0123456789abcdef0123456789abcdef"]
    let page = try studioAnswer(port: studio.port, "/", headers: old)
    #expect(page.text.contains("The studio was restarted with another token."))
    let wrong = "Authorization: Bearer 0123456789abcdef0123456789abcdef"
    let answer = try studioAnswer(port: studio.port, "/api/state", headers: [wrong])
    #expect(answer.status == 401 && answer.error.hasPrefix("That is not the token of this studio."))
  }

  // MARK: One-time addresses and the token

  @Test func anAddressLetsOneBrowserIn() throws {
    let studio = try studio()
    let token = try #require(studio.configuration.access.token)
    let urls = studio.makeOneTimeURLs()
    #expect(urls.count == studio.urls.count && !urls[0].contains(token))
    #expect(urls[0].hasPrefix("http://localhost:\(studio.port)/?code="))
    let path = "/" + (urls[0].split(separator: "/").last ?? "")
    // A HEAD request does not use up the code.
    #expect(try studioAnswer(port: studio.port, path, method: "HEAD").status == 401)
    let welcome = try studioAnswer(port: studio.port, path)
    #expect(welcome.status == 303 && welcome.headers["location"] == "/")
    let cookie = try cookie(welcome)
    for path in ["/", "/api/state", "/api/recordings"] {
      #expect(try studioAnswer(port: studio.port, path, headers: [cookie]).status == 200)
    }
    // The token in the address sets the same cookie; no address of the studio contains the token.
    let byToken = try studioAnswer(port: studio.port, "/?token=\(token)")
    #expect(byToken.status == 303)
    #expect(try self.cookie(byToken) == cookie)
    #expect(studio.urls.allSatisfy { !$0.contains(token) && !$0.contains("?") })
    let second = try studioAnswer(port: studio.port, path)
    #expect(second.status == 401 && second.text.contains("one-time address has been used"))
    #expect(second.headers["set-cookie"] == nil)
    // The token and the code of one studio do not open another studio.
    let other = try self.studio()
    let name = "Cookie: aacorn-studio-\(other.port)=\(token)"
    #expect(try studioAnswer(port: other.port, "/api/state", headers: [name]).status == 401)
    #expect(try studioAnswer(port: other.port, path).status == 401)
  }

  @Test func typedTokenIsAccepted() throws {
    let studio = try studio()
    let token = try #require(studio.configuration.access.token)
    func login(_ body: String, headers: [String] = []) throws -> StudioClient.Answer {
      try studioAnswer(port: studio.port, "/api/login", headers: headers, form: body)
    }
    for wrong in [
      "", "token=", "token=x", "token=\(token)0", "token=\(token.dropLast())",
      "token=\(token.dropLast())x", "code=\(token)", "x=y&token=y",
    ] {
      let answer = try login(wrong)
      #expect(answer.status == 401 && answer.headers["set-cookie"] == nil, "\(wrong)")
      #expect(answer.text.contains("not the token of this studio"))
    }
    // Pages of other sites cannot log in.
    for headers in [
      ["X-Aacorn:"], ["Origin: http://evil.example"], ["Host: evil.example"],
      ["Sec-Fetch-Site: same-site"],
    ] { #expect(try login("token=\(token)", headers: headers).status == 403) }
    let right = try login("token=\(token)")
    #expect(right.status == 200 && right.text == "{}\n")
    let page = try studioAnswer(port: studio.port, "/", headers: [try cookie(right)])
    #expect(page.status == 200)
    let tooLong = try login("token=" + String(repeating: "x", count: 70_000))
    #expect(tooLong.status == 413)
  }

  // MARK: Access for everyone

  @Test func unrestrictedAccessAdmitsClientsWithoutToken() throws {
    #expect(StudioConfiguration(folder: folder.path).access.token?.utf8.count == 32)
    let studio = try studio(.unrestricted)
    for path in ["/", "/api/state", "/api/recordings"] {
      #expect(try studioAnswer(port: studio.port, path).status == 200)
    }
    #expect(studio.makeOneTimeURLs() == studio.urls && studio.makeOpeningURL() == studio.url)
    // Pages of other sites are rejected even then.
    let page = ["Origin: http://evil.example"]
    #expect(try studioAnswer(port: studio.port, "/api/state", headers: page).status == 403)
    let login = try studioAnswer(port: studio.port, "/api/login", method: "POST")
    #expect(login.status == 200 && login.headers["set-cookie"] == nil)
  }

  @Test(arguments: ["0.0.0.0", "::"]) func allAddressesHaveTheSameCode(
    address: String
  ) throws {
    let studio = try StudioServer(
      StudioConfiguration(folder: folder.path, endpoint: .port(0, address: address)))
    let urls = studio.makeOneTimeURLs()
    let codes = Set(urls.map { String($0.split(separator: "/?code=").last ?? "") })
    #expect(codes.count == 1 && codes.first?.utf8.count == 32)
    #expect(urls.map { String($0.prefix { $0 != "?" }) } == studio.urls)
    #expect(studio.makeOpeningURL().hasPrefix("http://localhost:\(studio.port)/?code="))
    let path = "/" + (urls[0].split(separator: "/").last ?? "")
    #expect(try studioAnswer(port: studio.port, path).status == 303)
    #expect(try studioAnswer(port: studio.port, path).status == 401)
  }

  /// Browsers would send the code to the server that listens at ::1.
  @Test(arguments: ["127.0.0.1", "0.0.0.0"])
  func foreignLocalhostServerYieldsNumericAddress(address: String) throws {
    // The other server's port may be in use at the studio's address.
    var studio: StudioServer?
    var foreignServer: HTTPServer?
    for _ in 0..<20 where studio == nil {
      foreignServer = try HTTPServer(address: "::1") { _, _ in }
      studio = try? StudioServer(
        StudioConfiguration(
          folder: folder.path, endpoint: .port(foreignServer?.port ?? 0, address: address)))
    }
    let start = try #require(studio).makeOpeningURL()
    #expect(start.hasPrefix("http://127.0.0.1:\(foreignServer?.port ?? 0)/?code="))
    let isNamed = studio?.urls.contains { $0.contains("localhost") }
    #expect(isNamed == false)
  }

  @Test func behindAProxyTheAddressIsTheProxys() throws {
    let studio = try StudioServer(
      StudioConfiguration(folder: folder.path, proxyURLs: ["https://studio.example"]))
    #expect(studio.url == "https://studio.example/" && studio.urls.count == 2)
    #expect(studio.makeOpeningURL().hasPrefix("https://studio.example/?code="))
    let headers = ["Host: studio.example", "Origin: https://studio.example"]
    #expect(try studioAnswer(studio, "/api/state", headers: headers).status == 200)
    #expect(try studioAnswer(port: studio.port, "/api/state", headers: headers).status == 401)
    for configuration in [
      StudioConfiguration(folder: folder.path, proxyURLs: ["studio.example"]),
      StudioConfiguration(folder: folder.path, access: .token("")),
      StudioConfiguration(folder: folder.path, access: .token("0123456789abcde")),
    ] { #expect(throws: NetworkError.self) { try StudioServer(configuration) } }
  }

  // MARK: A socket

  private func answer(
    socket path: String, _ target: String, headers: [String] = []
  ) throws -> StudioClient.Answer {
    let client = try StudioClient(socket: path)
    client.ask(target, headers: headers)
    return try client.answer()
  }

  @Test func atASocketTheTokenIsWantedToo() throws {
    let path = folder.path + "/s"
    let studio = try StudioServer(
      StudioConfiguration(
        folder: folder.path + "/Recordings", endpoint: .socket(path),
        proxyURLs: ["https://studio.example/"]))
    let token = try #require(studio.configuration.access.token)
    // No other user may connect.
    #expect(try System.statusOfLink(path).permissions & 0o777 == 0o600)
    #expect(studio.port == 0 && studio.urls == ["https://studio.example/"])
    #expect(try answer(socket: path, "/api/state").status == 401)
    #expect(try answer(socket: path, "/", headers: ["Host: evil.example"]).status == 403)
    let bearer = ["Authorization: Bearer \(token)"]
    #expect(try answer(socket: path, "/api/state", headers: bearer).status == 200)
    // The headers that a proxy forwards from a browser.
    let proxied = ["Host: studio.example", "Origin: https://studio.example"]
    let url = try #require(studio.makeOneTimeURLs().first)
    let target = "/" + (url.split(separator: "/").last ?? "")
    let welcome = try answer(socket: path, target, headers: proxied)
    #expect(welcome.status == 303 && welcome.headers["set-cookie"]?.hasSuffix("; Secure") == true)
    let cookie = try cookie(welcome)
    #expect(cookie == "Cookie: aacorn-studio=\(token)")
    #expect(try answer(socket: path, "/", headers: proxied + [cookie]).status == 200)
    #expect(try answer(socket: path, target, headers: proxied).status == 401)
    studio.stop()
    #expect(throws: SystemError.self) { try System.statusOfLink(path) }
  }

  @Test func unrestrictedSocketAdmitsClientsWithoutToken() throws {
    let path = folder.path + "/s"
    let studio = try StudioServer(
      StudioConfiguration(
        folder: folder.path + "/Recordings", endpoint: .socket(path), access: .unrestricted))
    #expect(studio.urls == ["http://localhost/"])
    #expect(try System.statusOfLink(path).permissions & 0o777 == 0o600)
    #expect(try answer(socket: path, "/api/state").status == 200)
    // A second studio cannot listen at the same socket.
    #expect(throws: NetworkError.self) {
      try StudioServer(
        StudioConfiguration(folder: folder.path + "/Recordings", endpoint: .socket(path)))
    }
    #expect(try answer(socket: path, "/api/state").status == 200)
  }
}
