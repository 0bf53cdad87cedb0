import Foundation
import SoundRigs
import StreamRigs
import Testing

/// Streams that a page starts with its recording, as servers and players receive them.
@Suite(.tags(.smoke)) struct StudioStreamTests {
  let folder = WorkFolder()

  @Test func aPlayerOfHLSGetsEveryFrameAndReachesTheEnd() throws {
    let studio = try StudioProgram(in: folder)
    try studio.record(
      "format=aac&name=talk&bitrate=256000&sampleRate=48000&channels=2&output=hls")
    let path = try #require(studio.output("hls")["url"] as? String)
    // The player connects before the first segment exists. It has only the path, not the token.
    #expect(path.hasPrefix("/hls/"))
    let player = try Program.ffmpeg().start(
      [
        "-nostdin", "-v", "error", "-live_start_index", "0", "-i",
        "http://127.0.0.1:\(studio.port)\(path)", "-c", "copy", "-f", "adts", "heard.aac",
      ], in: folder)
    // Two segments of two seconds, and a part of a third.
    #expect(eventually { studio.seconds > 4.5 })
    let probe = try Program.ffprobe().run(
      [
        "-v", "error", "-show_entries", "stream=codec_name,sample_rate,channels", "-of", "csv=p=0",
        "http://127.0.0.1:\(studio.port)\(path)",
      ], in: folder)
    #expect(probe.text.contains("aac,48000,2"), "\(probe.text)\(probe.errors)")
    for wrong in ["/hls/live.m3u8", "/hls/0123456789abcdef0123456789abcdef/live.m3u8"] {
      #expect(try studio.ask("GET", wrong, header: "Accept: */*").hasPrefix("HTTP/1.1 401"))
    }
    let answer = try studio.ask("POST", "/api/stop")
    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
    let played = try player.wait()
    #expect(played.status == 0 && !played.wasKilled, "\(played.errors)")
    let frames = try HLSTests.frames(folder.read("talk.aac"))
    #expect(frames.count > 200)
    #expect(try HLSTests.frames(folder.read("heard.aac")) == frames)
    _ = try studio.end()
  }
}
