import AacornDevices
import AacornSystem
import Foundation
import SoundRigs
import StreamRigs
import TestSignals
import Testing

/// Streams that a page starts with its recording, as servers and players receive them.
@Suite(.serialized, .tags(.smoke)) struct StudioStreamTests {
  let folder = WorkFolder()

  /// The request to record the tune into `talk.aac`, with an additional output.
  private static let talk =
    "format=aac&name=talk&bitrate=256000&sampleRate=48000&channels=2&output="

  @Test func streamResumesAfterRTMPServerRestart() throws {
    let server = try NginxServer()
    let studio = try StudioProgram(in: folder)
    try studio.record(Self.talk + "\(server.address)/s3cret-key")
    #expect(eventually { studio.sentCount("rtmp") > 40 })
    server.kill()
    #expect(eventually { studio.output("rtmp")["state"] as? String == "reconnecting" })
    server.waitForAnotherSecond(after: "s3cret-key")
    try server.restart()
    #expect(eventually { studio.output("rtmp")["state"] as? String == "live" })
    let count = studio.sentCount("rtmp")
    #expect(eventually { studio.sentCount("rtmp") > count + 20 })
    let state = try studio.ask("GET", "/api/state")
    #expect(state.contains("is live again.") && !state.contains("s3cret"), "\(state)")
    try stop(studio)
    // The file has all frames. Each connection has a gapless part of them.
    let frames = try HLSTests.frames(folder.read("talk.aac"))
    #expect(eventually { server.recorded(1, of: "s3cret-key").last == frames.last })
    let (before, after) = (
      server.recorded(0, of: "s3cret-key"), server.recorded(1, of: "s3cret-key")
    )
    #expect(before.count > 20 && before == Array(frames.prefix(before.count)))
    #expect(after.count > 20 && after == Array(frames.suffix(after.count)))
    try expectTune(in: "talk.aac")
    let outcome = try studio.end()
    #expect(!(outcome.text + outcome.errors).contains("s3cret"))
  }

  @Test(arguments: [false, true])
  func aPlayerOfHLSGetsEveryFrameAndReachesTheEnd(hasToken: Bool) throws {
    let studio = try StudioProgram(
      hasToken ? [] : ["--no-token"], hasToken: hasToken, in: folder)
    try studio.record(Self.talk + "hls")
    let path = try #require(studio.output("hls")["url"] as? String)
    // The player connects before the first segment exists. It has only the path, not the token.
    #expect(hasToken ? path.hasPrefix("/hls/") : path == "/hls/live.m3u8")
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
    if hasToken {
      for wrong in ["/hls/live.m3u8", "/hls/0123456789abcdef0123456789abcdef/live.m3u8"] {
        #expect(try studio.ask("GET", wrong, header: "Accept: */*").hasPrefix("HTTP/1.1 401"))
      }
    }
    try stop(studio)
    let played = try player.wait()
    #expect(played.status == 0 && !played.wasKilled, "\(played.errors)")
    let frames = try HLSTests.frames(folder.read("talk.aac"))
    #expect(frames.count > 200)
    #expect(try HLSTests.frames(folder.read("heard.aac")) == frames)
    try expectTune(in: "heard.aac")
    _ = try studio.end()
  }

  private func stop(_ studio: StudioProgram) throws {
    let answer = try studio.ask("POST", "/api/stop")
    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
  }

  /// Expects a file to contain the tune.
  private func expectTune(
    in name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let decoded = try Decoders.ffmpeg(name, channels: 2, in: folder)
    var signal = ToneSignal(sampleRate: 48_000, channelCount: 2)
    var samples: [Float] = []
    let count = decoded[0].count - 2048
    #expect(signal.read(into: &samples, frameCount: count) == count)
    for channel in 0..<2 {
      let original = stride(from: channel, to: 2 * count, by: 2).map { samples[$0] }
      let ratio = Sound.signalToNoise(original[...], decoded[channel].dropFirst(1024).prefix(count))
      #expect(ratio > 20, "channel \(channel)", sourceLocation: sourceLocation)
    }
  }
}
