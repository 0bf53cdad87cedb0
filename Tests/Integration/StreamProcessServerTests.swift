import Foundation
import SoundRigs
import StreamRigs
import Testing

/// `aacorn stream --hls-serve` with listeners.
@Suite(.serialized) struct StreamProcessServerTests {
  let program = StreamProgram()

  @Test func aListenerGetsEveryFrameAndReachesTheEnd() throws {
    let run = try program.start([
      "--hls-serve", "127.0.0.1:0", "--hls-segment", "1s", "--hls-part", "250ms",
      "--hls-window", "50", "--save", "a.aac",
    ])
    let url = try StreamProgram.url(of: "hls", in: run)
    #expect(url.lastPathComponent == "stream.m3u8")
    // The player connects before the first segment exists, and its request waits.
    let player = try Program.ffmpeg().start(
      [
        "-nostdin", "-v", "error", "-live_start_index", "0", "-i", url.absoluteString, "-c", "copy",
        "-f", "adts", "copy.aac",
      ], in: program.folder)
    func count(_ tag: String) throws -> Int {
      try StreamProgram.get("/stream-0.m3u8", of: "hls", in: run)
        .split(separator: "\n").count { $0.hasPrefix(tag) }
    }
    #expect(eventually { ((try? count("#EXTINF:")) ?? 0) >= 5 }, "\(run.outputSoFar)")
    #expect(try count("#EXT-X-PART:") >= 12)
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
    try run.end(SIGINT, status: 130)
  }
}
