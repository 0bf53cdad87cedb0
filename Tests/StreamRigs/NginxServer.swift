public import Foundation
import SoundRigs

/// An nginx of a test's own, which takes RTMP and serves files, without a trace afterwards.
///
/// It lives in a folder of its own under a shell that ends it when the test's process ends, however
/// that comes about. Its RTMP applications:
///
/// - `live` takes all streams, hands them to players and records each;
/// - `denied` lets nobody publish;
/// - `refused` asks a web page for permission, which says no.
public final class NginxServer {
  /// The folder with configuration, logs, recordings and pages.
  public let folder: URL
  /// The port for RTMP.
  public let rtmpPort: Int
  /// The port for HTTP.
  public let httpPort: Int
  private var server: KeptProgram?

  /// Starts a server; with `pages` it serves that folder instead of one of its own.
  ///
  /// `site` is further configuration for its `http` section.
  public init(pages: URL? = nil, site: String = "") throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("nginx-\(UUID().uuidString.prefix(8))")
    rtmpPort = try freePort()
    httpPort = try freePort()
    let ownPages = folder.appendingPathComponent("pages")
    for url in [recordings, ownPages, folder.appendingPathComponent("temporary")] {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    do {
      try configuration(pages: pages ?? ownPages, site: site).write(
        to: folder.appendingPathComponent("nginx.conf"), atomically: true, encoding: .utf8)
      try start()
    } catch {
      stop()
      throw error
    }
  }

  deinit { stop() }

  /// The address of an application.
  public func address(of application: String = "live") -> String {
    "rtmp://127.0.0.1:\(rtmpPort)/\(application)"
  }

  /// Where the pages are found.
  public var pageAddress: String { "http://127.0.0.1:\(httpPort)" }

  /// The folder of the recordings.
  public var recordings: URL { folder.appendingPathComponent("recordings") }

  /// Waits until what is published next under a name gets a file of its own: files are named by the
  /// second.
  public func waitForAnotherSecond(after name: String) {
    let seconds = recordingFiles(of: name).compactMap { file in
      file.deletingPathExtension().lastPathComponent.split(separator: "-").last.flatMap {
        Double($0)
      }
    }
    while Date().timeIntervalSince1970 < (seconds.max() ?? 0) + 1 { usleep(5_000) }
  }

  /// The files with what was published under a name, in order.
  public func recordingFiles(of name: String) -> [URL] {
    let files =
      (try? FileManager.default.contentsOfDirectory(
        at: recordings, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.lastPathComponent.hasPrefix("\(name)-") }
      .sorted { $0.path < $1.path }
  }

  /// What the server has noted.
  public var log: String {
    (try? String(contentsOf: folder.appendingPathComponent("error.log"), encoding: .utf8)) ?? ""
  }

  /// What the server says of its streams, in XML.
  public func statistics() throws -> String {
    let connection = try connect()
    defer { connection.close() }
    connection.write(Array("GET /stat HTTP/1.0\r\n\r\n".utf8))
    var bytes: [UInt8] = []
    while let more = connection.read() { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func connect() throws -> TCPConnection {
    guard let connection = TCPConnection(toPort: httpPort) else {
      throw RigFailure("nginx does not listen at port \(httpPort).")
    }
    return connection
  }

  private func configuration(pages: URL, site: String) -> String {
    """
    load_module /usr/lib/nginx/modules/ngx_rtmp_module.so;
    daemon off;
    master_process off;
    pid \(folder.path)/nginx.pid;
    error_log \(folder.path)/error.log info;
    events { worker_connections 256; }
    rtmp {
      server {
        listen 127.0.0.1:\(rtmpPort);
        chunk_size 4096;
        application live {
          live on;
          meta copy;
          record all;
          record_path \(recordings.path);
          record_unique on;
        }
        application denied { live on; deny publish all; }
        application refused { live on; on_publish http://127.0.0.1:\(httpPort)/refuse; }
      }
    }
    http {
      access_log off;
      types {
        application/vnd.apple.mpegurl m3u8;
        audio/aac aac;
        audio/mp4 m4s m4a;
        video/mp4 mp4;
        text/html html;
      }
      client_body_temp_path \(folder.path)/temporary;
      proxy_temp_path \(folder.path)/temporary;
      fastcgi_temp_path \(folder.path)/temporary;
      uwsgi_temp_path \(folder.path)/temporary;
      scgi_temp_path \(folder.path)/temporary;
      server {
        listen 127.0.0.1:\(httpPort);
        location /stat { rtmp_stat all; }
        location /refuse { return 403; }
        location / { root \(pages.path); }
      }
    \(site)
    }

    """
  }

  // MARK: Life and death

  private func start() throws {
    let server = try KeptProgram(
      [try Self.program(), "-p", folder.path, "-c", folder.path + "/nginx.conf"],
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], log: folder.path + "/output")
    self.server = server
    try awaitAnswer(of: server)
  }

  private static func program() throws -> String {
    let module = "/usr/lib/nginx/modules/ngx_rtmp_module.so"
    guard FileManager.default.fileExists(atPath: module) else {
      throw RigFailure("nginx has no RTMP. On Debian it is in the package libnginx-mod-rtmp.")
    }
    return try findProgram("nginx", package: "nginx")
  }

  private func awaitAnswer(of server: KeptProgram) throws {
    let deadline = Date() + Patience.seconds
    while Date() < deadline {
      if (try? statistics())?.contains("<rtmp>") == true { return }
      if !server.isRunning { break }
      usleep(20_000)
    }
    let output =
      (try? String(contentsOf: folder.appendingPathComponent("output"), encoding: .utf8)) ?? ""
    throw RigFailure("nginx does not start. It says:\n\(output.suffix(1000))\(log.suffix(1000))")
  }

  /// Ends the server as a crash would.
  public func kill() {
    server?.end()
    server = nil
  }

  /// Starts it again, at the same ports.
  public func restart() throws {
    kill()
    // It names its recordings by the second: those to come must have other names.
    let second = time(nil)
    while time(nil) == second { usleep(5_000) }
    try start()
  }

  /// Has it stand still.
  public func freeze() {
    server?.signal(SIGSTOP)
  }

  /// Has it go on.
  public func thaw() {
    server?.signal(SIGCONT)
  }

  /// Ends the server and takes its folder away.
  public func stop() {
    kill()
    try? FileManager.default.removeItem(at: folder)
  }
}
