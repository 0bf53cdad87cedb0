import Foundation
import SoundRigs
import StreamRigs
import Testing

/// Secrets in the output of `aacorn stream` that other users and clients can see.
@Suite(.serialized) struct StreamProcessSecretsTests {
  let program = StreamProgram()

  /// The response of a run's status server.
  private func status(_ path: String, of run: Program.Run) throws -> String {
    try StreamProgram.get(path, of: "status", in: run)
  }

  /// The command line of a process, which every user of the machine can read.
  private func commandLine(of run: Program.Run) throws -> String {
    let file = URL(fileURLWithPath: "/proc/\(run.identifier)/cmdline")
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  @Test(.tags(.smoke), arguments: ["address", "file", "environment"])
  func secretsAppearInNoOutput(location: String) throws {
    let icecast = try IcecastServer()
    defer { icecast.stop() }
    let nginx = try NginxServer()
    defer { nginx.stop() }
    // The percent-encoded password, which differs from the password because of reserved characters.
    let encoded = "p%25C3%25A4ss%3A%20w%C3%B6rd"
    let key = "keykeykey"
    var arguments = ["--verbose", "--listen-status", "0"]
    var environment: [String: String] = [:]
    switch location {
    case "address":
      arguments += [
        "--icecast", "icecast://source:\(encoded)@127.0.0.1:\(icecast.port)/a",
        "--rtmp=" + nginx.address + "/" + key,
      ]
    case "file":
      let path = try program.folder.write(
        Array("icecast-password = \(IcecastServer.password)\nrtmp-key = \(key)\n".utf8),
        to: "keys")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      arguments += [
        "--credentials", "keys", "--icecast", icecast.address("/a"), "--rtmp", nginx.address,
      ]
    default:
      environment = StreamProgram.password.merging(["AACORN_RTMP_KEY": key]) { $1 }
      arguments += ["--icecast", icecast.address("/a"), "--rtmp", nginx.address]
    }
    let run = try program.start(arguments, environment)
    #expect(StreamProgram.wait(run, until: "icecast", is: "live"), "\(run.outputSoFar)")
    #expect(StreamProgram.wait(run, until: "rtmp", is: "live"), "\(run.outputSoFar)")
    #expect(try status("/metrics", of: run).contains("text/plain; version=0.0.4"))
    #expect(eventually { (try? status("/healthz", of: run))?.contains(" 200 ") == true })
    var seen = try commandLine(of: run)
    #expect(seen.contains("127.0.0.1:\(icecast.port)/a"))
    for page in ["/", "/status", "/metrics", "/healthz"] { seen += try status(page, of: run) }
    // The error message of a server may repeat its input.
    nginx.kill()
    icecast.kill()
    #expect(StreamProgram.wait(run, until: "rtmp", is: "reconnecting"))
    #expect(StreamProgram.wait(run, until: "icecast", is: "reconnecting"))
    #expect(eventually { (try? status("/healthz", of: run))?.contains(" 503 ") == true })
    seen += try status("/status", of: run)
    run.interrupt()
    let outcome = try run.wait()
    seen += outcome.text + outcome.errors
    for secret in [key, encoded, IcecastServer.password, "wörd", "w%C3%B6rd"] {
      #expect(!seen.contains(secret), "\(secret)")
    }
    #expect((location == "address") == outcome.text.contains("other users of this machine"))
    #expect(location != "address" || seen.contains("xxxx"))
  }
}
