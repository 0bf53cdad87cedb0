import Foundation
import StreamRigs
import Testing

/// `aacorn stream` as a shell, the system and real servers see it.
@Suite(.serialized) struct StreamProcessTests {
  let folder: WorkFolder

  init() throws {
    folder = try WorkFolder()
  }

  private func stream(
    _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> Program.Run {
    let base = ["PATH": "/usr/sbin:/usr/bin:/bin", "HOME": folder.path, "TERM": "dumb"]
    return try Program.aacorn.get().start(
      ["stream", "--json", "--device", "tone", "--rate", "48000"] + arguments, in: folder,
      environment: base.merging(environment) { $1 })
  }

  private var password: [String: String] {
    ["AACORN_ICECAST_PASSWORD": IcecastServer.password]
  }

  /// Waits until an output has been in a state for so many times.
  private func wait(
    _ run: Program.Run, until output: String, is state: String, times: Int = 1
  ) -> Bool {
    Self.wait {
      Self.events(in: run.outputSoFar).count {
        $0["output"] as? String == output && $0["state"] as? String == state
      } >= times || !run.isRunning
    } && run.isRunning
  }

  private static func wait(seconds: Double = 30, for condition: () -> Bool) -> Bool {
    let deadline = Date() + seconds
    while Date() < deadline {
      if condition() { return true }
      usleep(20_000)
    }
    return condition()
  }

  private static func events(in text: String) -> [[String: Any]] {
    text.split(separator: "\n").compactMap { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
    }
  }

  /// The last event, and in it the outputs by their names.
  private func report(
    _ outcome: Program.Outcome
  ) throws -> (event: [String: Any], outputs: [String: [String: Any]]) {
    let event = try #require(Self.events(in: outcome.text).last)
    #expect(event["event"] as? String == "stopped")
    var outputs: [String: [String: Any]] = [:]
    for output in event["outputs"] as? [[String: Any]] ?? [] {
      outputs[output["output"] as? String ?? ""] = output
    }
    return (event, outputs)
  }

  /// The access units of an ADTS file.
  private static func units(in file: [UInt8]) -> [[UInt8]] {
    var units: [[UInt8]] = []
    var position = 0
    while position + 7 <= file.count {
      let length =
        Int(file[position + 3] & 3) << 11 | Int(file[position + 4]) << 3
        | Int(file[position + 5]) >> 5
      guard length > 7, position + length <= file.count else { break }
      units.append(Array(file[position + 7..<position + length]))
      position += length
    }
    return units
  }

  @Test func fourOutputsAtOnceAndOneServerIsKilled() throws {
    let icecast = try IcecastServer()
    defer { icecast.stop() }
    let nginx = try NginxServer()
    defer { nginx.stop() }
    let run = try stream(
      [
        "--icecast", icecast.address("/live.aac"), "--rtmp", nginx.address(), "--hls", "hls",
        "--hls-type", "event", "--hls-segment", "1s", "--save", "a.aac",
      ], password.merging(["AACORN_RTMP_KEY": "tones"]) { $1 })
    for output in ["icecast", "rtmp", "hls", "save"] {
      #expect(wait(run, until: output, is: "live"), "\(output): \(run.outputSoFar)")
    }
    usleep(1_000_000)
    icecast.kill()
    #expect(wait(run, until: "icecast", is: "reconnecting"))
    usleep(1_500_000)
    run.interrupt()
    let outcome = try run.wait(seconds: 30)
    #expect(outcome.status == 0, "\(outcome.text)")

    let (event, outputs) = try report(outcome)
    let frames = try #require(event["frames"] as? Int)
    #expect(frames > 100)
    #expect(outputs["save"]?["frames"] as? Int == frames)
    #expect(outputs["hls"]?["frames"] as? Int == frames)
    #expect(outputs["rtmp"]?["frames"] as? Int == frames)
    #expect(outputs["rtmp"]?["droppedFrames"] as? Int == 0)
    let sent = try #require(outputs["icecast"]?["frames"] as? Int)
    let dropped = try #require(outputs["icecast"]?["droppedFrames"] as? Int)
    #expect(sent > 0 && dropped > 0)
    #expect(sent + dropped == frames)

    // What the others have is complete, and the same.
    let units = Self.units(in: try folder.read("a.aac"))
    #expect(units.count == frames)
    let recording = try #require(nginx.recordingFiles(of: "tones").first)
    #expect(
      Self.wait { (try? NginxServerRecording(recording).frames.count) == units.count })
    #expect(try NginxServerRecording(recording).frames.map { Array($0.body[2...]) } == units)
    let playlist = String(decoding: try folder.read("hls/stream-0.m3u8"), as: UTF8.self)
    #expect(playlist.hasSuffix("#EXT-X-ENDLIST\n"))
    #expect(HLSRules.faults(inMedia: playlist).isEmpty)
  }

  @Test func aServerThatComesBackIsFoundAgain() throws {
    let icecast = try IcecastServer()
    defer { icecast.stop() }
    let run = try stream(
      ["--icecast", icecast.address("/live.aac"), "--reconnect-queue", "30s"], password)
    #expect(wait(run, until: "icecast", is: "live"))
    try icecast.restart()
    #expect(wait(run, until: "icecast", is: "live", times: 2), "\(run.outputSoFar)")
    let listener = try icecast.listen(to: "/live.aac")
    #expect(Self.wait { listener.body.count > 20_000 })
    listener.stop()
    run.signal(SIGTERM)
    let outcome = try run.wait(seconds: 30)
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(try report(outcome).outputs["icecast"]?["reconnects"] as? Int == 1)
  }

  @Test func aRefusalIsExitCodeFourAndALossForGoodIsFive() throws {
    let icecast = try IcecastServer()
    defer { icecast.stop() }
    let refused = try stream(
      ["--icecast", icecast.address("/live.aac")], ["AACORN_ICECAST_PASSWORD": "verywrong"])
    let outcome = try refused.wait(seconds: 30)
    #expect(outcome.status == 4, "\(outcome.text)")
    #expect(outcome.text.contains("\"error\":\"unauthorized\""))
    #expect(!outcome.text.contains("verywrong"))

    let run = try stream(
      ["--icecast", icecast.address("/live.aac"), "--retry", "1"], password)
    #expect(wait(run, until: "icecast", is: "live"))
    #expect(Self.wait { run.outputSoFar.contains("\"started\"") })
    usleep(300_000)
    icecast.kill()
    let lost = try run.wait(seconds: 30)
    #expect(lost.status == 5, "\(lost.text)")
    #expect(try report(lost).event["error"] as? String == "connection")
  }

  @Test func aSecondSignalEndsItAtOnce() throws {
    let nginx = try NginxServer()
    defer { nginx.stop() }
    let run = try stream(["--rtmp", nginx.address() + "/tones"])
    #expect(wait(run, until: "rtmp", is: "live"))
    // Taking leave of a server that stands still takes its time.
    nginx.freeze()
    defer { nginx.thaw() }
    run.interrupt()
    usleep(600_000)
    run.interrupt()
    let outcome = try run.wait(seconds: 20)
    #expect(!outcome.wasKilled)
    #expect([0, 130].contains(outcome.status), "\(outcome.text)")
  }

  @Test func aChangedFileOfMetadataReachesTheListeners() throws {
    let icecast = try IcecastServer()
    defer { icecast.stop() }
    try folder.write(Array("One - First\n".utf8), to: "now.txt")
    let run = try stream(
      ["--icecast", icecast.address("/live.aac"), "--metadata-file", "now.txt"], password)
    #expect(wait(run, until: "icecast", is: "live"))
    func title() -> String? { (try? icecast.status())?["/live.aac"]?["title"] }
    #expect(Self.wait { title()?.contains("First") == true }, "\(icecast.log)")
    try folder.write(Array("Two - Sécond\n".utf8), to: "now.txt")
    #expect(Self.wait { title()?.contains("Two - Sécond") == true }, "\(icecast.log)")
    // Without a terminal a hang-up has it read sooner, and ends nothing.
    try folder.write(Array("Three - Third\n".utf8), to: "now.txt")
    run.signal(SIGHUP)
    #expect(Self.wait { title()?.contains("Third") == true })
    run.signal(SIGTERM)
    let outcome = try run.wait(seconds: 30)
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.text.contains(#""event":"metadata""#))
  }

  // MARK: - Status

  /// Asks the status server that a run told of.
  private func get(_ path: String, of run: Program.Run) throws -> String {
    let event = try #require(
      Self.events(in: run.outputSoFar).first { $0["service"] as? String == "status" })
    let url = try #require((event["url"] as? String).flatMap { URL(string: $0) })
    let connection = try #require(TCPConnection(toPort: url.port ?? 0))
    defer { connection.close() }
    #expect(connection.write(Array("GET \(path) HTTP/1.0\r\nHost: x\r\n\r\n".utf8)))
    var bytes: [UInt8] = []
    while let more = connection.read() { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func theStatusFollowsWhatHappens() throws {
    let nginx = try NginxServer()
    defer { nginx.stop() }
    let run = try stream(
      ["--rtmp", nginx.address() + "/tones", "--listen-status", "127.0.0.1:0"])
    #expect(wait(run, until: "rtmp", is: "live"))
    #expect(Self.wait { (try? get("/healthz", of: run))?.contains(" 200 ") == true })
    let metrics = try get("/metrics", of: run)
    #expect(metrics.contains("text/plain; version=0.0.4"))
    #expect(metrics.contains("\naacorn_output_up{output=\"rtmp\""))
    #expect(!metrics.contains("tones"))
    let status = try get("/status", of: run)
    #expect(status.contains("application/json"))
    #expect(status.contains("\"state\":\"live\""))
    nginx.kill()
    #expect(Self.wait { (try? get("/healthz", of: run))?.contains(" 503 ") == true })
    #expect(try get("/status", of: run).contains("\"healthy\":false"))
    run.interrupt()
    #expect(try run.wait(seconds: 30).status == 0)
  }

  // MARK: - Secrets

  /// What anybody on this machine can see of a process.
  private func commandLine(of run: Program.Run) throws -> String {
    let file = URL(fileURLWithPath: "/proc/\(run.identifier)/cmdline")
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  @Test(arguments: ["address", "file", "environment"])
  func secretsShowNowhere(place: String) throws {
    let icecast = try IcecastServer()
    defer { icecast.stop() }
    let nginx = try NginxServer()
    defer { nginx.stop() }
    // Without what has a meaning in addresses the password cannot be told from its code.
    let encoded = "p%25C3%25A4ss%3A%20w%C3%B6rd"
    let key = "keykeykey"
    var arguments = ["--verbose", "--listen-status", "0"]
    var environment: [String: String] = [:]
    switch place {
    case "address":
      arguments += [
        "--icecast", "icecast://source:\(encoded)@127.0.0.1:\(icecast.port)/a",
        "--rtmp=" + nginx.address() + "/" + key,
      ]
    case "file":
      let path = try folder.write(
        Array("icecast-password = \(IcecastServer.password)\nrtmp-key = \(key)\n".utf8),
        to: "keys")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      arguments += [
        "--credentials", "keys", "--icecast", icecast.address("/a"), "--rtmp", nginx.address(),
      ]
    default:
      environment = password.merging(["AACORN_RTMP_KEY": key]) { $1 }
      arguments += ["--icecast", icecast.address("/a"), "--rtmp", nginx.address()]
    }
    let run = try stream(arguments, environment)
    #expect(wait(run, until: "icecast", is: "live"), "\(run.outputSoFar)")
    #expect(wait(run, until: "rtmp", is: "live"), "\(run.outputSoFar)")
    var seen = try commandLine(of: run)
    #expect(seen.contains("127.0.0.1:\(icecast.port)/a"))
    for page in ["/", "/status", "/metrics", "/healthz"] { seen += try get(page, of: run) }
    // A server that says no may repeat what it was told.
    nginx.kill()
    icecast.kill()
    #expect(wait(run, until: "rtmp", is: "reconnecting"))
    #expect(wait(run, until: "icecast", is: "reconnecting"))
    seen += try get("/status", of: run)
    run.interrupt()
    let outcome = try run.wait(seconds: 30)
    seen += outcome.text + outcome.errors
    for secret in [key, encoded, IcecastServer.password, "wörd", "w%C3%B6rd"] {
      #expect(!seen.contains(secret), "\(secret)")
    }
    #expect((place == "address") == outcome.text.contains("others on this machine"))
    #expect(place != "address" || seen.contains("xxxx"))
  }

  @Test func aFileOfCredentialsThatOthersMayReadIsRefused() throws {
    let path = try folder.write(Array("rtmp-key = topsecret\n".utf8), to: "keys")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let outcome = try stream(["--credentials", "keys", "--rtmp", "rtmp://127.0.0.1/live"]).wait()
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("chmod 600 keys"))
    #expect(!outcome.errors.contains("topsecret"))
  }

  // MARK: - The service

  @Test func theServiceFileIsUnderstoodBySystemd() throws {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Documentation/Streaming/aacorn-stream.service")
    let text = try String(contentsOf: source, encoding: .utf8)
    // The program need not be installed where the tests run.
    let program = try Program.aacorn.get().path
    let unit = text.replacingOccurrences(of: "/usr/local/bin/aacorn", with: program)
    #expect(unit != text)
    let path = try folder.write(Array(unit.utf8), to: "aacorn-stream.service")
    let outcome = try Program.find("systemd-analyze", package: "systemd").run(
      ["verify", "--man=no", path], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty && outcome.text.isEmpty, "\(outcome.errors)\(outcome.text)")
  }
}
