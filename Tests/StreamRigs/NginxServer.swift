package import Foundation
package import SoundRigs

/// An nginx for one test that accepts RTMP.
///
/// Its RTMP application `live` accepts all streams, sends them to players and records each stream.
package final class NginxServer: RigServer {
  package let rtmpPort: Int
  private let httpPort: Int

  /// Starts a server.
  ///
  /// `site` is additional configuration for the `http` section.
  package init(site: String = "") throws {
    rtmpPort = try freePort()
    httpPort = try freePort()
    try super.init(named: "nginx")
    for url in [recordings, folder.appendingPathComponent("temporary")] {
      try makeFolder(url, mode: 0o755)
    }
    try configuration(site: site).write(
      to: folder.appendingPathComponent("nginx.conf"), atomically: true, encoding: .utf8)
    try start()
  }

  package var address: String { "rtmp://127.0.0.1:\(rtmpPort)/live" }

  package var recordings: URL { folder.appendingPathComponent("recordings") }

  /// Returns the recordings of a stream, in order.
  package func recordingFiles(of name: String) -> [URL] {
    let files =
      (try? FileManager.default.contentsOfDirectory(
        at: recordings, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.lastPathComponent.hasPrefix("\(name)-") }
      .sorted { $0.path < $1.path }
  }

  package override var log: String { folder.text(of: "error.log") }

  /// Requests the server's statistics of its streams, in XML.
  package func statistics() throws -> String {
    guard let page = TCPConnection.page("/stat", atPort: httpPort) else {
      throw RigFailure("nginx does not listen at port \(httpPort).")
    }
    return page
  }

  private func configuration(site: String) -> String {
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
      }
    \(site)
    }

    """
  }

  // MARK: Start and stop

  private func start() throws {
    let isReady = try launch(
      [try Self.program(), "-p", folder.path, "-c", folder.path + "/nginx.conf"],
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
    ) { (try? statistics())?.contains("<rtmp>") == true }
    if isReady { return }
    throw RigFailure("nginx does not start. It says:\n\(super.log.suffix(1000))\(log.suffix(1000))")
  }

  private static func program() throws -> String {
    let module = "/usr/lib/nginx/modules/ngx_rtmp_module.so"
    guard FileManager.default.fileExists(atPath: module) else {
      throw RigFailure("nginx has no RTMP. Scripts/setup --tests installs libnginx-mod-rtmp.")
    }
    return try findProgram("nginx", package: "nginx")
  }
}
