import Foundation
import SoundRigs
import StreamRigs
import Testing

/// The configuration of nginx in the documentation, with the folders of two streams.
@Suite struct HLSOriginProcessTests {
  private let program = StreamProgram()

  private static let site = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Documentation/Streaming/nginx-hls.conf")

  private static func get(
    _ path: String, port: Int, _ headers: String...
  ) throws -> HTTPClient.Answer {
    let client = try HTTPClient(port: port)
    client.ask(path, headers: headers)
    return try client.receiveAnswer()
  }

  @Test(.tags(.smoke)) func nginxSetsCacheLifetimesForOrigin() throws {
    let port = try freePort()
    let site = try String(contentsOf: Self.site, encoding: .utf8)
    let ours = site.replacingOccurrences(of: "listen 80;", with: "listen 127.0.0.1:\(port);")
      .replacingOccurrences(of: "  listen [::]:80;\n", with: "")
      .replacingOccurrences(of: "/var/lib/aacorn-stream;", with: "\(program.folder.path);")
    #expect(ours.contains(":\(port);") && !ours.contains("[::]") && !ours.contains("/var/lib"))
    let nginx = try NginxServer(site: ours)
    defer { nginx.stop() }
    let runs = try [
      program.start(["--hls", "jazz"]), program.start(["--hls", "news", "--hls-format", "aac"]),
    ]
    try program.folder.write([], to: "stream-jazz.env")
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
    for path in ["/stream-jazz.env", "/jazz/", "/jazz/.stream-0.m3u8.partial", "/"] {
      #expect(try Self.get(path, port: port).status == 404, "\(path)")
    }
    for run in runs { try run.end(SIGTERM) }
  }
}
