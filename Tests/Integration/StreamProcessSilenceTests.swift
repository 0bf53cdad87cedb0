import Foundation
import SoundRigs
import StreamRigs
import Testing

/// `aacorn stream` to servers that accept connections but no audio.
@Suite(.serialized) struct StreamProcessSilenceTests {
  let program = StreamProgram()
  private static let certificates = Result { try TestCertificates() }

  private static let secrets = ["AACORN_ICECAST_PASSWORD": "s3cret", "AACORN_RTMP_KEY": "s3cret"]

  /// A run, and the server of its output.
  private struct Broadcast {
    let server: MisbehavingServer
    private let cover: TLSServer?
    let run: Program.Run

    init(
      _ program: StreamProgram, _ scheme: String, _ behavior: MisbehavingServer.Behavior
    ) throws {
      server = try MisbehavingServer(behavior)
      let identities = try certificates.get()
      let isEncrypted = scheme.hasSuffix("s")
      cover = try isEncrypted ? TLSServer(identities.server, to: server.port) : nil
      let option = scheme.hasPrefix("rtmp") ? "--rtmp" : "--icecast"
      let address = "\(scheme)://127.0.0.1:\(cover?.port ?? server.port)/live"
      let trust = isEncrypted ? ["--certificate", identities.authority] : []
      run = try program.start(["-d", "1", option, address] + trust, secrets)
    }

    func stop() {
      server.stop()
      cover?.stop()
    }
  }

  @Test func silentServerExitsWithFour() throws {
    let cases: [(scheme: String, behavior: MisbehavingServer.Behavior)] = [
      ("icecast", .silent), ("icecasts", .silent), ("rtmp", .silent), ("rtmps", .silent),
      ("rtmp", .silentAfterHandshake), ("rtmps", .silentAfterHandshake),
      ("rtmp", .silentAfterCreate),
    ]
    // Start all runs at the same time, because each one takes the three seconds for sending queued
    // frames.
    for broadcast in try cases.map({ try Broadcast(program, $0.scheme, $0.behavior) }) {
      let outcome = try broadcast.run.wait()
      #expect(outcome.status == 4, "\(outcome.text)")
      let (event, outputs) = try StreamProgram.report(outcome)
      #expect(event["status"] as? String == "error")
      #expect(event["code"] as? Int == 4)
      #expect(event["error"] as? String == "timeout")
      let output = try #require(outputs.values.first)
      #expect(output["state"] as? String == "failed")
      #expect(output["frames"] as? Int == 0)
      #expect(output["droppedFrames"] as? Int ?? 0 > 0)
      let message = try #require(output["message"] as? String)
      let name = try #require(output["name"] as? String)
      let words = "“\(name)” accepted the connection but did not answer"
      #expect(message.contains(words) && !message.contains("s3cret"), "\(message)")
      #expect(event["message"] as? String == message)
      broadcast.stop()
    }
  }
}
