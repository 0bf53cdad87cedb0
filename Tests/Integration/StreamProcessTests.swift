import Foundation
import SoundRigs
import StreamRigs
import Testing

/// `aacorn stream` run as a process, with real servers.
@Suite(.serialized, .tags(.smoke)) struct StreamProcessTests {
  let program = StreamProgram()

  @Test func fourOutputsAtOnceAndOneServerIsKilled() throws {
    let icecast = try IcecastServer()
    defer { icecast.stop() }
    let nginx = try NginxServer()
    defer { nginx.stop() }
    let run = try program.start(
      [
        "--icecast", icecast.address("/live.aac"), "--rtmp", nginx.address, "--hls", "hls",
        "--hls-type", "event", "--hls-segment", "1s", "--save", "a.aac", "--listen-status", "0",
      ], StreamProgram.password.merging(["AACORN_RTMP_KEY": "tones"]) { $1 })
    for output in ["icecast", "rtmp", "hls", "save"] {
      #expect(StreamProgram.wait(run, until: output, is: "live"), "\(output): \(run.outputSoFar)")
    }
    let listener = try icecast.listen(to: "/live.aac")
    // More frames than are lost later: the exit code of an output that loses more than half is 1.
    #expect(eventually { StreamProgram.sentCount("icecast", of: run) > 300 })
    #expect(eventually { listener.body.count > 30_000 })
    icecast.kill()
    #expect(StreamProgram.wait(run, until: "icecast", is: "reconnecting"))
    // Enough frames to be sure that some of them wait for the lost server.
    let count = StreamProgram.sentCount("save", of: run)
    #expect(eventually { StreamProgram.sentCount("save", of: run) > count + 60 })
    let outcome = try run.end(SIGINT)

    let (event, outputs) = try StreamProgram.report(outcome)
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
    #expect(
      event["message"] as? String
        == "Not everything was sent: icecast missed \(dropped) of \(frames) frames.")

    // The other outputs are complete and have equal frames.
    let units = try HLSTests.frames(program.folder.read("a.aac"))
    #expect(units.count == frames)
    let recording = try #require(nginx.recordingFiles(of: "tones").first)
    #expect(
      eventually { (try? NginxServerRecording(recording).frames.count) == units.count })
    let recorded = try NginxServerRecording(recording)
    #expect(recorded.frames.map { Array($0.body[2...]) } == units)
    #expect(recorded.frames.map(\.time) == units.indices.map { $0 * 1024 * 1000 / 48_000 })
    #expect(Set(recorded.sequenceHeaders).count == 1)
    // The listener's part begins and ends within frames.
    #expect(listener.header("content-type") == "audio/aac")
    let body = listener.body
    let starts = body.indices.lazy.map { ADTSFrames(body, from: $0) }
    let received = starts.first { !$0.isDamaged }?.complete ?? []
    #expect(received.count >= 80)
    let isContained = units.indices.contains { units[$0...].starts(with: received) }
    #expect(isContained)
    let playlist = String(decoding: try program.folder.read("hls/stream-0.m3u8"), as: UTF8.self)
    #expect(playlist.hasSuffix("#EXT-X-ENDLIST\n"))
    #expect(HLSRules.faults(inMedia: playlist).isEmpty)
  }

  @Test func aChangedFileOfMetadataReachesTheListeners() throws {
    let icecast = try IcecastServer()
    defer { icecast.stop() }
    try program.folder.write(Array("One - First\n".utf8), to: "now.txt")
    let run = try program.start(
      ["--icecast", icecast.address("/live.aac"), "--metadata-file", "now.txt"],
      StreamProgram.password)
    #expect(StreamProgram.wait(run, until: "icecast", is: "live"))
    func title() -> String? { (try? icecast.status())?["/live.aac"]?["title"] }
    #expect(eventually { title()?.contains("First") == true }, "\(icecast.log)")
    try program.folder.write(Array("Two - Sécond\n".utf8), to: "now.txt")
    #expect(eventually { title()?.contains("Two - Sécond") == true }, "\(icecast.log)")
    // Without a terminal, SIGHUP makes the program read the file immediately, and does not stop it.
    try program.folder.write(Array("Three - Third\n".utf8), to: "now.txt")
    run.signal(SIGHUP)
    #expect(eventually { title()?.contains("Third") == true })
    let outcome = try run.end(SIGTERM)
    #expect(outcome.text.contains(#""event":"metadata""#))
  }
}
