import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornStudio

@Suite("The studio's server", .simulated(seeds: 2)) struct StudioServerTests {
  let folder: StudioFolderRig

  init() throws { folder = try StudioFolderRig() }

  private func studio(_ access: StudioAccess = .newToken) throws -> StudioServer {
    try StudioServer(in: folder.path, access: access)
  }

  // MARK: The page

  @Test func thePageIsServedAndKept() throws {
    let studio = try studio()
    #expect(studio.url == "http://localhost:\(studio.port)/" && studio.urls == [studio.url])
    let page = try studioAnswer(studio, "/")
    #expect(page.status == 200 && page.text.hasPrefix("<!doctype html>"))
    #expect(page.headers["content-type"] == "text/html; charset=utf-8")
    #expect(page.headers["cache-control"] == "no-cache")
    let tag = try #require(page.headers["etag"])
    #expect(try studioAnswer(studio, "/index.html").headers["etag"] == tag)
    let again = try studioAnswer(studio, "/", headers: ["If-None-Match: \(tag)"])
    #expect(again.status == 304 && again.body.isEmpty)
    let head = try studioAnswer(studio, "/", method: "HEAD")
    #expect(head.status == 200 && head.headers["content-length"] == "\(page.body.count)")
    let query = try studioAnswer(studio, "/?x=1")
    #expect(query.body == page.body)
    #expect(try studioAnswer(studio, "/", method: "POST").status == 405)
  }

  @Test func everyAnswerSaysWhatBrowsersMayDoWithIt() throws {
    let studio = try studio()
    let requests: [(String, String, [String])] = [
      ("/", "GET", []), ("/", "HEAD", []), ("/absent", "GET", []), ("/api/absent", "GET", []),
      ("/api/state", "POST", ["X-Aacorn:"]), ("/", "GET", ["Host: evil.example"]),
      ("/%00", "GET", []), ("/api/x", "POST", ["Content-Length: 9999999"]),
      ("/", "GET", ["Cookie:"]), ("/api/state", "GET", ["Cookie:"]), ("/login.js", "GET", []),
    ]
    for (path, method, headers) in requests {
      let answer = try studioAnswer(studio, path, method: method, headers: headers)
      let policy = try #require(answer.headers["content-security-policy"])
      for rule in [
        "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'",
        "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
      ] { #expect(policy.components(separatedBy: "; ").contains(rule)) }
      #expect(!policy.contains("unsafe-inline") && !policy.contains("*"))
      #expect(answer.headers["x-content-type-options"] == "nosniff")
      #expect(answer.headers["referrer-policy"] == "no-referrer")
      #expect(answer.headers["x-frame-options"] == "DENY")
      #expect(answer.headers["cross-origin-opener-policy"] == "same-origin")
      #expect(answer.headers["permissions-policy"]?.contains("microphone=(self)") == true)
    }
  }

  /// Every response to a program is JSON on one line.
  @Test func programsAreAnsweredAlike() throws {
    let studio = try studio()
    for (path, status) in [
      ("/api/state", 200), ("/api/devices", 200), ("/api/recordings", 200), ("/api/absent", 404),
      ("/api/recordings/absent.m4a/waveform", 404), ("/api/stop", 405), ("/api/..%2fetc", 400),
      ("/api/recordings/..%2f..%2fx/waveform", 400), ("/recordings/%2e%2e", 400),
      ("/recordings/absent.m4a", 404), ("/api/x%00", 400),
    ] {
      let answer = try studioAnswer(studio, path)
      #expect(answer.status == status, "\(path)")
      #expect(answer.headers["content-type"] == "application/json", "\(path)")
      #expect(answer.headers["cache-control"] == "no-store", "\(path)")
      #expect(answer.text.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
      #expect(answer.text.hasSuffix("}\n"), "\(path)")
      #expect((status == 200) == (answer.json["error"] == nil), "\(path)")
    }
    for (path, method, status) in [
      ("/api/stop", "POST", 409), ("/api/uploads/1", "DELETE", 404), ("/api/absent", "POST", 404),
      ("/api/absent", "PUT", 404), ("/api/absent", "DELETE", 404),
    ] {
      let answer = try studioAnswer(studio, path, method: method)
      #expect(answer.status == status && answer.text.hasSuffix("}\n"), "\(path)")
      #expect(answer.error.hasSuffix("."), "\(path)")
    }
    for (path, status) in [("/..%2fetc", 400), ("/absent.js", 404), ("/hls/live.m3u8", 404)] {
      let page = try studioAnswer(studio, path)
      #expect(page.status == status, "\(path)")
      if path.hasPrefix("/hls/") { continue }
      #expect(page.headers["content-type"]?.hasPrefix("text/plain") == true)
    }
  }

  // MARK: Access

  @Test func othersAreRefusedBeforeTheBody() throws {
    let studio = try studio()
    for headers in [
      ["Host: evil.example:\(studio.port)"], ["Origin: http://evil.example"], ["X-Aacorn:"],
      ["Sec-Fetch-Site: cross-site"],
    ] {
      let client = try StudioClient(studio)
      client.ask("/api/record", method: "POST", headers: headers + ["Content-Length: 1000"])
      let answer = try client.answer()
      #expect(answer.status == 403)
      #expect(answer.text.contains("\"error\""))
    }
  }

  @Test func aTokenMayHaveAnyCharacters() throws {
    let token = "a b;c=&d%#/?+\"é-0123"
    let studio = try studio(.token(token))
    let query = PercentCoding.encode(token)
    #expect(query == "a%20b%3Bc%3D%26d%25%23%2F%3F%2B%22%C3%A9-0123")
    let welcome = try studioAnswer(port: studio.port, "/?token=\(query)")
    #expect(welcome.status == 303)
    let cookie = try #require(welcome.headers["set-cookie"]?.split(separator: ";").first)
    let page = try studioAnswer(port: studio.port, "/", headers: ["Cookie: \(cookie)"])
    #expect(page.status == 200)
    let other = try studioAnswer(
      port: studio.port, "/",
      headers: ["Cookie: \(cookie.replacingOccurrences(of: "a%20b", with: "a%20c"))"])
    #expect(other.status == 401)
    let bearer = ["Authorization: Bearer \(token)"]
    #expect(try studioAnswer(port: studio.port, "/api/state", headers: bearer).status == 200)
  }

  @Test func playersListenWithoutTheToken() throws {
    let studio = try studio()
    let token = try #require(studio.configuration.access.token)
    let page = ["Authorization: Bearer \(token)", "X-Aacorn: studio"]
    let begun = try studioAnswer(
      port: studio.port, "/api/record", headers: page, form: "device=tone&output=hls")
    #expect(begun.status == 200, "\(begun.text)")
    let state = try studioAnswer(port: studio.port, "/api/state", headers: page).text
    let address = try #require(
      state.replacing("\\/", with: "/").split(separator: "\"").first {
        $0.hasPrefix("/hls/") && $0.hasSuffix("/live.m3u8")
      })
    var playlist = try studioAnswer(port: studio.port, String(address))
    let isAvailable = try eventually {
      playlist = try studioAnswer(port: studio.port, String(address))
      return playlist.status == 200
    }
    #expect(isAvailable && playlist.text.hasPrefix("#EXTM3U"))
    // The media playlist is next to the main playlist, so its address contains the key, too.
    let media = try #require(playlist.text.split(separator: "\n").last { $0.first != "#" })
    let folder = address.dropLast("live.m3u8".count)
    #expect(try studioAnswer(port: studio.port, "\(folder)\(media)").status == 200)
    #expect(try studioAnswer(port: studio.port, "/hls/live.m3u8").status == 401)
    #expect(try studioAnswer(port: studio.port, "/hls/live.m3u8", headers: page).status == 200)
    #expect(!address.contains(token))
    studio.stop()
  }

  @Test func noPathLeadsOutOfTheStudio() throws {
    let studio = try studio()
    let secret = folder.path + "-secret"
    try Data("secret".utf8).write(to: URL(fileURLWithPath: secret))
    defer { unsafe unlink(secret) }
    let name = String(secret.split(separator: "/").last ?? "")
    let up = ["..", "%2e%2e", ".%2e", "%2E.", "..%2f", "..%5c", "%252e%252e", "....//", ".%00."]
    for step in up {
      for path in [
        "/\(step)/\(name)", "/recordings/\(step)/\(name)", "/recordings/\(step)%2f\(name)",
        "/recordings/x/\(step)/\(step)/\(name)", "/api/recordings/\(step)%2f\(name)/waveform",
        "/hls/\(step)/\(name)", "/\(step)/\(step)/\(step)/etc/passwd",
        "/recordings/\(step)/\(step)/\(step)/\(step)/etc/passwd",
      ] {
        let answer = try studioAnswer(studio, path)
        #expect([400, 403, 404, 405].contains(answer.status), "\(path): \(answer.status)")
        #expect(!answer.text.contains("secret\n") && answer.text != "secret")
        #expect(!answer.text.contains("root:"))
      }
    }
    for path in [
      "/recordings//etc/passwd", "/recordings/%2fetc%2fpasswd", "//etc/passwd", "/recordings/",
      "/recordings/%ff.wav", "/api/recordings/%ff.wav/waveform", "/recordings/a%00.wav",
      "/api/recordings/a%00.wav/waveform", "/recordings/..\\secret.wav",
      "/recordings/.aacorn-deleted", "/api/recordings/.aacorn-deleted/waveform",
    ] { #expect((400..<500).contains(try studioAnswer(studio, path).status), "\(path)") }
  }

  // MARK: Sizes

  @Test func oversizedRequestIsRejected() throws {
    let studio = try studio()
    let post = try StudioClient(studio)
    post.ask("/api/record", method: "POST", headers: ["Content-Length: 65537"])
    #expect(try post.answer().status == 413)
    let put = try StudioClient(studio)
    put.ask("/api/uploads/1", method: "PUT", headers: ["Content-Length: 1048577"])
    #expect(try put.answer().status == 413)
    let whole = [UInt8](repeating: 1, count: 1_048_576)
    let fits = try studioAnswer(studio, "/api/uploads/1", method: "PUT", body: whole)
    #expect(fits.status != 413)
    // A chunked body without a length that exceeds the limit.
    let begun = try studioAnswer(studio, "/api/uploads", form: "name=a.wav")
    let id = try #require(begun.json["id"] as? String)
    let chunks = try StudioClient(studio)
    chunks.ask("/api/uploads/\(id)?at=0", method: "PUT", headers: ["Transfer-Encoding: chunked"])
    let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 2, count: 65_536) + [13, 10]
    for _ in 0..<17 { chunks.send(chunk) }
    chunks.send(Array("0\r\n\r\n".utf8))
    #expect(try chunks.answer().status == 413)
    let headers = try StudioClient(studio)
    headers.ask("/", headers: ["X-Long: " + String(repeating: "x", count: 100_000)])
    #expect([431, 413, 400].contains(try headers.answer().status))
    #expect(try studioAnswer(studio, "/").status == 200)
  }

  // MARK: Start and stop

  @Test func theFolderIsMade() throws {
    let path = folder.path + "/a/b/"
    let studio = try StudioServer(in: path)
    #expect(try System.status(of: path).kind == .folder)
    // Only the owner has access by default.
    #expect(try System.status(of: path).permissions & 0o777 == 0o700)
    #expect(try System.status(of: folder.path + "/a").permissions & 0o777 == 0o700)
    studio.stop()
    // The studio keeps the permissions of an existing folder.
    #expect(unsafe chmod(path, 0o755) == 0)
    try StudioServer(in: path).stop()
    #expect(try System.status(of: path).permissions & 0o777 == 0o755)
    try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
    for path in [folder.path + "/file", folder.path + "/file/a", "/proc/aacorn", ""] {
      #expect(throws: NetworkError.self) {
        try StudioServer(in: path)
      }
    }
  }

  @Test func unresponsiveFolderIsALossOfTheEnd() throws {
    var limits = StudioLibrary.Limits()
    limits.stopTime = 50_000_000
    let studio = try StudioServer(
      StudioConfiguration(folder: folder.path), systems: [], limits: limits)
    let release = Semaphore()
    defer { release.signal() }
    // A thread that waits for a network folder does not respond, either.
    studio.library.diskWorker.run { _ = release.wait(milliseconds: 60_000) }
    let ending = try #require(studio.stop())
    #expect(ending.recording == nil && ending.losses.count == 1)
    #expect(ending.losses.first?.contains("“\(folder.path)” does not respond") == true)
    #expect(studio.stop() == nil)
    let prompt = try StudioServer(in: folder.path)
    #expect(prompt.stop() == nil)
  }

  @Test func recordingIsKeptWhenChangesAreAbandonedAtTheEnd() throws {
    var limits = StudioLibrary.Limits()
    limits.stopTime = 50_000_000
    let studio = try StudioServer(
      StudioConfiguration(folder: folder.path), systems: [], limits: limits)
    let begun = try studioAnswer(studio, "/api/record", form: "device=tone&name=talk")
    #expect(begun.status == 200, "\(begun.text)")
    System.sleep(milliseconds: 2000)
    let release = Semaphore()
    defer { release.signal() }
    studio.library.diskWorker.run { _ = release.wait(milliseconds: 60_000) }
    let ending = try #require(studio.stop())
    let recording = try #require(ending.recording)
    #expect(recording.name == "talk.m4a" && recording.duration >= .seconds(1))
    #expect(try System.status(of: folder.path + "/talk.m4a").size == recording.byteCount)
    #expect(ending.losses.count == 1)
    #expect(ending.losses.first?.contains("Unfinished changes and repairs") == true)
  }

  @Test func twoHundredPagesWatchTheMeterWhileOthersAreServed() throws {
    let studio = try studio()
    let pages = try (0..<200).map { _ in try StudioClient(studio) }
    for page in pages { page.ask("/api/events") }
    for page in pages { #expect(try page.head().status == 200) }
    let listening = try studioAnswer(studio, "/api/listen", form: "on=true&device=tone")
    #expect(listening.status == 200, "\(listening.text)")
    for _ in 0..<50 { #expect(try studioAnswer(studio, "/").status == 200) }
    for page in pages {
      var meterCount = 0
      while meterCount < 5 {
        if let event = try page.event(), event.name == "meter" { meterCount += 1 }
      }
    }
    studio.stop()
    for page in pages { #expect(page.drain()) }
  }
}
