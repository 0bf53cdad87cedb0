import Foundation
import SoundRigs
import StreamRigs
import Testing

/// `aacorn stream --hls http://…` with nginx as the server, which accepts PUT and DELETE.
@Suite(.serialized, .tags(.smoke)) struct StreamProcessUploadTests {
  private static let password = "hush!hush"
  private let program = StreamProgram()
  private let port: Int
  private let nginx: NginxServer

  init() throws {
    port = try freePort()
    let users = try program.folder.write(Array("anna:{PLAIN}\(Self.password)\n".utf8), to: "users")
    nginx = try NginxServer(
      site: """
        server {
          listen 127.0.0.1:\(port);
          root \(program.folder.path)/origin;
          location / {
            dav_methods PUT DELETE;
            create_full_put_path on;
            auth_basic origin;
            auth_basic_user_file \(users);
          }
        }
        """)
  }

  private func start(_ arguments: [String], password: String = password) throws -> Program.Run {
    try program.start(
      ["--hls", "http://127.0.0.1:\(port)/live/", "--hls-segment", "1s"] + arguments,
      ["AACORN_HLS_USER": "anna", "AACORN_HLS_PASSWORD": password])
  }

  private var names: [String] {
    let path = program.folder.path + "/origin/live"
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  private func playlist() throws -> HLSPlaylistText {
    HLSPlaylistText(
      String(decoding: try program.folder.read("origin/live/stream-0.m3u8"), as: UTF8.self))
  }

  @Test func oldSegmentsAreDeletedFromTheServer() throws {
    defer { nginx.stop() }
    let run = try start(["--hls-window", "3", "--hls-delete", "--hls-format", "aac"])
    #expect(eventually { names.contains { $0.hasSuffix(".aac") } }, "\(run.outputSoFar)")
    let first = try #require(names.first { $0.hasSuffix(".aac") })
    #expect(eventually { !names.contains(first) }, "\(run.outputSoFar)")
    let outcome = try run.end(SIGINT)
    let playlist = try playlist()
    #expect(playlist.isEnded && playlist.faults.isEmpty)
    #expect((3...5).contains(playlist.segments.count))
    for name in playlist.segmentNames { #expect(names.contains(name)) }
    #expect(!outcome.text.contains(Self.password))
  }
}
