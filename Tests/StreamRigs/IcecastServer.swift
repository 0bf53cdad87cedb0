import Foundation
package import SoundRigs

/// An Icecast server at 127.0.0.1 for one test.
package final class IcecastServer: RigServer {
  package static let password = "p%C3%A4ss: wörd"

  /// The port for sources and listeners.
  package let port: Int

  /// Starts a server.
  package init() throws {
    port = try freePort()
    // The server drops root privileges, and must still read the first folder and write the second.
    try super.init(named: "icecast", mode: 0o755)
    try makeFolder(folder.appendingPathComponent("logs"), mode: 0o777)
    try write(configuration, to: "icecast.xml")
    try start()
  }

  /// Returns the address that a source publishes to.
  package func address(_ mount: String) -> String { "icecast://127.0.0.1:\(port)\(mount)" }

  /// The output and the logs of the server.
  package override var log: String {
    ["output", "logs/error.log", "logs/access.log"].map(folder.text).joined(separator: "\n")
  }

  private func write(_ text: String, to name: String) throws {
    let file = folder.appendingPathComponent(name)
    try text.write(to: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
  }

  private var configuration: String {
    let share = "/usr/share/icecast2"
    let owner = "<changeowner><user>nobody</user><group>nogroup</group></changeowner>"
    return """
      <icecast>
        <location>A test</location><admin>nobody@localhost</admin><hostname>localhost</hostname>
        <limits>
          <clients>50</clients><sources>10</sources><queue-size>524288</queue-size>
          <header-timeout>15</header-timeout><source-timeout>10</source-timeout>
          <burst-on-connect>1</burst-on-connect><burst-size>65535</burst-size>
        </limits>
        <authentication>
          <source-password>\(Self.password)</source-password>
          <relay-password>relay</relay-password>
          <admin-user>admin</admin-user><admin-password>admin</admin-password>
        </authentication>
        <listen-socket><port>\(port)</port><bind-address>127.0.0.1</bind-address></listen-socket>
        <mount type="default"><charset>UTF-8</charset></mount>
        <fileserve>0</fileserve>
        <paths>
          <basedir>\(share)</basedir><webroot>\(share)/web</webroot>
          <adminroot>\(share)/admin</adminroot><logdir>\(folder.path)/logs</logdir>
        </paths>
        <logging>
          <accesslog>access.log</accesslog><errorlog>error.log</errorlog><loglevel>3</loglevel>
        </logging>
        <security><chroot>0</chroot>\(getuid() == 0 ? owner : "")</security>
      </icecast>
      """
  }

  // MARK: Start and stop

  /// Starts the server.
  ///
  /// Icecast 2.4.4 crashes if it counts a client in a table that does not exist yet. A client that
  /// connects during the start must therefore be ready to start the server again. The table exists
  /// once it contains the start time.
  private func start() throws {
    for _ in 0..<5 {
      let isReady = try launch(
        [try findProgram("icecast2", package: "icecast2"), "-c", folder.path + "/icecast.xml"],
        environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], until: { hasCounters })
      if isReady { return }
      kill()
    }
    throw RigFailure("The Icecast server does not answer:\n\(log)")
  }

  private var hasCounters: Bool {
    TCPConnection.page("/status-json.xsl", atPort: port)?.contains("server_start") == true
  }
}
