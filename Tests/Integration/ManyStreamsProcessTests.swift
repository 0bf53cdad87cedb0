import Foundation
import SoundRigs
import StreamRigs
import Testing

/// Many streams in one process, as in the examples of the documentation.
@Suite struct ManyStreamsProcessTests {
  private let folder = WorkFolder()

  private static let documentation = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Documentation/Streaming")

  private func write(_ text: String) throws {
    try folder.write(Array(text.utf8), to: "streams.conf")
  }

  private func start() throws -> Program.Run {
    var environment = StreamProgram.password
    environment["PATH"] = "/usr/sbin:/usr/bin:/bin"
    environment["HOME"] = folder.path
    environment["TERM"] = "dumb"
    return try folder.start(
      ["stream", "--config", "streams.conf", "--json", "--listen-status", "0"],
      environment: environment)
  }

  @Test func exampleConfigurationIsValidWithAllProposals() throws {
    let text = try String(
      contentsOf: Self.documentation.appendingPathComponent("streams.conf"), encoding: .utf8)
    let uncommented = text.split(separator: "\n").map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") ? line.dropFirst() : line
    }
    #expect(uncommented.contains("[studio]"))
    for text in [text, uncommented.joined(separator: "\n")] {
      try write(text)
      let run = try folder.start(
        ["stream", "--config", "streams.conf", "--check"],
        environment: StreamProgram.password)
      let outcome = try run.wait()
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.text.hasSuffix("no mistakes\n"))
    }
  }

  private static func get(
    _ path: String, port: Int, _ headers: String...
  ) throws -> HTTPClient.Answer {
    let client = try HTTPClient(port: port)
    client.ask(path, headers: headers)
    return try client.receiveAnswer()
  }

  @Test(.tags(.smoke)) func nginxSetsCacheLifetimesForOrigin() throws {
    let port = try freePort()
    let site = try String(
      contentsOf: Self.documentation.appendingPathComponent("nginx-hls.conf"), encoding: .utf8)
    let ours = site.replacingOccurrences(of: "listen 80;", with: "listen 127.0.0.1:\(port);")
      .replacingOccurrences(of: "  listen [::]:80;\n", with: "")
      .replacingOccurrences(of: "/var/lib/aacorn-streams;", with: "\(folder.path);")
    #expect(ours.contains(":\(port);") && !ours.contains("[::]") && !ours.contains("/var/lib"))
    let nginx = try NginxServer(site: ours)
    defer { nginx.stop() }
    try write("device = tone\nhls = {stream}\n[jazz]\n[news]\nhls-format = aac\n")
    let run = try start()
    for name in ["jazz", "news"] {
      #expect(eventually { (try? Self.get("/\(name)/stream.m3u8", port: port).status) == 200 })
      // The first segment is complete only after four seconds.
      #expect(
        eventually {
          (try? Self.get("/\(name)/stream-0.m3u8", port: port).text.contains("#EXTINF")) == true
        })
      let playlist = try Self.get(
        "/\(name)/stream-0.m3u8", port: port,
        "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT")
      #expect(playlist.status == 200)
      #expect(playlist.headers["content-type"] == "application/vnd.apple.mpegurl")
      let target = try #require(
        playlist.text.firstMatch(of: /#EXT-X-TARGETDURATION:(\d+)/).flatMap { Int($0.1) })
      let age = try #require(
        playlist.headers["cache-control"]?.firstMatch(of: /^public, max-age=(\d+)$/).flatMap {
          Int($0.1)
        })
      #expect(age > 0 && age * 2 <= target)
      #expect(playlist.headers["access-control-allow-origin"] == "*")
      let master = try Self.get("/\(name)/stream.m3u8", port: port)
      #expect(master.headers["cache-control"] == "public, max-age=\(age)")

      let segment = try #require(
        playlist.text.split(separator: "\n").last { !$0.hasPrefix("#") }.map(String.init))
      let media = try Self.get("/\(name)/\(segment)", port: port)
      #expect(media.status == 200)
      #expect(media.headers["cache-control"] == "public, max-age=31536000, immutable")
      #expect(media.headers["content-type"] == (name == "jazz" ? "audio/mp4" : "audio/aac"))
      let part = try Self.get("/\(name)/\(segment)", port: port, "Range: bytes=0-9")
      #expect(part.status == 206)
      #expect(part.headers["cache-control"] == media.headers["cache-control"])
      let missing = try Self.get("/\(name)/stream-none.m4s", port: port)
      #expect(missing.status == 404)
      #expect(missing.headers["cache-control"] == "public, max-age=1")
    }
    // In this test, the streams file is in the served folder.
    for path in ["/streams.conf", "/jazz/", "/jazz/.stream-0.m3u8.partial", "/"] {
      #expect(try Self.get(path, port: port).status == 404, "\(path)")
    }
    try run.end(SIGTERM)
  }
}
