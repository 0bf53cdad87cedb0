import Foundation
import SoundRigs
import StreamRigs
import Testing

/// `aacorn stream --hls-serve` with listeners.
@Suite(.serialized) struct StreamProcessServerTests {
  let program: StreamProgram

  init() throws {
    program = try StreamProgram()
  }

  /// A player that copies all frames from the first one on, and stops at the end of the playlist.
  private func player(_ url: URL, into name: String) throws -> Program.Run {
    try Program.ffmpeg().start(
      [
        "-nostdin", "-v", "error", "-live_start_index", "0", "-i", url.absoluteString, "-c", "copy",
        "-f", "adts", name,
      ], in: program.folder)
  }

  @Test(arguments: [[], ["--hls-part", "250ms"]])
  func aListenerGetsEveryFrameAndReachesTheEnd(parts: [String]) throws {
    let run = try program.start(
      [
        "--hls-serve", "127.0.0.1:0", "--hls-segment", "1s", "--hls-window", "50", "--save",
        "a.aac",
      ] + parts)
    let url = try StreamProgram.url(of: "hls", in: run)
    #expect(url.lastPathComponent == "stream.m3u8")
    // The player connects before the first segment exists, and its request waits.
    let player = try player(url, into: "copy.aac")
    func segmentCount() throws -> Int {
      try StreamProgram.get("/stream-0.m3u8", of: "hls", in: run)
        .split(separator: "\n").count { $0.hasPrefix("#EXTINF:") }
    }
    #expect(eventually { ((try? segmentCount()) ?? 0) >= 5 }, "\(run.outputSoFar)")
    run.interrupt()
    let played = try player.wait()
    #expect(played.status == 0 && !played.wasKilled, "\(played.errors)")
    let outcome = try run.wait()
    #expect(outcome.status == 0 && !outcome.wasKilled, "\(outcome.text)")
    let frames = try HLSTests.frames(program.folder.read("a.aac"))
    #expect(frames.count > 200)
    #expect(try HLSTests.frames(program.folder.read("copy.aac")) == frames)
    let outputs = try StreamProgram.report(outcome).outputs
    #expect(outputs["hls"]?["frames"] as? Int == frames.count)
  }

  /// With low-latency HLS, the server delays its response to a request for the next part until the
  /// part exists.
  @Test func aPlaylistWithAPartThatIsToComeIsAnsweredWhenItHasCome() throws {
    let run = try program.start(
      ["--hls-serve", "0", "--hls-segment", "2s", "--hls-part", "500ms"])
    func playlist(_ query: String = "") throws -> String {
      let answer = try StreamProgram.get("/stream-0.m3u8" + query, of: "hls", in: run)
      return answer.firstRange(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) } ?? ""
    }
    #expect(eventually { (try? playlist())?.contains("#EXT-X-PART:") == true })
    let present = HLSPlaylistText(try playlist())
    let first = try #require(present.mediaSequence)
    let next = first + present.segmentNames.count + 1
    let answer = try playlist("?_HLS_msn=\(next)&_HLS_part=0")
    let later = HLSPlaylistText(answer)
    #expect((later.mediaSequence ?? 0) + later.segmentNames.count >= next, "\(answer)")
    run.interrupt()
    #expect(try run.wait().status == 0)
  }

  @Test func hlsServerWithoutClientsDoesNotDelayExit() throws {
    let run = try program.start(
      ["--hls-serve", "0", "--hls-segment", "60s", "-d", "1", "--hls-type", "event"])
    let outcome = try run.wait()
    #expect(outcome.status == 0 && !outcome.wasKilled, "\(outcome.text)")
  }

  @Test func aSecondSignalEndsItAtOnce() throws {
    let run = try program.start(["--hls-serve", "0", "--hls-segment", "10s", "--hls-part", "500ms"])
    // A listener requests the playlist once, but never its end. After a stop, the program waits for
    // the listener to request the end.
    #expect(
      eventually {
        (try? StreamProgram.get("/stream-0.m3u8", of: "hls", in: run))?
          .contains("#EXT-X-PART:") == true
      })
    run.interrupt()
    // The program must still run after this time.
    sleep(3)
    #expect(run.isRunning, "\(run.outputSoFar)")
    run.interrupt()
    let outcome = try run.wait()
    #expect(outcome.status == 130 && !outcome.wasKilled, "\(outcome.text)")
  }

  @Test func anAddressThatIsTakenLeavesTheFolderAlone() throws {
    let first = try program.start(["--hls-serve", "127.0.0.1:0"])
    let port = try #require(try StreamProgram.url(of: "hls", in: first).port)
    let second = try program.start(
      ["--hls", "hls", "--hls-serve", "127.0.0.1:\(port)", "--hls-segment", "1s", "-d", "3"])
    let outcome = try second.wait()
    #expect(outcome.status == 1, "\(outcome.text)")
    #expect(outcome.text.contains("is in use by another program"))
    let outputs = try StreamProgram.report(outcome).outputs
    #expect(outputs["hls"]?["state"] as? String == "stopped")
    #expect(outputs["hls-2"]?["state"] as? String == "failed")
    let playlist = String(decoding: try program.folder.read("hls/stream-0.m3u8"), as: UTF8.self)
    #expect(playlist.hasSuffix("#EXT-X-ENDLIST\n"))
    #expect(try program.start(["--hls-serve", "127.0.0.1:\(port)"]).wait().status == 4)
    first.interrupt()
    #expect(try first.wait().status == 0)
  }

  @Test func aFolderAndTheServerHaveTheSameSegments() throws {
    let run = try program.start(
      ["--hls", "hls", "--hls-serve", "0", "--hls-segment", "1s", "--hls-type", "event"])
    let player = try player(StreamProgram.url(of: "hls", in: run), into: "copy.aac")
    #expect(eventually { run.outputSoFar.contains("\"output\":\"hls-2\"") })
    func segmentCount() throws -> Int {
      String(decoding: try program.folder.read("hls/stream-0.m3u8"), as: UTF8.self)
        .split(separator: "\n").count { $0.hasPrefix("#EXTINF:") }
    }
    #expect(eventually { ((try? segmentCount()) ?? 0) >= 3 }, "\(run.outputSoFar)")
    run.interrupt()
    #expect(try player.wait().status == 0)
    let outcome = try run.wait()
    #expect(outcome.status == 0, "\(outcome.text)")
    let outputs = try StreamProgram.report(outcome).outputs
    let frames = try #require(outputs["hls"]?["frames"] as? Int)
    #expect(outputs["hls-2"]?["frames"] as? Int == frames)
    #expect(outputs["hls"]?["segments"] as? Int == outputs["hls-2"]?["segments"] as? Int)
    #expect(try HLSTests.frames(program.folder.read("copy.aac")).count == frames)
  }
}
