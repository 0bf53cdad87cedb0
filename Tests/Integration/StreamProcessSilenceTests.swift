import Foundation
import SoundRigs
import StreamRigs
import Testing

/// `aacorn stream` to servers that accept connections but no audio.
@Suite(.serialized) struct StreamProcessSilenceTests {
  let program: StreamProgram
  private static let certificates = Result { try TestCertificates() }

  init() throws {
    program = try StreamProgram()
  }

  private static let secrets = ["AACORN_ICECAST_PASSWORD": "s3cret", "AACORN_RTMP_KEY": "s3cret"]

  /// The arguments of a run, and the servers of its outputs.
  private struct Broadcast {
    var arguments: [String] = []
    var servers: [MisbehavingServer] = []
    var covers: [TLSServer] = []

    /// Adds an output to a server with the given behavior.
    mutating func add(_ scheme: String, _ behavior: MisbehavingServer.Behavior = .silent) throws {
      let server = try MisbehavingServer(behavior)
      servers.append(server)
      var port = server.port
      if scheme.hasSuffix("s") {
        let cover = try TLSServer(certificates.get().server, to: port)
        covers.append(cover)
        port = cover.port
        if !arguments.contains("--certificate") {
          arguments += ["--certificate", try certificates.get().authority]
        }
      }
      let option = scheme.hasPrefix("rtmp") ? "--rtmp" : "--icecast"
      arguments += [option, "\(scheme)://127.0.0.1:\(port)/live"]
    }

    func stop() {
      for server in servers { server.stop() }
      for cover in covers { cover.stop() }
    }
  }

  /// Checks the report of an output that sent nothing.
  private func expectNothing(_ output: [String: Any]?, _ words: String) throws {
    let output = try #require(output)
    #expect(output["state"] as? String == "failed")
    #expect(output["frames"] as? Int == 0)
    #expect(output["droppedFrames"] as? Int ?? 0 > 0)
    let message = try #require(output["message"] as? String)
    let name = try #require(output["name"] as? String)
    #expect(message.contains("“\(name)” \(words)"), "\(message)")
    #expect(!message.contains("s3cret"))
  }

  @Test func silentServerExitsWithFour() throws {
    let cases: [(scheme: String, behavior: MisbehavingServer.Behavior)] = [
      ("icecast", .silent), ("icecasts", .silent), ("rtmp", .silent), ("rtmps", .silent),
      ("rtmp", .silentAfterHandshake), ("rtmps", .silentAfterHandshake),
      ("rtmp", .silentAfterCreate),
    ]
    // Start all runs at the same time, because each one takes the three seconds for sending queued
    // frames.
    let runs = try cases.map { (scheme, behavior) in
      var broadcast = Broadcast()
      try broadcast.add(scheme, behavior)
      return (broadcast, try program.start(["-d", "1"] + broadcast.arguments, Self.secrets))
    }
    for (broadcast, run) in runs {
      let outcome = try run.wait()
      #expect(outcome.status == 4, "\(outcome.text)")
      let (event, outputs) = try StreamProgram.report(outcome)
      #expect(event["status"] as? String == "error")
      #expect(event["code"] as? Int == 4)
      #expect(event["error"] as? String == "timeout")
      let output = try #require(outputs.values.first)
      try expectNothing(output, "accepted the connection but did not answer")
      #expect(event["message"] as? String == output["message"] as? String)
      broadcast.stop()
    }
  }

  @Test func anotherOutputThatWorkedIsExitCodeOne() throws {
    var broadcast = Broadcast()
    try broadcast.add("rtmp", .silentAfterHandshake)
    defer { broadcast.stop() }
    let run = try program.start(["-d", "1", "--save", "a.aac"] + broadcast.arguments, Self.secrets)
    let outcome = try run.wait()
    #expect(outcome.status == 1, "\(outcome.text)")
    let (event, outputs) = try StreamProgram.report(outcome)
    #expect(event["status"] as? String == "error")
    #expect(event["message"] as? String == "1 of 2 outputs failed: rtmp.")
    try expectNothing(outputs["rtmp"], "accepted the connection but did not answer")
    let frames = try HLSTests.frames(program.folder.read("a.aac")).count
    #expect(frames > 40)
    #expect(outputs["save"]?["frames"] as? Int == frames)
    #expect(outputs["save"]?["state"] as? String == "stopped")
  }

  @Test func interruptWhileConnectingReportsSilentServer() throws {
    var broadcast = Broadcast()
    try broadcast.add("icecast")
    defer { broadcast.stop() }
    let run = try program.start(
      ["--listen-status", "127.0.0.1:0"] + broadcast.arguments, Self.secrets)
    #expect(
      eventually {
        let page = try? StreamProgram.get("/status", of: "status", in: run)
        return page?.contains(#""state":"connecting""#) == true
          && page?.contains(#""frames":0,"sampleRate""#) == false
      })
    run.interrupt()
    let outcome = try run.wait()
    #expect(outcome.status == 4, "\(outcome.text)")
    try expectNothing(
      StreamProgram.report(outcome).outputs["icecast"],
      "accepted the connection but did not answer")
  }

  @Test func closedPortExitsWithFour() throws {
    let port = try freePort()
    let run = try program.start(
      ["--rtmp", "rtmp://127.0.0.1:\(port)/live", "--listen-status", "0"], Self.secrets)
    #expect(StreamProgram.wait(run, until: "rtmp", is: "reconnecting"))
    #expect(
      eventually {
        (try? StreamProgram.get("/status", of: "status", in: run))?
          .contains(#""queuedFrames":0,"#) == false
      })
    run.interrupt()
    let outcome = try run.wait()
    #expect(outcome.status == 4, "\(outcome.text)")
    let (event, outputs) = try StreamProgram.report(outcome)
    #expect(event["error"] as? String == "unreachable")
    #expect(outputs["rtmp"]?["state"] as? String == "failed")
    #expect(
      (event["message"] as? String)?.contains("Nothing accepts connections at 127.0.0.1:\(port)")
        == true)
  }

  /// The timeout for the response of a server is the default of ten seconds.
  @Test func silentServerTimesOutAndIsRetried() throws {
    var broadcast = Broadcast()
    for scheme in ["icecast", "icecasts", "rtmp", "rtmps"] { try broadcast.add(scheme) }
    try broadcast.add("rtmp", .silentAfterConnect)
    defer { broadcast.stop() }
    let run = try program.start(broadcast.arguments, Self.secrets)
    for output in ["icecast", "icecast-2", "rtmp", "rtmp-2", "rtmp-3"] {
      #expect(StreamProgram.wait(run, until: output, is: "reconnecting"), "\(run.outputSoFar)")
    }
    #expect(eventually { broadcast.servers.allSatisfy { $0.connectionCount >= 2 } })
    let failures = StreamProgram.events(in: run.outputSoFar).filter {
      $0["state"] as? String == "reconnecting"
    }
    #expect(failures.allSatisfy { $0["error"] as? String == "timeout" }, "\(failures)")
    run.interrupt()
    let outcome = try run.wait()
    #expect(outcome.status == 4, "\(outcome.text)")
    #expect(
      try StreamProgram.report(outcome).event["message"] as? String
        == "No output accepted any audio.")
  }

  @Test func endlessServerOutputDisconnects() throws {
    var broadcast = Broadcast()
    try broadcast.add("rtmp", .pings)
    try broadcast.add("rtmps", .windows)
    try broadcast.add("icecast", .continues)
    defer { broadcast.stop() }
    let run = try program.start(["--save", "a.aac"] + broadcast.arguments, Self.secrets)
    for output in ["rtmp", "rtmp-2", "icecast"] {
      #expect(
        StreamProgram.wait(run, until: output, is: "reconnecting", times: 3), "\(run.outputSoFar)")
    }
    let failures = StreamProgram.events(in: run.outputSoFar).filter {
      $0["state"] as? String == "reconnecting"
    }
    #expect(failures.allSatisfy { $0["error"] as? String == "malformed" }, "\(failures)")
    // The delay between attempts increases.
    for output in ["rtmp", "rtmp-2", "icecast"] {
      let attempts = failures.filter { $0["output"] as? String == output }
        .compactMap { $0["attempt"] as? Int }
      #expect(attempts == Array(1..<attempts.count + 1))
    }
    run.interrupt()
    let outcome = try run.wait()
    #expect(outcome.status == 1, "\(outcome.text)")
    let outputs = try StreamProgram.report(outcome).outputs
    try expectNothing(outputs["rtmp"], "sent more than 128 kB of unexpected data")
    try expectNothing(outputs["rtmp-2"], "sent more than 128 kB of unexpected data")
    let frames = try HLSTests.frames(program.folder.read("a.aac")).count
    #expect(outputs["save"]?["frames"] as? Int == frames && frames > 20)
  }
}
